// Package lines holds what OpenClaw's own doctor does on each release line, and
// the ids that it renames: the rules of doctor and of its repairs.
package lines

import (
	"openclaw-auth/auth"
	"openclaw-auth/auth/release"
)

// lineRules is what OpenClaw's own doctor, and its reader of the configuration,
// do on a release line, as far as auth.Rules does not tell: it matters to
// findings alone.
type Rules struct {
	UnknownKeys  string // what a member of the configuration does that OpenClaw does not know
	TopAgent     string // what becomes of a top-level agent, where the models were before agents.defaults
	DefaultModel string // what becomes of a top-level defaultModel

	MovesDefaultModel bool // doctor moves it to agents.defaults.model

	DefaultLogins []auth.ProviderID // PROVIDER:default logins that doctor renames after their account
	RetiredLogins []string          // profiles of command line tools that are no longer used

	keepsDeclared bool // such a login is left alone where its account's id is declared already

	CodexModels   bool // openai-codex/MODEL is openai/MODEL
	CodexProfiles bool // openai-codex:NAME is openai:NAME

	retiredProviders []retiredProvider // whose profiles doctor renames

	CodexRows     bool // doctor renames openai-codex:NAME in databases too, not only in JSON files
	CodexRealms   bool // doctor leaves logins of openai-codex that come from elsewhere than the provider
	AWSMarkers    bool // doctor moves aws-sdk entries of a store to auth.profiles
	FlatMap       bool // doctor turns a map of providers into a store
	KeyAlias      bool // doctor renames api_key to key
	SessionLocks  bool // doctor removes stale locks of transcripts
	OrderRepair   bool // doctor repairs auth.order where it names missing profiles
	RetiredModels bool // doctor upgrades references to retired models
	NeedsDefault  bool // several agents without a default one make the configuration invalid
	PasteKey      bool // models auth paste-api-key exists
	strictAPIKey  bool // doctor warns of API keys in the configuration
}

// retiredProvider is a provider that is one with another now.
type retiredProvider struct {
	Old, New string
	Taken    string // what comes before the name of a profile if new:NAME is taken
}

// table is the table of release lines: each step states what changed.
var table = release.NewTable(nil,
	release.Step[Rules]{Line: "2026.1.29", Change: func(l *Rules) {
		l.UnknownKeys = "the configuration is not valid, so OpenClaw does not start"
		l.TopAgent = "not read; openclaw doctor moves it to agents.defaults"
		l.DefaultModel = l.UnknownKeys
		l.DefaultLogins = []auth.ProviderID{"anthropic"}
		l.RetiredLogins = []string{"anthropic:claude-cli", "openai-codex:codex-cli"}
		l.SessionLocks = true
	}},
	release.Step[Rules]{Line: "2026.3.31", Change: func(l *Rules) { l.TopAgent = l.UnknownKeys }},
	release.Step[Rules]{Line: "2026.4.9", Change: func(l *Rules) { l.RetiredLogins = nil }},
	release.Step[Rules]{Line: "2026.4.29", Change: func(l *Rules) {
		// openclaw doctor itself does not start there: nothing but an editor helps.
		l.UnknownKeys = "the configuration is not valid, so OpenClaw, its doctor included, does not start"
		l.TopAgent, l.DefaultModel = l.UnknownKeys, l.UnknownKeys
		l.DefaultLogins = []auth.ProviderID{"anthropic", "openai-codex"}
		l.FlatMap = true
	}},
	release.Step[Rules]{Line: "2026.5.12", Change: func(l *Rules) {
		l.UnknownKeys = "the configuration is not valid until openclaw doctor --fix deletes it"
		l.TopAgent, l.DefaultModel = l.UnknownKeys, l.UnknownKeys
		l.CodexModels, l.AWSMarkers = true, true
	}},
	release.Step[Rules]{Line: "2026.5.28", Change: func(l *Rules) {
		l.DefaultModel = "not read, and kept"
		l.KeyAlias, l.RetiredModels = true, true
	}},
	release.Step[Rules]{Line: "2026.6.11", Change: func(l *Rules) {
		l.DefaultLogins = []auth.ProviderID{"anthropic"}
		l.keepsDeclared = true
		l.CodexProfiles = true
		l.retiredProviders = []retiredProvider{{Codex, OpenAI, "chatgpt-"}}
	}},
	release.Step[Rules]{Line: "2026.7.1", Change: func(l *Rules) { l.PasteKey = true }},
	release.Step[Rules]{Line: "2026.8.2", Change: func(l *Rules) {
		l.DefaultModel = "not read; openclaw doctor --fix moves it to agents.defaults.model"
		l.MovesDefaultModel = true
		l.RetiredLogins = []string{"anthropic:claude-cli"}
		l.CodexRows, l.CodexRealms = true, true
		l.SessionLocks = false
	}},
	release.Step[Rules]{Line: "2026.9.6", Change: func(l *Rules) {
		l.OrderRepair, l.strictAPIKey, l.NeedsDefault = true, true, true
		l.retiredProviders = append(l.retiredProviders, retiredProvider{"google-gemini-cli", "google", "cli-"}, retiredProvider{"claude-cli", "anthropic", "cli-"},
			retiredProvider{"codex-cli", OpenAI, "cli-"}, retiredProvider{"codex", OpenAI, "cli-"})
	}},
)

// Of returns doctor's rules of a line.
func Of(rules *auth.Rules) *Rules { return table.At(rules.Line) }
