package chain

import (
	"slices"

	"openclaw-auth/auth"
)

// Action is what a run does with a candidate.
type Action string

// The actions.
const (
	Try   Action = "attempt" // a profile is usable, or nothing is known against it
	Probe Action = "probe"   // every profile is unavailable; one attempt finds out whether that still holds
	Skip  Action = "skip"    // it is passed over
)

// Decision is what a run does with a candidate now, and why.
type Decision struct {
	Action    Action
	Why       Why
	Reason    auth.Reason   // why the provider's profiles are unavailable; "" while one is usable
	Text      string        // OpenClaw's words for a skip
	Ordering  auth.Ordering // the profiles in the order in which they are tried
	Soonest   float64       // when the first of the profiles is back for the model, Unix ms; 0 without a window
	transient bool
}

// Why says what decided, for those who explain it.
type Why string

// What decides.
const (
	WhyUsable      Why = "profile-usable"       // at least one profile is available
	WhyNoProfiles  Why = "no-profiles"          // nothing is known about the provider's profiles
	WhyBackend     Why = "cli-backend"          // its windows are not looked at
	WhyAuth        Why = "auth"                 // every profile failed to authenticate
	WhyBilling     Why = "billing"              // billing blocks the provider
	WhyMargin      Why = "recovers-soon"        // the primary recovers within two minutes, or has
	WhyRateLimit   Why = "rate-limited-primary" // a rate limit without a known reset is worth a try
	WhySingle      Why = "only-candidate"       // there is nothing else to try
	WhyRespelled   Why = "respelled-request"    // the request is not spelled in its normal form
	WhySibling     Why = "transient-sibling"    // the reason is transient, so another model may work
	WhySlot        Why = "probe-used"           // the provider was probed in this run
	WhyThrottled   Why = "probed-recently"      // the primary was probed less than 30 s ago
	WhyFar         Why = "recovers-later"       // the primary recovers in more than two minutes
	WhyUnavailable Why = "unavailable"          // the reason is not transient
	WhySkipCache   Why = "failed-auth-recently" // it failed to authenticate in this session
	WhyExcluded    Why = "provider-excluded"    // its certificate is not trusted
)

// position is where in its chain a candidate stands.
type position struct {
	index, count int
	respelled    bool // the request's text differs from the candidate
}

// decide looks at the windows of a candidate's profiles. It changes the
// memory where OpenClaw does: a probe of the primary is remembered.
func (w *walking) decide(candidate Candidate, at position) Decision {
	if w.isBackend(candidate) {
		return Decision{Action: Try, Why: WhyBackend}
	}
	ordering := w.order(candidate)
	ids := ordering.Order
	d := Decision{Action: Try, Why: WhyUsable, Ordering: ordering}
	if len(ids) == 0 {
		d.Why = WhyNoProfiles
		return d
	}
	d.Soonest, _ = w.profiles.SoonestExpiry(ids, candidate.Model, w.now)
	if slices.ContainsFunc(ids, func(id auth.ProfileID) bool { return !w.profiles.InCooldown(id, candidate.Model, w.now) }) {
		return d
	}
	if d.Reason = w.profiles.UnavailableReason(ids, w.now); d.Reason == "" {
		d.Reason = reasonUnknown
	}
	w.judge(&d, candidate, at)
	w.phrase(&d, candidate)
	return d
}

// isBackend reports whether the candidate runs on a command line backend.
func (w *walking) isBackend(candidate Candidate) bool {
	return slices.Contains(w.rules.CLIBackends, auth.ProviderID(candidate.Provider))
}

// judge decides about a candidate whose profiles are all unavailable.
func (w *walking) judge(d *Decision, candidate Candidate, at position) {
	isPrimary := at.index == 0
	why, probes := w.shouldProbe(d, candidate, at)
	d.Action, d.Why = Skip, why
	switch {
	case d.Reason == reasonAuth || d.Reason == reasonAuthPermanent:
		d.Why = WhyAuth
		return
	case d.Reason == reasonBilling:
		// Up to 2026.5.28 a lone primary is asked again whenever the throttle allows.
		if !probes && isPrimary && !w.rules.SingleProbed && at.count == 1 && w.memory.mayProbe(candidate.Provider, w.now) {
			why, probes = WhySingle, true
		}
		if !probes {
			d.Why = WhyBilling
			return
		}
	case isPrimary && w.rules.Respelled && at.respelled:
		d.Action, d.Why = Probe, WhyRespelled
		d.transient = w.isTransient(d.Reason)
		return
	case isPrimary && !probes:
		return
	case !isPrimary && !w.isTransient(d.Reason):
		d.Why = WhyUnavailable
		return
	case !isPrimary:
		d.Action, d.Why, d.transient = Probe, WhySibling, true
		return
	}
	if isPrimary {
		w.memory.markProbe(candidate.Provider, w.now)
	}
	d.Action, d.Why, d.transient = Probe, why, w.isTransient(d.Reason)
}

// shouldProbe reports whether the primary is probed, and what decided.
func (w *walking) shouldProbe(d *Decision, candidate Candidate, at position) (Why, bool) {
	switch {
	case at.index > 0:
		return "", false
	case !w.memory.mayProbe(candidate.Provider, w.now):
		return WhyThrottled, false
	case at.count == 1:
		if w.rules.SingleProbed {
			return WhySingle, true
		}
		return WhyUnavailable, false
	case w.rules.RatePrimary && d.Reason == reasonRateLimit && !w.hasKnownReset(d.Ordering.Order, candidate.Model):
		return WhyRateLimit, true
	case d.Soonest == 0 || float64(w.now) >= d.Soonest-probeMargin:
		return WhyMargin, true
	}
	return WhyFar, false
}

// hasKnownReset reports whether the provider has told when a subscription
// limit of one of the profiles ends.
func (w *walking) hasKnownReset(ids []auth.ProfileID, model string) bool {
	return slices.ContainsFunc(ids, func(id auth.ProfileID) bool {
		stats := w.profiles.Store.UsageStats.Object(string(id))
		until, _ := stats.Number("blockedUntil")
		blocked := stats.Text("blockedModel")
		return until > float64(w.now) && stats.Text("blockedReason") == "subscription_limit" &&
			stats.Text("blockedSource") != "" && (blocked == "" || blocked == model)
	})
}

func (w *walking) isTransient(reason auth.Reason) bool {
	return slices.Contains(w.rules.Transient, reason)
}

// phrase gives a skip OpenClaw's words.
func (w *walking) phrase(d *Decision, candidate Candidate) {
	if d.Action != Skip {
		return
	}
	text := w.rules.CooldownText
	switch d.Why {
	case WhyAuth:
		text = "has " + string(d.Reason) + " issue (skipping all models)"
	case WhyBilling:
		text = w.rules.BillingText
	case WhySlot:
		text = "is in cooldown (probe already attempted this run)"
	}
	if d.Reason == reasonBilling && d.Why != WhySlot {
		text = w.rules.BillingText
	}
	d.Text = "Provider " + candidate.Provider + " " + text
}

// Reasons with a rule of their own.
const (
	reasonAuth          auth.Reason = "auth"
	reasonAuthPermanent auth.Reason = "auth_permanent"
	reasonBilling       auth.Reason = "billing"
	reasonOverloaded    auth.Reason = "overloaded"
	reasonRateLimit     auth.Reason = "rate_limit"
	reasonTLS           auth.Reason = "tls_certificate"
	reasonUnknown       auth.Reason = "unknown"
)
