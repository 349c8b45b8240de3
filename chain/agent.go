package chain

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"openclaw-auth/auth/document"
	"openclaw-auth/chain/lines"
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

// checkKey returns the error of a run whose session key names no agent or
// another one, on lines that refuse such a run.
func (m *Models) checkKey(key string) error {
	parts := slices.DeleteFunc(strings.Split(lower(key), ":"), func(part string) bool { return part == "" })
	if !lines.Of(m.Rules).Selection.KeyOwner || len(parts) == 0 || parts[0] != "agent" {
		return nil
	}
	if len(parts) < 3 {
		//lint:ignore ST1005 these are OpenClaw's own words
		return errors.New("Malformed agent session key; refusing default-agent resolution.")
	}
	owner, agent := NormalizeAgentID(parts[1]), NormalizeAgentID(m.Agent)
	if m.Agent == "" || owner == agent {
		return nil
	}
	//lint:ignore ST1005 these are OpenClaw's own words
	return fmt.Errorf("Multiple agents are configured, but session agent resolution has no explicit owner. The agent-scoped session key belongs to %q, not %q.", owner, agent)
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
