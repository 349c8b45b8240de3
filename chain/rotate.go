package chain

import (
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/auth/failure"
)

// Use is one call with one profile.
type Use struct {
	Ref
	Profile auth.ProfileID // "" where the provider has none
	Failure *Failure       // nil: it succeeded
	Reason  auth.Reason    // the failure's reason, classified; "" where it has none
	Before  *auth.Object   // the profile's usage entry before the call, nil without one
	After   *auth.Object   // and afterwards
	Ignored auth.Ignored   // why nothing was recorded, "" if something was
	Probed  bool           // OpenClaw would ask the provider for the account's usage
	Why     UseReason      // what followed
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
)

// rotation tries a candidate with the profiles of its provider.
type rotation struct {
	s          *simulation
	attempt    Attempt
	profiles   []auth.ProfileID
	pinned     bool
	hasNext    bool // fallbacks are configured
	rateLimits int
	overloads  int
}

// rotate runs a candidate: one profile after the other, until one answers or
// the provider is given up.
func (s *simulation) rotate(attempt Attempt) Outcome {
	r := &rotation{s: s, attempt: attempt, hasNext: s.hasFallbacks}
	r.profiles, r.pinned = s.profilesFor(attempt)
	if len(r.profiles) == 0 && len(attempt.Decision.Ordering.Order) > 0 {
		return Outcome{Failure: s.noProfile(attempt)}
	}
	if len(r.profiles) == 0 {
		r.profiles = []auth.ProfileID{""}
	}
	for i, id := range r.profiles {
		use := s.use(attempt, id)
		if use.Failure != nil {
			use.Why = r.after(use, i)
		}
		s.result.Uses = append(s.result.Uses, use)
		switch use.Why {
		case UseRotates:
			continue
		case UseAnswered:
			return Outcome{}
		case UseCapped:
			return Outcome{Failure: r.capped(use)}
		}
		return Outcome{Failure: use.Failure}
	}
	return Outcome{}
}

// noProfile is the failure of a provider whose profiles all rest.
func (s *simulation) noProfile(attempt Attempt) *Failure {
	reason := s.profiles.UnavailableReason(attempt.Decision.Ordering.Order, s.query.Now)
	if reason == "" {
		reason = reasonUnknown
	}
	return &Failure{Reason: reason, Message: "No available auth profile for " + attempt.Provider + " (all in cooldown or unavailable)."}
}

// after decides what follows from a failed call with the profile at i.
func (r *rotation) after(use Use, i int) UseReason {
	s := r.s
	consequence := s.models.Rules.Failover().Consequence(use.Reason)
	rotates := consequence.Rotate == failure.RotateYes || consequence.Rotate == failure.RotateOnce ||
		consequence.Rotate == failure.RotateAnswer && !s.query.PromptStage
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
		limit, ok := r.s.models.RotationLimit(reasonRateLimit)
		return ok && r.rateLimits > limit
	case reason == reasonOverloaded:
		r.overloads++
		limit, ok := r.s.models.RotationLimit(reasonOverloaded)
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
func (s *simulation) profilesFor(attempt Attempt) ([]auth.ProfileID, bool) {
	pinned := s.pinFor(attempt.Candidate)
	ordering := s.profiles.Order(auth.OrderQuery{
		Provider: attempt.Provider, Now: s.query.Now, Model: attempt.Model, Prefer: pinned.Profile,
	})
	ids := ordering.Order
	locked := pinned.Profile != "" && pinned.Source == auth.PinUser
	if locked && !s.models.Rules.Rotation.BesidePin {
		return []auth.ProfileID{pinned.Profile}, true
	}
	usable := slices.DeleteFunc(slices.Clone(ids), func(id auth.ProfileID) bool {
		return s.profiles.InCooldown(id, attempt.Model, s.query.Now) && !(locked && id == pinned.Profile)
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
func (s *simulation) pinFor(candidate Candidate) auth.Pin {
	if s.query.Session.Key == "" {
		return auth.Pin{}
	}
	pin := s.pin
	credential := s.profiles.Store.Profiles.Object(string(pin.Profile))
	providers := &s.models.Rules.Providers
	if pin.Profile == "" || credential != nil && providers.AuthKey(credential.Text("provider")) != providers.AuthKey(candidate.Provider) {
		return auth.Pin{}
	}
	return pin
}
