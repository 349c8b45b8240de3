package state

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/auth/release"
)

// load loads an agent of a home in memory under a line's rules.
func load(t *testing.T, line, agent string, files map[string]string) *Loaded {
	t.Helper()
	data := map[string][]byte{}
	for name, content := range files {
		data[name] = []byte(content)
	}
	opened, err := Open(memoryEnv(data), line)
	home, config := opened.Home, opened.Config
	if err != nil {
		t.Fatal(err)
	}
	found, err := FindAgent(home.Agents(config), agent)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := home.LoadAgent(found, fuzzNow)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// jsonLines are the lines that keep profiles in JSON files.
func jsonLines() []string {
	var lines []string
	for _, rules := range auth.Lines() {
		if RulesOf(rules).Backend == BackendJSON {
			lines = append(lines, rules.Line)
		}
	}
	return lines
}

const (
	mainStore = "agents/main/agent/auth-profiles.json"
	mainState = "agents/main/agent/auth-state.json"
	workStore = "agents/work/agent/auth-profiles.json"
	workState = "agents/work/agent/auth-state.json"
)

// S14: profiles are in agents/ID/agent/auth-profiles.json; up to 2026.3.31
// with their state, from 2026.4.9 on that is in auth-state.json beside it,
// which wins over what is still embedded.
func TestS14Files(t *testing.T) {
	files := map[string]string{
		mainStore: `{"profiles": {"p:1": {"type": "api_key", "provider": "p", "key": "k"}}, "order": {"p": ["p:1"], "q": ["q:1"]}, "usageStats": {"p:1": {"errorCount": 1}}}`,
		mainState: `{"order": {"p": ["p:2"]}, "usageStats": {"p:1": {"errorCount": 2}}}`,
	}
	for _, line := range jsonLines() {
		loaded := load(t, line, "main", files)
		split := loaded.Own.State != loaded.Own.Profiles
		errors, _ := loaded.Store.UsageStats.Object("p:1").Number("errorCount")
		list, _ := loaded.Store.Order.Get("p")
		first := list.([]any)[0]
		embedded, _ := loaded.Store.Order.Get("q")
		switch {
		case split && (errors != 2 || first != "p:2"), !split && (errors != 1 || first != "p:1"):
			t.Errorf("%s: split %t, errorCount %v, order %v", line, split, errors, first)
		case embedded == nil:
			t.Errorf("%s: embedded state without a newer one is lost", line)
		}
		want := filepath.Base(loaded.Own.State)
		if origin := loaded.StateOrigin("usageStats", "p:1"); filepath.Base(origin.File) != want || origin.Pointer != "/usageStats/p:1" {
			t.Errorf("%s: usage comes from %+v", line, origin)
		}
	}
}

// S17: credentials/oauth.json is imported by the first use of an agent without
// a store (up to 2026.7.1), S19: as PROVIDER:default. An existing store stops it.
func TestS17OAuthImport(t *testing.T) {
	files := map[string]string{"credentials/oauth.json": `{"p": {"access": "a", "refresh": "r", "projectId": "x"}, "q": 5}`}
	for _, line := range jsonLines() {
		loaded := load(t, line, "main", files)
		if ids := loaded.Store.Profiles.Keys(); !slices.Equal(ids, []string{"p:default"}) || loaded.Pending[0].Effect != EffectImport {
			t.Errorf("%s: %v, %+v", line, ids, loaded.Pending)
		}
		if id := loaded.Store.Profiles.Object("p:default"); id.Text("type") != auth.TypeOAuth || id.Text("projectId") != "x" {
			t.Errorf("%s: not a login with its members", line)
		}
	}
	files[mainStore] = `{"profiles": {}}`
	for _, line := range jsonLines() {
		loaded := load(t, line, "main", files)
		if loaded.Store.Profiles.Len() != 0 || loaded.Pending[0].Effect != EffectIgnored {
			t.Errorf("%s: imported beside a store: %+v", line, loaded.Pending)
		}
	}
}

// auth.json comes before oauth.json, and keeps only what its type needs.
func TestLegacyOrder(t *testing.T) {
	files := map[string]string{
		"agents/main/agent/auth.json": `{"p": {"type": "api_key", "key": "k", "extra": 1}, "bad": {"note": "no type"}}`,
		"credentials/oauth.json":      `{"p": {"access": "a"}, "q": {"access": "a", "type": "token", "provider": "other"}}`,
	}
	loaded := load(t, "2026.4.29", "main", files)
	profiles := loaded.Store.Profiles
	if profiles.Object("p:default").Text("type") != auth.TypeAPIKey || profiles.Object("p:default").Has("extra") {
		t.Error("auth.json does not come first, or keeps what it should not")
	}
	if other := profiles.Object("q:default"); other.Text("provider") != "other" || other.Text("type") != auth.TypeToken {
		t.Error("an entry's own type and provider do not win")
	}
	if rejected := loaded.Rejected(); len(rejected) != 1 || rejected[0].ID != "bad" || rejected[0].Reason != auth.RejectInvalidType {
		t.Errorf("rejected %+v", rejected)
	}
	if origin := loaded.ProfileOrigin("q:default"); filepath.Base(origin.File) != "oauth.json" || origin.Pointer != "/q" {
		t.Errorf("origin %+v", origin)
	}
}

// A secondary agent sees main's profiles below its own.
func TestInheritance(t *testing.T) {
	files := map[string]string{
		mainStore: `{"profiles": {"p:1": {"type": "api_key", "provider": "p", "key": "m"}, "p:2": {"type": "api_key", "provider": "p", "key": "m"}}}`,
		mainState: `{"order": {"p": ["p:2"]}, "usageStats": {"p:1": {"cooldownUntil": 1795989700000}, "gone:1": {"errorCount": 1}}, "lastGood": {"p": "gone:1"}}`,
		workStore: `{"profiles": {"p:3": {"type": "api_key", "provider": "p", "key": "w"}, "p:1": {"type": "api_key", "provider": "p", "key": "w"}}}`,
		workState: `{"usageStats": {"p:1": {"lastUsed": 5}}}`,
	}
	for _, line := range jsonLines() {
		if release.Place(line) < release.Place("2026.4.7") {
			continue // order and usage are in auth-profiles.json
		}
		loaded := load(t, line, "work", files)
		if ids := strings.Join(loaded.Store.Profiles.Keys(), " "); ids != "p:1 p:2 p:3" {
			t.Errorf("%s: %s", line, ids)
		}
		if key := loaded.Store.Profiles.Object("p:1").Text("key"); key != "w" {
			t.Errorf("%s: main's credential wins", line)
		}
		if _, cooling := loaded.Store.UsageStats.Object("p:1").Number("cooldownUntil"); cooling {
			t.Errorf("%s: the agent's own usage does not hide main's", line)
		}
		if dangling := loaded.Store.UsageStats.Has("gone:1"); dangling == (release.Place(line) >= release.Place("2026.5.26")) {
			t.Errorf("%s: dangling usage kept: %t", line, dangling)
		}
		if !loaded.Inherited("p:2") || loaded.Inherited("p:1") || loaded.Inherited("p:3") {
			t.Errorf("%s: inheritance", line)
		}
		if origin := loaded.ProfileOrigin("p:2"); !strings.Contains(filepath.ToSlash(origin.File), "agents/main/") {
			t.Errorf("%s: %+v", line, origin)
		}
	}
}

// An agent's own stale PROVIDER:default gives way to main's newer login of the
// same account (2026.4.29+).
func TestDriftRepair(t *testing.T) {
	login := func(expires, account string) string {
		return `{"type": "oauth", "provider": "p", "access": "a", "refresh": "r", "expires": ` + expires + `, "accountId": "` + account + `"}`
	}
	for name, test := range map[string]struct{ own, main, want string }{
		"same account, newer":       {login("5", "x"), login("1795999999999", "x"), "p:me"},
		"same account, older":       {login("1795999999999", "x"), login("1795999999998", "x"), "p:default p:me"},
		"another account":           {login("5", "y"), login("1795999999999", "x"), "p:default p:me"},
		"no account, one choice":    {login("5", ""), login("1795999999999", "x"), "p:me"},
		"main's is about to end":    {login("5", "x"), login("1795989700000", "x"), "p:default p:me"},
		"unknown account of main's": {login("5", "x"), login("1795999999999", ""), "p:me"},
	} {
		loaded := load(t, "2026.4.29", "work", map[string]string{
			mainStore: `{"profiles": {"p:me": ` + test.main + `}}`,
			workStore: `{"profiles": {"p:default": ` + test.own + `}}`,
			workState: `{"order": {"p": ["p:default"]}, "lastGood": {"p": "p:default"}}`,
		})
		ids := loaded.Store.Profiles.Keys()
		slices.Sort(ids)
		if got := strings.Join(ids, " "); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
		if good := loaded.Store.LastGood.Text("p"); test.want == "p:me" && good != "p:me" {
			t.Errorf("%s: lastGood is %s", name, good)
		}
	}
}

func TestSecretsAreWrapped(t *testing.T) {
	loaded := load(t, "2026.4.29", "main", map[string]string{mainStore: `{"profiles": {"p:1": {"type": "oauth", "provider": "p", "access": "a-secret", "refresh": "b-secret", "idToken": "c-secret"}}}`})
	for _, name := range []string{"access", "refresh", "idToken"} {
		value, _ := loaded.Store.Profiles.Object("p:1").Get(name)
		if secret, ok := value.(document.Secret); !ok || strings.Contains(secret.String(), "secret") {
			t.Errorf("%s is %T", name, value)
		}
	}
}
