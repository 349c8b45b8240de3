package state

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/auth/release"
)

const fuzzNow = 1_795_989_600_000

// memoryEnv is an Env whose home holds the given files below .openclaw.
func memoryEnv(files map[string][]byte) Env {
	home := filepath.Join(string(filepath.Separator), "home")
	tree := fstest.MapFS{}
	for name, data := range files {
		tree[".openclaw/"+name] = &fstest.MapFile{Data: data, Mode: 0o600}
	}
	return Env{Getenv: func(string) string { return "" }, WorkDir: home, OSHome: home, FS: Mount(tree, home)}
}

// seeds adds the sample homes' files of a name to a fuzzer's corpus, each
// for another line.
func seedsOfLines(f *testing.F, name string) {
	f.Helper()
	for i, data := range seedFiles(f, name) {
		f.Add(uint8(i*20), data)
	}
}

// seeds adds the sample homes' files of a name to a fuzzer's corpus.
func seeds(f *testing.F, name string) {
	f.Helper()
	for _, data := range seedFiles(f, name) {
		f.Add(data)
	}
}

func seedFiles(f *testing.F, name string) (found [][]byte) {
	f.Helper()
	files, _ := filepath.Glob(filepath.Join("..", "testdata", "homes", "*", ".openclaw", filepath.FromSlash(name)))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		found = append(found, data)
	}
	return found
}

// FuzzParseConfig: strict JSON reads alike in both readers, nothing panics,
// and errors are one line.
func FuzzParseConfig(f *testing.F) {
	seeds(f, "openclaw.json")
	seeds(f, "auth.json5")
	for _, text := range []string{"{a:1,}", "[0x1F,+.5,'\\u0041',Infinity]", "{/*c*/'k'://\n1}", "\ufeff{}", "{\"1\":1,\"a\":2,\"0\":3}", "{n:null}"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		value, err := document.Parse("f", data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("not one line with its file: %q", err)
			}
			return
		}
		var plain any
		if json.Unmarshal(document.WithoutMark(data), &plain) != nil {
			return
		}
		if object, ok := value.(*document.Object); ok {
			if members, ok := plain.(map[string]any); !ok || len(members) != object.Len() {
				t.Errorf("%d members, encoding/json has %v", object.Len(), plain)
			}
		}
	})
}

