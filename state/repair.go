package state

import (
	"context"
	"path/filepath"
	"slices"

	"openclaw-auth/auth"
)

// RepairKind says what a repair takes out of a stored state.
type RepairKind string

// The kinds. None changes which profile is used next but RepairWindow, which
// ends a rest that the release would never have given.
const (
	RepairOrder    RepairKind = "order"    // an id of a stored order that no store has
	RepairLastGood RepairKind = "lastGood" // a provider's last good profile that no store has
	RepairUsage    RepairKind = "usage"    // windows and counters of a profile that no store has
	RepairWindow   RepairKind = "window"   // one window of a profile, its counters stay
)

// Repair is one thing to take out of a stored state.
type Repair struct {
	Kind    RepairKind
	File    string // that holds it
	Key     string // of the order or lastGood, as it is written there
	Profile auth.ProfileID
	Window  auth.ResetKind // which one, for RepairWindow
	Until   float64        // and when it ends, Unix ms; another one in its place stays
}

// RepairStores makes repairs in the agent's own store and in the one that it
// inherits from: all of them or, if one can't be written, none. Each is looked
// at again under the locks; what no longer applies is left alone. check gets
// each store's documents as they were and as they would be, also under the
// locks; its error keeps everything from being written.
func (h *Home) RepairStores(ctx context.Context, loaded *Loaded, repairs []Repair, check func(before, after *auth.Store) error, options WriteOptions) (*Written, error) {
	return h.updateStores(ctx, h.storesOf(loaded), func(stores []*Stored) error {
		known := func(id auth.ProfileID) bool {
			for _, store := range stores {
				if store.Profiles.Has(string(id)) {
					return true
				}
			}
			return false
		}
		for _, store := range stores {
			before := &auth.Store{
				Profiles: store.Profiles.Clone(), Order: store.Order.Clone(), LastGood: store.LastGood.Clone(), UsageStats: store.UsageStats.Clone(),
			}
			for _, repair := range repairs {
				if store.holds(repair.File) && known(repair.Profile) == (repair.Kind == RepairWindow) {
					store.repair(repair)
				}
			}
			after := &auth.Store{Profiles: store.Profiles, Order: store.Order, LastGood: store.LastGood, UsageStats: store.UsageStats}
			if err := check(before, after); err != nil {
				return err
			}
		}
		return nil
	}, options)
}

// holds reports whether a file is one of the store's: of JSON stores, either of
// the two may hold the state.
func (s *Stored) holds(file string) bool {
	inJSON := func(path string) bool { return slices.Contains([]string{profilesName, stateName}, filepath.Base(path)) }
	return file == s.file || inJSON(file) && inJSON(s.file) && filepath.Dir(file) == s.Dir
}

func (s *Stored) repair(repair Repair) {
	id := string(repair.Profile)
	switch repair.Kind {
	case RepairOrder:
		value, _ := s.Order.Get(repair.Key)
		items, _ := value.([]any)
		var kept []any
		for _, item := range items {
			if item != id {
				kept = append(kept, item)
			}
		}
		// An empty order is another thing than one of missing profiles: it is the user's to clear.
		if len(kept) > 0 && len(kept) < len(items) {
			s.Order.Set(repair.Key, kept)
		}
	case RepairLastGood:
		if s.LastGood.Text(repair.Key) == id {
			s.LastGood.Delete(repair.Key)
		}
	case RepairUsage:
		s.UsageStats.Delete(id)
	case RepairWindow:
		stats := s.UsageStats.Object(id)
		if slices.ContainsFunc(s.home.Rules.Windows.List(stats, 0), func(w auth.Window) bool { return w.Until == repair.Until }) {
			after, _ := s.home.Rules.Reset(stats, repair.Window)
			s.setUsage(repair.Profile, after)
		}
	}
}
