package state

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
)

// The files of an agent's directory, and what older releases left there.
const (
	profilesName   = "auth-profiles.json"
	stateName      = "auth-state.json"
	legacyAuthName = "auth.json"
	oauthName      = "oauth.json"
)

// Source is one place that profiles are loaded from: the files or the
// database of one agent directory.
type Source struct {
	Dir      string
	Store    *auth.Store // as the line loads it; nil where there is none
	Profiles string      // the file that holds the profiles, whether it exists or not
	State    string      // the file that holds order, usage and lastGood
	Rejected []Rejected
	Shared   bool // the shared store in the state database (2026.8.2+)
	Imported bool // the profiles are those that OpenClaw would import on its next load
	FlatMap  bool // the profiles' file is a map of providers, which no release loads
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

// readJSONSource reads the files of an agent directory. A directory without a
// store gives a Source without Store.
func (h *Home) readJSONSource(dir string) (*Source, error) {
	source := &Source{Dir: dir, Profiles: filepath.Join(dir, profilesName)}
	source.State = source.Profiles
	if h.Rules.Store.StateFile {
		source.State = filepath.Join(dir, stateName)
	}
	doc, err := h.readDocument(source.Profiles, stateShapes)
	if doc == nil || err != nil {
		return source, err
	}
	if !doc.Has("profiles") {
		source.FlatMap = isFlatMap(doc)
		return source, nil
	}
	source.Store = &auth.Store{}
	source.loadProfiles(h.Rules, doc.Object("profiles"))
	source.loadState(h.Rules, doc, source.Profiles)
	if !h.Rules.Store.StateFile {
		return source, nil
	}
	state, err := h.readDocument(source.State, stateShapes)
	if err != nil {
		return nil, err
	}
	source.loadState(h.Rules, state, source.State)
	return source, nil
}

// readDocument reads a JSON object and checks its members' types. A missing
// file gives nil.
func (e Env) readDocument(path string, shapes []shape) (*document.Object, error) {
	data, err := e.readFile(path, maxDocument)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	value, err := document.ParseJSON(path, data)
	if err != nil {
		return nil, err
	}
	wrong := func(pointer, expected string, value document.Value) error {
		return document.ErrorAt(path, data, pointer, nameOf(pointer)+" is "+kindOf(value)+", expected "+expected)
	}
	doc, ok := value.(*document.Object)
	if !ok {
		return nil, wrong("", "an object", value)
	}
	return doc, checkShapes(doc, shapes, wrong)
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
func (s *Source) loadState(rules *auth.Rules, doc *document.Object, where string) {
	state := rules.NormalizeState(&auth.Store{
		Order: doc.Object("order"), LastGood: doc.Object("lastGood"), UsageStats: doc.Object("usageStats"),
	})
	s.Store.Order = s.lay(s.Store.Order, state.Order, "order", where)
	s.Store.LastGood = s.lay(s.Store.LastGood, state.LastGood, "lastGood", where)
	s.Store.UsageStats = s.lay(s.Store.UsageStats, state.UsageStats, "usageStats", where)
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