// FuzzConfigFile reads a configuration with an include, on every line.
func FuzzConfigFile(f *testing.F) {
	seeds(f, "openclaw.json")
	f.Add([]byte(`{"auth": {"$include": ["./a.json5", "./a.json5"], "order": {"a": []}}}`))
	f.Add([]byte(`{"$include": "a.json5"}`))
	f.Add([]byte(`{"agents": {"list": [{"id": "x", "agentDir": "~/y"}]}, "env": {"A": "${B}"}, "b": "${A} $${C} ${D}"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		env := memoryEnv(map[string][]byte{"openclaw.json": data, "a.json5": []byte(`{profiles: {"a:1": {provider: "a", mode: "token"}}}`)})
		for _, release := range []string{"2026.1.30", "2026.9.6", "auto"} {
			opened, err := Open(env, release)
			home, config := opened.Home, opened.Config
			if err != nil {
				continue
			}
			for _, agent := range home.Agents(config) {
				if agent.ID == "" || agent.Dir == "" {
					t.Errorf("agent %+v", agent)
				}
			}
			config.Line(config.Locate("/auth/order"))
		}
	})
}

// FuzzStore reads a store and computes every order, on one line an execution.
func FuzzStore(f *testing.F) {
	seedsOfLines(f, "agents/main/agent/auth-profiles.json")
	f.Add(uint8(90), []byte(`{"profiles":{"a:1":{"mode":"token","provider":"a","token":{"source":"env","id":"A"},"expires":null},"b":5}}`))
	f.Fuzz(func(t *testing.T, line uint8, data []byte) { useStore(t, line, data, []byte(`{"version":1}`)) })
}

// FuzzState reads a state file beside a store of all types.
func FuzzState(f *testing.F) {
	seedsOfLines(f, "agents/main/agent/auth-state.json")
	f.Add(uint8(90), []byte(`{"order":{"a":[" a:1","","a:1",5]},"lastGood":{"A ":"a:1"},"usageStats":{"a:1":{"cooldownUntil":1e999,"failureCounts":[]}}}`))
	f.Fuzz(func(t *testing.T, line uint8, data []byte) {
		useStore(t, line, []byte(`{"profiles":{"a:1":{"type":"api_key","provider":"a","key":"k"},"a:2":{"type":"oauth","provider":"a","refresh":"r"}}}`), data)
	})
}

// FuzzLegacy reads what an import would.
func FuzzLegacy(f *testing.F) {
	seedsOfLines(f, "credentials/oauth.json")
	f.Add(uint8(90), []byte(`{"a":[],"b":{"type":"api_key","provider":"c"},"":{}}`))
	f.Fuzz(func(t *testing.T, line uint8, data []byte) {
		useFiles(t, line, map[string][]byte{"credentials/oauth.json": data, "agents/main/agent/auth.json": data})
	})
}

// FuzzManifest undoes and recovers by a manifest that anybody may have written:
// nothing outside of the home is touched, and an error is one line.
func FuzzManifest(f *testing.F) {
	const id = "20261130T000000.000Z"
	entry := `{"kind":"file","place":"","path":"agents/main/agent/auth-profiles.json","copy":"1-auth-profiles.json","before":{"exists":true,"size":2,"sha256":"` + Hash([]byte("{}")) + `"},"after":{"exists":false,"size":0}}`
	for _, entries := range []string{entry, strings.ReplaceAll(entry, "agents/main/agent/auth-profiles.json", "../outside/victim"), strings.ReplaceAll(entry, `"file"`, `"move"`), entry + "," + entry} {
		f.Add([]byte(`{"version":2,"id":"` + id + `","why":"x","time":"2026-11-30T00:00:00Z","rules":"2026.5.12","entries":[` + entries + `]}`))
	}
	f.Add([]byte(`{"version":1,"id":"` + id + `","entries":[{"path":"/etc/passwd","part":"(to ../../x)"},{"path":"a.sqlite","part":"a b"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		directory := t.TempDir()
		home := filepath.Join(directory, "home", ".openclaw")
		for name, content := range map[string][]byte{
			"outside/victim": []byte("v"), "home/.openclaw/openclaw.json": []byte("{}"), "home/.openclaw/openclaw-auth/unfinished": []byte(id + "\n"),
			"home/.openclaw/openclaw-auth/backups/" + id + "/manifest.json":        text,
			"home/.openclaw/openclaw-auth/backups/" + id + "/1-auth-profiles.json": []byte("{}"),
		} {
			path := filepath.Join(directory, filepath.FromSlash(name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, content, 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		rules, err := auth.RulesFor("2026.5.12")
		if err != nil {
			t.Fatal(err)
		}
		getenv := func(name string) string { return map[string]string{"HOME": filepath.Dir(home)}[name] }
		h := findHome(Env{Getenv: getenv, WorkDir: directory, FS: QuickDisk{}}, rules)
		oneLine := func(err error) {
			if err != nil && strings.ContainsAny(err.Error(), "\n\r\x1b") {
				t.Errorf("not one line: %q", err)
			}
		}
		_, err = h.Recover(t.Context(), testOptions())
		oneLine(err)
		backups, damaged := h.Backups()
		for _, err := range damaged {
			oneLine(err)
		}
		for _, backup := range backups {
			_, err := h.Undo(t.Context(), &backup, testOptions())
			oneLine(err)
		}
		if victim, err := os.ReadFile(filepath.Join(directory, "outside", "victim")); string(victim) != "v" {
			t.Errorf("outside of the home: %q, %v", victim, err)
		}
		if found, _ := os.ReadDir(filepath.Join(directory, "outside")); len(found) != 1 {
			t.Errorf("outside of the home: %v", found)
		}
		if found, _ := os.ReadDir(directory); len(found) != 2 {
			t.Errorf("beside the home: %v", found)
		}
	})
}

func useStore(t *testing.T, line uint8, profiles, states []byte) {
	useFiles(t, line, map[string][]byte{
		"agents/main/agent/auth-profiles.json": profiles, "agents/main/agent/auth-state.json": states,
		"agents/work/agent/auth-profiles.json": profiles,
	})
}

// useFiles loads both agents of a home under a line, chosen by its number, and
// checks what holds of every order.
func useFiles(t *testing.T, line uint8, files map[string][]byte) {
	env := memoryEnv(files)
	names := release.Names()
	opened, err := Open(env, names[int(line)%len(names)])
	home, config := opened.Home, opened.Config
	if err != nil {
		t.Fatal(err)
	}
	for _, agent := range home.Agents(config) {
		loaded, err := home.LoadAgent(agent, fuzzNow)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("not one line: %q", err)
			}
			continue
		}
		profiles := loaded.Profiles(home, config)
		for _, provider := range profiles.Providers() {
			checkOrder(t, profiles, auth.OrderQuery{Provider: string(provider), Now: fuzzNow})
		}
	}
}

// checkOrder: an order has each profile once, only eligible ones, and those
// that rest come last, the first to recover before the others.
func checkOrder(t *testing.T, profiles *auth.Profiles, query auth.OrderQuery) {
	ordering := profiles.Order(query)
	seen := map[auth.ProfileID]bool{}
	unavailable := false
	for _, id := range ordering.Order {
		if seen[id] || profiles.Eligibility(query.Provider, id, query.Now) != auth.Eligible {
			t.Errorf("%s: %q is twice in the order or not eligible: %q", profiles.Rules.Line, id, ordering.Order)
		}
		seen[id] = true
		inCooldown := profiles.InCooldown(id, "", query.Now)
		if unavailable && !inCooldown {
			t.Errorf("%s: %q is usable behind one that is not: %q", profiles.Rules.Line, id, ordering.Order)
		}
		unavailable = inCooldown
	}
	placements := profiles.Explain(query, ordering)
	profiles.Hints(query, ordering, placements)
}
