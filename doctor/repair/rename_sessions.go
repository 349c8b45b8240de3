package repair

import (
	"slices"

	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/lines"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// hasCodexSession reports whether any session names the provider.
func (g *migration) hasCodexSession() bool {
	found := false
	for _, agent := range g.agents {
		if found {
			break
		}
		_ = g.Home.Sessions(g.Config, agent).Each(func(s state.Session) bool { // what can't be read is reported elsewhere
			retired, _ := g.line.RetiredOf(s.Entry.Text("authProfileOverride"))
			found = isCodexSession(s.Entry) || retired != nil
			return !found
		})
	}
	return found
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
