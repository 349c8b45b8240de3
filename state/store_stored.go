package state

import (
	"context"
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/state/internal/write"
)

// Stored is what one store holds, as the documents stand there: with members
// that nobody here knows, with spellings as they were written. A plan changes
// it in place; what the plan does not touch is written back as it was.
type Stored struct {
	Dir      string // the agent's directory
	Exists   bool   // OpenClaw would load a store from there
	Profiles *document.Object
	// The sections of the state, those of the older place first; nil for none.
	Order, LastGood, UsageStats *document.Object

	home      *Home
	converted bool                      // from a map of providers: nothing else of that belongs into a store
	file      string                    // that holds the state
	rest      *document.Object          // the state's document without the sections
	odd       map[string]document.Value // sections of a wrong type, which stay until something takes their place
}

// File is the file that holds the state.
func (s *Stored) File() string { return s.file }

func (s *Stored) section(name string) **document.Object {
	switch name {
	case "order":
		return &s.Order
	case "lastGood":
		return &s.LastGood
	}
	return &s.UsageStats
}

// Convert says that the store takes the place of a map of providers.
func (s *Stored) Convert() { s.converted = true }

// Section is a section of the state: "order", "lastGood" or "usageStats"; nil
// for none.
func (s *Stored) Section(name string) *document.Object { return *s.section(name) }

// SetSection puts a value into a section of the state.
func (s *Stored) SetSection(name, key string, value document.Value) {
	section := s.section(name)
	if *section == nil {
		*section = document.NewObject()
	}
	(*section).Set(key, value)
}

// lay lays the sections of a document over what is there: key by key, the later
// document wins.
func (s *Stored) lay(doc *document.Object) {
	for _, name := range sections {
		have := s.section(name)
		if value, ok := doc.Get(name); ok && value != nil && doc.Object(name) == nil {
			if s.odd == nil {
				s.odd = map[string]document.Value{}
			}
			s.odd[name] = value
		}
		for key, value := range doc.Object(name).All() {
			if *have == nil {
				*have = document.NewObject()
			}
			(*have).Set(key, value)
		}
	}
}

// Store returns the documents as the line loads them.
func (s *Stored) Store() *auth.Store {
	store := s.home.Rules.NormalizeState(&auth.Store{Order: s.Order, LastGood: s.LastGood, UsageStats: s.UsageStats})
	store.Profiles, _ = s.home.Rules.LoadProfiles(s.Profiles)
	if RulesOf(s.home.Rules).Sidecars {
		s.home.resolveSidecars(&Source{Dir: s.Dir, Store: store})
	}
	return store
}

// stateDocument is the state as a document: version, the sections, then what
// else stood there; nil if there is nothing to keep.
func (s *Stored) stateDocument() *document.Object {
	doc := document.NewObject()
	doc.SetNumber("version", 1)
	for _, name := range sections {
		if section := *s.section(name); section.Len() > 0 {
			doc.Set(name, section)
		} else if odd, ok := s.odd[name]; ok {
			doc.Set(name, odd)
		}
	}
	for name, value := range s.rest.All() {
		if name != "version" {
			doc.Set(name, value)
		}
	}
	if doc.Len() == 1 {
		return nil
	}
	return doc
}

// setUsage puts a usage entry in the place of a profile's.
func (s *Stored) setUsage(id auth.ProfileID, stats *document.Object) {
	if s.UsageStats == nil {
		s.UsageStats = document.NewObject()
	}
	s.UsageStats.Set(string(id), s.home.Rules.WrittenUsage(s.UsageStats.Object(string(id)), stats))
}

// SetOrder puts an order in the place of a provider's, however that was
// spelled; an empty one removes it.
func (s *Stored) SetOrder(provider auth.ProviderID, ids []auth.ProfileID) {
	for _, key := range s.Order.Keys() {
		if s.home.Rules.Providers.Normalize(key) == provider && (key != string(provider) || len(ids) == 0) {
			s.Order.Delete(key)
		}
	}
	if len(ids) == 0 {
		return
	}
	if s.Order == nil {
		s.Order = document.NewObject()
	}
	list := make([]any, len(ids))
	for i, id := range ids {
		list[i] = string(id)
	}
	s.Order.Set(string(provider), list)
}

// setLastGood makes the entries of lastGood that differ between two states of
// it what they are in the second.
func (s *Stored) setLastGood(before, after *document.Object) {
	for key := range before.All() {
		if !after.Has(key) {
			s.LastGood.Delete(key)
		}
	}
	for key, value := range after.All() {
		if was, ok := before.Get(key); ok && was == value {
			continue
		}
		if s.LastGood == nil {
			s.LastGood = document.NewObject()
		}
		s.LastGood.Set(key, value)
	}
}

// loadedStore is a store as it was read, with what a plan makes of it.
type loadedStore struct {
	*Stored
	place  storePlace
	was    *contents
	before storeText
}

// storeText is what a store says, to see what a plan has changed.
type storeText struct{ profiles, state string }

func (s *Stored) text() storeText {
	return storeText{string(document.EncodeCompact(valueOf(s.Profiles))), string(document.EncodeCompact(valueOf(s.stateDocument())))}
}

