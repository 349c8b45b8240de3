package doctor

import (
	"fmt"
	"path/filepath"
	"runtime"
	"testing"

	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/doctortest"
	"openclaw-auth/state"
)

// manyAgents makes a home of so many agents with 20 profiles, their usage, an
// order with a missing id and three sessions each.
func manyAgents(tb testing.TB, count int) string {
	tb.Helper()
	root := tb.TempDir()
	list := []any{}
	for i := range count {
		id := fmt.Sprintf("a%d", i)
		list = append(list, doctortest.Object("id", id, "model", "anthropic/claude-opus-4-6"))
		profiles, usage, sessions := document.NewObject(), document.NewObject(), document.NewObject()
		for j := range 20 {
			provider := []string{"anthropic", "openai", "google", "xai"}[j%4]
			name := fmt.Sprintf("%s:u%d", provider, j)
			credential := doctortest.Object("type", "api_key", "provider", provider, "key", fmt.Sprintf("test-%d-%d", i, j))
			if j%3 == 0 {
				credential = doctortest.Object("type", "oauth", "provider", provider, "access", "a", "refresh", fmt.Sprintf("r-%d-%d", i, j), "expires", document.NumberValue(1.9e12))
			}
			profiles.Set(name, credential)
			usage.Set(name, doctortest.Object("lastUsed", document.NumberValue(1.7799e12), "errorCount", document.NumberValue(0)))
		}
		for j := range 3 {
			sessions.Set(fmt.Sprintf("agent:%s:s%d", id, j), doctortest.Object("sessionId", "x", "providerOverride", "openai", "modelOverride", "gpt-5.5", "modelOverrideSource", "user"))
		}
		agent := filepath.Join("agents", id)
		doctortest.Write(tb, root, filepath.Join(agent, "agent", "auth-profiles.json"), doctortest.Object("version", document.NumberValue(1), "profiles", profiles))
		doctortest.Write(tb, root, filepath.Join(agent, "agent", "auth-state.json"), doctortest.Object("order", doctortest.Object("anthropic", []any{"anthropic:u0", "anthropic:u4", "anthropic:gone"}), "usageStats", usage))
		doctortest.Write(tb, root, filepath.Join(agent, "sessions", "sessions.json"), sessions)
	}
	model := doctortest.Object("primary", "anthropic/claude-opus-4-6", "fallbacks", []any{"openai/gpt-5.5", "google/gemini-3-pro"})
	doctortest.Write(tb, root, "openclaw.json", doctortest.Object(
		"meta", doctortest.Object("lastTouchedVersion", "2026.5.12"),
		"auth", doctortest.Object("order", doctortest.Object("openai", []any{"openai:u1", "openai:u5"})),
		"agents", doctortest.Object("defaults", doctortest.Object("model", model), "list", list)))
	return root
}

// A thousand agents are examined in little memory; scripts/bench.sh measures the time.
func TestManyAgentsMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 3,000 files")
	}
	root := manyAgents(t, 1000)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	report := examine(t, root, "2026.5.12")
	runtime.ReadMemStats(&after)
	if grown := after.Sys - before.Sys; grown > 100<<20 {
		t.Errorf("%d MB more of the system's memory", grown>>20)
	}
	if report.Agents != 1000 || report.Sessions != 3000 || len(report.Findings) < 3000 {
		t.Errorf("%d agents, %d sessions, %d findings", report.Agents, report.Sessions, len(report.Findings))
	}
}

func BenchmarkExamine(b *testing.B) {
	root := manyAgents(b, 200)
	for b.Loop() {
		examine(b, root, "2026.5.12")
	}
}

func examine(tb testing.TB, root, release string) *Report {
	tb.Helper()
	env := state.SystemEnv()
	env.Getenv = func(name string) string {
		return map[string]string{"HOME": root, "OPENCLAW_STATE_DIR": root}[name]
	}
	opened, err := state.Open(env, release)
	home, config, evidence := opened.Home, opened.Config, opened.Evidence
	if home == nil {
		tb.Fatal(err)
	}
	return Examine(Query{Home: home, Config: config, Evidence: evidence, Problem: err, Now: doctortest.Now})
}
