package state

import (
	"path/filepath"
	"slices"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain"
)

// Loaded is an agent's profiles as the line's OpenClaw would load them now.
type Loaded struct {
	Agent   Agent
	Store   *auth.Store // what the engine works on
	Own     *Source     // the agent's own store
	Main    *Source     // the store it inherits from, nil for the agent that owns it
	Pending []Pending   // legacy files that wait, counted or not
	Clones  bool        // the next load would copy main's store into the agent's directory
	Blocked error       // a *MigrationRequired where the line refuses to load anything
}

// Profiles returns the engine on the loaded profiles.
func (l *Loaded) Profiles(home *Home, config *Config) *auth.Profiles {
	return &auth.Profiles{Rules: home.Rules, Config: config.Auth(), Store: l.Store, Inherited: l.Inherited, InMain: l.inMain}
}

// inMain reports whether the main agent's store has a profile.
func (l *Loaded) inMain(id auth.ProfileID) bool {
	main := l.Main
	if main == nil {
		main = l.Own
	}
	return main.Store != nil && main.Store.Profiles.Has(string(id))
}

// Rejected lists the entries that OpenClaw refuses, of the agent and of main.
func (l *Loaded) Rejected() []Rejected {
	rejected := l.Own.Rejected
	if l.Main != nil {
		rejected = append(rejected, l.Main.Rejected...)
	}
	return rejected
}

// Odd lists the members of a wrong type, which the line reads the stores
// without: of the agent's and of main's.
func (l *Loaded) Odd() []Odd {
	odd := l.Own.Odd
	if l.Main != nil {
		odd = slices.Concat(odd, l.Main.Odd)
	}
	return odd
}

// Sidecars lists the logins whose tokens should be in a sidecar file and are
// not available, of the agent and of main.
func (l *Loaded) Sidecars() []SidecarProblem {
	problems := l.Own.Sidecars
	if l.Main != nil {
		problems = append(problems, l.Main.Sidecars...)
	}
	return problems
}

// Inherited reports whether a profile comes from the main store.
func (l *Loaded) Inherited(id auth.ProfileID) bool {
	return l.Main != nil && !(l.Own.Store != nil && l.Own.Store.Profiles.Has(string(id)))
}

// ProfileOrigin returns where a stored profile stands.
func (l *Loaded) ProfileOrigin(id auth.ProfileID) Origin {
	if l.Inherited(id) {
		return l.Main.ProfileOrigin(string(id))
	}
	return l.Own.ProfileOrigin(string(id))
}

// StateOrigin returns where a member of a state section stands.
func (l *Loaded) StateOrigin(section, key string) Origin {
	if _, own := l.Own.layerOf(section, key); !own && l.Main != nil {
		return l.Main.StateOrigin(section, key)
	}
	return l.Own.StateOrigin(section, key)
}

// LoadAgent loads an agent's profiles, at the time now (Unix ms): its own store
// over the main one, legacy files included where the line imports them on load.
// Where the line fails closed, Blocked says so and the profiles are those that
// there are.
func (h *Home) LoadAgent(agent Agent, now int64) (*Loaded, error) {
	loaded := &Loaded{Agent: agent}
	var err error
	if loaded.Main, err = h.readMain(agent); err != nil {
		return nil, err
	}
	if loaded.Own, err = h.readSource(agent.Dir, agent.DatabaseOwner()); err != nil {
		return nil, err
	}
	if loaded.Main != nil {
		if _, err = h.importLegacy(loaded.Main, nil); err != nil {
			return nil, err
		}
	}
	if loaded.Pending, err = h.importLegacy(loaded.Own, loaded.Main); err != nil {
		return nil, err
	}
	loaded.Pending = append(loaded.Pending, h.formerFiles(agent)...)
	loaded.Blocked = h.failsClosed(loaded)
	var main *auth.Store
	if loaded.Main != nil {
		main = loaded.Main.Store
		loaded.Clones = RulesOf(h.Rules).ClonesMain && loaded.Own.Store == nil && main != nil && main.Profiles.Len() > 0
	}
	loaded.Store = h.Rules.Inherit(main, loaded.Own.Store, now)
	return loaded, nil
}