// load reads a store to change it. What is there must be understood.
func (h *Home) load(place storePlace) (*loadedStore, error) {
	c, err := place.read()
	if err != nil {
		return nil, err
	}
	for _, p := range []*part{&c.profiles, &c.state} {
		if err := p.isReplaceable(); err != nil {
			return nil, err
		}
	}
	if c.database && c.profiles.name == "" {
		return nil, &FileError{File: c.profiles.path, Message: "does not exist; OpenClaw makes it when it first runs for this agent", Err: ErrNothingStored}
	}
	doc := c.profiles.doc
	s := &Stored{Dir: c.dir, Exists: doc.Has("profiles") || c.canBegin, home: h, file: c.state.path, Profiles: doc.Object("profiles").Clone()}
	if c.database {
		s.Exists = doc != nil || c.canBegin
	}
	if c.single {
		s.file = c.profiles.path
	}
	s.lay(doc)
	if !c.single {
		s.lay(c.state.doc)
		s.rest = without(c.state.doc, sections...)
	}
	return &loadedStore{Stored: s, place: place, was: c, before: s.text()}, nil
}

// edits are what makes the store say what its documents say. A state that is
// still in the old place, with the profiles, moves to its own document with the
// first change, as it does when OpenClaw writes. A file of the state is written
// before it leaves the other, so that a process that is killed in between leaves
// it twice.
func (l *loadedStore) edits() []write.Edit {
	now := l.text()
	if now == l.before {
		return nil
	}
	if l.was.single {
		return []write.Edit{l.place.edit(l.was.profiles, l.wholeDocument())}
	}
	moves := len(without(l.was.profiles.doc, sections...).Keys()) < len(l.was.profiles.doc.Keys())
	var edits []write.Edit
	if now.profiles != l.before.profiles || moves || l.was.database && l.was.profiles.text == nil {
		edits = append(edits, l.place.edit(l.was.profiles, l.profilesDocument()))
	}
	if now.state != l.before.state || moves {
		edits = append(edits, l.place.edit(l.was.state, l.stateDocument()))
	}
	if !l.was.database && l.stateDocument() != nil {
		slices.Reverse(edits)
	}
	return edits
}

// profilesDocument is the document of the profiles, without a state.
func (l *loadedStore) profilesDocument() *document.Object {
	doc := document.NewObject()
	doc.SetNumber("version", 1)
	for name, value := range l.was.profiles.doc.All() {
		if !slices.Contains(sections, name) && !l.converted {
			doc.Set(name, value)
		}
	}
	doc.Set("profiles", valueOf(l.Profiles))
	if l.Profiles == nil && l.was.database {
		doc.Set("profiles", document.NewObject())
	}
	return doc
}

// wholeDocument is the one document of lines that keep the state with the profiles.
func (l *loadedStore) wholeDocument() *document.Object {
	doc := document.NewObject()
	doc.SetNumber("version", 1)
	doc.Set("profiles", valueOf(l.Profiles))
	for _, name := range sections {
		if section := *l.section(name); section.Len() > 0 {
			doc.Set(name, section)
		} else if odd, ok := l.odd[name]; ok {
			doc.Set(name, odd)
		}
	}
	for name, value := range l.was.profiles.doc.All() {
		if !doc.Has(name) && !slices.Contains(sections, name) {
			doc.Set(name, value)
		}
	}
	return doc
}

// without returns a shallow copy of an object without some members; nil for nil.
func without(object *document.Object, names ...string) *document.Object {
	if object == nil {
		return nil
	}
	rest := document.NewObject()
	for name, value := range object.All() {
		if !slices.Contains(names, name) {
			rest.Set(name, value)
		}
	}
	return rest
}

// valueOf is the object as a value, null for nil.
func valueOf(object *document.Object) document.Value {
	if object == nil {
		return nil
	}
	return object
}

func sameText(a, b *document.Object) bool {
	return document.SameWritten(valueOf(a), valueOf(b))
}

// updateStores changes some stores: plan gets their documents as they are at
// that moment and changes them in place. It may run twice and must do nothing
// else. Everything about the write that can be refused is, before anything is made.
func (h *Home) updateStores(ctx context.Context, places []storePlace, plan func(stores []*Stored) error, options WriteOptions) (*Written, error) {
	j := write.Job{Options: options}
	joined := make([]storePlace, len(places))
	for i, place := range places {
		joined[i] = place.join(&j)
	}
	j.Plan = func() ([]write.Edit, error) {
		loaded, stores, err := h.loadAll(joined)
		if err == nil {
			err = plan(stores)
		}
		if err != nil {
			return nil, err
		}
		var edits []write.Edit
		for _, l := range loaded {
			edits = append(edits, l.edits()...)
		}
		return edits, nil
	}
	return h.run(ctx, j)
}

func (h *Home) loadAll(places []storePlace) (loaded []*loadedStore, stores []*Stored, err error) {
	for _, place := range places {
		l, err := h.load(place)
		if err != nil {
			return nil, nil, err
		}
		loaded = append(loaded, l)
		stores = append(stores, l.Stored)
	}
	return loaded, stores, nil
}
