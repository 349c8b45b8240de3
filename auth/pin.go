package auth

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"openclaw-auth/auth/document"
)

// The sources of a session's auth pin.
const (
	PinUser     = "user"
	PinUserLink = "user-link" // 2026.9.6: a personal account
	PinAuto     = "auto"
)

// The members of a session entry that make its auth pin.
const (
	pinProfile = "authProfileOverride"
	pinSource  = "authProfileOverrideSource"
	pinCount   = "authProfileOverrideCompactionCount"
)

// PinQuery is a run that is about to start in a session.
type PinQuery struct {
	Provider   string           // provider of the model to run
	Accepted   []string         // other providers that would do; matters where a run may accept several (2026.5.12–7.1)
	Model      string           // model to run, without its provider
	Entry      *document.Object // the session's entry, nil without one
	Reference  ProfileID        // profile that the run's model reference names, "" without one
	Keyless    bool             // the session has no key, so that its entry is left alone
	NewSession bool
	Now        int64 // Unix ms
}

// Pin is the profile that a session uses.
type Pin struct {
	Profile ProfileID        // "" where the session has none: rotation decides
	Source  string           // user or auto; "" without a profile
	Route   string           // how the profile pays (routeOf), "" where it is not known
	Entry   *document.Object // the entry afterwards; the given one stays as it was
	Why     PinReason
	Err     error // the run ends with it at once; only a profile of a reference makes one
}

// PinReason says what decided a pin.
type PinReason string

// What decides a pin.
const (
	PinKept       PinReason = "kept"              // the profile stays
	PinKeptByUser PinReason = "user"              // the user chose it
	PinIntent     PinReason = "unavailable"       // the user chose it, and it is not there (2026.9.6)
	PinNotInMain  PinReason = "not-in-main"       // the agent command does not find it in the main agent's store (before 2026.9.4)
	PinFirst      PinReason = "first-usable"      // no pin yet, or one that was dropped or is unavailable
	PinNewSession PinReason = "new-session"       // a new session takes the next one
	PinCompaction PinReason = "compaction"        // a compaction takes the next one
	PinRotated    PinReason = "rotated"           // the pinned profile is unavailable
	PinReplaced   PinReason = "replaced"          // the pinned profile is unavailable, a user's choice too (2026.5.12–7.1)
	PinRecovered  PinReason = "earlier-recovered" // an earlier profile of the order is back (2026.9.6)
	PinNoProfiles PinReason = "no-profiles"       // the provider has no usable profile
	PinReference  PinReason = "reference"         // the model reference names the profile
	PinAllDown    PinReason = "all-down"          // every profile is unavailable for all models (2026.8.2+)
)

// pinState is a pin while it is being resolved.
type pinState struct {
	*Profiles
	PinQuery
	entry   *document.Object
	current ProfileID
	source  string // derived
	model   string // the session's model, on lines that look at it
	order   []ProfileID
}

// sessionPin resolves the pin that the session itself has.
func (p *Profiles) sessionPin(query PinQuery) Pin {
	s := &pinState{Profiles: p, PinQuery: query, entry: query.Entry.Clone()}
	rules := &p.Rules.Pins
	override := query.Entry.Text(pinProfile)
	s.current = ProfileID(document.Trim(override))
	if query.Entry == nil || query.Keyless {
		return s.untouched(override)
	}
	if rules.ModelAware {
		s.model = query.Entry.Text("model")
	}
	s.source = s.derivedSource()
	providers := s.providers()
	s.order = s.concatenated(providers)
	if pin, done := s.drop(providers); done {
		return pin
	}
	if !rules.SourceFirst {
		s.source = s.derivedSource()
	}
	switch {
	case len(s.order) == 0:
		return Pin{Entry: s.entry, Why: PinNoProfiles}
	case rules.ModelAware:
		return s.rotateForModel()
	}
	return s.rotate()
}

// untouched answers for a session without an entry or a key.
func (s *pinState) untouched(override string) Pin {
	source := PinAuto
	if s.source = s.derivedSource(); s.isUser() && override == string(s.current) {
		source = PinUser
	}
	pin := Pin{Profile: ProfileID(override), Source: source, Entry: s.entry, Why: PinKept}
	if source == PinAuto || s.Rules.Pins.KeylessUserRoute {
		pin.Route = s.routeOf(pin.Profile)
	}
	if override == "" {
		pin.Source = ""
	}
	return pin
}

