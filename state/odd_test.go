package state

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
)

// TestOddMembers loads stores whose members are of wrong types, as the releases
// themselves loaded them (testdata/odd-members.jsonl, recorded).
func TestOddMembers(t *testing.T) {
	file, err := os.Open(filepath.Join("testdata", "odd-members.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	type answer struct {
		Error    bool                `json:"error,omitempty"`
		Profiles []string            `json:"profiles"`
		Orders   map[string][]string `json:"orders"`
		Order    []string            `json:"order"`
	}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	count := 0
	for ; lines.Scan(); count++ {
		if testing.Short() && count%5 != 0 {
			continue
		}
		var vector struct {
			Release string          `json:"release"`
			Now     int64           `json:"now"`
			Store   json.RawMessage `json:"store"`
			Want    answer          `json:"want"`
		}
		if err := json.Unmarshal(lines.Bytes(), &vector); err != nil {
			t.Fatal(err)
		}
		h := oddHome(t, vector.Release, string(vector.Store))
		loaded, err := h.LoadAgent(Agent{ID: "main", Dir: h.mainDir()}, vector.Now)
		got := answer{Error: err != nil, Orders: map[string][]string{}}
		if err == nil {
			got.Profiles = slices.Sorted(slices.Values(loaded.Store.Profiles.Keys()))
			for key := range loaded.Store.Order.All() {
				got.Orders[key] = texts(loaded.Store.Order.Value(key))
			}
			profiles := &auth.Profiles{Rules: h.Rules, Store: loaded.Store}
			for _, id := range profiles.Order(auth.OrderQuery{Provider: "openai", Now: vector.Now}).Order {
				got.Order = append(got.Order, string(id))
			}
		}
		if diff := cmp.Diff(vector.Want, got, cmp.Transformer("empty", func(list []string) []string { return append([]string{}, list...) }),
			cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "Orders" }, cmp.Comparer(func(a, b map[string][]string) bool {
				return len(a) == 0 && len(b) == 0 || cmp.Equal(a, b)
			}))); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s%v", vector.Release, vector.Store, diff, err)
		}
	}
	if count < 500 {
		t.Errorf("only %d vectors", count)
	}
}

func texts(value document.Value) (list []string) {
	items, _ := value.([]any)
	for _, item := range items {
		text, _ := item.(string)
		list = append(list, text)
	}
	return list
}

// oddHome is a home whose main agent has a store of that text.
func oddHome(t *testing.T, release, store string) *Home {
	t.Helper()
	c := faultCase{line: release, files: map[string]string{".openclaw/agents/main/agent/.keep": ""}}
	h := c.home(t, QuickDisk{})
	if RulesOf(h.Rules).Backend == BackendJSON {
		write0(t, filepath.Join(h.mainDir(), profilesName), store)
		return h
	}
	connection, err := sqlite3.Open(filepath.Join(h.mainDir(), agentDatabase))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if err := connection.Exec(`PRAGMA synchronous=off; CREATE TABLE auth_profile_store (store_key TEXT NOT NULL PRIMARY KEY, store_json TEXT NOT NULL, updated_at INTEGER NOT NULL);
		CREATE TABLE auth_profile_state (state_key TEXT NOT NULL PRIMARY KEY, state_json TEXT NOT NULL, updated_at INTEGER NOT NULL)`); err != nil {
		t.Fatal(err)
	}
	statement, _, err := connection.Prepare("INSERT INTO auth_profile_store VALUES ('primary', ?1, 1)")
	if err == nil {
		err = statement.BindText(1, store)
	}
	if err == nil {
		err = statement.Exec()
	}
	if err != nil {
		t.Fatal(err)
	}
	statement.Close()
	return h
}

func write0(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
