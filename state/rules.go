package state

import (
	"openclaw-auth/auth"
	"openclaw-auth/auth/release"
)

// Rules say where a release line keeps profiles and state, how it finds them
// and how it locks them. The about tags are the fields' documentation;
// `openclaw-auth rules show` prints them.
type Rules struct {
	HomeVariable      bool     `json:"homeVariable" about:"OPENCLAW_HOME replaces the home directory"`
	StateDirVariables []string `json:"stateDirVariables" about:"environment variables that name the state directory"`
	LegacyDirs        []string `json:"legacyDirs" about:"former state directories, used where ~/.openclaw does not exist"`
	LegacyConfigs     []string `json:"legacyConfigs" about:"former names of openclaw.json"`
	MainDirVariables  []string `json:"mainDirVariables" about:"environment variables that move the store which all agents inherit from"`
	AgentEntries      bool     `json:"agentEntries" about:"agents are listed by id under agents.entries (before: the list agents.list)"`
	IncludeRoots      bool     `json:"includeRoots" about:"OPENCLAW_INCLUDE_ROOTS names more directories for $include"`
	VariablesRequired bool     `json:"variablesRequired" about:"an unset variable in the configuration is an error (later: a warning, the text stays)"`

	FailoverLog bool `json:"failoverLog" about:"failed calls, windows and fallbacks are logged as events (before: only a profile's timeout is logged)"`

	Backend      Backend `json:"backend" about:"where profiles and their state are kept"`
	StateFile    bool    `json:"stateFile" about:"order, usage and lastGood are in auth-state.json (before: in auth-profiles.json)"`
	ImportOnLoad bool    `json:"importOnLoad" about:"loading an agent without a store imports its auth.json"`
	OAuthOnLoad  bool    `json:"oauthOnLoad" about:"loading an agent without a store imports credentials/oauth.json"`
	FailClosed   bool    `json:"failClosed" about:"legacy files beside a store without profiles stop every load"`
	ClonesMain   bool    `json:"clonesMain" about:"loading an agent without a store copies the main agent's"`
	Sidecars     bool    `json:"sidecars" about:"OpenAI Codex tokens may be in encrypted sidecar files"`

	LockDirectory  bool `json:"lockDirectory" about:"a store is locked with a directory (later: a file that names its holder)"`
	LockNewline    bool `json:"lockNewline" about:"the text of a lock ends in a newline"`
	LockStolen     bool `json:"lockStolen" about:"OpenClaw takes a lock over after 30 s though its holder lives; openclaw-auth never does"`
	LockUnreadable bool `json:"lockUnreadable" about:"a lock that names no holder is stale after 30 s (later: such a lock is never removed)"`
	SessionLock    bool `json:"sessionLock" about:"sessions.json is locked while it is written, so that another program may write it too"`
	OrderByAuthKey bool `json:"orderByAuthKey" about:"an agent's own order is stored under the provider whose credentials it is about (before: under the provider as it is named)"`

	ExternalLogins []ExternalLogin `json:"externalLogins" about:"logins of other tools that become profiles while OpenClaw runs"`
}

// RulesOf returns the storage rules on the line of the profiles' rules.
func RulesOf(r *auth.Rules) *Rules { return rulesTable.At(r.Line) }

// ExternalTool is another command line tool whose login OpenClaw can use.
type ExternalTool string

// The tools.
const (
	ToolCodex   ExternalTool = "codex"
	ToolClaude  ExternalTool = "claude"
	ToolMinimax ExternalTool = "minimax"
	ToolQwen    ExternalTool = "qwen"
)

// ExternalLogin is the profile that a tool's login becomes.
type ExternalLogin struct {
	Tool     ExternalTool `json:"tool"`
	Profile  string       `json:"profile"`
	Provider string       `json:"provider"`
}

// Backend says where a line keeps profiles and their state.
type Backend string

// The backends.
const (
	BackendJSON   Backend = "json"   // ≤2026.5.28: auth-profiles.json and auth-state.json of each agent
	BackendSQLite Backend = "sqlite" // 2026.6.11, 7.1: openclaw-agent.sqlite of each agent
	BackendShared Backend = "shared" // 2026.8.2+: the same, and the main store in the shared state database
)