// derivedSource is the stored source, or what the other members say.
func (s *pinState) derivedSource() string {
	stored := s.entry.Value(pinSource)
	text, _ := stored.(string)
	if s.Rules.Pins.UserStrict {
		if document.Truthy(stored) && s.current != "" {
			return fmt.Sprint(stored) // what is not text is neither user nor auto
		}
	} else if stored != nil {
		return text
	}
	_, counted := s.entry.Number(pinCount)
	switch {
	case counted:
		return PinAuto
	case s.current != "":
		return PinUser
	}
	return ""
}

func (s *pinState) isUser() bool {
	return s.source == PinUser || s.Rules.Pins.MissingIntent && s.source == PinUserLink
}

func (s *pinState) providers() []wanted {
	names := []string{s.Provider}
	if s.Rules.Pins.AcceptedProviders && len(s.Accepted) > 0 {
		names = s.Accepted
	}
	var providers []wanted
	for _, name := range names {
		name = document.Trim(name)
		repeated := slices.ContainsFunc(providers, func(w wanted) bool { return w.spelled == name })
		if name != "" && !repeated {
			providers = append(providers, s.wantedBy(name))
		}
	}
	return providers
}

// concatenated is the rotation order of all the providers together.
func (s *pinState) concatenated(providers []wanted) []ProfileID {
	var ids []ProfileID
	for _, provider := range providers {
		ids = append(ids, s.orderOf(provider).Order...)
	}
	return unique(ids)
}

func (s *pinState) orderOf(provider wanted) Ordering {
	query := OrderQuery{Provider: provider.spelled, Now: s.Now}
	if s.Rules.Pins.OrderForModel {
		query.Model = s.model
	}
	return s.Profiles.Order(query)
}

// drop clears a pin that can't hold, or returns one that nothing may change.
func (s *pinState) drop(providers []wanted) (Pin, bool) {
	rules := &s.Rules.Pins
	if s.current != "" && !s.exists(providers) {
		if rules.MissingIntent && s.isUser() && s.owns(providers) {
			return s.kept(PinIntent), true
		}
		s.clear()
	}
	if s.current != "" && !s.servesAny(providers) {
		s.clear()
	}
	if s.current != "" && rules.UserStrict && s.isUser() {
		return s.kept(PinKeptByUser), true
	}
	outside := s.current != "" && len(s.order) > 0 && !slices.Contains(s.order, s.current)
	if outside && !(rules.UserOutsideOrder && s.source == PinUser) {
		s.clear()
	}
	return Pin{}, false
}

func (s *pinState) kept(why PinReason) Pin {
	source := PinAuto
	if s.isUser() {
		source = PinUser
	}
	return Pin{Profile: s.current, Source: source, Route: s.routeOf(s.current), Entry: s.entry, Why: why}
}

func (s *pinState) exists(providers []wanted) bool {
	if s.Store.credential(s.current) != nil || isObjectMember(string(s.current)) {
		return true
	}
	return slices.ContainsFunc(providers, func(w wanted) bool { return s.isConfigOnlyAWS(w, s.current) })
}

func (s *pinState) servesAny(providers []wanted) bool {
	credential := s.Store.credential(s.current)
	if credential == nil {
		return !isObjectMember(string(s.current)) // what JavaScript finds there has no provider
	}
	provider := credential.Text("provider")
	return slices.ContainsFunc(providers, func(w wanted) bool {
		if s.Rules.Pins.ProviderByAuthKey {
			return s.serves(w, provider, credential.Text("type"))
		}
		return s.Rules.Providers.Normalize(provider) == w.normalized
	})
}

// owns reports whether a missing profile would be one of the providers', going
// by auth.profiles, by its id, or by the session's provider for an id without one.
func (s *pinState) owns(providers []wanted) bool {
	owner := s.Config.Profiles().Object(string(s.current)).Text("provider")
	if owner == "" {
		prefix, _, found := strings.Cut(string(s.current), ":")
		if owner = prefix; !found {
			owner = s.entry.Text("providerOverride")
			if document.IsBlank(owner) {
				owner = s.entry.Text("modelProvider")
			}
			if document.IsBlank(owner) {
				owner = s.Provider
			}
		}
	}
	key := s.Rules.Providers.AuthKey(owner)
	return slices.ContainsFunc(providers, func(w wanted) bool { return w.authKey == key })
}

