package repair

import (
	"path/filepath"
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/creds"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

func baseOf(path string) string { return filepath.Base(path) }

// importAll imports the files of older releases, agent by agent: main first,
// from which the others inherit.
func (g *migration) importAll() {
	agents := slices.Clone(g.agents)
	slices.SortStableFunc(agents, func(a, b state.Agent) int {
		switch isA, isB := a.ID == mainAgent, b.ID == mainAgent; {
		case isA == isB:
			return 0
		case isA:
			return -1
		}
		return 1
	})
	for _, agent := range agents {
		if g.Agent != "" && agent.ID != g.Agent {
			continue
		}
		if g.hasDatabases() {
			g.importIntoDatabase(agent)
			continue
		}
		g.convertMap(agent)
		g.importOnLoad(agent)
	}
	if g.hasDatabases() {
		g.separate() // what waits for a database that OpenClaw must make first
	}
	g.importLogins()
}

// convertMap makes a store of an auth-profiles.json that is a map of providers
// (2026.4.29+, cases flat-store). OpenClaw drops what it can't use without a
// word, and idToken up to 2026.7.1: here all that a credential can have stays,
// and the rest is named. The map itself stays beside it.
func (g *migration) convertMap(agent state.Agent) {
	file := agent.ProfilesFile()
	document, err := g.m.Read(file)
	own := g.files[file]
	if err != nil || document == nil || document.Has("profiles") || own == nil || !g.line.FlatMap {
		return
	}
	legacy, err := g.m.Legacy(state.PendingFlatMap, file)
	if err != nil || legacy == nil || len(legacy.Profiles()) == 0 {
		return
	}
	g.tellRejected(agent.ID, file, legacy)
	own.Convert()
	for _, id := range legacy.Profiles() {
		own.AddProfile(id, legacy.Get(id))
	}
	g.keep(file, "legacy-flat")
	g.note(agent.ID, "%s was a map of providers and is a store now: %s", baseOf(file), words.List(mask.IDs(legacy.Profiles()), mask.Few))
}

// tellRejected names what of a file is not imported, and what of an entry.
func (g *migration) tellRejected(agent, file string, legacy *state.LegacyFile) {
	document, _ := g.m.Read(file)
	for _, r := range legacy.Rejected {
		g.told.addSecret(r.ID, document.Object(r.ID))
		g.note(agent, "%s of %s is not imported: %s", mask.ID(r.ID), baseOf(file), creds.RejectText(r.Reason))
	}
	for _, id := range legacy.Profiles() {
		if dropped := legacy.Dropped(id); len(dropped) > 0 {
			g.note(agent, "%s: %s is no member of a credential and stays in what is left of %s", mask.ID(id), words.List(dropped, mask.Few), baseOf(file))
		}
	}
}

// loadImport is a file that the next load of an agent imports.
type loadImport struct {
	kind state.PendingKind
	file *state.LegacyFile
}

// waitingOnLoad are the files that the next load of an agent without a store
// imports, on lines that keep stores in files. What it returns first, for the home
// as it was found, stays: a repair that makes a store keeps OpenClaw from
// importing them, and so has to do it.
func (g *migration) waitingOnLoad(agent state.Agent) ([]loadImport, error) {
	if found, known := g.onLoad[agent.Dir]; known {
		return found, nil
	}
	own := g.files[agent.ProfilesFile()]
	if g.hasDatabases() || own == nil || own.Exists {
		return nil, nil
	}
	loaded, err := g.Home.LoadAgent(agent, g.Now)
	if err != nil {
		return nil, err
	}
	var found []loadImport
	for _, pending := range loaded.Pending {
		if pending.Effect != state.EffectImport {
			continue
		}
		if legacy, err := g.m.Legacy(pending.Kind, pending.File); err == nil && legacy != nil {
			found = append(found, loadImport{pending.Kind, legacy})
		}
	}
	g.onLoad[agent.Dir] = found
	return found, nil
}

// importOnLoad does what the next load of OpenClaw does for an agent without a
// store (up to 2026.5.28, cases oauth-json-import): auth.json of the agent, and
// for main credentials/oauth.json. As there, nothing is validated, auth.json
// goes and oauth.json stays; here auth.json stays too if something in it is not
// imported.
func (g *migration) importOnLoad(agent state.Agent) {
	files, err := g.waitingOnLoad(agent)
	if err != nil {
		g.leave(agent.ID, "left as it is: %s", mask.Text(err.Error()))
		return
	}
	own := g.files[agent.ProfilesFile()]
	for _, w := range files {
		// The shared logins wait for main, unless this agent has a store from now on:
		// its next load would then ignore them.
		if w.kind == state.PendingOAuth && agent.ID != mainAgent && own.Profiles.Len() == 0 {
			continue
		}
		if g.addAll(agent.ID, own, w.file) == 0 {
			continue
		}
		g.tellRejected(agent.ID, w.file.Path, w.file)
		switch {
		case w.kind != state.PendingAuth:
		case !w.file.IsWhole():
			g.leave(agent.ID, "%s stays: it holds what is not imported", baseOf(w.file.Path))
		default:
			if err := g.m.Remove(w.file.Path); err != nil {
				g.leave(agent.ID, "%s stays: %v", baseOf(w.file.Path), err)
			}
		}
	}
}

// addAll adds the profiles of a legacy file that a store does not have, and
// returns how many.
func (g *migration) addAll(agent string, to *heldStore, legacy *state.LegacyFile) int {
	var added []string
	for _, id := range legacy.Profiles() {
		if g.addProfile(agent, to, id, legacy.Get(id), legacy.Path) {
			added = append(added, id)
		}
	}
	if len(added) > 0 {
		g.note(agent, "%s imported from %s: %s", words.Count(len(added), "profile"), baseOf(legacy.Path), words.List(mask.IDs(added), mask.Few))
	}
	return len(added)
}

// addProfile adds a profile to a store unless that has one of the id. OpenClaw
// keeps the stored one even if there is nothing in it to authenticate with, and
// never says that the other was newer (case fn-sqlite-already-has-profile).
func (g *migration) addProfile(agent string, to *heldStore, id string, credential *document.Object, file string) bool {
	have := to.Profiles.Object(id)
	switch {
	case have == nil:
	case creds.SameLogin(have, credential):
		return false
	case creds.HasCredential(have) || !creds.HasCredential(credential):
		g.told.addSecret(id, credential)
		g.note(agent, "%s of %s is not imported: the store has another one of this id, which stays; to use the other, log in with it or import it under an id of its own",
			mask.ID(id), baseOf(file))
		return false
	default:
		g.note(agent, "%s was in the store without a credential and gets the one of %s", mask.ID(id), baseOf(file))
	}
	to.AddProfile(id, credential)
	return true
}

// importLogins imports credentials/oauth.json into the store of main: on lines
// with a shared store as OpenClaw's doctor does, once main has no other file
// that waits (case oauth-json-import); on 2026.6.11 and 7.1 as the next load
// does where main's database has no profile yet.
func (g *migration) importLogins() {
	file := g.Home.LegacyOAuthFile()
	legacy, err := g.m.Legacy(state.PendingOAuth, file)
	if err != nil {
		g.leave("", "left as it is: %s", mask.Text(err.Error()))
		return
	}
	if legacy == nil || !g.hasDatabases() || g.Agent != "" && g.Agent != mainAgent {
		return
	}
	main := g.mainOf()
	stored, err := g.m.Target(main)
	if err != nil {
		g.leaveWaiting(main.ID, err, file)
		return
	}
	target := g.held(stored)
	if state.RulesOf(g.rules).Backend != state.BackendShared {
		if target.Profiles.Len() == 0 && state.RulesOf(g.rules).OAuthOnLoad {
			g.addAll(main.ID, target, legacy)
		}
		return
	}
	for _, waiting := range []string{main.ProfilesFile(), main.LegacyAuthFile()} {
		if document, err := g.m.Read(waiting); (document != nil || err != nil) && !g.archived[waiting] {
			g.leave(main.ID, "oauth.json waits for %s", baseOf(waiting))
			return
		}
	}
	document, _ := g.m.Read(file)
	ids, added := []string{}, []string{}
	for provider := range document.All() {
		entry, id := document.Object(provider), provider+":default"
		if entry == nil {
			g.note(main.ID, "%s of oauth.json is not imported: %s", mask.ID(id), creds.RejectText(auth.RejectNonObject))
			continue
		}
		login := entry.Clone() // whatever it says of itself, it is a login of this provider there
		login.Set("type", auth.TypeOAuth)
		login.Set("provider", provider)
		credential, reason := g.rules.LoadCredential(login, "")
		if reason != "" {
			g.told.addSecret(id, entry)
			g.note(main.ID, "%s of oauth.json is not imported: %s", mask.ID(id), creds.RejectText(reason))
			continue
		}
		if dropped := creds.DroppedOf(login, credential); len(dropped) > 0 {
			g.told.addSecret(id, entry)
			g.note(main.ID, "%s: %s is no member of a login and stays in the archive", mask.ID(id), words.List(dropped, mask.Few))
		}
		if g.addProfile(main.ID, target, id, credential, file) {
			added = append(added, id)
		}
		ids = append(ids, id)
	}
	if len(added) > 0 {
		g.note(main.ID, "%s imported from oauth.json: %s", words.Count(len(added), "profile"), words.List(mask.IDs(added), mask.Few))
	}
	g.remember(file, target, ids, false)
}

// mainOf is main, whether it is configured or not.
func (g *migration) mainOf() state.Agent {
	if agent, err := state.FindAgent(g.agents, mainAgent); err == nil {
		return agent
	}
	return g.Home.MainAgent()
}

// held is the store with a document.
func (g *migration) held(stored *state.Stored) *heldStore {
	for _, s := range g.stores {
		if s.Stored == stored {
			return s
		}
	}
	shared, _ := g.m.Shared()
	s := &heldStore{stored, mainAgent, stored.File(), false, stored == shared}
	g.addStore(s)
	return s
}

// remember archives an imported file and, on lines that keep records, records
// it: OpenClaw then takes the same bytes for imported (2026.8.2+).
func (g *migration) remember(file string, target *heldStore, ids []string, hasState bool) {
	document, _ := g.m.Read(file)
	archive := g.archive(file)
	if state.RulesOf(g.rules).Backend == state.BackendShared {
		g.records = append(g.records, state.Record{Source: file, Archive: archive, Target: target.Stored, Profiles: slices.Clone(ids), State: hasState, Count: document.Len()})
	}
}

// leaveWaiting says why files wait, and which command of OpenClaw helps: its
// databases have a schema that is its own to make.
func (g *migration) leaveWaiting(agent string, err error, file string) {
	if state.IsMissingStore(err) {
		g.leave(agent, "%s waits: there is no database yet that it could be imported into; openclaw doctor --fix makes it", baseOf(file))
		return
	}
	g.leave(agent, "%s waits: %s", baseOf(file), mask.Text(err.Error()))
}
