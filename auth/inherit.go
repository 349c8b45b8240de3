package auth

import "openclaw-auth/auth/document"

// Inherit returns the store that an agent sees: its own laid over the main
// one, which all agents inherit from. Profiles, orders and usage of the agent
// win id by id and key by key. Either store may be nil; the agent that owns the
// main store has no other.
func (r *Rules) Inherit(main, own *Store, now int64) *Store {
	if main == nil {
		main = &Store{}
	}
	if own == nil || own.isEmpty() {
		return r.withoutDangling(main)
	}
	merged := &Store{
		Profiles:   overlay(main.Profiles, own.Profiles),
		Order:      overlay(main.Order, own.Order),
		LastGood:   overlay(main.LastGood, own.LastGood),
		UsageStats: overlay(main.UsageStats, own.UsageStats),
	}
	if r.Store.LocalFirst {
		// From 2026.6.11 on the agent's own profiles come first in the merged store.
		merged.Profiles = underlay(own.Profiles, main.Profiles)
		r.preferOwn(merged, main, own)
	}
	merged = r.withoutDangling(merged)
	if r.Store.DriftRepair {
		r.repairDrift(merged, main, own, now)
	}
	return merged
}

func (s *Store) isEmpty() bool {
	return s.Profiles.Len() == 0 && s.Order.Len() == 0 && s.LastGood.Len() == 0 && s.UsageStats.Len() == 0
}

// overlay returns base with the members of over put in their places or at the end.
func overlay(base, over *document.Object) *document.Object {
	merged := shallowCopy(base)
	for key, value := range over.All() {
		merged.Set(key, value)
	}
	return merged
}

// underlay returns over with the members of base that it lacks at the end.
func underlay(over, base *document.Object) *document.Object {
	merged := shallowCopy(over)
	for key, value := range base.All() {
		if !merged.Has(key) {
			merged.Set(key, value)
		}
	}
	return merged
}

func shallowCopy(object *document.Object) *document.Object {
	copied := document.NewObject()
	for key, value := range object.All() {
		copied.Set(key, value)
	}
	return copied
}

// preferOwn puts the agent's own profiles of a provider in front of an order
// that it only inherits.
func (r *Rules) preferOwn(merged, main, own *Store) {
	for provider, value := range main.Order.All() {
		if own.Order.Has(provider) {
			continue
		}
		var ids []ProfileID
		for id, value := range own.Profiles.All() {
			credential, _ := value.(*document.Object)
			if r.Providers.AuthKey(credential.Text("provider")) == r.Providers.AuthKey(provider) {
				ids = append(ids, ProfileID(id))
			}
		}
		if len(ids) > 0 {
			merged.Order.Set(provider, valuesOf(unique(append(ids, profileIDs(value)...))))
		}
	}
}

func valuesOf(ids []ProfileID) []any {
	values := make([]any, len(ids))
	for i, id := range ids {
		values[i] = string(id)
	}
	return values
}

// withoutDangling drops usage and lastGood of profiles that are not there, on
// lines that do so on load.
func (r *Rules) withoutDangling(store *Store) *Store {
	if !r.Store.DropDangling {
		return store
	}
	kept := &Store{Profiles: store.Profiles, Order: store.Order, LastGood: document.NewObject(), UsageStats: document.NewObject()}
	for provider, value := range store.LastGood.All() {
		if id, _ := value.(string); store.Profiles.Has(id) {
			kept.LastGood.Set(provider, value)
		}
	}
	for id, value := range store.UsageStats.All() {
		if store.Profiles.Has(id) || r.isInlineKey(id) {
			kept.UsageStats.Set(id, value)
		}
	}
	return kept
}
