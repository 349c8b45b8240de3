package state

import (
	"openclaw-auth/auth"
	"openclaw-auth/chain"
)

// storePlace is a store that can be written, in whichever form the line keeps it.
type storePlace interface {
	// join adds to a job what must be held while the store is written. What it
	// returns reads through that, once it is held.
	join(j *job) storePlace
	// load reads the store as it is now.
	load() (loadedStore, error)
}

// loadedStore is a store as it was read, with what a plan makes of it.
type loadedStore interface {
	stored() *Stored
	edits() []edit
}

func (j jsonStore) join(to *job) storePlace {
	to.locks = append(to.locks, lockedFile{j.profilesFile(), storeLock(&j.home.Rules.Store)})
	return j
}

func (d databaseStore) join(to *job) storePlace {
	if to.open == nil {
		to.open = transactions{}
	}
	d.open, d.clock = to.open, to.options.Clock
	to.databases = append(to.databases, d)
	return d
}

// ownPlace is the agent's own store.
func (h *Home) ownPlace(agent Agent) storePlace {
	if h.Rules.Store.Backend == auth.BackendJSON {
		return jsonStore{h, agent.Dir}
	}
	return h.agentDatabase(agent.Dir, agent.databaseOwner())
}

// mainPlace is the store that an agent inherits from; nil for the agent that owns it.
func (h *Home) mainPlace(loaded *Loaded) storePlace {
	switch main := loaded.Main; {
	case main == nil || main.Store == nil:
		return nil
	case main.Shared:
		return h.sharedDatabase()
	case h.Rules.Store.Backend == auth.BackendJSON:
		return jsonStore{h, main.Dir}
	default:
		return h.agentDatabase(main.Dir, chain.MainAgent)
	}
}

// updateStores changes some stores: plan gets their documents as they are at
// that moment and changes them in place. It may run twice and must do nothing
// else. Everything about the write that can be refused is, before anything is made.
func (h *Home) updateStores(places []storePlace, plan func(stores []*Stored) error, options WriteOptions) (*Written, error) {
	j := job{options: options}
	joined := make([]storePlace, len(places))
	for i, place := range places {
		joined[i] = place.join(&j)
	}
	j.plan = func() ([]edit, error) {
		loaded, stores, err := loadAll(joined)
		if err == nil {
			err = plan(stores)
		}
		if err != nil {
			return nil, err
		}
		var edits []edit
		for _, l := range loaded {
			edits = append(edits, l.edits()...)
		}
		return edits, nil
	}
	return h.run(j)
}

func loadAll(places []storePlace) (loaded []loadedStore, stores []*Stored, err error) {
	for _, place := range places {
		l, err := place.load()
		if err != nil {
			return nil, nil, err
		}
		loaded = append(loaded, l)
		stores = append(stores, l.stored())
	}
	return loaded, stores, nil
}
