package repair

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/creds"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// waiting is what waits in an agent's directory beside its database.
type waiting struct {
	agent    state.Agent
	target   *heldStore
	document *document.Object // auth-profiles.json as it stands; nil for none
	legacy   *state.LegacyFile
	flat     *state.LegacyFile // auth-profiles.json as a map of providers; nil if it is a store
	files    *heldStore        // both JSON files as a store
	state    *document.Object  // auth-state.json as it stands; nil for none

	stateOnly bool // of the store, only auth-state.json is to be imported
}

// importIntoDatabase imports the JSON files of an agent into its database, or
// those of main into the shared store (2026.6.11+). What the database holds
// already stays; auth-profiles.json wins over auth.json, and auth-state.json
// over a state in auth-profiles.json. The files are moved aside then.
//
// A file that can't be read stays where it is: OpenClaw 2026.9.6 archives it
// (case fn-truncated-store), and the credentials in it are gone.
func (g *migration) importIntoDatabase(agent state.Agent) {
	w, ok := g.waiting(agent)
	if !ok {
		return
	}
	stored, err := g.m.Target(agent)
	if err != nil {
		file := agent.ProfilesFile()
		if w.document == nil {
			file = agent.LegacyAuthFile()
		}
		g.leaveWaiting(agent.ID, err, file)
		return
	}
	w.target = g.held(stored)
	if g.replayed(&w) {
		return
	}
	found, at := document.NewObject(), map[string]string{}
	if w.legacy != nil {
		g.tellRejected(agent.ID, w.legacy.Path, w.legacy)
		for _, id := range w.legacy.Profiles() {
			found.Set(id, w.legacy.Get(id))
			at[id] = w.legacy.Path
		}
	}
	file := agent.ProfilesFile()
	own := g.profilesOf(w)
	for id, credential := range own.All() {
		if before := found.Object(id); before != nil && !creds.SameLogin(before, credential.(*document.Object)) {
			g.told.addSecret(id, before)
			g.note(agent.ID, "%s of auth.json is not imported: auth-profiles.json has another one of this id", mask.ID(id))
		}
		found.Set(id, credential)
		at[id] = file
	}
	ids, taken := []string{}, []string{}
	for id, value := range found.All() {
		name, isNew := g.takeIn(w, id, value.(*document.Object), at[id])
		if isNew {
			taken = append(taken, name)
		}
		ids = append(ids, name)
	}
	markers := g.markersIn(agent.ID, w.document.Object("profiles"), file)
	merged := g.mergeState(w)
	if found.Len() == 0 && !merged && markers == 0 && !g.isEmpty(w) {
		if w.document != nil || w.legacy != nil {
			g.leave(agent.ID, "%s stays: there is nothing in it that can be imported", baseOf(file))
		}
		return
	}
	if len(taken) > 0 {
		g.note(agent.ID, "%s imported into the database: %s", words.Count(len(taken), "profile"), words.List(mask.IDs(taken), mask.Few))
	}
	if w.document != nil {
		embedded := w.document.Has("order") || w.document.Has("lastGood") || w.document.Has("usageStats")
		g.remember(file, w.target, ids, embedded)
		if empty := found.Len() == 0 && !merged && markers == 0; empty && len(g.records) > 0 {
			g.records[len(g.records)-1].Empty = true
		}
	}
	if w.state != nil {
		g.remember(agent.StateFile(), w.target, nil, true)
		g.archived[agent.StateFile()] = true
	}
	if w.legacy != nil {
		g.remember(w.legacy.Path, w.target, ids, false)
	}
}

// replayed moves files aside that OpenClaw has imported before, byte for byte,
// and reports whether nothing is left to import. As there, nothing of them is
// imported again as long as the database holds any of what they brought
// (2026.8.2+, case fn-replayed-archive): who put such a file back may have
// removed a profile on purpose.
func (g *migration) replayed(w *waiting) (done bool) {
	for _, file := range []string{w.agent.ProfilesFile(), w.agent.LegacyAuthFile()} {
		ids, err := g.m.Recorded(file)
		if err != nil || !slices.ContainsFunc(ids, w.target.Profiles.Has) {
			continue
		}
		g.note(w.agent.ID, "%s has been imported before and is moved aside without being imported again", baseOf(file))
		g.archive(file)
		if file == w.agent.LegacyAuthFile() {
			w.legacy = nil
			continue
		}
		for id := range w.files.Profiles.All() {
			g.told.addSecret(id, w.files.Profiles.Object(id))
		}
		for _, section := range []string{"order", "lastGood", "usageStats"} {
			for key, value := range w.document.Object(section).All() {
				g.tell(section, key, value)
			}
		}
		w.document, w.flat, w.stateOnly = nil, nil, true
	}
	return w.document == nil && w.legacy == nil && w.state == nil
}

