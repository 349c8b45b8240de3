package auth

import "slices"

// Hint is something about an order that people stumble over. Its words are the
// renderer's; the values say what it is about.
type Hint struct {
	Code     HintCode
	Profiles []ProfileID // the profiles it is about
	Key      string      // the key of an order, or a mode
	Time     float64     // Unix ms, 0 where no time matters
	Count    int
}

// HintCode names a hint.
type HintCode string

// The hints.
const (
	HintOrderHidden     HintCode = "order_hidden"        // auth.order has a list too, but the agent's own order wins; Key is its key
	HintBorrowedOrder   HintCode = "borrowed_order"      // the order is the one of another provider (Key)
	HintOrderMissing    HintCode = "order_missing"       // the order lists profiles that don't exist
	HintOrderUnlisted   HintCode = "order_unlisted"      // usable profiles that the order leaves out
	HintOrderEmpty      HintCode = "order_empty"         // the order is an empty list, which turns the provider off
	HintOrderDead       HintCode = "order_dead"          // every listed profile is missing, and nothing takes over
	HintOrderRepaired   HintCode = "order_repaired"      // every listed profile is missing, the stored ones took over
	HintModeMismatch    HintCode = "mode_mismatch"       // auth.profiles says another type (Key) than the stored one
	HintMarkerIgnored   HintCode = "marker_ignored"      // a window is stored, but the provider ignores them
	HintWindowExpired   HintCode = "window_expired"      // a stored window has passed (Time) and blocks nothing
	HintNextFailure     HintCode = "next_failure_counts" // earlier errors (Count) still count for the next cooldown
	HintOtherModel      HintCode = "other_model"         // the window concerns another model (Key) only, until Time
	HintMixedTypes      HintCode = "mixed_types"         // logins and keys rotate: the login looks lost
	HintRecentFailure   HintCode = "recent_failure"      // failed (Time) after its last use, and no window shows it
	HintLastGoodIgnored HintCode = "last_good_ignored"   // lastGood names another profile than the first; it never decides
)

// Hints tells what people stumble over in an order that has been explained.
func (p *Profiles) Hints(query OrderQuery, ordering Ordering, placements []Placement) []Hint {
	hints := p.orderHints(query, ordering, placements)
	for _, placement := range placements {
		hints = append(hints, p.profileHints(placement, query)...)
	}
	return append(hints, p.choiceHints(query, ordering, placements)...)
}

func (p *Profiles) orderHints(query OrderQuery, ordering Ordering, placements []Placement) []Hint {
	want := p.wantedBy(query.Provider)
	var hints []Hint
	if key, _, ok := p.orderFor(p.Config.Order(), want); ok && ordering.Source == StateOrder {
		hints = append(hints, Hint{Code: HintOrderHidden, Key: key})
	}
	if key := p.Rules.Providers.AuthKey(ordering.Key); ordering.Key != "" && key != want.authKey && key != want.normalized {
		hints = append(hints, Hint{Code: HintBorrowedOrder, Key: string(key)})
	}
	listed := ordering.Source == StateOrder || ordering.Source == ConfigOrder
	missing := idsOf(placements, func(a Placement) bool {
		return a.Code == ProfileMissing && slices.Contains(ordering.Base, a.ID)
	})
	unlisted := idsOf(placements, func(a Placement) bool { return a.Place == PlaceUnlisted })
	switch {
	case ordering.Repaired:
		hints = append(hints, Hint{Code: HintOrderRepaired, Profiles: missing})
		return hints
	case listed && len(ordering.Base) == 0:
		hints = append(hints, Hint{Code: HintOrderEmpty, Key: ordering.Key})
	case listed && len(ordering.Order) == 0 && len(missing) == len(unique(slices.Clone(ordering.Base))):
		hints = append(hints, Hint{Code: HintOrderDead, Key: ordering.Key, Profiles: missing})
	case len(missing) > 0:
		hints = append(hints, Hint{Code: HintOrderMissing, Key: ordering.Key, Profiles: missing})
	}
	if len(unlisted) > 0 {
		hints = append(hints, Hint{Code: HintOrderUnlisted, Key: ordering.Key, Profiles: unlisted})
	}
	return hints
}

func idsOf(placements []Placement, matches func(Placement) bool) []ProfileID {
	var ids []ProfileID
	for _, placement := range placements {
		if matches(placement) {
			ids = append(ids, placement.ID)
		}
	}
	return ids
}

func (p *Profiles) profileHints(placement Placement, query OrderQuery) []Hint {
	var hints []Hint
	about := []ProfileID{placement.ID}
	stats := p.Store.usage(placement.ID)
	if placement.Code == ModeMismatch {
		mode := p.Config.Profiles().Object(string(placement.ID)).Text("mode")
		hints = append(hints, Hint{Code: HintModeMismatch, Profiles: about, Key: mode})
	}
	active := false
	for _, window := range placement.Windows {
		active = active || window.Active
		switch {
		case window.Active && placement.State == StateBypassed:
			hints = append(hints, Hint{Code: HintMarkerIgnored, Profiles: about, Time: window.Until, Key: string(window.Kind)})
		case window.Active && window.Model != "" && query.Model != "" && window.Model != query.Model:
			hints = append(hints, Hint{Code: HintOtherModel, Profiles: about, Time: window.Until, Key: window.Model})
		case !window.Active:
			hints = append(hints, Hint{Code: HintWindowExpired, Profiles: about, Time: window.Until, Key: string(window.Kind)})
		}
	}
	errors, _ := stats.Number("errorCount")
	if errors > 0 && !active && !p.Rules.Failures.LapseResets {
		hints = append(hints, Hint{Code: HintNextFailure, Profiles: about, Count: int(errors)})
	}
	failed, _ := stats.Number("lastFailureAt")
	if failed > 0 && failed > placement.LastUsed && placement.LastUsed > 0 && errors == 0 && len(placement.Windows) == 0 && failed <= float64(query.Now) {
		hints = append(hints, Hint{Code: HintRecentFailure, Profiles: about, Time: failed})
	}
	return hints
}

// choiceHints tell what decides between the profiles, where people expect
// something else to.
func (p *Profiles) choiceHints(query OrderQuery, ordering Ordering, placements []Placement) []Hint {
	var hints []Hint
	in := func(kinds ...string) bool {
		return slices.ContainsFunc(placements, func(a Placement) bool { return a.Position > 0 && slices.Contains(kinds, a.Type) })
	}
	if !ordering.Explicit && in(TypeOAuth, TypeToken) && in(TypeAPIKey) {
		hints = append(hints, Hint{Code: HintMixedTypes})
	}
	_, value, _ := p.Rules.Providers.lookup(p.Store.LastGood, p.wantedBy(query.Provider).authKey)
	good, _ := value.(string)
	if good != "" && len(ordering.Order) > 0 && ordering.Order[0] != ProfileID(good) {
		hints = append(hints, Hint{Code: HintLastGoodIgnored, Profiles: []ProfileID{ProfileID(good)}})
	}
	return hints
}
