package chain_test

import (
	"strings"
	"testing"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain"
)

const (
	testNow = 1_780_000_000_000
	minute  = 60_000
	hour    = 60 * minute
)

func parse(t *testing.T, text string) *document.Object {
	t.Helper()
	value, err := document.Parse("test", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return value.(*document.Object)
}

func models(t *testing.T, line, config string) *chain.Models {
	t.Helper()
	rules, err := auth.RulesFor(line)
	if err != nil {
		t.Fatal(err)
	}
	return &chain.Models{Rules: rules, Config: auth.NewConfig(parse(t, config)), Agent: "main"}
}

func profiles(t *testing.T, m *chain.Models, store string) *auth.Profiles {
	t.Helper()
	doc := parse(t, store)
	return &auth.Profiles{Rules: m.Rules, Config: m.Config, Store: &auth.Store{
		Profiles: doc.Object("profiles"), Order: doc.Object("order"), UsageStats: doc.Object("usageStats"),
	}}
}

// keys makes a store of API keys out of profile ids.
func keys(ids ...string) string {
	return `{profiles: {` + credentials(ids) + `}}`
}

// unavailable is such a store in which the first profile has a window.
func unavailable(stats string, ids ...string) string {
	return `{profiles: {` + credentials(ids) + `}, usageStats: {"` + ids[0] + `": ` + stats + `}}`
}

func credentials(ids []string) string {
	var b strings.Builder
	for _, id := range ids {
		provider, _, _ := strings.Cut(id, ":")
		b.WriteString(`"` + id + `": {type: "api_key", provider: "` + provider + `", key: "test"}, `)
	}
	return b.String()
}

func names(candidates []chain.Candidate) string {
	texts := make([]string, len(candidates))
	for i, candidate := range candidates {
		texts[i] = candidate.String()
	}
	return strings.Join(texts, " ")
}

// session asks for the main session, whose entry is given.
func session(t *testing.T, entry string) chain.SessionQuery {
	t.Helper()
	return chain.SessionQuery{
		Key: "agent:main:main", Sessions: parse(t, `{"agent:main:main": `+entry+`}`), Now: testNow,
	}
}

func selected(t *testing.T, m *chain.Models, query chain.SessionQuery) chain.Selection {
	t.Helper()
	selection, err := m.Select(query)
	if err != nil {
		t.Fatal(err)
	}
	return selection
}

func patterns(t *testing.T, texts ...string) []chain.Pattern {
	t.Helper()
	list := make([]chain.Pattern, len(texts))
	for i, text := range texts {
		pattern, err := chain.ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		list[i] = pattern
	}
	return list
}

// uses lists the calls of a simulation: model@profile and what followed.
func uses(result *chain.RunResult) string {
	texts := make([]string, len(result.Uses))
	for i, use := range result.Uses {
		_, profile, _ := strings.Cut(string(use.Profile), ":")
		texts[i] = use.String() + "@" + profile + ":" + string(use.Why)
	}
	return strings.Join(texts, " ")
}

func simulate(t *testing.T, m *chain.Models, query chain.SimulateQuery) *chain.RunResult {
	t.Helper()
	query.Now = testNow
	result, err := m.Simulate(query)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %s\nwant %s", what, got, want)
	}
}

const chainOfThree = `{agents: {defaults: {model: {primary: "a/one", fallbacks: ["b/two", "c/three"]}}}}`
