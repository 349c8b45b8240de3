package doctor

import "openclaw-auth/auth"

// lineRules is what OpenClaw's own doctor, and its reader of the configuration,
// do on a release line, as far as auth.Rules does not tell: it matters to
// findings alone.
type lineRules struct {
	unknownKeys  string // what a member of the configuration does that OpenClaw does not know
	topAgent     string // what becomes of a top-level agent, where the models were before agents.defaults
	defaultModel string // what becomes of a top-level defaultModel

	movesDefaultModel bool // doctor moves it to agents.defaults.model

	defaultLogins []auth.ProviderID // PROVIDER:default logins that doctor renames after their account
	retiredLogins []string          // profiles of command line tools that are no longer used

	keepsDeclared bool // such a login is left alone where its account's id is declared already

	codexModels   bool // openai-codex/MODEL is openai/MODEL
	codexProfiles bool // openai-codex:NAME is openai:NAME

	retiredProviders []retiredProvider // whose profiles doctor renames

	codexRows    bool // doctor renames openai-codex:NAME in databases too, not only in JSON files
	codexRealms  bool // doctor leaves logins of openai-codex that come from elsewhere than the provider
	awsMarkers   bool // doctor moves aws-sdk entries of a store to auth.profiles
	flatMap      bool // doctor turns a map of providers into a store
	keyAlias     bool // doctor renames api_key to key
	sessionLocks bool // doctor removes stale locks of transcripts
	orderRepair  bool // doctor repairs auth.order where it names missing profiles
	strictAPIKey bool // doctor warns of API keys in the configuration
}

// retiredProvider is a provider that is one with another now.
type retiredProvider struct {
	old, new string
	taken    string // what comes before the name of a profile if new:NAME is taken
}

// lineSteps is the table of release lines: each step states what changed.
var lineSteps = []struct {
	line   string
	change func(l *lineRules)
}{
	{"2026.1.30", func(l *lineRules) {
		l.unknownKeys = "the configuration is not valid, so OpenClaw does not start"
		l.topAgent = "not read; openclaw doctor moves it to agents.defaults"
		l.defaultModel = l.unknownKeys
		l.defaultLogins = []auth.ProviderID{"anthropic"}
		l.retiredLogins = []string{"anthropic:claude-cli", "openai-codex:codex-cli"}
		l.sessionLocks = true
	}},
	{"2026.3.31", func(l *lineRules) { l.topAgent = l.unknownKeys }},
	{"2026.4.9", func(l *lineRules) { l.retiredLogins = nil }},
	{"2026.4.29", func(l *lineRules) {
		// openclaw doctor itself does not start there: nothing but an editor helps.
		l.unknownKeys = "the configuration is not valid, so OpenClaw, its doctor included, does not start"
		l.topAgent, l.defaultModel = l.unknownKeys, l.unknownKeys
		l.defaultLogins = []auth.ProviderID{"anthropic", "openai-codex"}
		l.flatMap = true
	}},
	{"2026.5.12", func(l *lineRules) {
		l.unknownKeys = "the configuration is not valid until openclaw doctor --fix deletes it"
		l.topAgent, l.defaultModel = l.unknownKeys, l.unknownKeys
		l.codexModels, l.awsMarkers = true, true
	}},
	{"2026.5.28", func(l *lineRules) {
		l.defaultModel = "not read, and kept"
		l.keyAlias = true
	}},
	{"2026.6.11", func(l *lineRules) {
		l.defaultLogins = []auth.ProviderID{"anthropic"}
		l.keepsDeclared = true
		l.codexProfiles = true
		l.retiredProviders = []retiredProvider{{codex, openai, "chatgpt-"}}
	}},
	{"2026.8.2", func(l *lineRules) {
		l.defaultModel = "not read; openclaw doctor --fix moves it to agents.defaults.model"
		l.movesDefaultModel = true
		l.retiredLogins = []string{"anthropic:claude-cli"}
		l.codexRows, l.codexRealms = true, true
		l.sessionLocks = false
	}},
	{"2026.9.6", func(l *lineRules) {
		l.orderRepair, l.strictAPIKey = true, true
		l.retiredProviders = append(l.retiredProviders, retiredProvider{"google-gemini-cli", "google", "cli-"}, retiredProvider{"claude-cli", "anthropic", "cli-"},
			retiredProvider{"codex-cli", openai, "cli-"}, retiredProvider{"codex", openai, "cli-"})
	}},
}

// lineOf returns the rules of doctor for a line.
func lineOf(rules *auth.Rules) *lineRules {
	var l lineRules
	for _, line := range auth.Lines() {
		for _, step := range lineSteps {
			if step.line == line.Line {
				step.change(&l)
			}
		}
		if line.Line == rules.Line {
			break
		}
	}
	return &l
}