// isEmpty reports whether nothing at all is in the files. On lines whose every
// load fails while such a file is there (2026.8.2+) it is moved aside.
func (g *migration) isEmpty(w waiting) bool {
	return state.RulesOf(g.rules).FailClosed && w.legacy == nil && w.document != nil && w.document.Object("profiles").Len() == 0 &&
		(w.document.Has("profiles") || w.document.Len() == 0)
}

// waiting reads what waits for an agent; ok is false if nothing does, or
// something can't be read.
func (g *migration) waiting(agent state.Agent) (w waiting, ok bool) {
	w.agent = agent
	fail := func(err error) (waiting, bool) {
		g.leave(agent.ID, "left as it is: %s", mask.Text(err.Error()))
		return w, false
	}
	if w.files = g.files[agent.ProfilesFile()]; w.files == nil { // it could not be read, which has been said
		return w, false
	}
	var err error
	if w.document, err = g.m.Read(agent.ProfilesFile()); err != nil {
		return fail(err)
	}
	if w.document != nil && !w.document.Has("profiles") {
		if w.flat, err = g.m.Legacy(state.PendingFlatMap, agent.ProfilesFile()); err != nil {
			return fail(err)
		}
	}
	if w.legacy, err = g.m.Legacy(state.PendingAuth, agent.LegacyAuthFile()); err != nil {
		return fail(err)
	}
	if w.state, err = g.m.Read(agent.StateFile()); err != nil {
		return fail(err)
	}
	return w, w.document != nil || w.legacy != nil || w.state != nil
}

// profilesOf are the profiles of auth-profiles.json as the line loads them.
func (g *migration) profilesOf(w waiting) *document.Object {
	profiles := document.NewObject()
	if w.flat != nil {
		g.tellRejected(w.agent.ID, w.flat.Path, w.flat)
		for _, id := range w.flat.Profiles() {
			profiles.Set(id, w.flat.Get(id))
		}
		return profiles
	}
	for id, value := range w.document.Object("profiles").All() {
		entry, _ := value.(*document.Object)
		if creds.IsAWSMarker(entry) {
			continue
		}
		if entry != nil {
			var renamed []creds.Alias
			entry, renamed = creds.WithKnownNames(entry)
			g.noteNames(w.agent.ID, id, renamed)
			value = entry
		}
		credential, reason := g.rules.LoadCredential(value, "")
		if reason != "" {
			g.told.addSecret(id, entry)
			g.note(w.agent.ID, "%s of auth-profiles.json is not imported: %s", mask.ID(id), creds.RejectText(reason))
			continue
		}
		g.openSidecar(w.agent.ID, id, credential)
		if dropped := creds.DroppedOf(entry, credential); len(dropped) > 0 {
			g.note(w.agent.ID, "%s: %s is no member of a credential and stays in the archive", mask.ID(id), words.List(dropped, mask.Few))
		}
		profiles.Set(id, credential)
	}
	return profiles
}

// noteNames says which members of an entry are imported under the names that
// OpenClaw reads. OpenClaw's own import drops them, and with them the secret.
func (g *migration) noteNames(agent, id string, renamed []creds.Alias) {
	var texts []string
	for _, a := range renamed {
		if a.Written != "mode" && a.Written != "apiKey" { // which OpenClaw reads too
			texts = append(texts, a.Written+" as "+a.Member)
		}
	}
	if len(texts) > 0 {
		g.note(agent, "%s: reads %s", mask.ID(id), words.List(texts, mask.Few))
	}
}

