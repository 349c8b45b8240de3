package auth

import (
	"math"
	"slices"

	"openclaw-auth/auth/document"
)

// ProfileState is what a profile is at a moment, for a provider and a model.
type ProfileState string

// The states.
const (
	StateReady    ProfileState = "ready"
	StateCooling  ProfileState = "cooling"  // a cooldown, after failures
	StateBlocked  ProfileState = "blocked"  // a subscription limit with a known end
	StateDisabled ProfileState = "disabled" // billing, or credentials that are refused for good
	StateBypassed ProfileState = "bypassed" // windows are stored, but the provider ignores them
	StateExcluded ProfileState = "excluded" // not eligible, or not in the order that decides
)

// PlaceReason says why a profile stands where it does in an order.
type PlaceReason string

// The reasons of a place.
const (
	PlaceListed      PlaceReason = "listed"      // an order says so
	PlaceSorted      PlaceReason = "sorted"      // by type, then least recently used
	PlaceUnavailable PlaceReason = "unavailable" // behind the usable ones, by recovery
	PlacePreferred   PlaceReason = "preferred"   // asked for
	PlaceUnlisted    PlaceReason = "not_listed"  // usable, but the order leaves it out
	PlaceExcluded    PlaceReason = "excluded"    // not eligible; the code says why
)

// Window is a period in which a profile is not used.
type Window struct {
	Kind   ProfileState // StateCooling, StateBlocked or StateDisabled
	Until  float64      // Unix ms
	Reason Reason       // why; "" where the line does not store it
	Model  string       // the only model it concerns, "" for all
	Active bool         // the end lies ahead
}

// Placement is a profile, and why it stands where it does.
type Placement struct {
	ID       ProfileID
	Type     string // api_key, oauth, token, aws-sdk; "" for a missing one
	Position int    // from 1; 0 where it is not in the order
	Code     Code
	Place    PlaceReason
	State    ProfileState
	Window   *Window  // the one that decides the state; nil while none does
	Windows  []Window // all that are stored, past ones too
	LastUsed float64  // Unix ms, 0 for never
	Expires  float64  // Unix ms, 0 where the credential does not expire or says nothing
}

// Explain tells for every profile that the order concerns (listed, declared or
// stored for the provider) its place, state and windows: first those in the
// order, then the others as they are listed or stored.
func (p *Profiles) Explain(query OrderQuery, ordering Ordering) []Placement {
	want := p.wantedBy(query.Provider)
	ids := unique(slices.Concat(ordering.Order, ordering.Base, p.configuredFor(want), p.storedFor(want)))
	placements := make([]Placement, len(ids))
	for i, id := range ids {
		placement := p.Inspect(id, query.Provider, query.Model, query.Now)
		if i < len(ordering.Order) {
			placement.Position = i + 1
		}
		placement.Place = placeOf(&placement, ordering, query)
		if placement.Position == 0 {
			placement.State = StateExcluded
		}
		placements[i] = placement
	}
	return placements
}

func placeOf(placement *Placement, ordering Ordering, query OrderQuery) PlaceReason {
	switch {
	case placement.Code != Eligible:
		return PlaceExcluded
	case placement.Position == 0:
		return PlaceUnlisted
	case placement.Position == 1 && placement.ID == query.Prefer:
		return PlacePreferred
	case placement.State != StateReady && placement.State != StateBypassed:
		return PlaceUnavailable
	case ordering.Explicit:
		return PlaceListed
	}
	return PlaceSorted
}

// Inspect tells what one profile is, by itself: eligible for the provider or
// not, in which state and with which windows for the model ("" for any).
func (p *Profiles) Inspect(id ProfileID, provider, model string, now int64) Placement {
	credential, stats := p.Store.credential(id), p.Store.usage(id)
	placement := Placement{
		ID: id, Type: credential.Text("type"),
		Code:    p.Eligibility(provider, id, now),
		State:   StateReady,
		Windows: p.Rules.Windows.List(stats, now),
	}
	if credential == nil {
		placement.Type = p.Config.Profiles().Object(string(id)).Text("mode")
	}
	placement.LastUsed, _ = stats.Number("lastUsed")
	if expires, ok := credential.Number("expires"); ok && expires > 0 && !math.IsInf(expires, 0) {
		placement.Expires = expires
	}
	until, held := p.windowUntil(id, model, now)
	switch {
	case placement.Code != Eligible:
		placement.State = StateExcluded
	case held:
		placement.Window = windowUntil(placement.Windows, until)
		if !p.Rules.Windows.Reasons && placement.Window.Reason == "" {
			// Such a line infers a cooldown's reason from the failure counts.
			placement.Window.Reason = p.UnavailableReason([]ProfileID{id}, now)
		}
		placement.State = placement.Window.Kind
	case p.bypasses(id) && slices.ContainsFunc(placement.Windows, func(w Window) bool { return w.Active }):
		placement.State = StateBypassed
	}
	return placement
}

// List returns the windows that a usage entry stores, past ones too: disable,
// block, cooldown. nil has none.
func (r *WindowRules) List(stats *document.Object, now int64) []Window {
	u := r.read(stats)
	var windows []Window
	add := func(w Window) {
		if w.Until > 0 {
			w.Active = w.Until > float64(now)
			windows = append(windows, w)
		}
	}
	add(Window{Kind: StateDisabled, Until: u.disabledUntil, Reason: u.disabledReason})
	block := Window{Kind: StateBlocked, Until: u.blockedUntil, Reason: Reason(stats.Text("blockedReason"))}
	if u.blockedToModel {
		block.Model = u.blockedModel
	}
	add(block)
	cooldown := Window{Kind: StateCooling, Until: u.cooldownUntil}
	if r.Reasons {
		cooldown.Reason = u.cooldownReason
		if slices.Contains(r.ModelScoped, u.cooldownReason) {
			cooldown.Model = u.cooldownModel
		}
	}
	add(cooldown)
	return windows
}

// windowUntil returns the window that ends when the profile recovers.
func windowUntil(windows []Window, until float64) *Window {
	for i := range windows {
		if windows[i].Until == until {
			return &windows[i]
		}
	}
	return &Window{Kind: StateCooling, Until: until, Active: true}
}

// Providers lists the providers that have profiles, an order or a declaration,
// in the order of the store, then of the state, then of the configuration.
func (p *Profiles) Providers() []ProviderID {
	var providers []ProviderID
	add := func(provider string) {
		if id := p.Rules.Providers.AuthKey(provider); id != "" && !slices.Contains(providers, id) {
			providers = append(providers, id)
		}
	}
	for _, object := range []*document.Object{p.Store.Profiles, p.Config.Profiles()} {
		for _, value := range object.All() {
			entry, _ := value.(*document.Object)
			add(entry.Text("provider"))
		}
	}
	for _, orders := range []*document.Object{p.Store.Order, p.Config.Order()} {
		for provider := range orders.All() {
			add(provider)
		}
	}
	return providers
}
