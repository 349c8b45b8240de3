package state

import (
	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
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
	converted bool             // from a map of providers: nothing else of that belongs into a store
	file      string           // that holds the state
	rest      *document.Object // the state's document without the sections
}

// File is the file that holds the state.
func (s *Stored) File() string { return s.file }

// sections are the members of a state, in the order in which OpenClaw writes them.
var sections = []string{"order", "lastGood", "usageStats"}

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
	if s.home.Rules.Store.Sidecars {
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

// SetUsage puts a usage entry in the place of a profile's.
func (s *Stored) SetUsage(id auth.ProfileID, stats *document.Object) {
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

// SetLastGood makes the entries of lastGood that differ between two states of
// it what they are in the second.
func (s *Stored) SetLastGood(before, after *document.Object) {
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
