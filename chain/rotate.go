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
	rateLimits int
	overloads  int
}

// rotate runs a candidate: one profile after the other, until one answers or
// the provider is given up.
func (r *Run) rotate(attempt Attempt) Outcome {
	t := &rotation{run: r, attempt: attempt}
	t.profiles, t.pinned = r.profilesFor(attempt)
	if len(t.profiles) == 0 && len(attempt.Decision.Ordering.Order) > 0 && !r.models.Runtime(attempt.Ref, r.entry).OwnLogin {
		return Outcome{Failure: r.givenUp(attempt)}
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
		case UseSwitched:
			return Outcome{Switch: use.Target}
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
		return Outcome{Failure: shown(use)}
	}
	return Outcome{Failure: failed}
}

// shown gives the failure of a provider's last call the words that OpenClaw
// has for its reason.
func shown(use Use) *Failure {
	failed := *use.Failure
	if use.Reason == reasonRateLimit {
		failed.Shown = "⚠️ API rate limit reached. Please try again later."
	}
	return &failed
}

// after decides what follows from a failed call with the profile at i.
func (r *rotation) after(use Use, i int) UseReason {
	consequence := r.run.models.Rules.Failover().Consequence(use.Reason)
	rotates := consequence.Rotate == failure.RotateYes || consequence.Rotate == failure.RotateOnce ||
		consequence.Rotate == failure.RotateAnswer && !r.run.query.PromptStage
	switch {
	case consequence.Next == failure.NextNone:
		return UseEndsChain
	case !rotates && r.pinned:
		return UsePinned
	case !rotates:
		return UseNoRotate
	case r.isCapped(use.Reason):
		return UseCapped
	case r.pinned:
		return UsePinned
	case i == len(r.profiles)-1:
		return UseLast
	}
	return UseRotates
}

// isCapped counts rate limits and overloads: with fallbacks at hand, a
// provider gets only so many more profiles.
func (r *rotation) isCapped(reason auth.Reason) bool {
	switch {
	case !r.run.hasFallbacks:
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

// capped is the failure of a provider that was given up at the cap. Only that
// of an overload carries the provider's own text.
func (r *rotation) capped(use Use) *Failure {
	failed := &Failure{Reason: use.Reason, Status: use.Failure.Status, Profile: use.Profile}
	failed.Message = "The AI service is temporarily rate-limited. Please try again in a moment."
	if use.Reason == reasonOverloaded {
		failed.Message = "The AI service is temporarily overloaded. Please try again in a moment."
		failed.Raw = &use.Failure.Message
	}
	return failed
}

// hasFallbacks reports whether the runner takes it that a run with these
// fallbacks can go on with another model. Up to 2026.5.12 it asks the
// configuration even where the run's own list is empty.
func (m *Models) hasFallbacks(own []Written) bool {
	if own == nil || !m.Rules.Rotation.CapAsksRun {
		own = m.ConfiguredFallbacks()
	}
	return len(own) > 0
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
	runtime := r.models.Runtime(attempt.Ref, r.entry)
	if runtime.OwnLogin {
		return nil, false
	}
	pinned := r.pinFor(runtime)
	ordering := r.models.orderOf(r.profiles, runtime, auth.OrderQuery{
		Now: r.now, Model: attempt.Model, Prefer: pinned.Profile,
	})
	ids := ordering.Order
	locked := pinned.Profile != "" && pinned.Source == auth.PinUser
	if locked && !r.models.Rules.Rotation.BesidePin {
		return []auth.ProfileID{pinned.Profile}, true
	}
	if locked && !slices.Contains(ids, pinned.Profile) {
		ids = append([]auth.ProfileID{pinned.Profile}, ids...)
	}
	usable := slices.DeleteFunc(slices.Clone(ids), func(id auth.ProfileID) bool {
		return r.profiles.InCooldown(id, attempt.Model, r.now)
	})
	if len(usable) == 0 && len(ids) > 0 && (r.probes(attempt, ids[0]) || attempt.Decision.Why == WhyBackend) {
		return ids[:1], false
	}
	return usable, false
}

// probes reports whether a request is made with the first profile although every
// one is unavailable. Where its own reason is billing, the run lets the candidate
// through near the end of its windows, but the runner then sends nothing.
func (r *Run) probes(attempt Attempt, first auth.ProfileID) bool {
	if !attempt.Probe || !r.models.Rules.Rotation.NoBillingProbe {
		return attempt.Probe
	}
	return r.profiles.UnavailableReason([]auth.ProfileID{first}, r.now) != reasonBilling
}

// pinFor returns the session's pin as far as the runtime takes its profile.
func (r *Run) pinFor(runtime Runtime) auth.Pin {
	pin := r.pin
	if pin.Profile == "" || !r.models.takes(r.profiles, runtime, pin.Profile) {
		return auth.Pin{}
	}
	return pin
}

// takes reports whether a runtime is given the profile: one of its provider's
// or, for codex, an API key of openai.
func (m *Models) takes(profiles *auth.Profiles, runtime Runtime, id auth.ProfileID) bool {
	credential := profiles.Store.Profiles.Object(string(id))
	if credential == nil {
		return true
	}
	provider := m.Rules.Providers.AuthKey(credential.Text("provider"))
	return provider == m.Rules.Providers.AuthKey(runtime.Auth) ||
		runtime.ID == runtimeCodex && provider == providerOpenAI && credential.Text("type") == auth.TypeAPIKey
}
