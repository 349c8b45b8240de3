package main

import (
	"os"
	"path/filepath"
	"testing"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/scripts/record/answer"
	"openclaw-auth/state"
)

// TestHomes compares, for every sample home, agent and provider, the profiles
// that are loaded and their order with what the real program gave
// (testdata/homes/*.golden.json). The homes of 2026.7.1 and 2026.9.6 keep both
// in databases (S15).
func TestHomes(t *testing.T) {
	for _, name := range sampleHomes(t) {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(packageDir, "..", "..", "testdata", "homes", name+".golden.json")
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			value, err := document.ParseJSON(file, data)
			if err != nil {
				t.Fatal(err)
			}
			compareHome(t, sampleHome(t, name), value.(*document.Object))
		})
	}
}

func compareHome(t *testing.T, path string, golden *document.Object) {
	env := state.SystemEnv().With(map[string]string{
		"HOME": path, "OPENCLAW_HOME": "", "OPENCLAW_STATE_DIR": "", "OPENCLAW_CONFIG_PATH": "", "XDG_CONFIG_HOME": "",
	})
	opened, err := state.Open(env, "auto")
	home, config, evidence := opened.Home, opened.Config, opened.Evidence
	if err != nil {
		t.Fatal(err)
	}
	if want, _ := auth.RulesFor(golden.Text("release")); home.Rules != want {
		t.Errorf("line %s chosen (%s), recorded on %s", home.Rules.Line, evidence.Detail, want.Line)
	}
	at, _ := golden.Number("now")
	now := int64(at)
	for id, value := range golden.Object("agents").All() {
		agent, err := state.FindAgent(home.Agents(config), id)
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := home.LoadAgent(agent, now)
		if err != nil {
			t.Fatal(err)
		}
		want := value.(*document.Object)
		got, orders := document.NewObject(), document.NewObject()
		got.Set("profiles", itemsOf(loaded.Store.Profiles.Keys()))
		got.Set("order", orders)
		for provider := range want.Object("order").All() {
			ordering := loaded.Profiles(home, config).Order(auth.OrderQuery{Provider: provider, Now: now})
			orders.Set(provider, ordering.Order)
		}
		if diff := answer.Diff(answer.Question{Want: want}, got); diff != "" {
			t.Errorf("agent %s (-recorded +ours):\n%s", id, diff)
		}
	}
}

func itemsOf(values []string) []any {
	items := make([]any, len(values))
	for i, value := range values {
		items[i] = value
	}
	return items
}
