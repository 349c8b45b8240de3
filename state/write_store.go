package state

import (
	"fmt"

	"openclaw-auth/auth"
)

// storePlace is a store that can be written, in whichever form the line keeps it.
type storePlace interface {
	// locks are the files that OpenClaw locks while it writes the store.
	locks() []lockedFile
	// load reads the store as it is now.
	load() (loadedStore, error)
}

// loadedStore is a store as it was read, with what a plan makes of it.
type loadedStore interface {
	stored() *Stored
	edits() []edit
}

func (j jsonStore) locks() []lockedFile {
	return []lockedFile{{j.profilesFile(), storeLock(&j.home.Rules.Store)}}
}

// place is the store of an agent directory.
func (h *Home) place(dir string) (storePlace, error) {
	if h.Rules.Store.Backend == auth.BackendJSON {
		return jsonStore{h, dir}, nil
	}
	return h.databasePlace(dir)
}

// UpdateStores changes the stores of some agent directories: plan gets their
// documents as they are at that moment and changes them in place. It may run
// twice and must do nothing else. Everything about the write that can be refused
// is, before anything is made.
func (h *Home) UpdateStores(dirs []string, plan func(stores []*Stored) error, options WriteOptions) (*Written, error) {
	j := job{options: options}
	var places []storePlace
	for _, dir := range dirs {
		place, err := h.place(dir)
		if err != nil {
			return nil, err
		}
		places = append(places, place)
		j.locks = append(j.locks, place.locks()...)
	}
	j.plan = func() ([]edit, error) {
		loaded, stores, err := loadAll(places)
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

// databasePlace is the store of an agent directory on lines that keep it in a database.
func (h *Home) databasePlace(string) (storePlace, error) {
	return nil, fmt.Errorf("OpenClaw %s keeps its profiles in a database, which this openclaw-auth does not write", h.Rules.Line)
}
