package chain

import (
	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/auth/failure"
)

// Call is one call of a model with one profile, for the driver of a run to
// make and to answer.
type Call struct {
	Attempt
	Profile auth.ProfileID // "" where the provider has none

	rotation *rotation
	place    int // of the profile in the rotation, from 0
	use      *Use
}

// Use is one call and how it ended.
type Use struct {
	Ref
	Profile  auth.ProfileID   // "" where the provider has none
	Failure  *Failure         // nil: it succeeded
	Reason   auth.Reason      // the failure's reason, classified; "" where it has none
	Before   *document.Object // the profile's usage entry before the call, nil without one
	After    *document.Object // and afterwards
	Recorded bool             // OpenClaw stores this on the profile
	Ignored  auth.Ignored     // why nothing is stored although the line stores such ends, "" if something is
	Probed   bool             // OpenClaw would ask the provider for the account's usage
	Why      UseReason        // what followed
	Target   *Ref             // the model that the user changed to, nil without a switch
}

// UseReason says what follows from the end of a call.
type UseReason string

// What follows.
const (
	UseAnswered  UseReason = "answered"     // the run is over
	UseRotates   UseReason = "next-profile" // the provider's next profile is tried
	UseLast      UseReason = "no-profile-left"
	UseCapped    UseReason = "rotation-cap"  // profiles are left, but the next model comes first
	UsePinned    UseReason = "pinned"        // the user's profile is the only one
	UseNoRotate  UseReason = "not-rotatable" // the reason concerns the model or the request, not the profile
	UseEndsChain UseReason = "ends-run"      // the error ends the run
	UseAborted   UseReason = "aborted"       // the caller gave up: nothing is recorded
	UseSwitched  UseReason = "switched"      // the user changed the session's model meanwhile
	UsePassed    UseReason = "passed-over"   // its credential was unavailable: no call was made
)

// Succeed answers the call: the model has answered at the given time, Unix ms.
func (c *Call) Succeed(now int64) Use {
	use := c.ended(now)
	use.Why = UseAnswered
	r := c.rotation.run
	if use.Profile != "" {
		transition, lastGood := r.profiles.Success(r.providerOf(use), use.Profile, now)
		r.apply(use, transition)
		r.profiles.Store.LastGood = lastGood
	}
	use.After = r.usage(use.Profile)
	return *use
}

// providerOf is the provider under which a call's success is recorded: the
// profile's own, where a runtime takes another provider's profiles.
func (r *Run) providerOf(use *Use) string {
	if runtime := r.models.Runtime(use.Ref, r.entry); runtime.Auth != use.Provider {
		if own := r.profiles.Store.Profiles.Object(string(use.Profile)).Text("provider"); own != "" {
			return own
		}
	}
	return use.Provider
}

// Fail answers the call: it has failed at the given time, Unix ms. The Use says
// how OpenClaw classifies the failure, what it stores and what follows.
func (c *Call) Fail(failed Failure, now int64) Use {
	use := c.ended(now)
	failed.Profile = c.Profile
	use.Failure = &failed
	r := c.rotation.run
	if failed.Aborted {
		use.Why, use.After = UseAborted, use.Before
		return *use
	}
	use.Reason = r.models.ReasonOf(c.Candidate, failed)
	use.Why = c.rotation.after(*use, c.place)
	r.recordFailure(use)
	use.After = r.usage(use.Profile)
	return *use
}

// Switch answers the call: the user has changed the session's model meanwhile,
// so that the call's answer is not wanted any more.
func (c *Call) Switch(target Ref, now int64) Use {
	use := c.ended(now)
	use.Why, use.After, use.Target = UseSwitched, use.Before, &target
	return *use
}

// PassOver answers the call: the profile's credential was unavailable, for the
// reason given, so that no call was made. As in OpenClaw, nothing is stored and
// the provider's next profile follows.
func (c *Call) PassOver(why string, now int64) Use {
	use := c.ended(now)
	use.Why = UsePassed
	use.Failure = &Failure{Reason: reasonAuth, Message: why, Profile: c.Profile}
	use.After = use.Before
	return *use
}

// ended begins the answer to a call.
func (c *Call) ended(now int64) *Use {
	r := c.rotation.run
	r.now = now
	c.use = &Use{Ref: c.Ref, Profile: c.Profile, Before: r.usage(c.Profile)}
	return c.use
}

// usage is a copy of a profile's usage entry, nil without one.
func (r *Run) usage(id auth.ProfileID) *document.Object {
	return r.profiles.Store.UsageStats.Object(string(id)).Clone()
}

// ReasonOf classifies a failure as the rotation of profiles sees it; "" is a
// failure that is nothing to fail over for.
func (m *Models) ReasonOf(candidate Candidate, failed Failure) auth.Reason {
	if failed.Reason != "" {
		return failed.Reason
	}
	verdict := failure.Classify(signal(candidate, failed), m.Rules.Failover())
	reason := verdict.Headline()
	if coerced := verdict.Coerced; reason == "" && coerced != nil {
		reason = coerced.Reason
	}
	return reason
}

// recordFailure records a failure on its profile, where the line records such
// failures at all.
func (r *Run) recordFailure(use *Use) {
	mark := r.models.Rules.Failover().Consequence(use.Reason).Mark
	if use.Why == UseCapped && use.Reason == reasonRateLimit && r.models.Rules.Rotation.CapUnrecorded {
		return // thrown before the profile is marked
	}
	if use.Profile == "" || use.Reason == "" || mark == failure.MarkNever ||
		r.query.PromptStage && (mark == failure.MarkStarted || mark == failure.MarkAnswer) {
		return
	}
	r.apply(use, r.profiles.Fail(auth.Failure{Profile: use.Profile, Reason: use.Reason, Model: &use.Model, Now: r.now}))
}

func (r *Run) apply(use *Use, transition auth.Transition) {
	use.Ignored, use.Probed = transition.Ignored, transition.Probed
	if transition.Ignored != "" {
		return
	}
	use.Recorded = true
	usage := r.profiles.Store.UsageStats.Clone()
	if usage == nil {
		usage = document.NewObject()
	}
	usage.Set(string(use.Profile), transition.Stats)
	r.profiles.Store.UsageStats = usage
}
