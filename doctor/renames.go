package doctor

import (
	"fmt"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/lines"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// codexRename reports what still stands under openai-codex on lines where that
// is openai (model ids from 2026.5.12 on, profile ids from 2026.6.11 on).
func codexRename() *Check {
	return &Check{
		ID: IDRenameOpenAICodex, Severity: Warning,
		Title: "profiles, orders, usage, session pins and model references under openai-codex, which is openai now",
		Why:   "OpenClaw's own migration renames the profiles and leaves what refers to them: the order no longer applies, windows and counters no longer protect the profile, pins point to nothing",
		Fix:   "doctor --fix renames all of it in one go: profiles, orders, usage, pins, models; the release must know the new names (models 2026.5.12+, profiles 2026.6.11+)",
		home:  (*examination).codexConfig,
		agent: (*examination).codexStores,
		session: func(x *examination, p *examinedAgent, s *state.Session) {
			if pin := s.Entry.Text("authProfileOverride"); x.line.CodexProfiles && lines.IsCodexProfile(pin) {
				x.tallyPin(p, s, pin, "codex_pin", renamed(p, pin))
			}
			if x.line.CodexModels && strings.EqualFold(s.Entry.Text("providerOverride"), lines.Codex) {
				f := Finding{Agent: p.Agent.ID, Code: "codex_session", Where: p.sessionAt(s, "providerOverride"),
					Treats: "runs as openai-codex, whatever the configuration says of openai", Fix: "doctor --fix renames it", Repair: migratedIf(true)}
				p.tally(x, "provider", f, func(count int) string {
					return words.Count(count, "session") + words.Plural(count, " overrides", " override") + " the model with one of openai-codex"
				})
			}
		},
	}
}

func (x *examination) codexConfig() {
	if x.line.CodexProfiles {
		for key, value := range x.Config.Auth().Order().All() {
			if ids, _ := value.([]any); lines.IsCodex(key) && len(ids) > 0 {
				x.add(Finding{Code: "codex_order", Where: x.configAt("auth", "order", key), Message: "auth.order." + key + " orders a provider that no profile has any more",
					Treats: "never looked up for openai", Fix: "doctor --fix renames the key to openai", Repair: migratedIf(true)})
			}
		}
		x.codexDeclared()
	}
	if x.line.CodexModels {
		x.modelReferences(func(ref string, where state.Origin) {
			if lines.IsCodexModel(ref) {
				x.add(Finding{Code: "codex_model", Where: where, Message: "the model " + ref + " is " + lines.OpenAI + ref[len(lines.Codex):] + " now",
					Treats: "openclaw doctor --fix renames it", Fix: "doctor --fix writes " + lines.OpenAI + ref[len(lines.Codex):], Repair: migratedIf(true)})
			}
		})
	}
}

// codexDeclared reports declarations and pins of the configuration that name
// profiles by their old ids, or by the old provider.
func (x *examination) codexDeclared() {
	names := x.line.CodexNames(x.Config.Auth())
	for id := range x.Config.Auth().Profiles().All() {
		provider := x.Config.Auth().Profiles().Object(id).Text("provider")
		switch {
		case lines.IsCodexProfile(id):
			x.add(Finding{Code: "codex_profile", Profile: id, Where: x.configAt("auth", "profiles", id), Message: "auth.profiles declares " + mask.ID(id),
				Treats: "does not apply to the renamed profile", Fix: "doctor --fix renames it to " + mask.ID(names[id]), Repair: migratedIf(true)})
		case strings.EqualFold(provider, lines.Codex):
			x.add(Finding{Code: "codex_provider", Profile: id, Where: x.configAt("auth", "profiles", id, "provider"), Message: "auth.profiles declares " + mask.ID(id) + " as one of openai-codex",
				Treats: "another provider than the stored one: the profile is never used", Fix: "doctor --fix sets provider to openai", Repair: migratedIf(true)})
		}
	}
	models := x.Config.Document().Object("agents").Object("defaults").Object("models")
	for ref := range models.All() {
		if id := models.Object(ref).Object("agentRuntime").Text("authProfileId"); lines.IsCodexProfile(id) {
			x.add(Finding{Code: "codex_profile", Profile: id, Where: x.configAt("agents", "defaults", "models", ref, "agentRuntime", "authProfileId"),
				Message: "the model " + ref + " runs with " + mask.ID(id), Treats: "names no profile any more", Fix: "doctor --fix writes " + mask.ID(names[id]), Repair: migratedIf(true)})
		}
	}
}

// retiredProviders reports profiles of other providers than openai-codex that
// are one with another now.
func retiredProviders() *Check {
	return &Check{
		ID: IDRenameProvider, Severity: Warning,
		Title: "profiles of providers that are one with another now (2026.9.6): google-gemini-cli, claude-cli, codex-cli",
		Why:   "no model is of such a provider any more, so the profile serves nothing",
		Fix:   "doctor --fix renames the profile, and all that refers to it",
		agent: func(x *examination, p *examinedAgent) {
			for _, s := range p.sources {
				for id := range s.Store.Profiles.All() {
					if r, _ := x.line.RetiredOf(id); r != nil && r.Old != lines.Codex {
						x.add(Finding{Agent: s.agent, Profile: id, Code: "retired", Where: s.ProfileOrigin(id), Message: "the profile " + mask.ID(id) + " is one of " + r.New + " now",
							Treats: "serves " + r.Old + " alone; openclaw doctor --fix renames it", Repair: migratedIf(true)})
					}
				}
			}
		},
	}
}

// modelReferences calls visit for the model references of the defaults and of
// the agents: primary, fallbacks, keys of models.
func (x *examination) modelReferences(visit func(ref string, where state.Origin)) {
	x.references(x.Config.Document().Object("agents").Object("defaults"), document.Pointer("agents", "defaults"), visit)
	for _, agent := range x.agents {
		x.references(agent.Entry, agent.Pointer, visit)
	}
}

func (x *examination) references(entry *document.Object, at string, visit func(ref string, where state.Origin)) {
	for _, name := range []string{"model", "imageModel"} {
		value, _ := entry.Get(name)
		if text, ok := value.(string); ok {
			visit(text, x.Config.Locate(at+document.Pointer(name)))
		}
		object, _ := value.(*document.Object)
		if text := object.Text("primary"); text != "" {
			visit(text, x.Config.Locate(at+document.Pointer(name, "primary")))
		}
		list, _ := object.Get("fallbacks")
		items, _ := list.([]any)
		for i, item := range items {
			if text, ok := item.(string); ok {
				visit(text, x.Config.Locate(at+document.Pointer(name, "fallbacks", fmt.Sprint(i))))
			}
		}
	}
	for key := range entry.Object("models").All() {
		visit(key, x.Config.Locate(at+document.Pointer("models", key)))
	}
}

func (x *examination) codexStores(p *examinedAgent) {
	if !x.line.CodexProfiles {
		return
	}
	for _, s := range p.sources {
		for id := range s.Store.Profiles.All() {
			if !lines.IsCodexProfile(id) {
				continue
			}
			f := Finding{Agent: s.agent, Profile: id, Code: "codex_profile", Where: s.ProfileOrigin(id), Message: "the profile " + mask.ID(id) + " has its old id",
				Treats: "serves openai-codex alone, which no model is of any more", Fix: "doctor --fix renames it, with order, usage and pins", Repair: migratedIf(true)}
			if !x.line.CodexRows { // 2026.7.1 left such a login under its old id for good
				f.Treats += "; openclaw doctor renames JSON files only"
			}
			x.add(f)
		}
		x.codexState(p, s)
	}
}

// codexState reports state that still refers to the old ids.
func (x *examination) codexState(p *examinedAgent, s source) {
	add := func(section, key, what, target string) {
		x.add(Finding{Agent: s.agent, Code: "codex_state", Where: s.StateOrigin(section, key), Message: what, Treats: "does not apply to " + target,
			Fix: "doctor --fix renames it to " + target, Repair: migratedIf(true)})
	}
	for key := range s.Store.Order.All() {
		if lines.IsCodex(key) {
			add("order", key, "the stored order is still that of "+key, lines.OpenAI)
		}
	}
	for key, value := range s.Store.LastGood.All() {
		id, _ := value.(string)
		if lines.IsCodex(key) || lines.IsCodexProfile(id) {
			add("lastGood", key, "lastGood of "+key+" is still "+mask.ID(id), renamed(p, id))
		}
	}
	for id := range s.Store.UsageStats.All() {
		if lines.IsCodexProfile(id) && !s.known.Has(id) {
			add("usageStats", id, "windows and counters are still those of "+mask.ID(id), renamed(p, id))
		}
	}
}

// renamed is the id that a profile of openai-codex has now: the first that
// OpenClaw's migration may have given it and that there is.
func renamed(p *examinedAgent, id string) string {
	name := id[min(len(id), len(lines.Codex)+1):]
	for _, candidate := range []string{lines.OpenAI + ":" + name, lines.OpenAI + ":chatgpt-" + name} {
		if credential := p.Store.Profiles.Object(candidate); credential.Text("type") == auth.TypeOAuth {
			return mask.ID(candidate)
		}
	}
	return lines.OpenAI + ":" + mask.ID(name)
}
