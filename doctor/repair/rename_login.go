package repair

import (
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/lines"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/state"
)

// renameLogins gives a declared PROVIDER:default login the id of the stored
// login that it stands for (cases oauth-default-id, fn-oauth-default-id).
// OpenClaw renames in the configuration alone; here stored orders, lastGood,
// usage and the pins of sessions that name it follow. OpenClaw 2026.4.29 merges
// the declaration into one of the new id; here, as from 2026.6.11 on, nothing
// is renamed then.
func (g *migration) renameLogins(complete bool) {
	config, err := g.configurable()
	if err != nil || config == nil || !complete {
		return
	}
	agent, err := state.FindAgent(g.agents, "")
	if err != nil {
		return
	}
	profiles := config.Object("auth").Object("profiles")
	for _, provider := range g.line.DefaultLogins {
		id := string(provider) + ":default"
		stored := g.loginStore(agent)
		if stored == nil || !profiles.Has(id) {
			continue
		}
		target := lines.RenameOf(g.rules, g.line, stored, profiles, string(provider))
		if target == "" || profiles.Has(target) {
			continue
		}
		g.renameDeclaration(profiles, id, target, stored.Profiles.Object(target))
		order := config.Object("auth").Object("order")
		for key, list := range order.All() {
			if g.rules.Providers.Normalize(key) == provider {
				order.Set(key, replaced(list, id, target))
			}
		}
		g.note("", "%s is %s now: that is the login it stands for", mask.ID(id), mask.ID(target))
		g.follow(id, target)
	}
}

// loginStore is the store that tells which login is meant: what the agent has
// and what it inherits.
func (g *migration) loginStore(agent state.Agent) *auth.Store {
	var own, main *auth.Store
	if stored, err := g.m.Own(agent); err == nil {
		own = stored.Store()
	}
	if stored, err := g.m.Target(g.mainOf()); err == nil && agent.ID != mainAgent || err == nil && g.hasSessionRows() {
		main = stored.Store()
	}
	return g.rules.Inherit(main, own, g.Now)
}

// renameDeclaration renames a declaration; the account is told by the login.
func (g *migration) renameDeclaration(profiles *document.Object, id, target string, login *document.Object) {
	declared := profiles.Object(id)
	profiles.Delete(id)
	renamed := document.NewObject()
	for name, value := range declared.All() {
		if name != "email" && name != "displayName" {
			renamed.Set(name, value)
		}
	}
	for _, name := range []string{"email", "displayName"} {
		if text := login.Text(name); text != "" {
			renamed.Set(name, text)
		}
	}
	profiles.Set(target, renamed)
}

// replaced is a list of ids with one under its new name: blanks and what is no
// text go, and what then stands there twice.
func replaced(list document.Value, id, target string) document.Value {
	kept := []any{}
	for _, text := range texts(list) {
		if text == id {
			text = target
		}
		if text != "" && !slices.Contains(kept, any(text)) {
			kept = append(kept, text)
		}
	}
	return kept
}

// follow renames what refers to a login of which no store has the old id.
func (g *migration) follow(id, target string) {
	for _, s := range g.stores {
		if s.Profiles.Has(id) {
			return
		}
	}
	for _, s := range g.stores {
		if !g.archived[s.file] && s.isStore() {
			g.renameIn(s.Stored, id, target)
		}
	}
	for _, agent := range g.Home.Agents(g.Config) {
		g.renamePins(agent, id, target)
	}
	g.names[id] = target
}

// renameIn renames one profile in a store, with all that refers to it there.
func (g *migration) renameIn(s *state.Stored, id, name string) {
	names := g.names
	g.names = map[string]string{id: name}
	g.renameStore(s)
	g.names = names
}

// renamePins renames one profile in the pins of an agent's sessions.
func (g *migration) renamePins(agent state.Agent, id, name string) {
	_, err := g.m.ChangeSessions(agent, func(s state.Session) bool { return s.Entry.Text("authProfileOverride") == id },
		func(entry *document.Object) { entry.Set("authProfileOverride", name) })
	if err != nil {
		g.leave(agent.ID, "sessions are left as they are: %s", mask.Text(err.Error()))
	}
}

// setApart gives one profile of an agent another id in the files that it waits
// in, with all that refers to it there and in the agent's sessions.
func (g *migration) setApart(agent state.Agent, s *state.Stored, id, name string) {
	g.renameIn(s, id, name)
	g.renamePins(agent, id, name)
	g.apart[id] = append(g.apart[id], name)
	g.note(agent.ID, "%s is %s now: it is another login than main's of that id, and tells no account", mask.ID(id), mask.ID(name))
}
