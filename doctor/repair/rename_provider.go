package repair

import (
	"cmp"
	"slices"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/creds"
	"openclaw-auth/doctor/internal/lines"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// renameCodex renames what stands under openai-codex to openai: models and the
// sessions' choices of them (2026.5.12+), profiles and all that refers to them
// (2026.6.11+; cases codex-rename-collision, fn-two-agents-import), on 2026.9.6
// profiles of other retired providers too.
//
// OpenClaw 2026.7.1 leaves stored orders, lastGood, usage and the pins of
// sessions behind; here everything follows, on every line. As in 2026.9.6, no id
// is given out that any agent has, so nothing is renamed while a store can't be
// read.
func (g *migration) renameCodex(complete bool) {
	config, err := g.configurable()
	if err != nil && !g.mentionsRetired(g.Config.Document()) {
		config, err = nil, nil // there is nothing in it to be renamed
	}
	switch {
	case !g.line.CodexModels || !g.hasRetired():
		return
	case !complete:
		g.leave("", "nothing is renamed from openai-codex while a store can't be read or written: its profiles may have the new names already")
		return
	case g.Agent != "":
		g.leave("", "renames from openai-codex concern all agents: run it without --agent")
		return
	case err != nil:
		g.leave("", "nothing is renamed from openai-codex: %v", err)
		return
	}
	if g.line.CodexProfiles {
		g.separate()
		g.nameProfiles(g.Config.Document())
		for _, s := range g.stores {
			if !g.archived[s.file] && s.isStore() && g.renameStore(s.Stored) && s.files {
				g.keep(s.file, "openai-provider-unification")
			}
		}
		g.renameDeclared(config)
		g.moveProvider(config)
	}
	g.renameModels(config)
	g.renameSessions()
	for _, id := range sortedIDs(g.names) {
		g.note("", "%s is %s now, wherever it stands", mask.ID(id), mask.ID(g.names[id]))
	}
}

// hasRetired reports whether anything stands under the name of a retired provider.
func (g *migration) hasRetired() bool {
	found := false
	note := func(id string) {
		retired, _ := g.line.RetiredOf(id)
		found = found || retired != nil
	}
	for _, s := range g.stores {
		for id := range s.Profiles.All() {
			note(id)
			found = found || g.line.RenamedProvider(s.Profiles.Object(id).Text("provider")) != ""
		}
		references(s.Stored, note)
		for key := range s.Order.All() {
			found = found || g.line.RenamedProvider(key) != ""
		}
	}
	for id := range g.Config.Auth().Profiles().All() {
		note(id)
	}
	return found || g.mentionsRetired(g.Config.Document()) || g.hasCodexSession()
}

// mentionsRetired reports whether a configuration names a retired provider: one
// of its models or profiles, the provider of one, or as the key of something.
func (g *migration) mentionsRetired(config *document.Object) bool {
	text := strings.ToLower(string(document.EncodeCompact(config)))
	for _, old := range append([]string{lines.Codex}, g.line.RetiredNames()...) {
		for _, form := range []string{`"` + old + `/`, `"` + old + `:`, `"` + old + `":`, `"provider":"` + old + `"`} {
			if strings.Contains(text, form) {
				return true
			}
		}
	}
	return false
}

// hasCodexSession reports whether any session names the provider.
func (g *migration) hasCodexSession() bool {
	found := false
	for _, agent := range g.agents {
		if found {
			break
		}
		_ = g.Home.Sessions(g.Config, agent).Each(func(s state.Session) bool { // what can't be read is told of elsewhere
			retired, _ := g.line.RetiredOf(s.Entry.Text("authProfileOverride"))
			found = isCodexSession(s.Entry) || retired != nil
			return !found
		})
	}
	return found
}

// nameProfiles gives every profile of a retired provider its new id: openai:NAME
// or, where an agent has one of that name, openai:chatgpt-NAME,
// openai:chatgpt-NAME-2 and so on. References to a profile that OpenClaw has
// renamed already, and left behind, get the id that it has now.
func (g *migration) nameProfiles(config *document.Object) {
	taken, old, held := map[string]bool{}, []string{}, map[string]bool{}
	logins := map[string]bool{}
	note := func(id string) {
		if r, _ := g.line.RetiredOf(id); r == nil {
			taken[id] = true
		} else if !slices.Contains(old, id) {
			old = append(old, id)
		}
	}
	for _, s := range g.stores {
		if g.archived[s.file] {
			continue
		}
		for id := range s.Profiles.All() {
			note(id)
			held[id] = true
			logins[id] = logins[id] || s.Profiles.Object(id).Text("type") == auth.TypeOAuth
		}
		references(s.Stored, note)
	}
	for id := range config.Object("auth").Object("profiles").All() {
		note(id)
		held[id] = true
	}
	for _, value := range config.Object("auth").Object("order").All() {
		for _, id := range texts(value) {
			note(id)
		}
	}
	if g.line.CodexRows { // kept free by 2026.9.6 for the login of the command line tool
		taken[lines.OpenAI+":codex-cli"] = true
	}
	slices.SortFunc(old, func(a, b string) int {
		return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
	})
	for _, id := range old {
		retired, name := g.line.RetiredOf(id)
		plain, other := retired.New+":"+name, retired.New+":"+retired.Taken+name
		switch {
		case held[id] && g.line.CodexRealms && g.isOfAnotherRealm(id):
			g.leave("", "%s keeps its id: it logs in at another place than the provider's own", mask.ID(id))
		case held[id]:
			g.names[id] = retired.FreeName(name, taken)
			taken[g.names[id]] = true
		case logins[plain]:
			g.names[id] = plain
		case logins[other]:
			g.names[id] = other
		case !g.line.CodexRows: // 2026.9.6 leaves what names nothing
			g.names[id] = retired.FreeName(name, taken)
			taken[g.names[id]] = true
		}
	}
}

// separate gives logins that an agent has under the id of one of main's an id of
// their own where they wait in files: whatever imports them would take them for
// main's.
func (g *migration) separate() {
	if !g.hasDatabases() {
		return
	}
	for _, s := range g.stores {
		agent, err := state.FindAgent(g.agents, s.agent)
		if err != nil || !s.files || !s.isStore() || g.archived[s.file] || agent.ID == mainAgent {
			continue
		}
		for _, id := range s.Profiles.Keys() {
			if main := g.mainLogin(id); main != nil && creds.IsConfusable(s.Profiles.Object(id), main) {
				name := g.ownName(id)
				g.setApart(agent, s.Stored, id, name)
			}
		}
	}
}

// isOfAnotherRealm reports whether a login does not come from the provider
// itself: such a one is no profile of it (2026.9.6).
func (g *migration) isOfAnotherRealm(id string) bool {
	for _, s := range g.stores {
		credential := s.Profiles.Object(id)
		for _, name := range []string{"enterpriseUrl", "tokenEndpoint", "deviceAuthorizationEndpoint", "issuer"} {
			if credential.Text(name) != "" {
				return true
			}
		}
	}
	return false
}

// references calls visit for the ids that the state of a store names.
func references(s *state.Stored, visit func(id string)) {
	for _, value := range s.Order.All() {
		for _, id := range texts(value) {
			visit(id)
		}
	}
	for key := range s.LastGood.All() {
		visit(s.LastGood.Text(key))
	}
	for id := range s.UsageStats.All() {
		visit(id)
	}
}

// texts are the texts of a list.
func texts(value document.Value) []string {
	items, _ := value.([]any)
	var all []string
	for _, item := range items {
		if text, ok := item.(string); ok {
			all = append(all, text)
		}
	}
	return all
}

// renameStore renames in a store, and reports whether anything was.
func (g *migration) renameStore(s *state.Stored) bool {
	before := string(document.EncodeCompact(s.Profiles))
	for _, id := range s.Profiles.Keys() {
		credential := s.Profiles.Object(id)
		name, ok := g.names[id]
		provider := g.line.RenamedProvider(credential.Text("provider"))
		if retired, _ := g.line.RetiredOf(id); credential == nil || !ok && (provider == "" || retired != nil) {
			continue
		}
		if credential = credential.Clone(); provider != "" {
			credential.Set("provider", provider)
		}
		if ok {
			s.Profiles.Delete(id)
			id = name
		}
		s.Profiles.Set(id, credential)
	}
	g.renameOrder(s.Order)
	g.renameLastGood(s.LastGood)
	for _, id := range s.UsageStats.Keys() {
		if name, ok := g.names[id]; ok {
			stats, _ := s.UsageStats.Get(id)
			s.UsageStats.Delete(id)
			if s.UsageStats.Has(name) {
				g.tell("usageStats", id, stats)
				g.note("", "the usage of %s is dropped: %s has one of its own", mask.ID(id), mask.ID(name))
				continue
			}
			s.UsageStats.Set(name, stats)
		}
	}
	return before != string(document.EncodeCompact(s.Profiles))
}

// renameOrder renames in an order: what was listed under openai-codex goes
// before what is listed under openai.
func (g *migration) renameOrder(order *document.Object) {
	for _, key := range order.Keys() {
		value, _ := order.Get(key)
		items, ok := value.([]any)
		if !ok {
			continue
		}
		provider := g.line.RenamedProvider(key)
		if provider == "" {
			if slices.ContainsFunc(texts(value), func(id string) bool { return g.names[id] != "" }) {
				order.Set(key, g.renameList(items, nil))
			}
			continue
		}
		// What keeps its id stays where it is listed; so does an empty list.
		stay := slices.DeleteFunc(slices.Clone(items), func(item any) bool { return !g.keepsID(item) })
		moved := slices.DeleteFunc(slices.Clone(items), g.keepsID)
		if len(moved) == 0 {
			continue
		}
		below, _ := order.Get(provider)
		others, _ := below.([]any)
		if len(stay) > 0 {
			order.Set(key, stay)
		} else {
			order.Delete(key)
		}
		order.Set(provider, g.renameList(moved, others))
	}
}

// keepsID reports whether an item of a list is the id of a retired provider that
// is not renamed.
func (g *migration) keepsID(item any) bool {
	id, _ := item.(string)
	retired, _ := g.line.RetiredOf(id)
	return retired != nil && g.names[id] == ""
}

// renameList is a list with the new ids, then the others that it lacks.
func (g *migration) renameList(items, others []any) []any {
	merged := []any{}
	for _, item := range slices.Concat(items, others) {
		if id, ok := item.(string); ok {
			if name, ok := g.names[id]; ok {
				item = name
			}
		}
		if _, ok := item.(string); !ok || !slices.Contains(merged, item) {
			merged = append(merged, item)
		}
	}
	return merged
}

func (g *migration) renameLastGood(lastGood *document.Object) {
	for _, key := range lastGood.Keys() {
		value, _ := lastGood.Get(key)
		id, ok := value.(string)
		if !ok {
			continue
		}
		name, renamed := g.names[id]
		if !renamed {
			name = id
		}
		provider := g.line.RenamedProvider(key)
		retired, _ := g.line.RetiredOf(id)
		switch {
		case provider == "":
			lastGood.Set(key, name)
		case !renamed && retired != nil: // of a profile that there is not
		case lastGood.Has(provider):
			lastGood.Delete(key)
			g.tell("lastGood", key, value)
			g.note("", "lastGood of %s (%s) is dropped: %s has one of its own", key, mask.ID(id), provider)
		default:
			lastGood.Delete(key)
			lastGood.Set(provider, name)
		}
	}
}

// renameDeclared renames in auth.profiles and auth.order of the configuration.
func (g *migration) renameDeclared(config *document.Object) {
	profiles := config.Object("auth").Object("profiles")
	for _, id := range profiles.Keys() {
		declared := profiles.Object(id)
		name, ok := g.names[id]
		provider := g.line.RenamedProvider(declared.Text("provider"))
		if declared == nil || !ok && provider == "" {
			continue
		}
		if provider != "" {
			declared.Set("provider", provider)
		}
		if !ok {
			continue
		}
		profiles.Delete(id)
		if have := profiles.Object(name); have != nil {
			fill(have, declared)
			continue
		}
		profiles.Set(name, declared)
	}
	g.renameOrder(config.Object("auth").Object("order"))
}

// fill adds the members that an object lacks.
func fill(object, from *document.Object) {
	for name, value := range from.All() {
		if !object.Has(name) {
			object.Set(name, value)
		}
	}
}

// renameSessions renames in the sessions of every agent: the provider of the
// model, the pin, and the notice of a fallback that names what is gone.
func (g *migration) renameSessions() {
	for _, agent := range g.Home.Agents(g.Config) {
		moved, err := g.m.ChangeSessions(agent, func(s state.Session) bool {
			_, pinned := g.names[s.Entry.Text("authProfileOverride")]
			return pinned || isCodexSession(s.Entry)
		}, g.renameSession)
		if err != nil {
			g.leave(agent.ID, "sessions are left as they are: %s", mask.Text(err.Error()))
		} else if moved > 0 {
			g.note(agent.ID, "%s moved from openai-codex to openai, with %s", words.Count(moved, "session"), words.Plural(moved, "its pin", "their pins"))
		}
	}
}

// sessionModels are the members of a session that name a model, each with the one
// that names its provider.
var sessionModels = []struct{ provider, model string }{
	{"providerOverride", "modelOverride"}, {"modelProvider", "model"},
	{"modelOverrideFallbackOriginProvider", "modelOverrideFallbackOriginModel"}, // OpenClaw leaves these
}

var sessionNotice = []string{"fallbackNoticeSelectedModel", "fallbackNoticeActiveModel", "fallbackNoticeReason"}

func isCodexSession(entry *document.Object) bool {
	for _, names := range sessionModels {
		if lines.IsCodexKey(entry.Text(names.provider)) || lines.IsCodexModel(entry.Text(names.model)) {
			return true
		}
	}
	return slices.ContainsFunc(sessionNotice, func(name string) bool { return lines.IsCodexModel(entry.Text(name)) })
}

func (g *migration) renameSession(entry *document.Object) {
	if isCodexSession(entry) {
		overrides := lines.IsCodexKey(entry.Text("providerOverride")) || lines.IsCodexModel(entry.Text("modelOverride"))
		for _, names := range sessionModels {
			ofCodex := lines.IsCodexKey(entry.Text(names.provider))
			if ofCodex {
				entry.Set(names.provider, lines.OpenAI)
			}
			switch ref := entry.Text(names.model); {
			case lines.IsCodexModel(ref) && ofCodex:
				entry.Set(names.model, ref[len(lines.Codex)+1:])
			case lines.IsCodexModel(ref):
				entry.Set(names.model, lines.OpenAI+ref[len(lines.Codex):])
			}
		}
		if slices.ContainsFunc(sessionNotice, func(name string) bool { return lines.IsCodexModel(entry.Text(name)) }) {
			for _, name := range sessionNotice {
				entry.Delete(name)
			}
		}
		g.resetRuntime(entry, overrides)
	}
	if name, ok := g.names[entry.Text("authProfileOverride")]; ok {
		entry.Set("authProfileOverride", name)
	}
}

// resetRuntime forgets the runtime that was chosen for openai-codex: the model
// says now which one runs it. Where sessions are in databases, a session whose
// model is overridden says it itself.
func (g *migration) resetRuntime(entry *document.Object, overrides bool) {
	if entry.Text("agentHarnessId") == "codex" || !g.line.CodexProfiles {
		entry.Delete("agentHarnessId")
	}
	if entry.Text("agentRuntimeOverride") == "openclaw" && g.line.CodexProfiles {
		return
	}
	entry.Delete("agentRuntimeOverride")
	if g.hasSessionRows() && overrides {
		entry.Set("agentRuntimeOverride", "codex")
	}
}

// hasSessionRows reports whether the line keeps sessions in databases.
func (g *migration) hasSessionRows() bool {
	return state.RulesOf(g.rules).Backend == state.BackendShared
}

func sortedIDs(names map[string]string) []string {
	ids := make([]string, 0, len(names))
	for id := range names {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}
