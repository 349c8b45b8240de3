package state

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"openclaw-auth/auth"
)

const sessionsFile = "agents/main/sessions/sessions.json"

func sessionStore(t *testing.T, content string) SessionStore {
	t.Helper()
	opened, err := Open(memoryEnv(map[string][]byte{sessionsFile: []byte(content)}), "2026.5.12")
	home, config := opened.Home, opened.Config
	if err != nil {
		t.Fatal(err)
	}
	return home.Sessions(config, Agent{ID: "main"})
}

const someSessions = `{
  "agent:main:main": {"sessionId": "id-1", "updatedAt": 5, "big": {"a": [1, {"b": 2}]}, "modelOverride": "m"},
  "agent:main:telegram:direct:1001": {"sessionId": "id-2", "updatedAt": 9, "authProfileOverride": "p:1"},
  "agent:main:Slack:Channel:C3": {"sessionId": "id-3", "updatedAt": 7},
  "agent:main:slack:channel:c4": {"sessionId": "id-4", "updatedAt": 6},
  "broken": 5
}`

func TestFindSession(t *testing.T) {
	store := sessionStore(t, someSessions)
	for name, want := range map[string]string{
		"":                            "agent:main:telegram:direct:1001", // written last
		"agent:main:main":             "agent:main:main",
		"AGENT:MAIN:MAIN":             "agent:main:main",
		"main":                        "agent:main:main",
		"id-3":                        "agent:main:Slack:Channel:C3",
		"1001":                        "agent:main:telegram:direct:1001",
		"slack:channel:c3":            "agent:main:Slack:Channel:C3",
		"agent:main:slack:channel:c3": "agent:main:Slack:Channel:C3",
	} {
		found, err := FindSession(store, "main", name)
		if err != nil || found.Key != want {
			t.Errorf("%q is %q (%v), want %q", name, found.Key, err, want)
		}
	}
	if _, err := FindSession(store, "main", "slack"); err == nil || !strings.Contains(err.Error(), "fits several sessions: agent:main:Slack:Channel:C3, agent:main:slack:channel:c4") {
		t.Errorf("ambiguous: %v", err)
	}
	if _, err := FindSession(store, "main", "agent:main:telegram:direct:1002"); !errors.Is(err, ErrNoSession) || !strings.Contains(err.Error(), "(nearest: agent:main:telegram:direct:1001") {
		t.Errorf("unknown: %v", err)
	}
}

func TestSessionMembers(t *testing.T) {
	found, err := sessionStore(t, someSessions).Get("agent:main:main", "nobody")
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	if entry := found["agent:main:main"].Entry; entry.Has("big") || entry.Text("modelOverride") != "m" || found["agent:main:main"].SessionID() != "id-1" {
		t.Errorf("members %v", entry.Keys())
	}
}

func TestSessionsOddFiles(t *testing.T) {
	for content, want := range map[string]string{
		"":                           ":1:1: the file is empty",
		"[]":                         ":1:2: the document is no object of sessions",
		"{\n\"a\": {\"updatedAt\": ": ":2:",
		"{\"a\": {},\n \"b\" {}}":    ":2:",
	} {
		err := sessionStore(t, content).Each(func(Session) bool { return true })
		if err == nil || !strings.Contains(err.Error(), "sessions.json"+want) {
			t.Errorf("%q: %v, want %s", content, err, want)
		}
	}
	store := sessionStore(t, `{"a": {"updatedAt": 1}, "a": {"updatedAt": 2}}`)
	if found, err := store.Get("a"); err != nil || found["a"].UpdatedAt() != 2 {
		t.Errorf("of two equal keys the last one counts: %v %v", found, err)
	}
	opened, err := Open(memoryEnv(nil), "2026.5.12")
	missing := opened.Home
	if err != nil {
		t.Fatal(err)
	}
	session, err := FindSession(missing.Sessions(&Config{}, Agent{ID: "main"}), "main", "")
	if err != nil || session.Key != "" {
		t.Errorf("no store: %v %v", session, err)
	}
}

func TestSessionStorePath(t *testing.T) {
	opened, err := Open(memoryEnv(map[string][]byte{"openclaw.json": []byte(`{"session": {"store": " ~/s/{agentId}.json "}}`)}), "2026.5.12")
	home, config := opened.Home, opened.Config
	if err != nil {
		t.Fatal(err)
	}
	if got := filepath.ToSlash(home.Sessions(config, Agent{ID: "work"}).File()); got != "/home/s/work.json" {
		t.Error(got)
	}
}

func FuzzSessions(f *testing.F) {
	seeds(f, sessionsFile)
	f.Add([]byte(someSessions))
	f.Fuzz(func(t *testing.T, data []byte) {
		env := memoryEnv(map[string][]byte{sessionsFile: data})
		home := findHome(env, auth.Newest())
		store := home.Sessions(&Config{}, Agent{ID: "main"})
		for _, name := range []string{"", "main", "agent:main:main"} {
			if _, err := FindSession(store, "main", name); err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("not one line: %q", err)
			}
		}
	})
}

// writeSessions makes a sessions.json of about the given size. Its entries
// carry the ballast that real ones do.
func writeSessions(tb testing.TB, path string, size int) (middleKey string) {
	tb.Helper()
	file, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	w := bufio.NewWriterSize(file, 1<<20)
	ballast := strings.Repeat(`{\"name\": \"skill\", \"text\": \"do what is asked\"} `, 200)
	fmt.Fprint(w, "{")
	for i, written := 0, 0; written < size; i++ {
		if i > 0 {
			fmt.Fprint(w, ",")
		}
		key := fmt.Sprintf("agent:main:telegram:direct:%d", 1000+i)
		if written < size/2 {
			middleKey = key
		}
		n, _ := fmt.Fprintf(w, "\n  %q: {\"sessionId\": \"id-%d\", \"updatedAt\": %d, \"skillsSnapshot\": {\"prompt\": \"%s\"}, \"modelProvider\": \"anthropic\"}", key, i, 1_780_000_000_000+i, ballast)
		written += n
	}
	fmt.Fprint(w, "\n}")
	if err := w.Flush(); err != nil {
		tb.Fatal(err)
	}
	return middleKey
}

// One session out of a large file is found in little memory.
func TestLargeSessionsMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 50 MB")
	}
	path := filepath.Join(t.TempDir(), "sessions.json")
	key := writeSessions(t, path, 50<<20)
	store := jsonSessions{files: SystemEnv().FS, path: path}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	session, err := FindSession(store, "main", key)
	if err != nil || session.Key != key {
		t.Fatal(session, err)
	}
	if _, err = FindSession(store, "main", ""); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if grown := after.Sys - before.Sys; grown > 32<<20 {
		t.Errorf("%d MB more of the system's memory", grown>>20)
	}
}

func BenchmarkFindSession(b *testing.B) {
	path := filepath.Join(b.TempDir(), "sessions.json")
	key := writeSessions(b, path, 20<<20)
	store := jsonSessions{files: SystemEnv().FS, path: path}
	for name, query := range map[string]string{"key": key, "newest": ""} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(20 << 20)
			for b.Loop() {
				if _, err := FindSession(store, "main", query); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
