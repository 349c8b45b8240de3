package chain

import (
	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain/lines"
)

// Models answers what model references, aliases and the configured defaults of
// an agent name, under the rules of a release line. The zero Agent stands for
// no agent in particular: only the defaults count.
//
// Set the fields before the first call and leave them: what the configuration
// says about aliases, the default and the allowlist is read once. A Models is
// for one goroutine.
type Models struct {
	Rules  *auth.Rules
	Config auth.Config
	Agent  string // agent id, as written anywhere

	// PluginIndex says that plugins/installs.json of the state directory lists
	// the bundled plugins. It matters on 2026.4.29 alone, whose npm install does
	// not find the plugins' model-id spellings otherwise.
	PluginIndex bool

	// ProviderRetries is retry.provider.maxRetries of the agent's settings.json,
	// nil where it is not set. 2026.9.6 reads it.
	ProviderRetries *int

	aliases  map[string]*aliasIndex // by default provider
	fallback *Ref                   // the default
	allowed  *policy                // the allowlist beside the default
}

func (m *Models) refs() *lines.RefRules { return &lines.Of(m.Rules).References }

// defaults returns agents.defaults.
func (m *Models) defaults() *document.Object {
	return m.Config.Document().Object("agents").Object("defaults")
}

// forAgent returns the same models seen by another agent.
func (m *Models) forAgent(agent string) *Models {
	if agent == m.Agent {
		return m
	}
	other := &Models{Rules: m.Rules, Config: m.Config, Agent: agent, PluginIndex: m.PluginIndex, ProviderRetries: m.ProviderRetries}
	if !m.refs().AgentModels { // all agents have the same aliases: they are read once
		if m.aliases == nil {
			m.aliases = map[string]*aliasIndex{}
		}
		other.aliases = m.aliases
	}
	return other
}

// text returns a member that is a string with something in it, trimmed, else "".
func text(object *document.Object, key string) string { return document.Trim(object.Text(key)) }

// primaryOf returns the primary of a model value: the string itself, or the
// object's primary.
func primaryOf(value document.Value) string {
	switch v := value.(type) {
	case string:
		return document.Trim(v)
	case *document.Object:
		return text(v, "primary")
	}
	return ""
}

// fallbacksOf returns the fallbacks of a model value, and whether it has a list of them.
func fallbacksOf(value document.Value) ([]string, bool) {
	object, _ := value.(*document.Object)
	list, ok := object.Get("fallbacks")
	items, isList := list.([]any)
	if !ok || !isList {
		return nil, false
	}
	texts := make([]string, 0, len(items))
	for _, item := range items {
		if text, ok := item.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts, true
}

func member(object *document.Object, key string) document.Value {
	value, _ := object.Get(key)
	return value
}
