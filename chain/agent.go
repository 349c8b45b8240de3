package chain

import (
	"openclaw-auth/auth/document"
	"strconv"
	"strings"
)

// MainAgent is the id of the agent that an empty id stands for.
const MainAgent = "main"

// NormalizeAgentID returns the form in which OpenClaw compares agent ids:
// lower case, every run of characters that an id may not hold a dash, at most
// 64 characters. An empty id is main.
func NormalizeAgentID(id string) string {
	id = document.Trim(id)
	if id == "" {
		return MainAgent
	}
	id = document.Lower(id)
	runs := strings.FieldsFunc(id, func(r rune) bool { return !isAgentRune(r) })
	if len(runs) == 1 && runs[0] == id && len(id) <= 64 && id[0] != '_' && id[0] != '-' {
		return id
	}
	id = strings.Trim(strings.Join(runs, "-"), "-")
	if id = id[:min(len(id), 64)]; id == "" {
		return MainAgent
	}
	return id
}

func isAgentRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r == '-'
}

// agentEntry returns the configuration of the agent and its JSON pointer, nil
// and "" where it has none: the first entry whose id, normalised, is the
// agent's.
func (m *Models) agentEntry() (*document.Object, string) {
	if m.Agent == "" {
		return nil, ""
	}
	want := NormalizeAgentID(m.Agent)
	agents := m.Config.Document().Object("agents")
	if agents.Has("entries") && m.refs().AgentEntries {
		for id, value := range agents.Object("entries").All() {
			if entry, _ := value.(*document.Object); entry != nil && NormalizeAgentID(id) == want {
				return entry, document.Pointer("agents", "entries", id)
			}
		}
		return nil, ""
	}
	list, _ := member(agents, "list").([]any)
	for i, value := range list {
		entry, _ := value.(*document.Object)
		if entry != nil && NormalizeAgentID(entry.Text("id")) == want {
			return entry, document.Pointer("agents", "list", strconv.Itoa(i))
		}
	}
	return nil, ""
}

// agentModel returns the agent's own model value, nil without one, and where it is.
func (m *Models) agentModel() (document.Value, string) {
	entry, at := m.agentEntry()
	value, ok := entry.Get("model")
	if !ok {
		return nil, ""
	}
	return value, at + "/model"
}