// clear removes the pin from the entry.
func (s *pinState) clear() {
	deleteAll(s.entry, []string{pinProfile, pinSource, pinCount})
	s.touch()
	s.current = ""
}

// touch dates the entry.
func (s *pinState) touch() {
	updated := float64(s.Now)
	if before, ok := s.entry.Number("updatedAt"); ok && s.Rules.Pins.MonotoneUpdatedAt {
		updated = max(before, updated)
	}
	s.entry.SetNumber("updatedAt", updated)
}

// rotate resolves the pin up to 2026.7.1.
func (s *pinState) rotate() Pin {
	if s.Rules.Pins.ReplaceUnusable && s.current != "" && s.isHeld(s.current) {
		for _, id := range s.order {
			if id != s.current && !s.isHeld(id) {
				return s.write(id, PinReplaced, true)
			}
		}
	}
	if s.source == PinUser && s.current != "" && !s.NewSession {
		return s.kept(PinKeptByUser)
	}
	switch {
	case s.NewSession && s.current != "":
		return s.write(s.after(s.current, s.order), PinNewSession, true)
	case s.compacted() && s.current != "":
		return s.write(s.after(s.current, s.order), PinCompaction, true)
	case s.current == "" || s.isHeld(s.current):
		return s.write(s.first(), PinFirst, true)
	}
	return s.write(s.current, PinKept, true)
}

func (s *pinState) isHeld(id ProfileID) bool { return s.InCooldown(id, s.model, s.Now) }

// compacted reports whether the session was compacted since the pin was made.
func (s *pinState) compacted() bool {
	count, _ := s.entry.Number("compactionCount")
	stored, ok := s.entry.Number(pinCount)
	return ok && count > stored
}

func (s *pinState) first() ProfileID {
	for _, id := range s.order {
		if !s.isHeld(id) {
			return id
		}
	}
	return s.order[0]
}

// after returns the next usable profile after the current one, around the end;
// the current one, if none is usable, or the first where it is not in the order.
func (s *pinState) after(current ProfileID, ids []ProfileID) ProfileID {
	at := slices.Index(ids, current)
	for i := range ids {
		if id := ids[(at+1+i)%len(ids)]; !s.isHeld(id) {
			return id
		}
	}
	if at < 0 {
		return ids[0]
	}
	return current
}

// write makes the profile the session's automatic pin where that is news.
func (s *pinState) write(next ProfileID, why PinReason, counts bool) Pin {
	count, counted := s.entry.Value("compactionCount"), s.entry.Value(pinCount)
	if count == nil {
		count = document.NumberValue(0)
	}
	changed := s.entry.Text(pinProfile) != string(next) || s.entry.Text(pinSource) != PinAuto || counts && !identical(counted, count)
	if changed {
		s.entry.Set(pinProfile, string(next))
		s.entry.Set(pinSource, PinAuto)
		s.entry.Set(pinCount, count) // as the entry has it, a number or not
		s.touch()
	}
	return Pin{Profile: next, Source: PinAuto, Route: s.routeOf(next), Entry: s.entry, Why: why}
}

// identical is JavaScript's === for values of a document.
func identical(a, b document.Value) bool {
	left, isNumber := a.(json.Number)
	right, areNumbers := b.(json.Number)
	switch a.(type) {
	case *document.Object, []any:
		return false // each reading makes another one
	}
	if isNumber && areNumbers {
		x, _ := left.Float64()
		y, _ := right.Float64()
		return x == y
	}
	return !isNumber && !areNumbers && a == b
}

// routeOf says how a stored profile pays: "subscription" for OAuth and tokens,
// "api-key" for keys and aws-sdk; "" for one that is not stored.
func (p *Profiles) routeOf(id ProfileID) string {
	kind := p.Store.credential(id).Text("type")
	if kind == "" {
		kind = p.Config.Profiles().Object(string(id)).Text("mode")
	}
	switch kind {
	case TypeOAuth, TypeToken:
		return "subscription"
	case TypeAPIKey, modeAWS:
		return "api-key"
	}
	return ""
}
