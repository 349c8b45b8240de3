package chain

import (
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/auth/failure"
)

// rotation tries a candidate with the profiles of its provider.
type rotation struct {
	run        *Run
	attempt    Attempt
	profiles   []auth.ProfileID
	pinned     bool
	hasNext    bool // fallbacks are configured
	rateLimits int
	overloads  int
}

// rotate runs a candidate: one profile after the other, until one answers or
// the provider is given up.
func (r *Run) rotate(attempt Attempt) Outcome {
	t := &rotation{run: r, attempt: attempt, hasNext: r.hasFallbacks}
	t.profiles, t.pinned = r.profilesFor(attempt)
	if len(t.profiles) == 0 && len(attempt.Decision.Ordering.Order) > 0 {
		return Outcome{Failure: r.noProfile(attempt)}
	}
	if len(t.profiles) == 0 {
		t.profiles = []auth.ProfileID{""}
	}
	var failed *Failure // of the last call or, while none was made, of the first profile
	for i, id := range t.profiles {
		call := &Call{Attempt: attempt, Profile: id, rotation: t, place: i}
		if !r.yield(call) || call.use == nil {
			return Outcome{Stopped: true}
		}
		use := *call.use
		r.result.Uses = append(r.result.Uses, use)
		switch use.Why {
		case UseAnswered:
			return Outcome{}
		case UsePassed:
			if failed == nil {
				failed = use.Failure
			}
			continue
		case UseRotates:
			failed = use.Failure
			continue
		case UseCapped:
			return Outcome{Failure: t.capped(use)}
		}
		return Outcome{Failure: use.Failure}
	}
	return Outcome{Failure: failed}
}

// noProfile is the failure of a provider whose profiles all rest.
func (r *Run) noProfile(attempt Attempt) *Failure {
	reason := r.profiles.UnavailableReason(attempt.Decision.Ordering.Order, r.now)
	if reason == "" {
		reason = reasonUnknown
	}
	return &Failure{Reason: reason, Message: "No available auth profile for " + attempt.Provider + " (all in cooldown or unavailable)."}
}

// after decides what follows from a failed call with the profile at i.
func (r *rotation) after(use Use, i int) UseReason {
	consequence := r.run.models.Rules.Failover().Consequence(use.Reason)
	rotates := consequence.Rotate == failure.RotateYes || consequence.Rotate == failure.RotateOnce ||
		consequence.Rotate == failure.RotateAnswer && !r.run.query.PromptStage
	switch {
	case consequence.Next == failure.NextNone:
		return UseEndsChain
	case r.pinned:
		return UsePinned
	case !rotates:
		return UseNoRotate
	case i == len(r.profiles)-1:
		return UseLast
	case r.isCapped(use.Reason):
		return UseCapped
	}
	return UseRotates
}

// isCapped counts rate limits and overloads: with fallbacks at hand, a
// provider gets only so many more profiles.
func (r *rotation) isCapped(reason auth.Reason) bool {
	switch {
	case !r.hasNext:
		return false
	case reason == reasonRateLimit:
		r.rateLimits++
		limit, ok := r.run.models.RotationLimit(reasonRateLimit)
		return ok && r.rateLimits > limit
	case reason == reasonOverloaded:
		r.overloads++
		limit, ok := r.run.models.RotationLimit(reasonOverloaded)
		return ok && r.overloads > limit
	}
	return false
}

// capped is the failure of a provider that was given up although profiles are left.
func (r *rotation) capped(use Use) *Failure {
	words := "rate-limited"
	if use.Reason == reasonOverloaded {
		words = "overloaded"
	}
	return &Failure{
		Reason: use.Reason, Message: "The AI service is temporarily " + words + ". Please try again in a moment.",
		Raw: use.Failure.Message, Status: use.Failure.Status, Profile: use.Profile,
	}
}

// RotationLimit returns how many further profiles of a provider are tried
// after a rate_limit or overloaded failure before the next model, and whether
// the line has such a limit. It counts only where fallbacks are configured.
// auth.cooldowns.rateLimitedProfileRotations and overloadedProfileRotations
// set it where the line reads auth.cooldowns.
func (m *Models) RotationLimit(reason auth.Reason) (limit int, ok bool) {
	rules, key := &m.Rules.Rotation, ""
	switch {
	case reason == reasonRateLimit && rules.RateLimitCap:
		key = "rateLimitedProfileRotations"
	case reason == reasonOverloaded && rules.OverloadCap:
		key = "overloadedProfileRotations"
	default:
		return 0, false
	}
	if m.Rules.Failures.Configurable {
		if n, ok := m.Config.Cooldowns().Number(key); ok && n >= 0 {
			return int(n), true
		}
	}
	return 1, true
}

// profilesFor lists the profiles that the candidate may be tried with, in
// sequence, and whether a user's pin allows no other.
func (r *Run) profilesFor(attempt Attempt) ([]auth.ProfileID, bool) {
	pinned := r.pinFor(attempt.Candidate)
	ordering := r.profiles.Order(auth.OrderQuery{
		Provider: attempt.Provider, Now: r.now, Model: attempt.Model, Prefer: pinned.Profile,
	})
	ids := ordering.Order
	locked := pinned.Profile != "" && pinned.Source == auth.PinUser
	if locked && !r.models.Rules.Rotation.BesidePin {
		return []auth.ProfileID{pinned.Profile}, true
	}
	usable := slices.DeleteFunc(slices.Clone(ids), func(id auth.ProfileID) bool {
		return r.profiles.InCooldown(id, attempt.Model, r.now) && !(locked && id == pinned.Profile)
	})
	if len(usable) == 0 && (attempt.Probe || attempt.Decision.Action == Probe) && len(ids) > 0 {
		return ids[:1], false
	}
	if attempt.Decision.Why == WhyBackend && len(usable) == 0 && len(ids) > 0 {
		return ids[:1], false
	}
	return usable, false
}

// pinFor returns the session's pin as far as it concerns the candidate's provider.
func (r *Run) pinFor(candidate Candidate) auth.Pin {
	if r.query.Session.Key == "" {
		return auth.Pin{}
	}
	pin := r.pin
	credential := r.profiles.Store.Profiles.Object(string(pin.Profile))
	providers := &r.models.Rules.Providers
	if pin.Profile == "" || credential != nil && providers.AuthKey(credential.Text("provider")) != providers.AuthKey(candidate.Provider) {
		return auth.Pin{}
	}
	return pin
}
