package state

import (
	"context"
	"fmt"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/state/internal/write"
)

// Imported is what an import does with one profile of a legacy file.
type Imported struct {
	Profile auth.ProfileID
	From    Origin
	Skipped string // why it is not imported, "" if it is
}

// ImportFiles adds the profiles of legacy files to an agent's own store: those
// whose ids it does not have. Where OpenClaw would import them itself on its
// next load, it is done as there, and auth.json goes.
func (h *Home) ImportFiles(ctx context.Context, loaded *Loaded, files []LegacyFile, options WriteOptions) (*Written, []Imported, error) {
	if loaded.Own != nil && loaded.Own.FlatMap {
		// A store made of it would hide what it holds.
		return nil, nil, fmt.Errorf("%s %w", loaded.Own.Profiles, ErrMapOfProviders)
	}
	var imported []Imported
	var main *auth.Store
	if loaded.Main != nil && !RulesOf(h.Rules).ClonesMain {
		main = loaded.Main.Store
	}
	j := write.Job{Options: options}
	place := h.importPlace(loaded).join(&j)
	j.Plan = func() ([]write.Edit, error) {
		imported = nil
		loaded, err := h.load(place)
		if err != nil {
			return nil, err
		}
		store := loaded.Stored
		fresh := !store.Exists
		added := 0
		for _, file := range files {
			for id, value := range file.profiles.All() {
				result := Imported{auth.ProfileID(id), file.origin(id), skipText(store, main, id, value.(*document.Object))}
				if result.Skipped == "" {
					store.AddProfile(id, value.(*document.Object))
					added++
				}
				imported = append(imported, result)
			}
			file.addState(store)
		}
		edits := loaded.edits()
		for _, file := range files {
			if fresh && added > 0 && file.removed {
				now, err := h.snapshot(file.Path)
				if err != nil {
					return nil, err
				}
				edits = append(edits, &write.FileEdit{FS: h.FS, Before: now})
			}
		}
		return edits, nil
	}
	written, err := h.run(ctx, j)
	return written, imported, err
}

// importPlace is the store that logins are imported into: the agent's own or,
// where OpenClaw imports into the shared one, that.
func (h *Home) importPlace(loaded *Loaded) storePlace {
	if main := loaded.Main; main != nil && main.Shared && loaded.Agent.Dir == h.mainDir() {
		return h.sharedDatabase()
	}
	return h.ownPlace(loaded.Agent)
}

// skipText says why a profile is not imported into a store that inherits from
// main, "" if it is.
func skipText(store *Stored, main *auth.Store, id string, found *document.Object) string {
	if have := store.Profiles.Object(id); have != nil {
		if have = have.Clone(); have.Len() > 0 {
			auth.HideSecrets(have)
		}
		if sameText(have, found) {
			return "the store has it already"
		}
		if !isShell(have) || isShell(found) {
			return "the store has another profile of this id, which stays"
		}
	}
	if main != nil && main.Profiles.Has(id) && sameText(main.Profiles.Object(id), found) {
		return "the agent inherits the same from main"
	}
	return ""
}

// isShell reports whether a profile holds nothing to authenticate with: what a
// failed migration leaves of one. An import fills it.
func isShell(profile *document.Object) bool {
	for _, name := range []string{"key", "token", "access", "refresh", "keyRef", "tokenRef", "oauthRef"} {
		if profile.Has(name) {
			return false
		}
	}
	return profile.Text("type") != "aws-sdk"
}

// AddProfile adds a profile to the store.
func (s *Stored) AddProfile(id string, credential *document.Object) {
	if s.Profiles == nil {
		s.Profiles = document.NewObject()
	}
	s.Profiles.Set(id, credential)
	s.Exists = true
}

// LegacyFile is a file that older releases, or other programs, kept logins in.
type LegacyFile struct {
	Path     string
	Kind     PendingKind
	Rejected []Rejected

	profiles *document.Object
	at       map[string]Origin
	dropped  map[string][]string
	state    *document.Object // of an archived store, with its order, lastGood and usage
	removed  bool             // OpenClaw removes it once its profiles are in a store
}

