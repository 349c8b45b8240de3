package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// migratingFiles are files of older releases beside the databases of 2026.7.1:
// both agents have a login of openai-codex, which is renamed everywhere.
var migratingFiles = map[string]string{
	conf: `{
  // kept
  "meta": {"lastTouchedVersion": "2026.7.1"},
  "agents": {"defaults": {"model": {"primary": "openai-codex/gpt-5.5"}}, "list": [{"id": "main", "default": true}, {"id": "work"}]},
  "auth": {"order": {"openai-codex": ["openai-codex:k"]}},
}`,
	"agents/main/agent/auth-profiles.json": `{"version":1,"profiles":{"openai-codex:k":{"type":"oauth","provider":"openai-codex","access":"fake-a","refresh":"fake-r","expires":1999999999000}},"order":{"openai-codex":["openai-codex:k"]}}`,
	"agents/work/agent/auth-profiles.json": `{"version":1,"profiles":{"openai-codex:w":{"type":"oauth","provider":"openai-codex","access":"fake-b","refresh":"fake-s","expires":1999999999000}}}`,
	"agents/work/agent/auth-state.json":    `{"version":1,"usageStats":{"openai-codex:w":{"errorCount":1}}}`,
	"agents/main/sessions/sessions.json":   `{"agent:main:main":{"sessionId":"1","updatedAt":1,"providerOverride":"openai-codex","modelOverride":"gpt-5.5","authProfileOverride":"openai-codex:k"}}`,
}

// TestKilledMigration kills a migration of two agents, their databases, the
// configuration and sessions at random moments. The next run takes back what is
// half done, and does all of it.
func TestKilledMigration(t *testing.T) {
	home := databaseHome(t)
	write(t, home, migratingFiles)
	dir := filepath.Join(home, ".openclaw")
	before := filesOf(t, dir)
	for name := range before {
		if strings.HasSuffix(name, ".bak") { // of the import that the home was made by
			delete(before, name)
		}
	}
	reset(t, dir, before)
	run := func(args ...string) string {
		command := process(home, args...)
		command.Env = command.Env[:1] // every agent
		out, err := command.CombinedOutput()
		if err != nil && command.ProcessState.ExitCode() != 1 {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
		return string(out)
	}
	// What a home says, whatever the names of archives.
	says := func() map[string]string {
		texts := map[string]string{}
		for name, text := range filesOf(t, dir) {
			if !strings.Contains(name, ".sqlite") || strings.Contains(name, "sqlite-import.") {
				texts[regexp.MustCompile(`\d{13}`).ReplaceAllString(name, "MS")] = text
			}
		}
		for _, agent := range []string{"main", "work"} {
			texts[agent] = run("state", "show", "--agent", agent, "--json", "--now", "2026-08-01T00:00:00Z") + run("auth", "list", "--agent", agent, "--json", "--now", "2026-08-01T00:00:00Z")
		}
		return texts
	}
	old := says()
	start := time.Now()
	out := run("doctor", "--fix", "--yes", "--lock-timeout", "30s")
	took := time.Since(start)
	migrated := says()
	if strings.Contains(fmt.Sprint(migrated[conf], migrated["main"], migrated["work"]), "openai-codex:k") || !strings.Contains(migrated["agents/main/sessions/sessions.json"], `"openai:k"`) || !strings.Contains(migrated[conf], "// kept") {
		t.Fatalf("not migrated: %s\n%v", out, migrated)
	}
	run("undo")
	if diff := cmp.Diff(old, says()); diff != "" {
		t.Fatalf("an undo of all did not give back what was there (-want +got):\n%s", diff)
	}

	kills, died, half := 20, 0, 0
	if long {
		kills = 300
	}
	for range kills {
		reset(t, dir, before)
		command := process(home, "doctor", "--fix", "--yes")
		command.Env = command.Env[:1]
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(rand.N(took))
		_ = command.Process.Kill() // it may have ended already
		if command.Wait() != nil {
			died++
		}
		if _, err := os.Stat(filepath.Join(dir, "openclaw-auth", "unfinished")); err == nil {
			half++
			if out := run("doctor", "--only", "files/unfinished"); !strings.Contains(out, "not finished") {
				t.Errorf("doctor does not report it: %s", out)
			}
		}
		run("doctor", "--fix", "--yes", "--lock-timeout", "30s")
		if diff := cmp.Diff(migrated, says()); diff != "" {
			t.Fatalf("after a kill and another run (-want +got):\n%s", diff)
		}
	}
	t.Logf("%d of %d were killed before they ended, %d half done", died, kills, half)
	checkClean(t, home)
}

// filesOf are the files below a directory by their names, without those of
// openclaw-auth.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "openclaw-auth":
			return fs.SkipDir
		case entry.IsDir():
			return nil
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// reset makes a state directory hold some files, and nothing else.
func reset(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMigrateLeftovers repairs what OpenClaw's own migration of a home left
// under the old id of a login (2026.7.1): usage, lastGood and the pin of a
// session. Its configuration includes other files, and has nothing to rename.
func TestMigrateLeftovers(t *testing.T) {
	home := databaseHome(t)
	old := []byte("openai-codex:user@example.com")
	sessions := filepath.Join(home, ".openclaw", "agents", "work", "sessions", "sessions.json")
	look := func() (profiles, state, pins []byte) {
		profiles, state = storeTexts(t, home)
		pins, err := os.ReadFile(sessions)
		if err != nil {
			t.Fatal(err)
		}
		return profiles, state, pins
	}
	profiles, state, pins := look()
	if bytes.Contains(profiles, old) || !bytes.Contains(state, old) || !bytes.Contains(pins, old) {
		t.Fatal("the home is not as OpenClaw left it")
	}
	command := process(home, "doctor", "--fix", "--yes", "--only", "rename")
	command.Env = command.Env[:1] // every agent
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	now, state, pins := look()
	if !bytes.Equal(now, profiles) || bytes.Contains(state, old) || bytes.Contains(pins, old) || !bytes.Contains(pins, []byte(`"openai:user@example.com"`)) {
		t.Errorf("%s\n%s", state, pins)
	}
}
