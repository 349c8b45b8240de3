package state

import (
	"path/filepath"

	"openclaw-auth/auth"
)

// Examined is an agent's profiles as far as they can be read.
type Examined struct {
	*Loaded
	Problems []error // what could not be read; the sources concerned are empty

	OwnRead  bool // the agent's own store could be read, or there is none
	MainRead bool // so could the one that it inherits from
}

// Complete reports whether everything was read, so that a profile that is not
// there really is missing.
func (e *Examined) Complete() bool { return e.OwnRead && e.MainRead }

// Examine loads an agent's profiles as LoadAgent does, at the time now (Unix
// ms), but goes on where a file can't be read, to see as much as there is.
func (h *Home) Examine(agent Agent, now int64) *Examined {
	e := &Examined{Loaded: &Loaded{Agent: agent}, OwnRead: true, MainRead: true}
	var err error
	if e.Main, err = h.readMain(agent); err != nil {
		e.Problems, e.MainRead = append(e.Problems, err), false
		e.Main = h.emptySource(h.mainDir())
	}
	if e.Own, err = h.readSource(agent.Dir, agent.DatabaseOwner()); err != nil {
		e.Problems, e.OwnRead = append(e.Problems, err), false
		e.Own = h.emptySource(agent.Dir)
	}
	if e.Main != nil && e.MainRead {
		if _, err = h.importLegacy(e.Main, nil); err != nil {
			e.Problems, e.MainRead = append(e.Problems, err), false
		}
	}
	if e.OwnRead {
		if e.Pending, err = h.importLegacy(e.Own, e.Main); err != nil {
			e.Problems, e.OwnRead = append(e.Problems, err), false
		}
	}
	e.Blocked = h.failsClosed(e.Loaded)
	var main *auth.Store
	if e.Main != nil {
		main = e.Main.Store
		e.Clones = RulesOf(h.Rules).ClonesMain && e.OwnRead && e.Own.Store == nil && main != nil && main.Profiles.Len() > 0
	}
	e.Store = h.Rules.Inherit(main, e.Own.Store, now)
	return e
}

// emptySource stands for a source that can't be read.
func (h *Home) emptySource(dir string) *Source {
	name := profilesName
	if RulesOf(h.Rules).Backend != BackendJSON {
		name = agentDatabase
	}
	path := filepath.Join(dir, name)
	return &Source{Dir: dir, Profiles: path, State: path}
}
