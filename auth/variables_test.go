package auth_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"openclaw-auth/auth"
)

// The variables are those that the program lists on each recorded release.
func TestKeyVariables(t *testing.T) {
	files, err := filepath.Glob("../testdata/variables/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, file := range files {
		rules, err := auth.RulesFor(strings.TrimSuffix(filepath.Base(file), ".json"))
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var recorded map[string][]string
		if err := json.Unmarshal(data, &recorded); err != nil {
			t.Fatal(err)
		}
		for provider, want := range recorded {
			want = slices.DeleteFunc(want, func(name string) bool {
				return strings.Contains(name, "REGION") || strings.Contains(name, "APPID")
			})
			if got := rules.KeyVariables(provider, true); !slices.Equal(got, want) {
				t.Errorf("%s %s: got %v, recorded %v", rules.Line, provider, got, want)
			}
		}
	}
}

// An API key is not given as a login, and a provider that nobody knows gets a
// name that a shell can use.
func TestKeyVariablesOfKeys(t *testing.T) {
	rules := auth.Newest()
	for provider, want := range map[string]string{
		"anthropic": "ANTHROPIC_API_KEY", "Anthropic ": "ANTHROPIC_API_KEY", "my-proxy.2": "MY_PROXY_2_API_KEY", "3com": "_3COM_API_KEY", "": "__API_KEY",
	} {
		if got := strings.Join(rules.KeyVariables(provider, false), " "); got != want {
			t.Errorf("%q: got %s, want %s", provider, got, want)
		}
	}
	if got := strings.Join(rules.KeyVariables("anthropic", true), " "); got != "ANTHROPIC_OAUTH_TOKEN ANTHROPIC_API_KEY" {
		t.Errorf("a login of anthropic: %s", got)
	}
}
