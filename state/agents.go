package state

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"openclaw-auth/auth/document"
	"openclaw-auth/chain"
)

// Agent is an agent and its directory.
type Agent struct {
	ID         string
	Dir        string           // where its profiles and state lie
	Configured bool             // the configuration names it; otherwise only its directory exists
	Default    bool             // commands without --agent mean it
	Entry      *document.Object // its entry in the configuration, nil without one
	Pointer    string           // JSON pointer of the entry, "" without one
}

func isAgentID(id string) bool {
	for i, r := range id {
		letter := r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
		if !letter && (i == 0 || r != '_' && r != '-') {
			return false
		}
	}
	return len(id) <= 64
}

// Agents lists the configured agents in the order of the configuration, then
// those that only have a directory, by name. Without a roster there is "main".
func (h *Home) Agents(config *Config) []Agent {
	agents := h.configuredAgents(config.Document())
	if len(agents) == 0 {
		agents = []Agent{{ID: chain.MainAgent, Dir: h.agentDir(chain.MainAgent, nil)}}
	}
	if i := h.defaultAgent(agents); i >= 0 {
		agents[i].Default = true
	}
	entries, _ := h.FS.ReadDir(filepath.Join(h.StateDir, "agents"))
	for _, entry := range entries {
		id := entry.Name()
		known := slices.ContainsFunc(agents, func(a Agent) bool { return a.ID == id })
		if dir := h.agentDir(id, nil); !known && isAgentID(id) && h.isDir(dir) {
			agents = append(agents, Agent{ID: id, Dir: dir})
		}
	}
	return agents
}

func (h *Home) configuredAgents(config *document.Object) []Agent {
	var agents []Agent
	add := func(name string, value document.Value, pointer string) {
		entry, _ := value.(*document.Object)
		id := chain.NormalizeAgentID(name)
		if entry == nil || slices.ContainsFunc(agents, func(a Agent) bool { return a.ID == id }) {
			return
		}
		agents = append(agents, Agent{ID: id, Dir: h.agentDir(id, entry), Configured: true, Entry: entry, Pointer: pointer})
	}
	roster := config.Object("agents")
	if entries := roster.Object("entries"); RulesOf(h.Rules).AgentEntries && entries != nil {
		for name, value := range entries.All() {
			add(name, value, document.Pointer("agents", "entries", name))
		}
		return agents
	}
	list, _ := roster.Get("list")
	items, _ := list.([]any)
	for i, item := range items {
		entry, _ := item.(*document.Object)
		add(entry.Text("id"), item, document.Pointer("agents", "list", strconv.Itoa(i)))
	}
	return agents
}

// defaultAgent returns the index of the agent that commands mean, -1 where
// OpenClaw demands a choice.
func (h *Home) defaultAgent(agents []Agent) int {
	marked := func(a Agent) bool { return a.Entry.Bool("default") }
	i := slices.IndexFunc(agents, marked)
	if i < 0 && (len(agents) == 1 || !RulesOf(h.Rules).AgentEntries) {
		i = 0
	}
	return i
}

// agentDir is the directory of an agent's own store.
func (h *Home) agentDir(id string, entry *document.Object) string {
	if dir := strings.TrimSpace(entry.Text("agentDir")); dir != "" {
		return h.UserPath(dir)
	}
	return filepath.Join(h.StateDir, "agents", id, "agent")
}

// mainDir is the directory of the store that all agents inherit from.
func (h *Home) mainDir() string {
	for _, name := range RulesOf(h.Rules).MainDirVariables {
		if dir := h.Variable(name); dir != "" {
			return h.UserPath(dir)
		}
	}
	return h.agentDir(chain.MainAgent, nil)
}

// MainAgent is the agent whose store the others inherit from, configured or not.
func (h *Home) MainAgent() Agent { return Agent{ID: chain.MainAgent, Dir: h.mainDir()} }

// ErrNoAgent is returned when no agent has the requested id.
var ErrNoAgent = errors.New("no such agent")

// FindAgent returns the agent of that name, or the default one for "". The
// error names the agents that there are.
func FindAgent(agents []Agent, name string) (Agent, error) {
	var ids []string
	for _, agent := range agents {
		if name == "" && agent.Default || name != "" && agent.ID == chain.NormalizeAgentID(name) {
			return agent, nil
		}
		ids = append(ids, agent.ID)
	}
	known := strings.Join(ids, ", ")
	if name == "" {
		return Agent{}, fmt.Errorf("several agents and no default one: choose with --agent (%s)", known)
	}
	return Agent{}, fmt.Errorf("%w %q (there are: %s)", ErrNoAgent, name, known)
}
