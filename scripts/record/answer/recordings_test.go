package answer

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/auth/release"
	"openclaw-auth/state"
)

var update = flag.Bool("update", false, "write testdata/recordings/unexplained.json")

// TestRecordings asks what each stable release was asked. Answers that no rule
// explains yet are counted in unexplained.json: neither more nor fewer may differ.
func TestRecordings(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "testdata", "recordings")
	file := filepath.Join(folder, "unexplained.json")
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]map[string]int{}
	if err := json.Unmarshal(content, &known); err != nil {
		t.Fatal(err)
	}
	found := map[string]map[string]int{}
	for _, name := range release.Names() {
		questions, err := Read(filepath.Join(folder, name+".jsonl.gz"))
		if err != nil {
			t.Error(err)
			continue
		}
		t.Run(name, func(t *testing.T) {
			if wrong := unexplained(t, name, questions); len(wrong) > 0 {
				found[name] = wrong
			}
			if !*update && !maps.Equal(found[name], known[name]) {
				t.Errorf("answers that differ: %s", cmp.Diff(known[name], found[name]))
			}
		})
	}
	if *update {
		content, _ := json.MarshalIndent(found, "", "\t")
		if err := os.WriteFile(file, append(content, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// unexplained counts the answers that are others than the release's, by function.
func unexplained(t *testing.T, name string, questions []Question) map[string]int {
	rules, err := auth.RulesFor(name)
	if err != nil || rules.Line != name {
		t.Fatalf("%s has no row of its own (%v)", name, err)
	}
	wrong := map[string]int{}
	asked := 0
	for _, q := range questions {
		if q.Fn == "facts" {
			checkFacts(t, rules, q.Want.(*document.Object))
			continue
		}
		if !Knows(q.Fn) {
			t.Errorf("%s asks for %s", q.ID, q.Fn)
			continue
		}
		got := Ask(rules, q)
		if _, skipped := got.(Skipped); skipped {
			continue
		}
		if asked++; !Right(q, got) {
			wrong[q.Fn]++
		}
	}
	if asked == 0 {
		t.Error("nothing was asked")
	}
	return wrong
}

// checkFacts compares spellings of providers and the numbers of schemas.
func checkFacts(t *testing.T, rules *auth.Rules, facts *document.Object) {
	line, err := release.For(rules.Line)
	if err != nil {
		t.Fatal(err)
	}
	for _, schema := range []struct {
		role string
		ours int64
	}{{"agent", line.AgentSchema}, {"state", line.StateSchema}} {
		if number, ok := facts.Object("schemas").Number(schema.role); ok && int64(number) != schema.ours {
			t.Errorf("schema of the %s database is %v, ours %d", schema.role, number, schema.ours)
		}
	}
	files := facts.Object("files")
	if written, ours := files.Has("agents/main/agent/auth-state.json"), state.RulesOf(rules); files != nil && ours.Backend == state.BackendJSON && written != ours.StateFile {
		t.Errorf("auth-state.json is written: %v, ours %v", written, ours.StateFile)
	}
	for id, value := range facts.Object("spellings").All() {
		both, _ := value.([]any)
		if ours := rules.Providers.Normalize(id); string(ours) != both[0] {
			t.Errorf("%s is spelled %v, ours %s", id, both[0], ours)
		}
		if ours := rules.Providers.AuthKey(id); string(ours) != both[1] {
			t.Errorf("%s uses the credentials of %v, ours %s", id, both[1], ours)
		}
	}
	for id := range rules.Providers.AuthAliases {
		if !facts.Object("spellings").Has(id) && strings.ToLower(id) == id {
			t.Errorf("%s is no other spelling there", id)
		}
	}
}
