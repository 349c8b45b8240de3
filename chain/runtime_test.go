package chain_test

import (
	"testing"

	"openclaw-auth/chain"
	"openclaw-auth/chain/lines"
)

// On 2026.5.12 and 5.28 openai at its own address runs on codex, with
// openai-codex's profiles first and openai's keys behind them.
func TestCodexRunsOpenAI(t *testing.T) {
	const store = `{profiles: {
		"openai-codex:me": {type: "oauth", provider: "openai-codex", access: "a", refresh: "r"},
		"openai:key": {type: "api_key", provider: "openai", key: "k"},
	}, order: {openai: ["openai-codex:me", "openai:key"]}}`
	for _, line := range from("2026.4.29") {
		for _, c := range []struct{ what, config, runtime, calls string }{
			{"plain", `{}`, "codex", "openai/gpt-5.4@me:next-profile openai/gpt-5.4@key:answered"},
			{"own address", `{models: {providers: {openai: {baseUrl: "https://proxy.example/v1"}}}}`, "", "openai/gpt-5.4@key:answered"},
			{"runtime pinned", `{agents: {defaults: {models: {"openai/gpt-5.4": {agentRuntime: {id: "pi"}}}}}}`, "pi", "openai/gpt-5.4@key:answered"},
		} {
			m := models(t, line, c.config)
			runtime := m.Runtime(chain.Ref{Provider: "openai", Model: "gpt-5.4"}, nil)
			result := simulate(t, m, chain.SimulateQuery{
				Session: chain.SessionQuery{OneRun: "openai/gpt-5.4"}, Profiles: profiles(t, m, store), Patterns: patterns(t, "*@openai-codex*=rate_limit"),
			})
			if !lines.Of(m.Rules).Runtime.Pins {
				c.runtime = ""
			}
			if lines.Of(m.Rules).Runtime.CodexForOpenAI != "openai-codex" {
				c.calls = "openai/gpt-5.4@key:answered"
			}
			same(t, line+" "+c.what, runtime.ID, c.runtime)
			same(t, line+" "+c.what, uses(result), c.calls)
		}
	}
}

func TestClaudeCLIHasItsOwnLogin(t *testing.T) {
	m := models(t, "2026.5.12", `{}`)
	result := simulate(t, m, chain.SimulateQuery{
		Session: chain.SessionQuery{OneRun: "claude-cli/claude-opus-4-6"}, Profiles: profiles(t, m, keys("anthropic:x")),
	})
	same(t, "calls", uses(result), "claude-cli/claude-opus-4-6@:answered")
}
