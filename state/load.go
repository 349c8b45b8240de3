package state

import (
	"openclaw-auth/auth"
)

// Loaded is an agent's profiles as the line's OpenClaw would load them now.
type Loaded struct {
	Agent   Agent
	Store   *auth.Store // what the engine works on
	Own     *Source     // the agent's own store
	Main    *Source     // the store it inherits from, nil for the agent that owns it
	Pending []Pending   // legacy files that wait, counted or not
	Clones  bool        // the next load would copy main's store into the agent's directory
}

// Profiles returns the engine on the loaded profiles.
func (l *Loaded) Profiles(home *Home, config *Config) *auth.Profiles {
	return &auth.Profiles{Rules: home.Rules, Config: config.Auth(), Store: l.Store}
}

// Rejected lists the entries that OpenClaw refuses, of the agent and of main.
func (l *Loaded) Rejected() []Rejected {
	rejected := l.Own.Rejected
	if l.Main != nil {
		rejected = append(rejected, l.Main.Rejected...)
	}
	return rejected
}

// Sidecars lists the logins whose tokens should be in a sidecar file and are
// not to be had, of the agent and of main.
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
	if _, own := l.Own.stateAt[Pointer(section, key)]; !own && l.Main != nil {
		return l.Main.StateOrigin(section, key)
	}
	return l.Own.StateOrigin(section, key)
}

// LoadAgent loads an agent's profiles, at the time now (Unix ms): its own store
// over the main one, legacy files included where the line imports them on load.
func (h *Home) LoadAgent(agent Agent, now int64) (*Loaded, error) {
	loaded := &Loaded{Agent: agent}
	var err error
	if mainDir := h.mainDir(); agent.Dir != mainDir {
		if loaded.Main, err = h.readSource(mainDir); err != nil {
			return nil, err
		}
		if _, err = h.importLegacy(loaded.Main, nil); err != nil {
			return nil, err
		}
	}
	if loaded.Own, err = h.readSource(agent.Dir); err != nil {
		return nil, err
	}
	if loaded.Pending, err = h.importLegacy(loaded.Own, loaded.Main); err != nil {
		return nil, err
	}
	var main *auth.Store
	if loaded.Main != nil {
		main = loaded.Main.Store
		loaded.Clones = h.Rules.Store.ClonesMain && loaded.Own.Store == nil && main != nil && main.Profiles.Len() > 0
	}
	loaded.Store = h.Rules.Inherit(main, loaded.Own.Store, now)
	return loaded, nil
}

func (h *Home) readSource(dir string) (*Source, error) {
	source, err := h.readJSONSource(dir)
	if err == nil && h.Rules.Store.Sidecars {
		h.resolveSidecars(source)
	}
	return source, err
}

// importLegacy gives a source without a store the profiles that the next load
// would import, and lists the legacy files beside it. main is the store that
// the source inherits from, nil for the main store itself.
func (h *Home) importLegacy(source, main *Source) ([]Pending, error) {
	rules := &h.Rules.Store
	clones := rules.ClonesMain && main != nil && main.Store != nil && main.Store.Profiles.Len() > 0
	imported := newImports()
	var pending []Pending
	take := func(p *Pending, found *imports, onLoad bool) error {
		if p == nil {
			return nil
		}
		switch {
		case source.Store != nil:
			p.Effect, p.Why = EffectIgnored, "the agent has a store already"
		case clones:
			p.Effect, p.Why = EffectIgnored, "the next load copies main's store into the agent's directory first"
		case onLoad:
			p.Effect, p.Why = EffectImport, "the agent has no store yet"
			if p.Problem != nil {
				return p.Problem
			}
			for id, value := range found.profiles.All() {
				imported.add(id, value.(*auth.Object), found.at[id])
			}
			source.Rejected = append(source.Rejected, p.Rejected...)
		default:
			p.Effect = EffectDoctor
			if p.Kind == PendingFlatMap {
				p.Why = "a map of providers is no store"
			}
		}
		pending = append(pending, *p)
		return nil
	}
	if source.FlatMap {
		flat, _ := h.flatMap(source.Profiles)
		if err := take(flat, newImports(), false); err != nil {
			return nil, err
		}
	}
	legacy, found := h.legacyAuth(source.Dir)
	if err := take(legacy, found, rules.ImportOnLoad); err != nil {
		return nil, err
	}
	oauth, found := h.legacyOAuth()
	if err := take(oauth, found, rules.OAuthOnLoad); err != nil {
		return nil, err
	}
	if imported.profiles.Len() > 0 {
		source.Imported, source.profileAt = true, imported.at
		source.Store = &auth.Store{Profiles: imported.profiles}
	}
	return pending, nil
}
