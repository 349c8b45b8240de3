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

// sessionModels are the members of a session that name a model, each with the one
// that names its provider.
var sessionModels = []struct{ provider, model string }{
	{"providerOverride", "modelOverride"}, {"modelProvider", "model"},
	{"modelOverrideFallbackOriginProvider", "modelOverrideFallbackOriginModel"}, // OpenClaw leaves these
}

var sessionNotice = []string{"fallbackNoticeSelectedModel", "fallbackNoticeActiveModel", "fallbackNoticeReason"}