// Profiles lists the ids of the profiles that the file holds.
func (f *LegacyFile) Profiles() []string { return f.profiles.Keys() }

// origin returns where a profile of the file stands.
func (f *LegacyFile) origin(id string) Origin { return f.at[id] }

// LegacyFiles reads the files that OpenClaw would import for an agent, or
// imported once: auth.json of the agent, then credentials/oauth.json.
func (h *Home) LegacyFiles(agent Agent) ([]LegacyFile, error) {
	var files []LegacyFile
	for _, read := range []func() (*Pending, *imports){
		func() (*Pending, *imports) { return h.legacyAuth(agent.Dir) },
		h.legacyOAuth,
	} {
		pending, found := read()
		if pending == nil {
			continue
		}
		if pending.Problem != nil {
			return nil, pending.Problem
		}
		files = append(files, h.legacyFile(pending, found))
	}
	return files, nil
}

func (h *Home) legacyFile(pending *Pending, found *imports) LegacyFile {
	return LegacyFile{
		Path: pending.File, Kind: pending.Kind, Rejected: pending.Rejected, profiles: found.profiles, at: found.at, dropped: found.dropped,
		removed: pending.Kind == PendingAuth && RulesOf(h.Rules).ImportOnLoad,
	}
}

// archivedStore reads a store that is not in its place: an archive, or a backup.
func (h *Home) archivedStore(path string, doc *document.Object) (LegacyFile, error) {
	if err := checkShapes(doc, stateShapes, func(pointer, expected string, value document.Value) error {
		return &FileError{File: path, Message: nameOf(pointer) + " is " + kindOf(value) + ", expected " + expected}
	}); err != nil {
		return LegacyFile{}, err
	}
	file := LegacyFile{Path: path, Kind: PendingProfiles, profiles: document.NewObject(), at: map[string]Origin{}, state: doc}
	profiles, rejected := h.Rules.LoadProfiles(doc.Object("profiles"))
	for id, value := range profiles.All() {
		file.profiles.Set(id, value)
		file.at[id] = Origin{File: path, Pointer: document.Pointer("profiles", id)}
	}
	for _, r := range rejected {
		file.Rejected = append(file.Rejected, Rejected{r, Origin{File: path, Pointer: document.Pointer("profiles", r.ID)}})
	}
	return file, nil
}

// addState adds the order, lastGood and usage of an archived store where the
// store has none.
func (f *LegacyFile) addState(store *Stored) {
	for _, section := range sections {
		for key, value := range f.state.Object(section).All() {
			if !store.Section(section).Has(key) {
				store.SetSection(section, key, value)
			}
		}
	}
}

// ReadLegacyFile reads a file that the user names: a store that was moved aside,
// oauth.json, or a map of providers.
func (h *Home) ReadLegacyFile(path string) (LegacyFile, error) {
	path = h.UserPath(path)
	doc, err := h.ReadObject(path)
	switch {
	case err != nil:
		return LegacyFile{}, err
	case doc == nil:
		return LegacyFile{}, &FileError{File: path, Message: "does not exist"}
	case doc.Has("profiles"):
		return h.archivedStore(path, doc)
	}
	if isLogins(doc) {
		pending, found := h.legacyLogins(path)
		return h.legacyFile(pending, found), nil
	}
	pending, found := h.legacyMap(PendingFlatMap, path, auth.CredentialMembers)
	if pending.Problem != nil {
		return LegacyFile{}, pending.Problem
	}
	return h.legacyFile(pending, found), nil
}

// isLogins reports whether a document is like oauth.json: entries with tokens
// that say no type.
func isLogins(doc *document.Object) bool {
	found := false
	for _, value := range doc.All() {
		entry, ok := value.(*document.Object)
		if !ok {
			continue
		}
		if entry.Has("type") || entry.Has("mode") || !entry.Has("access") && !entry.Has("refresh") {
			return false
		}
		found = true
	}
	return found
}
