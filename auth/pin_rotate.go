package auth

import (
	"slices"

	"openclaw-auth/auth/failure"
)

// rotateForModel resolves an automatic pin from 2026.8.2 on.
func (s *pinState) rotateForModel() Pin {
	rules := &s.Rules.Pins
	if !slices.ContainsFunc(s.order, func(id ProfileID) bool { return !s.isDown(id) }) {
		if s.current != "" {
			s.clear()
		}
		return Pin{Entry: s.entry, Why: PinAllDown}
	}
	held := s.current != "" && s.isHeld(s.current)
	if better := s.recovered(held); better != "" {
		return s.write(better, PinRecovered, rules.CompactionRotates)
	}
	compacted := rules.CompactionRotates && s.compacted()
	ids := s.order
	var next ProfileID
	why := PinKept
	switch {
	case s.current == "":
		next, why = s.first(), PinFirst
	case !s.NewSession && (held || compacted):
		ids, why = s.sameClass(), PinCompaction
		if held {
			why = PinRotated
		}
		next = s.nextOf(ids, held)
	case s.NewSession:
		next, why = s.nextOf(ids, held), PinNewSession
	default:
		next = s.current
	}
	return s.write(next, why, rules.CompactionRotates)
}

// nextOf returns the next usable profile: after the current one, or from the
// start where that is unavailable. Where all of them are, it is the first.
func (s *pinState) nextOf(ids []ProfileID, fromStart bool) ProfileID {
	if !fromStart {
		return s.after(s.current, ids)
	}
	for _, id := range ids {
		if !s.isHeld(id) {
			return id
		}
	}
	if len(ids) > 0 {
		return ids[0]
	}
	return s.current
}

// isDown reports whether the profile is unavailable for every model.
func (s *pinState) isDown(id ProfileID) bool {
	if !s.InCooldown(id, "", s.Now) {
		return false
	}
	u := s.Rules.Windows.read(s.Store.usage(id))
	now := float64(s.Now)
	scoped := u.cooldownModel != "" && slices.Contains(s.Rules.Windows.ModelScoped, u.cooldownReason)
	return u.disabledUntil > now || u.blockedUntil > now && !u.blockedToModel || u.cooldownUntil > now && !scoped
}

// recovered returns the profile of an explicit order, before the current one,
// that was rate limited and is usable again (2026.9.6); "" without one.
func (s *pinState) recovered(held bool) ProfileID {
	if !s.Rules.Pins.PreferEarlier || s.NewSession || held || s.current == "" || s.source != PinAuto {
		return ""
	}
	for _, provider := range s.providers() {
		ordering := s.orderOf(provider)
		if ordering.Key == "" && ordering.Source != StateOrder && ordering.Source != ConfigOrder {
			continue
		}
		at := slices.Index(ordering.Order, s.current)
		for _, id := range ordering.Order[:max(at, 0)] {
			rate, _ := s.Store.usage(id).Object("failureCounts").Number(string(failure.RateLimit))
			if rate > 0 && !s.isHeld(id) {
				return id
			}
		}
	}
	return ""
}

// sameClass is the order without profiles of another way to pay, for models
// that have both: a subscription does not turn into an API bill by rotation.
func (s *pinState) sameClass() []ProfileID {
	routed := slices.Contains(s.Rules.Pins.RouteModels, s.Model) && s.Rules.Providers.AuthKey(s.Provider) == providerOpenAI
	if !routed {
		return s.order
	}
	class := s.routeOf(s.current)
	var ids []ProfileID
	for _, id := range s.order {
		if s.routeOf(id) == class {
			ids = append(ids, id)
		}
	}
	return ids
}