// rulesTable is the table of release lines: each step states what changed.
var rulesTable = release.NewTable(nil,
	release.Step[Rules]{Line: "2026.1.29", Change: func(r *Rules) {
		r.ExternalLogins = []ExternalLogin{{ToolQwen, "qwen-portal:qwen-cli", "qwen-portal"}, {ToolMinimax, "minimax-portal:minimax-cli", "minimax-portal"}}
		r.StateDirVariables = []string{"OPENCLAW_STATE_DIR", "CLAWDBOT_STATE_DIR"}
		r.LegacyDirs = []string{".clawdbot", ".moltbot", ".moldbot"}
		r.LegacyConfigs = []string{"clawdbot.json", "moldbot.json", "moltbot.json"}
		r.MainDirVariables = []string{"OPENCLAW_AGENT_DIR", "PI_CODING_AGENT_DIR"}
		r.VariablesRequired = true
		r.Backend = BackendJSON
		r.ImportOnLoad, r.OAuthOnLoad = true, true
		r.ClonesMain = true
		r.LockDirectory = true
		r.SessionLock = true
	}},
	release.Step[Rules]{Line: "2026.2.26", Change: func(r *Rules) {
		r.HomeVariable = true
		r.LegacyDirs = []string{".clawdbot", ".moldbot", ".moltbot"}
		r.LockDirectory = false
		r.LockStolen, r.LockUnreadable = true, true
	}},
	release.Step[Rules]{Line: "2026.3.11", Change: func(r *Rules) {
		r.FailoverLog = true
	}},
	release.Step[Rules]{Line: "2026.3.31", Change: func(r *Rules) {
		r.ExternalLogins = []ExternalLogin{{ToolMinimax, "minimax-portal:minimax-cli", "minimax-portal"}, {ToolCodex, "openai-codex:default", "openai-codex"}}
		r.StateDirVariables = []string{"OPENCLAW_STATE_DIR"}
		r.LegacyDirs = []string{".clawdbot"}
		r.LegacyConfigs = []string{"clawdbot.json"}
		r.VariablesRequired = false
	}},
	release.Step[Rules]{Line: "2026.4.7", Change: func(r *Rules) {
		r.StateFile = true
	}},
	release.Step[Rules]{Line: "2026.4.29", Change: func(r *Rules) {
		r.ExternalLogins = []ExternalLogin{{ToolCodex, "openai-codex:default", "openai-codex"}, {ToolClaude, "anthropic:claude-cli", "claude-cli"}, {ToolMinimax, "minimax-portal:minimax-cli", "minimax-portal"}}
		r.ClonesMain = false
	}},
	release.Step[Rules]{Line: "2026.5.12", Change: func(r *Rules) {
		r.MainDirVariables = nil
		r.IncludeRoots = true
		r.Sidecars = true
		r.LockNewline = true
		r.LockStolen, r.LockUnreadable = false, false
		r.SessionLock = false
	}},
	release.Step[Rules]{Line: "2026.6.5", Change: func(r *Rules) {
		r.ExternalLogins = []ExternalLogin{{ToolCodex, "openai:default", "openai"}, {ToolClaude, "anthropic:claude-cli", "claude-cli"}, {ToolMinimax, "minimax-portal:minimax-cli", "minimax-portal"}}
		r.Backend = BackendSQLite
		r.ImportOnLoad = false
		r.Sidecars = false
	}},
	release.Step[Rules]{Line: "2026.8.1", Change: func(r *Rules) {
		r.ExternalLogins = []ExternalLogin{{ToolCodex, "openai:default", "openai"}, {ToolMinimax, "minimax-portal:minimax-cli", "minimax-portal"}}
		r.Backend = BackendShared
		r.MainDirVariables = []string{"OPENCLAW_AGENT_DIR"}
		r.AgentEntries = true
		r.OAuthOnLoad = false
		r.FailClosed = true
	}},
	release.Step[Rules]{Line: "2026.9.6", Change: func(r *Rules) {
		r.ExternalLogins = []ExternalLogin{{ToolMinimax, "minimax-portal:minimax-cli", "minimax-portal"}}
		r.OrderByAuthKey = true
	}},
)
