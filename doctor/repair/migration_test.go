package repair

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3"

	"openclaw-auth/doctor"
	"openclaw-auth/doctor/internal/doctortest"
	"openclaw-auth/state"
)

// outcome is what OpenClaw's own doctor made of a home (testdata/doctor/after.json.gz).
type outcome struct {
	Before struct {
		Records []map[string]any
	}
	BeforeStores map[string]map[string]any // rows that databases held before
	After        result
}

func outcomes(t *testing.T) map[string]outcome {
	t.Helper()
	all := map[string]outcome{}
	if err := json.NewDecoder(doctortest.Unzipped(t, "after.json.gz")).Decode(&all); err != nil {
		t.Fatal(err)
	}
	return all
}

// sampleDatabase is the path of a database as OpenClaw of a release makes it,
// without profiles, sessions and records.
func sampleDatabase(t *testing.T, release, name string) string {
	t.Helper()
	root := t.TempDir()
	doctortest.Unpack(t, filepath.Join("..", "homes", release+".tar.gz"), func(file string, content []byte) {
		if strings.HasPrefix(strings.TrimPrefix(file, "./"), name) {
			doctortest.Write(t, root, filepath.Base(file), string(content))
		}
	})
	path := filepath.Join(root, filepath.Base(name))
	run(t, path, "PRAGMA foreign_keys = OFF; PRAGMA journal_mode = DELETE")
	for _, table := range []string{"auth_profile_store", "auth_profile_state", "session_nodes", "migration_sources", "migration_runs"} {
		run(t, path, "DELETE FROM "+table+" WHERE (SELECT count(*) FROM sqlite_master WHERE name = '"+table+"') > 0")
	}
	run(t, path, "DELETE FROM config_machine_state WHERE state_key LIKE 'authProfiles%'")
	return path
}

