package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"
)

// storedEntries are rows of the secret store as OpenClaw 2026.9.6 writes them:
// "secrets store set" of both kinds, "secrets store rm", which only marks an
// entry, and an entry of one identity.
const storedEntries = `
INSERT INTO secret_store_entries (scope_kind, scope_id, name, value, kind, created_at_ms, updated_at_ms, updated_by, deleted_at_ms) VALUES
	('identity', 'someone', 'TEAM_KEY', 'MARKER-identity', 'secret', 1, 1, 'cli', NULL),
	('team', '', 'REMOVED_KEY', 'MARKER-removed', 'secret', 1, 1, 'cli', 2),
	('team', '', 'TEAM_ENV', 'MARKER-env', 'env', 1, 1, 'cli', NULL),
	('team', '', 'TEAM_KEY', 'MARKER-team', 'secret', 1, 1, 'cli', NULL);
UPDATE config_machine_state SET value_json = json_set(value_json,
	'$.profiles."alpha:team"', json('{"type": "api_key", "provider": "alpha", "keyRef": {"source": "store", "provider": "default", "id": "TEAM_KEY"}}'))
	WHERE state_key = 'authProfiles.store';`

// References of source store lead to the team's entries that are not removed,
// for a profile and for a provider of the configuration. (What is expected is
// what "secrets audit" of 2026.9.6 resolves and what it does not.)
func TestExecStoreRefs(t *testing.T) {
	home := filepath.Join(filepath.Dir(writingHome(t)), "home")
	if err := copyHome("2026.9.6", home); err != nil {
		t.Fatal(err)
	}
	stateDir := filepath.Join(home, ".openclaw")
	database, err := sqlite3.Open(filepath.Join(stateDir, "state", "openclaw.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	if err := database.Exec(storedEntries); err != nil {
		t.Fatal(err)
	}
	if err := database.Close(); err != nil {
		t.Fatal(err)
	}
	provider := func(name, source, id string) string {
		return `"` + name + `": {"baseUrl": "http://127.0.0.1:9", "apiKey": {"source": "store", "provider": "` + source + `", "id": "` + id + `"}, "models": []}`
	}
	config := `{"meta": {"lastTouchedVersion": "2026.9.6"}, "secrets": {"providers": {"vault": {"source": "store"}, "files": {"source": "file", "path": "/nowhere"}}},
		"models": {"providers": {` + strings.Join([]string{
		provider("named", "vault", "TEAM_KEY"), provider("env", "default", "TEAM_ENV"), provider("removed", "default", "REMOVED_KEY"),
		provider("missing", "default", "NO_SUCH_KEY"), provider("unconfigured", "nobody", "TEAM_KEY"), provider("otherwise", "files", "TEAM_KEY"),
	}, ",") + `}}}`
	if err := os.WriteFile(filepath.Join(stateDir, "openclaw.json"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	for model, want := range map[string]string{
		"alpha/m":        "MARKER-team",
		"named/m":        "MARKER-team",
		"env/m":          "MARKER-env",
		"removed/m":      "the secret store has no such entry",
		"missing/m":      "the secret store has no such entry",
		"unconfigured/m": "secrets.providers.nobody is not configured",
		"otherwise/m":    `secrets.providers.files has source "file"`,
	} {
		// The command compares, so that the secret stands nowhere.
		command := process(home, "chain", "exec", "--model", model, "--no-record", "--env", "KEY", "--", "sh", "-c", `test "$KEY" = "$WANTED" && echo same`)
		command.Env = append(command.Env, "WANTED="+want, "PATH="+os.Getenv("PATH"))
		out, err := command.CombinedOutput()
		found := strings.HasPrefix(want, "MARKER")
		if found != (err == nil) || strings.Contains(string(out), "MARKER") {
			t.Errorf("%s: %v %s", model, err, out)
		} else if !found && !strings.Contains(string(out), want) || found && !strings.Contains(string(out), "same") {
			t.Errorf("%s: %s, want %s", model, out, want)
		}
	}
}
