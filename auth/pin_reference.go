package auth

import (
	"errors"
	"fmt"
	"slices"

	"openclaw-auth/auth/document"
)

// ResolvePin returns the profile that the session uses for the run, and what
// becomes of its entry. The profile of the model reference goes before what
// rotation finds, available or not; rotation still writes the entry.
func (p *Profiles) ResolvePin(query PinQuery) Pin {
	return p.referred(p.sessionPin(query), query)
}

// referred gives a run the profile of its model reference, unless its user has
// chosen one.
func (p *Profiles) referred(pin Pin, query PinQuery) Pin {
	if query.Reference == "" || pin.Source == PinUser && pin.Profile != "" {
		return pin
	}
	pin.Profile, pin.Source, pin.Why = query.Reference, PinUser, PinReference
	pin.Route = p.routeOf(pin.Profile)
	s := &pinState{Profiles: p, PinQuery: query, current: query.Reference}
	providers := s.providers()
	credential := p.Store.credential(pin.Profile)
	switch {
	case credential == nil && slices.ContainsFunc(providers, func(w wanted) bool { return s.isConfigOnlyAWS(w, pin.Profile) }):
	case credential == nil && p.Config.Profiles().Object(string(pin.Profile)).Text("mode") != modeAWS:
		//lint:ignore ST1005 these are OpenClaw's own words
		pin.Err = fmt.Errorf("Selected auth profile %q is %w.", pin.Profile, errMissingProfile)
	case credential == nil || !s.servesAny(providers):
		//lint:ignore ST1005 these are OpenClaw's own words
		pin.Err = fmt.Errorf("Auth profile %q is not configured for %s.", pin.Profile, query.Provider)
	}
	return pin
}

// errMissingProfile ends the error of a run whose profile is not there.
var errMissingProfile = errors.New("unavailable")

// IsMissingProfile reports whether a pin's error tells that its profile is not
// there at all, which OpenClaw counts as a failure to authenticate.
func IsMissingProfile(err error) bool { return errors.Is(err, errMissingProfile) }

// StoredPin returns the session's pin as OpenClaw's agent command takes it: as
// it is stored, whatever windows its profile has. A pin whose profile is gone
// or another provider's is cleared; nothing is pinned anew.
func (p *Profiles) StoredPin(query PinQuery) Pin {
	return p.referred(p.storedPin(query), query)
}

func (p *Profiles) storedPin(query PinQuery) Pin {
	s := &pinState{Profiles: p, PinQuery: query, entry: query.Entry.Clone()}
	s.current = ProfileID(document.Trim(query.Entry.Text(pinProfile)))
	s.source = s.derivedSource()
	if s.current == "" {
		return Pin{Entry: s.entry, Why: PinFirst}
	}
	providers := s.providers()
	missing := s.Store.credential(s.current) == nil
	if missing && s.Rules.Pins.MissingIntent && s.isUser() && s.owns(providers) {
		return s.kept(PinIntent)
	}
	if missing || !s.servesAny(providers) {
		s.clear()
		return Pin{Entry: s.entry, Why: PinFirst}
	}
	if s.Rules.Pins.CommandAsksMain && s.InMain != nil && !s.InMain(s.current) {
		s.clear()
		return Pin{Entry: s.entry, Why: PinNotInMain}
	}
	return s.kept(PinKept)
}