// readMain reads the store that the agent inherits from; nil for the agent
// that owns it. A shared store is overlaid by every agent, main too.
func (h *Home) readMain(agent Agent) (*Source, error) {
	if RulesOf(h.Rules).Backend == BackendShared {
		if shared, err := h.readShared(); shared != nil || err != nil {
			return shared, err
		}
	}
	if mainDir := h.mainDir(); agent.Dir != mainDir {
		return h.readSource(mainDir, chain.MainAgent)
	}
	return nil, nil
}

// databaseOwner is the agent that the database in the agent's directory must
// belong to; a directory that the configuration names may be of any.
func (a Agent) DatabaseOwner() string {
	if strings.TrimSpace(a.Entry.Text("agentDir")) != "" {
		return ""
	}
	return a.ID
}

// failsClosed reports whether a load would fail because credentials wait in
// legacy files while their store has no profiles.
func (h *Home) failsClosed(l *Loaded) error {
	if !RulesOf(h.Rules).FailClosed {
		return nil
	}
	check := func(source *Source, oauth bool) error {
		if source == nil || source.Store != nil && source.Store.Profiles.Len() > 0 {
			return nil
		}
		names := []string{filepath.Join(source.Dir, profilesName), filepath.Join(source.Dir, legacyAuthName)}
		if oauth {
			names = append(names, filepath.Join(h.OAuthDir, oauthName))
		}
		files := slices.DeleteFunc(names, func(file string) bool { return !h.Exists(file) })
		if len(files) == 0 {
			return nil
		}
		return &MigrationRequired{Store: source.Profiles, Files: files}
	}
	main := l.Main
	if main == nil {
		main = l.Own
	}
	if err := check(main, true); err != nil || l.Own.Dir == main.Dir {
		return err
	}
	return check(l.Own, false)
}

// importLegacy gives a source without a store the profiles that the next load
// would import, and lists the legacy files beside it. main is the store that
// the source inherits from, nil for the main store itself.
func (h *Home) importLegacy(source, main *Source) ([]Pending, error) {
	var imported *imports
	var pending []Pending
	for _, found := range h.legacyFiles(source) {
		p := found.pending
		p.Effect, p.Why = h.effectOf(p.Kind, source, main)
		if p.Effect == EffectImport {
			if p.Problem != nil {
				return nil, p.Problem
			}
			if imported == nil {
				imported = newImports()
			}
			for id, value := range found.profiles.All() {
				imported.add(id, value.(*document.Object), found.at[id])
			}
			source.Rejected = append(source.Rejected, p.Rejected...)
		}
		pending = append(pending, *p)
	}
	if imported != nil && imported.profiles.Len() > 0 {
		source.Imported, source.profileAt = true, imported.at
		source.Store = &auth.Store{Profiles: imported.profiles}
	}
	return pending, nil
}

// effectOf says what the line does with a legacy file of a kind, and why.
func (h *Home) effectOf(kind PendingKind, source, main *Source) (Effect, string) {
	rules := RulesOf(h.Rules)
	onLoad := kind == PendingAuth && rules.ImportOnLoad || kind == PendingOAuth && rules.OAuthOnLoad
	empty := source.Store == nil || source.Store.Profiles.Len() == 0
	if source.Shared || main != nil && main.Shared && main.Dir == source.Dir {
		empty = empty && (main == nil || main.Store == nil || main.Store.Profiles.Len() == 0)
	}
	switch {
	case rules.FailClosed && empty && kind != PendingState:
		return EffectBlocks, "the store has no profiles"
	case rules.FailClosed:
		return EffectIgnored, "the store has profiles already"
	case kind == PendingProfiles || kind == PendingState:
		return EffectDoctor, "profiles are in the database"
	case kind == PendingFlatMap:
		return EffectDoctor, "a map of providers is no store"
	case kind == PendingAuth && !rules.ImportOnLoad:
		return EffectDoctor, ""
	case source.Store != nil:
		return EffectIgnored, "the agent has a store already"
	case rules.ClonesMain && main != nil && main.Store != nil && main.Store.Profiles.Len() > 0:
		return EffectIgnored, "the next load copies main's store into the agent's directory first"
	case onLoad:
		return EffectImport, "the agent has no store yet"
	}
	return EffectDoctor, ""
}
