package doctor

import (
	"fmt"
	"slices"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain"
	"openclaw-auth/doctor/internal/lines"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/state"
)

// models returns what the agent's model references name.
func (x *examination) models(p *examinedAgent) *chain.Models {
	if p.models == nil {
		p.models = x.modelsOf(p.Agent)
	}
	return p.models
}

// modelsOf narrows the configuration to what concerns the agent: with all
// agents in it, a thousand agents would cost a million looks.
func (x *examination) modelsOf(agent state.Agent) *chain.Models {
	narrowed, agents := document.NewObject(), document.NewObject()
	for key, value := range x.Config.Document().All() {
		narrowed.Set(key, value)
	}
	if defaults := x.Config.Document().Object("agents").Object("defaults"); defaults != nil {
		agents.Set("defaults", defaults)
	}
	tokens := document.SplitPointer(agent.Pointer)
	switch {
	case agent.Entry == nil:
	case len(tokens) == 3 && tokens[1] == "entries":
		entries := document.NewObject()
		entries.Set(tokens[2], agent.Entry)
		agents.Set("entries", entries)
	default:
		agents.Set("list", []any{agent.Entry})
	}
	narrowed.Set("agents", agents)
	return &chain.Models{Rules: x.rules, Config: auth.NewConfig(narrowed), Agent: agent.ID, PluginIndex: x.Home.HasPluginIndex()}
}

// hasOwnModel reports whether the agent's entry says something about models.
func hasOwnModel(agent state.Agent) bool { return agent.Entry.Has("model") }

// agentChain reports faults of the chain of models of an agent without a session.
func (x *examination) agentChain(p *examinedAgent, visit func(m *chain.Models, primary chain.Ref)) {
	if p.Agent.Default || hasOwnModel(p.Agent) {
		models := x.models(p)
		visit(models, models.Default())
	}
}

// strictAgent reports agents whose model hides the defaults' fallbacks.
func strictAgent() *Check {
	return &Check{
		ID: IDChainStrictAgent, Severity: Warning,
		Title: "agents with a model of their own and no fallbacks, which hides those of the defaults",
		Why:   "when the agent's model fails, nothing follows",
		Fix:   "give the agent's model a fallbacks list; an empty one says that none is meant",
		agent: func(x *examination, p *examinedAgent) {
			if !hasOwnModel(p.Agent) {
				return
			}
			models := x.models(p)
			selection, err := models.Select(chain.SessionQuery{Now: x.Now})
			if hidden := len(models.DefaultFallbacks()); err == nil && selection.Why == chain.FallbacksAgentStrict && hidden > 0 {
				x.add(Finding{Agent: p.Agent.ID, Code: string(chain.NoteAgentStrict), Where: x.Config.Locate(p.Agent.Pointer + document.Pointer("model")),
					Message: fmt.Sprintf("the model of agent %s names no fallbacks, so those of the defaults (%d) do not apply", p.Agent.ID, hidden),
					Treats:  "the chain is the agent's model alone"})
			}
		},
	}
}

// unknownProvider reports models of a provider that nothing defines.
func unknownProvider() *Check {
	return &Check{
		ID: IDChainUnknownProvider, Severity: Warning,
		Title: "models of a provider for which there is no profile, no configured provider and no key in the environment",
		Why:   "the candidate fails whenever its turn comes, and the chain is shorter than it looks",
		Fix:   "log in to the provider, correct the reference, or take it out",
		agent: func(x *examination, p *examinedAgent) {
			if !p.judges() {
				return
			}
			x.agentChain(p, func(m *chain.Models, primary chain.Ref) {
				selection, err := m.Select(chain.SessionQuery{Now: x.Now})
				for _, c := range selection.Candidates {
					key := "chain " + x.chainAt(p, c.At).Pointer
					if err != nil || c.At == "" || x.judged[key] || x.canServe(p, c.Provider) {
						continue
					}
					x.judged[key] = true
					x.add(Finding{Agent: p.Agent.ID, Code: "no_credentials", Where: x.chainAt(p, c.At),
						Message: fmt.Sprintf("nothing is known to authenticate %s with", c.Ref.String()),
						Treats:  "attempted in its turn, and fails unless the gateway's environment has a key", Fix: "log in to the provider, or take the model out of the chain", Commands: x.login(p.Agent.ID, c.Provider)})
				}
			})
		},
	}
}

// chainAt turns a pointer into the narrowed configuration into a place.
func (x *examination) chainAt(p *examinedAgent, at string) state.Origin {
	if rest, ok := strings.CutPrefix(at, document.Pointer("agents", "list", "0")); ok && p.Agent.Pointer != "" {
		at = p.Agent.Pointer + rest
	}
	return x.Config.Locate(at)
}

// keyless are providers that need no credentials.
var keyless = []auth.ProviderID{"ollama", "lmstudio", "vllm", "claude-cli", "codex-cli", "google-gemini-cli"}

// canServe reports whether anything is known that could authenticate a provider.
func (x *examination) canServe(p *examinedAgent, provider string) bool {
	key := x.rules.Providers.AuthKey(provider)
	if !p.judges() || slices.Contains(keyless, x.rules.Providers.Normalize(provider)) || x.hasVariable(string(key)) {
		return true
	}
	for _, objects := range []*document.Object{p.Store.Profiles, x.Config.Auth().Profiles()} {
		for _, value := range objects.All() {
			entry, _ := value.(*document.Object)
			if have := x.rules.Providers.AuthKey(entry.Text("provider")); have == key || have == lines.OpenAI && key == lines.Codex || have == lines.Codex && key == lines.OpenAI {
				return true
			}
		}
	}
	for name := range x.Config.Auth().Providers().All() {
		if x.rules.Providers.AuthKey(name) == key {
			return true
		}
	}
	return false
}

// hasVariable reports whether the environment, or the configuration's env, has
// the key that goes by the provider's name.
func (x *examination) hasVariable(provider string) bool {
	name := strings.ToUpper(strings.ReplaceAll(provider, "-", "_")) + "_API_KEY"
	env := x.Config.Document().Object("env")
	return x.Home.Getenv(name) != "" || env.Text(name) != "" || env.Object("vars").Text(name) != ""
}

// duplicate reports fallbacks that repeat a model of the chain.
func duplicate() *Check {
	return &Check{
		ID: IDChainDuplicate, Severity: Info,
		Title: "fallbacks that repeat the primary or another fallback",
		Why:   "the second one is never tried: the chain is shorter than it looks",
		Fix:   "take it out",
		agent: func(x *examination, p *examinedAgent) {
			x.agentChain(p, func(m *chain.Models, primary chain.Ref) {
				seen := map[string]bool{primary.Key(): true}
				fallbacks := m.AgentFallbacks()
				if fallbacks == nil && hasOwnModel(p.Agent) {
					return // the defaults' list may well name the agent's model
				}
				if fallbacks == nil {
					fallbacks = m.DefaultFallbacks()
				}
				for _, fallback := range fallbacks {
					ref, _, ok := m.Resolve(fallback.Text, primary.Provider)
					if ok && seen[ref.Key()] {
						x.add(Finding{Agent: p.Agent.ID, Code: "duplicate", Where: x.chainAt(p, fallback.At),
							Message: fmt.Sprintf("the fallback %s repeats %s", mask.ID(fallback.Text), ref.String()), Treats: "tried once"})
					}
					seen[ref.Key()] = true
				}
			})
		},
	}
}
