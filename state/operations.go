package state

import (
	"context"
	"errors"
	"fmt"

	"openclaw-auth/auth"
)

// ErrNothingStored says that an agent has no store that could be written.
var ErrNothingStored = errors.New("has no auth profiles of its own")

// ErrInheritedOrder says that the line would drop an order at its next write.
var ErrInheritedOrder = errors.New("keeps no order of profiles that an agent only inherits")

// ErrMapOfProviders says that a file stands in the place of a store and is none.
var ErrMapOfProviders = errors.New("is a map of providers and no store: move it away and import it by its name")

// IsRefusal reports whether an error is an answer: the write makes no sense there.
func IsRefusal(err error) bool {
	return errors.Is(err, ErrNothingStored) || errors.Is(err, ErrInheritedOrder) || errors.Is(err, ErrMapOfProviders)
}

// SetOrder gives an agent an order of its own for a provider, as OpenClaw's
// "models auth order set" does; without ids it removes the order. It returns
// the ids that the release would not keep: those that the agent inherits.
func (h *Home) SetOrder(ctx context.Context, agent Agent, provider string, ids []auth.ProfileID, options WriteOptions) (*Written, []auth.ProfileID, error) {
	var dropped []auth.ProfileID
	written, err := h.updateStores(ctx, []storePlace{h.ownPlace(agent)}, func(stores []*Stored) error {
		store := stores[0]
		if !store.Exists {
			return h.nothingStored(agent)
		}
		var kept []auth.ProfileID
		kept, dropped = h.Rules.WrittenOrder(ids, store.Store())
		if len(ids) > 0 && len(kept) == 0 {
			return fmt.Errorf("OpenClaw %s %w: set it for the agent that has them (--agent main)", h.Rules.Line, ErrInheritedOrder)
		}
		key := h.Rules.Providers.Normalize(provider)
		if RulesOf(h.Rules).OrderByAuthKey {
			key = h.Rules.Providers.AuthKey(provider)
		}
		store.SetOrder(key, kept)
		return nil
	}, options)
	return written, dropped, err
}

func (h *Home) nothingStored(agent Agent) error {
	return fmt.Errorf("agent %s %w: %s", agent.ID, ErrNothingStored, agent.Dir)
}

// Reset is what a reset has removed of one profile in one place.
type Reset struct {
	Profile auth.ProfileID
	File    string
	Members []string // the members of the usage entry that were removed or set to 0
}

// ResetProfiles removes windows and counters of profiles wherever they stand:
// in the agent's own store and in the one that it inherits from. match chooses
// the profiles.
func (h *Home) ResetProfiles(ctx context.Context, loaded *Loaded, match func(auth.ProfileID) bool, kinds []auth.ResetKind, options WriteOptions) (*Written, []Reset, error) {
	var resets []Reset
	written, err := h.updateStores(ctx, h.storesOf(loaded), func(stores []*Stored) error {
		resets = nil
		for _, store := range stores {
			for id := range store.UsageStats.All() {
				before := store.UsageStats.Object(id)
				if !match(auth.ProfileID(id)) || before == nil {
					continue
				}
				after, members := h.Rules.Reset(before, kinds...)
				if len(members) > 0 {
					store.setUsage(auth.ProfileID(id), after)
					resets = append(resets, Reset{auth.ProfileID(id), store.File(), members})
				}
			}
		}
		return nil
	}, options)
	return written, resets, err
}

// storesOf are the stores that decide about an agent's profiles.
func (h *Home) storesOf(loaded *Loaded) []storePlace {
	var places []storePlace
	if loaded.Own.Store != nil || loaded.Main == nil {
		places = append(places, h.ownPlace(loaded.Agent))
	}
	if main := h.mainPlace(loaded); main != nil {
		places = append(places, main)
	}
	return places
}

// Event is something that happened to a profile: a failure, or a success.
type Event struct {
	auth.Failure         // Reason is "" for a success
	Provider     string  // whose request succeeded; "" for the profile's own
	Until        float64 // Unix ms, when a limit ends that the provider has dated; 0: not known
}

// Record stores what OpenClaw stores for an event: in the agent's own store or,
// on lines that keep the usage of a shared profile with it, in that one.
func (h *Home) Record(ctx context.Context, loaded *Loaded, config *Config, event Event, options WriteOptions) (*Written, auth.Transition, error) {
	var transition auth.Transition
	places := []storePlace{h.ownPlace(loaded.Agent)}
	main := h.mainPlace(loaded)
	inherited := main != nil && loaded.Inherited(event.Profile)
	switch {
	case inherited && h.Rules.Store.OwnerUpdate:
		places = []storePlace{main}
	case main != nil && h.Rules.Store.MergedUpdate:
		places = append(places, main)
	}
	written, err := h.updateStores(ctx, places, func(stores []*Stored) error {
		own := stores[0]
		if !own.Exists {
			return h.nothingStored(loaded.Agent)
		}
		store := own.Store()
		if len(stores) > 1 && stores[1].Exists {
			store = h.Rules.Inherit(stores[1].Store(), store, event.Now)
		}
		profiles := &auth.Profiles{Rules: h.Rules, Config: config.Auth(), Store: store}
		if inherited && h.Rules.Store.OwnerUpdate {
			profiles.Inherited = loaded.Inherited
		}
		transition = record(profiles, own, event)
		return nil
	}, options)
	return written, transition, err
}

// record applies an event to a store.
func record(profiles *auth.Profiles, own *Stored, event Event) auth.Transition {
	if event.Reason != "" {
		transition := profiles.Limit(event.Failure, event.Until)
		if transition.Ignored == "" {
			own.setUsage(event.Profile, transition.Stats)
		}
		return transition
	}
	provider := event.Provider
	if provider == "" {
		provider = profiles.Store.Profiles.Object(string(event.Profile)).Text("provider")
	}
	before := profiles.Store.LastGood
	transition, good := profiles.Success(provider, event.Profile, event.Now)
	if transition.Ignored != "" {
		return transition
	}
	own.setUsage(event.Profile, transition.Stats)
	own.setLastGood(before, good)
	return transition
}