// run executes SQL; a table that the database does not have is no error.
func run(t *testing.T, path, sql string, values ...string) {
	t.Helper()
	connection, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	statement, _, err := connection.Prepare(sql)
	if err != nil {
		if strings.Contains(err.Error(), "no such table") {
			return
		}
		t.Fatal(err)
	}
	defer statement.Close()
	if len(values) == 0 {
		if err := connection.Exec(sql); err != nil {
			t.Fatal(err)
		}
		return
	}
	for i, value := range values {
		if err := statement.BindText(i+1, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := statement.Exec(); err != nil {
		t.Fatal(err)
	}
}

// databases puts the databases into a home that OpenClaw would have made by now:
// openclaw-auth makes none itself.
func databases(t *testing.T, home string, samples map[string]string, before outcome) {
	t.Helper()
	agents, _ := filepath.Glob(filepath.Join(home, "agents", "*"))
	agents = append(agents, filepath.Join(home, "agents", "main"))
	for _, dir := range agents {
		path := filepath.Join(dir, "agent", "openclaw-agent.sqlite")
		if _, err := os.Stat(path); err == nil {
			continue
		}
		copyFile(t, samples["agent"], path)
		run(t, path, "UPDATE schema_meta SET agent_id = ?1", filepath.Base(dir))
		stored := before.BeforeStores["database "+filepath.Base(dir)]
		if stored != nil {
			profiles, state := split(t, stored)
			run(t, path, "INSERT INTO auth_profile_store VALUES ('primary', ?1, 1)", profiles)
			if state != "" {
				run(t, path, "INSERT INTO auth_profile_state VALUES ('primary', ?1, 1)", state)
			}
		}
	}
	if samples["state"] == "" {
		return
	}
	path := filepath.Join(home, "state", "openclaw.sqlite")
	copyFile(t, samples["state"], path)
	if stored := before.BeforeStores["shared"]; stored != nil {
		profiles, _ := split(t, stored)
		run(t, path, "INSERT INTO config_machine_state VALUES ('authProfiles.store', ?1, 1)", profiles)
	}
	for _, record := range before.Before.Records {
		source := filepath.Join(home, filepath.FromSlash(record["source"].(string)))
		key := fmt.Sprintf("auth-profile-v2:%x", sha256.Sum256([]byte(source+"\x00"+record["sha"].(string))))
		report, err := json.Marshal(map[string]any{
			"archivePath": filepath.Join(home, filepath.FromSlash(record["archive"].(string))), "targetStoreKey": record["key"], "expectedProfileSha256": record["profiles"],
		})
		if err != nil {
			t.Fatal(err)
		}
		run(t, path, "INSERT INTO migration_runs VALUES (?1, 1, 1, 'completed', ?2)", key+":run", string(report))
		run(t, path, "INSERT INTO migration_sources VALUES (?1, 'auth-profile-json-to-sqlite-v2', ?2, ?3, ?4, ?5, ?6, ?7, 'completed', 1, 1, ?8)",
			key, source, record["table"].(string), record["sha"].(string), fmt.Sprint(record["size"]), fmt.Sprint(record["count"]), key+":run", string(report))
	}
}

// split is a store as the two texts that a database keeps.
func split(t *testing.T, stored map[string]any) (profiles, state string) {
	t.Helper()
	text := func(doc map[string]any) string {
		doc["version"] = 1
		encoded, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		return string(encoded)
	}
	rest := maps.Clone(stored)
	delete(rest, "profiles")
	if len(rest) > 0 {
		state = text(rest)
	}
	return text(map[string]any{"profiles": stored["profiles"]}), state
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

var stamps = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\.migrated-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`), ".migrated-TIME-UUID"},
	{regexp.MustCompile(`\.\d{13}\.bak$`), ".MS.bak"},
}

// sessionMember are the members of a session that decide about models and profiles.
var sessionMember = regexp.MustCompile(`^(providerOverride|model.*|authProfile.*|fallbackNotice.*|agentHarnessId|agentRuntimeOverride)$`)

// TestMigrations migrates the homes that OpenClaw's own doctor was run on and
// compares: what concerns auth is the same, but for the differences below. A
// second run changes nothing, and undoing all of it gives every file back.
func TestMigrations(t *testing.T) {
	agent71 := sampleDatabase(t, "2026.7.1", ".openclaw/agents/work/agent/openclaw-agent.sqlite")
	samples := map[string]map[string]string{
		"2026.7.1": {"agent": agent71},
		"2026.9.6": {
			"agent": sampleDatabase(t, "2026.9.6", ".openclaw/agents/work/agent/openclaw-agent.sqlite"),
			"state": sampleDatabase(t, "2026.9.6", ".openclaw/state/openclaw.sqlite"),
		},
	}
	all := outcomes(t)
	root := t.TempDir()
	met := map[string]bool{}
	for _, name := range doctortest.UnpackTrees(t, root) {
		release, _, _ := strings.Cut(name, "/")
		home := filepath.Join(root, filepath.FromSlash(name))
		t.Run(name, func(t *testing.T) {
			want := all[name]
			at := queryOf(t, home, release, nil).Home
			stateDir := at.StateDir
			if samples[release] != nil {
				databases(t, stateDir, samples[release], want)
			}
			before, held := content(t, home), readResult(t, stateDir, at.ConfigPath)
			fixAll(t, home, release)
			got := readResult(t, stateDir, at.ConfigPath)
			compareMigration(t, name, want.After, got, met)
			if backups, _ := written(Fix(t.Context(), queryOf(t, home, release, nil), doctor.Examine(queryOf(t, home, release, nil)).Findings, fixOptions)); len(backups) > 0 {
				t.Errorf("the second run writes again: %v", backups)
			}
			undoAll(t, home, release)
			if diff := cmp.Diff(before, content(t, home), cmp.FilterPath(isDatabasePath, cmp.Ignore())); diff != "" {
				t.Errorf("undoing did not give back what was there (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(held.lines(), readResult(t, stateDir, at.ConfigPath).lines()); diff != "" {
				t.Errorf("undoing did not give back what databases held (-want +got):\n%s", diff)
			}
		})
	}
	for _, d := range differences {
		if !met[d.name] && !testing.Short() {
			t.Errorf("%q: OpenClaw does the same by now, or nothing shows the difference", d.name)
		}
	}
}

// fixAll repairs a home until nothing changes, as the command does.
func fixAll(t *testing.T, home, release string) (notes []string) {
	t.Helper()
	for range 5 {
		fixed := fix(t, queryOf(t, home, release, nil), fixOptions)
		for _, f := range fixed {
			notes = append(append(notes, f.Notes...), f.Left...)
			if f.Written != nil {
				checkSecrets(t, f.Written.Changes)
			}
		}
		if secret := fakeSecret.FindString(strings.Join(notes, "\n")); secret != "" {
			t.Errorf("a note tells the secret %s", secret)
		}
		if backups, _ := written(fixed); len(backups) == 0 {
			return notes
		}
	}
	t.Error("five runs, and still something changes")
	return notes
}

// fakeSecret are the secrets of the sample homes.
var fakeSecret = regexp.MustCompile(`(sk|acc|ref|tok|gw)-test[A-Za-z0-9-]*|only-access|dropme`)

func checkSecrets(t *testing.T, changes []state.Change) {
	t.Helper()
	for _, change := range changes {
		for _, d := range change.Diff() {
			if secret := fakeSecret.FindString(d.Before + d.After); secret != "" {
				t.Errorf("%s %s: %v shows the secret %s", change.File, change.Part, d.Path, secret)
			}
		}
	}
}

func undoAll(t *testing.T, home, release string) {
	t.Helper()
	for {
		q := queryOf(t, home, release, nil)
		backup, err := q.Home.FindBackup("")
		if errors.Is(err, state.ErrNoBackup) {
			return
		}
		if err == nil {
			_, err = q.Home.Undo(t.Context(), backup, fixOptions)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
