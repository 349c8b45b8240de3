package failure

import (
	"slices"

	"openclaw-auth/auth/document"
)

// Lane is where a recorded failure puts a credential.
type Lane string

// The lanes. Their durations belong to the rotation rules, not here.
const (
	// LaneNone leaves the credential alone.
	LaneNone Lane = ""
	// LaneCooldown is the short ladder.
	LaneCooldown Lane = "cooldown"
	// LaneDisabled is the long one: billing on all lines, auth_permanent from
	// 2026.2.26 on.
	LaneDisabled Lane = "disabled"
)

// Mark says when a failure is recorded on the credential at all.
type Mark string

const (
	// MarkAlways records every such failure.
	MarkAlways Mark = "always"
	// MarkNever records none.
	MarkNever Mark = "never"
	// MarkAnswer records it when a finished answer fails, not when the prompt
	// does (time-outs and unknown failures on 2026.1.30).
	MarkAnswer Mark = "answer"
	// MarkStarted records it when the provider had begun to answer (time-outs
	// from 2026.5.28 on).
	MarkStarted Mark = "started"
	// MarkChatGPT records it for ChatGPT OAuth logins only (no_error_details
	// on 2026.9.6).
	MarkChatGPT Mark = "chatgpt"
)

// Rotation says whether the provider's next credential is tried.
type Rotation string

const (
	// RotateNo stays with the credential.
	RotateNo Rotation = "no"
	// RotateYes tries every credential of the provider.
	RotateYes Rotation = "yes"
	// RotateOnce tries one more when there are fallback models. From 2026.4.29
	// to 2026.7.1 the configuration may say how many.
	RotateOnce Rotation = "once"
	// RotateAnswer tries the next when a finished answer failed, not when the
	// prompt did.
	RotateAnswer Rotation = "answer"
)

// Next says whether the chain goes on to the next model.
type Next string

const (
	// NextModel goes on.
	NextModel Next = "model"
	// NextProvider goes on, past further models of the same provider.
	NextProvider Next = "provider"
	// NextThrown goes on after a thrown error; a finished answer with that
	// error is final, but for a repair of the request that the provider allows
	// (format from 2026.5.12 on).
	NextThrown Next = "thrown"
	// NextUnlessLast goes on while candidates are left; the last one's error is
	// thrown as it came.
	NextUnlessLast Next = "unless_last"
	// NextNone ends the run.
	NextNone Next = "none"
)

// Consequence is what follows from a failure. The tables come from reading
// the releases, not from vectors of this package.
type Consequence struct {
	Mark Mark
	// Lane is where the credential goes when the failure is recorded.
	Lane Lane
	// ModelScoped says that the cooldown holds for the failed model only
	// (rate_limit from 2026.4.29 on).
	ModelScoped bool
	Rotate      Rotation
	Next        Next
}

// Consequence returns what a reason leads to on the line.
func (r *Rules) Consequence(reason Reason) Consequence {
	if c, ok := r.Consequences[reason]; ok {
		return c
	}
	return r.Consequences[NoReason]
}

// Follows returns what an error leads to: its reason's consequence, unless the
// run ends whatever the reason, because the text seems to be an overflow or the
// value is a plain abort.
func (r *Rules) Follows(s Signal, v *Verdict) Consequence {
	c := r.Consequence(v.Headline())
	if slices.Contains(r.UnmarkedProviders, document.Lower(document.Trim(s.attemptProvider()))) {
		c.Mark, c.Lane = MarkNever, LaneNone
	}
	if v.AbortRethrow && r.AbortEndsRun {
		return Consequence{Mark: MarkNever, Rotate: RotateNo, Next: NextNone}
	}
	if v.OverflowLikely && r.OverflowEndsRun && !v.OverCeiling {
		c.Rotate, c.Next = RotateNo, NextNone
	}
	return c
}

// cools is the consequence of most reasons.
var cools = Consequence{Mark: MarkAlways, Lane: LaneCooldown, Rotate: RotateYes, Next: NextModel}

// consequences2026_1_30 are the first line's.
func consequences2026_1_30(r *Rules) {
	r.Consequences = map[Reason]Consequence{
		NoReason:  {Mark: MarkNever, Rotate: RotateNo, Next: NextNone},
		Auth:      cools,
		Format:    cools,
		RateLimit: cools,
		Billing:   {Mark: MarkAlways, Lane: LaneDisabled, Rotate: RotateYes, Next: NextModel},
		Timeout:   {Mark: MarkAnswer, Lane: LaneCooldown, Rotate: RotateAnswer, Next: NextModel},
		Unknown:   {Mark: MarkAnswer, Lane: LaneCooldown, Rotate: RotateAnswer, Next: NextUnlessLast},
	}
	r.AbortEndsRun = true
	r.UnmarkedProviders = []string{"openrouter", "kilocode"}
}

func consequences2026_2_12(r *Rules) {
	r.Consequences[NoReason] = Consequence{Mark: MarkNever, Rotate: RotateNo, Next: NextUnlessLast}
	r.Consequences[Timeout] = Consequence{Mark: MarkNever, Rotate: RotateAnswer, Next: NextModel}
	r.Consequences[Unknown] = Consequence{Mark: MarkAlways, Lane: LaneCooldown, Rotate: RotateYes, Next: NextUnlessLast}
	r.Consequences[AuthPermanent] = r.Consequences[Billing]
	r.Consequences[ModelNotFound] = cools
	r.Consequences[ContextOverflow] = Consequence{Mark: MarkNever, Rotate: RotateNo, Next: NextNone}
	r.OverflowEndsRun = true
}

func consequences2026_4_29(r *Rules) {
	once := Consequence{Mark: MarkAlways, Lane: LaneCooldown, Rotate: RotateOnce, Next: NextModel}
	r.Consequences[Overloaded] = once
	once.ModelScoped = true
	r.Consequences[RateLimit] = once
	for _, reason := range []Reason{EmptyResponse, NoErrorDetails, Unclassified} {
		r.Consequences[reason] = r.Consequences[Unknown]
	}
}

func consequences2026_5_12(r *Rules) {
	r.Consequences[ServerError] = Consequence{Mark: MarkNever, Rotate: RotateYes, Next: NextModel}
	r.Consequences[Format] = Consequence{Mark: MarkNever, Rotate: RotateNo, Next: NextThrown}
}

func consequences2026_5_28(r *Rules) {
	r.Consequences[Timeout] = Consequence{Mark: MarkStarted, Lane: LaneCooldown, Rotate: RotateAnswer, Next: NextModel}
	r.Consequences[EmptyResponse] = Consequence{Mark: MarkNever, Rotate: RotateYes, Next: NextUnlessLast}
}

// The loop of 2026.7.1 no longer looks at the name AbortError: only the
// caller's own abort ends a run.
func consequences2026_7_1(r *Rules) { r.AbortEndsRun = false }

func consequences2026_8_2(r *Rules) {
	r.Consequences[Overloaded] = Consequence{Mark: MarkNever, Rotate: RotateOnce, Next: NextModel}
	r.Consequences[TLSCertificate] = Consequence{Mark: MarkNever, Rotate: RotateNo, Next: NextProvider}
}

func consequences2026_9_6(r *Rules) {
	r.Consequences[NoErrorDetails] = Consequence{
		Mark: MarkChatGPT, Lane: LaneCooldown, Rotate: RotateYes, Next: NextUnlessLast,
	}
}