// openSidecar puts tokens back into a login that an encrypted file holds
// (2026.5.12, 5.28; cases fn-oauth-sidecar-*). Without the key, the login is
// imported as it is, as 2026.9.6 does: 7.1 leaves it in auth-profiles.json and
// comes back to it on every run.
func (g *migration) openSidecar(agent, id string, credential *document.Object) {
	if credential.Object("oauthRef") == nil {
		return
	}
	if creds.HasCredential(credential) {
		credential.Delete("oauthRef")
		return
	}
	file, problem := g.m.OpenSidecar(id, credential)
	if problem != nil {
		g.note(agent, "%s has no tokens: %s; log in again", mask.ID(id), mask.Text(problem.Detail))
		return
	}
	ref := credential.Object("oauthRef")
	credential.Delete("oauthRef")
	g.succeeded[sha256.Sum256(document.EncodeCompact(ref))] = g.hashOf(credential)
	g.before.addSecret(id, credential)
	if err := g.m.Remove(file); err != nil {
		g.leave(agent, "%s stays: %v", baseOf(file), err)
	}
}

// takeIn puts a waiting profile into the target. A login that an agent has under
// the id of one of main's is its own unless both are the same, or it is an older
// one of the same account: OpenClaw 2026.9.6 takes it for main's also if neither
// tells its account, and drops it (case fn-two-agents-import); 2026.7.1 never
// gets done with an older one (case fn-stale-oauth-shadow). As later runs of it
// would drop it all the same, such a login gets an id of its own. takeIn returns
// the id, and whether the profile is in the target now.
func (g *migration) takeIn(w waiting, id string, credential *document.Object, file string) (string, bool) {
	switch main := g.inherited(w, id); {
	case main == nil:
	case creds.SameLogin(main, credential) && credential.Text("type") == auth.TypeOAuth:
		g.note(w.agent.ID, "%s is the same as main's and is inherited", mask.ID(id))
		return id, false
	case creds.IsOlderLogin(credential, main):
		g.told.addSecret(id, credential)
		g.succeeded[g.hashOf(credential)] = g.hashOf(main)
		g.note(w.agent.ID, "%s is not imported: it is an older login of the account that main's is of, which is inherited", mask.ID(id))
		return id, false
	case creds.IsConfusable(credential, main):
		name := g.ownName(id)
		g.setApart(w.agent, w.files.Stored, id, name)
		id = name
	}
	return id, g.addProfile(w.agent.ID, w.target, id, credential, file)
}

// ownName is an id for a login whose own id is that of another one: ID-2 and so on.
func (g *migration) ownName(id string) string {
	for i := 2; ; i++ {
		name := fmt.Sprintf("%s-%d", id, i)
		if !slices.ContainsFunc(g.stores, func(s *heldStore) bool { return s.Profiles.Has(name) }) {
			return name
		}
	}
}

// mainLogin is main's profile of an id, wherever it waits.
func (g *migration) mainLogin(id string) *document.Object {
	for _, s := range g.main {
		if credential := s.Profiles.Object(id); credential != nil && !g.archived[s.file] {
			return credential
		}
	}
	return nil
}

// inherited is the profile of an id in the store that an agent inherits from.
func (g *migration) inherited(w waiting, id string) *document.Object {
	stored, err := g.m.Target(g.mainOf())
	if err != nil || stored == w.target.Stored {
		return nil
	}
	return stored.Profiles.Object(id)
}

// mergeState adds the order, lastGood and usage of the files where the target
// has none, key by key, and reports whether there is any.
func (g *migration) mergeState(w waiting) bool {
	if w.flat != nil && w.state == nil {
		return false
	}
	some := false
	for _, section := range []string{"order", "lastGood", "usageStats"} {
		waiting := w.files.Section(section)
		if w.stateOnly {
			waiting = w.state.Object(section)
		}
		for key, value := range waiting.All() {
			some = true
			if !w.target.Section(section).Has(key) {
				w.target.SetSection(section, key, value)
				continue
			}
			have, _ := w.target.Section(section).Get(key)
			if string(document.EncodeCompact(have)) == string(document.EncodeCompact(value)) {
				continue
			}
			g.note(w.agent.ID, "%s of %s is not imported: the database has one already, which stays", section, mask.ID(key))
			g.tell(section, key, value)
		}
	}
	return some
}

// tell notes that a part of a state goes.
func (g *migration) tell(section, key string, value document.Value) {
	part, object := &auth.Store{}, document.NewObject()
	object.Set(key, value)
	switch section {
	case "order":
		part.Order = object
	case "lastGood":
		part.LastGood = object
	default:
		part.UsageStats = object
	}
	for held := range holdingsOf(part) {
		g.told.addState(held)
	}
}
