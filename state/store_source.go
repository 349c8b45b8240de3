package state

import (
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
)

// Source is one place that profiles are loaded from: the files or the
// database of one agent directory.
type Source struct {
	Dir      string
	Store    *auth.Store // as the line loads it; nil where there is none
	Profiles string      // the file that holds the profiles, whether it exists or not
	State    string      // the file that holds order, usage and lastGood
	Rejected []Rejected
	Odd      []Odd // members of a wrong type, which the line reads the store without
	Shared   bool  // the shared store in the state database (2026.8.2+)
	Imported bool  // the profiles are those that OpenClaw would import on its next load
	FlatMap  bool  // the profiles' file is a map of providers, which no release loads
	Sidecars []SidecarProblem

	profilesTable, stateTable string            // the rows, where the files are databases
	profileAt                 map[string]Origin // profiles that stand elsewhere than under /profiles
	layers                    []layer           // what the state was laid together from, the later ones win
}

// layer is a section of the state as one file or row has it.
type layer struct {
	section string
	members *document.Object
	where   string
}

// Rejected is an entry of a store that OpenClaw refuses to load.
type Rejected struct {
	auth.Rejected
	Origin Origin
}

// ProfileOrigin returns where a profile of the source stands.
func (s *Source) ProfileOrigin(id string) Origin {
	if origin, ok := s.profileAt[id]; ok {
		return origin
	}
	return Origin{File: s.Profiles, Table: s.profilesTable, Pointer: document.Pointer("profiles", id)}
}

// StateOrigin returns where a member of a state section ("order",
// "usageStats", "lastGood") stands.
func (s *Source) StateOrigin(section, key string) Origin {
	origin := Origin{File: s.State, Table: s.stateTable, Pointer: document.Pointer(section, key)}
	where, ok := s.layerOf(section, key)
	switch {
	case ok && s.stateTable != "":
		origin.Table = where
	case ok:
		origin.File = where
	}
	return origin
}

// layerOf returns the file or the row that decides about a member of a state
// section, and whether there is such a member.
func (s *Source) layerOf(section, key string) (where string, ok bool) {
	for _, l := range slices.Backward(s.layers) {
		if l.section == section && l.members.Has(key) {
			return l.where, true
		}
	}
	return "", false
}

// readSource reads the store of an agent directory as the line loads it. owner
// is the agent that a database there must belong to, "" for any.
func (h *Home) readSource(dir, owner string) (*Source, error) {
	c, err := h.placeIn(dir, owner).read()
	if err != nil {
		return nil, err
	}
	return h.source(c)
}

// source is what the line loads out of a store. Without a store, Source.Store is nil.
func (h *Home) source(c *contents) (*Source, error) {
	s := &Source{
		Dir: c.dir, Profiles: c.profiles.path, State: c.state.path, Shared: c.shared,
		profilesTable: c.profiles.table, stateTable: c.state.table, Odd: slices.Concat(c.profiles.odd, c.state.odd),
	}
	if c.single {
		s.State = s.Profiles
	}
	doc := c.profiles.doc
	profiles, has := doc.Get("profiles")
	_, isObject := profiles.(*document.Object)
	_, isList := profiles.([]any) // an object without members, to JavaScript
	switch {
	case doc == nil:
		return s, nil
	case c.database && has && profiles != nil && !isObject && RulesOf(h.Rules).Backend == BackendShared:
		return nil, &FileError{File: c.profiles.name, Message: "profiles is " + kindOf(profiles) + ", expected an object: OpenClaw calls the store unreadable"}
	case !c.database && !has:
		s.FlatMap = isFlatMap(doc)
		return s, nil
	case !c.database && !isObject && !isList:
		return s, nil
	}
	s.Store = &auth.Store{}
	s.loadProfiles(h.Rules, doc.Object("profiles"))
	s.loadState(h.Rules, &c.profiles)
	if c.state.text != nil || !c.single && !c.database {
		s.loadState(h.Rules, &c.state)
	}
	if !c.database && RulesOf(h.Rules).Sidecars {
		h.resolveSidecars(s)
	}
	return s, nil
}

func (s *Source) loadProfiles(rules *auth.Rules, raw *document.Object) {
	var rejected []auth.Rejected
	s.Store.Profiles, rejected = rules.LoadProfiles(raw)
	for _, r := range rejected {
		s.Rejected = append(s.Rejected, Rejected{r, s.ProfileOrigin(r.ID)})
	}
}

// loadState lays the state of a document over what the source has: key by key,
// the later document wins.
func (s *Source) loadState(rules *auth.Rules, p *part) {
	state := rules.NormalizeState(&auth.Store{
		Order: p.doc.Object("order"), LastGood: p.doc.Object("lastGood"), UsageStats: p.doc.Object("usageStats"),
	})
	s.Store.Order = s.lay(s.Store.Order, state.Order, "order", p.where())
	s.Store.LastGood = s.lay(s.Store.LastGood, state.LastGood, "lastGood", p.where())
	s.Store.UsageStats = s.lay(s.Store.UsageStats, state.UsageStats, "usageStats", p.where())
}

func (s *Source) lay(base, over *document.Object, section, where string) *document.Object {
	if base == nil {
		base = document.NewObject()
	}
	s.layers = append(s.layers, layer{section, over, where})
	for key, value := range over.All() {
		base.Set(key, value)
	}
	return base
}

// isFlatMap reports whether a document maps providers to credentials, the way
// auth.json does and people write by hand.
func isFlatMap(doc *document.Object) bool {
	for _, value := range doc.All() {
		if _, ok := value.(*document.Object); ok {
			return true
		}
	}
	return false
}
