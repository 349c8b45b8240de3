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
	"slices"
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

// result is what concerns auth in a home.
type result struct {
	NoDump   bool   // what the databases hold is not recorded
	Dir      string // the name of the state directory, "" for .openclaw
	Config   any
	Stores   map[string]map[string]any            // "files AGENT", "database AGENT", "shared": profiles, order, lastGood, usageStats
	Sessions map[string]map[string]map[string]any // by agent and key
	Files    []string
	Records  []map[string]any
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

// readResult reads what concerns auth in a home as it is now.
func readResult(t *testing.T, home, config string) result {
	t.Helper()
	r := result{Dir: filepath.Base(home), Stores: map[string]map[string]any{}, Sessions: map[string]map[string]map[string]any{}}
	if value, err := parse(config); err == nil {
		r.Config = value
	}
	add := func(store string, doc any) {
		for name, value := range asMap(doc) {
			if name == "version" {
				continue
			}
			if r.Stores[store] == nil {
				r.Stores[store] = map[string]any{}
			}
			r.Stores[store][name] = value
		}
	}
	dirs, _ := filepath.Glob(filepath.Join(home, "agents", "*"))
	for _, dir := range dirs {
		agent := filepath.Base(dir)
		for _, name := range []string{"auth-profiles.json", "auth-state.json"} {
			value, err := parse(filepath.Join(dir, "agent", name))
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				value = map[string]any{"unreadable": true}
			}
			add("files "+agent, value)
		}
		path := filepath.Join(dir, "agent", "openclaw-agent.sqlite")
		add("database "+agent, column(t, path, "SELECT store_json FROM auth_profile_store"))
		add("database "+agent, column(t, path, "SELECT state_json FROM auth_profile_state"))
		if value, err := parse(filepath.Join(dir, "sessions", "sessions.json")); err == nil {
			r.Sessions[agent] = map[string]map[string]any{}
			for key, entry := range asMap(value) {
				r.Sessions[agent][key] = asMap(entry)
			}
		}
	}
	path := filepath.Join(home, "state", "openclaw.sqlite")
	add("shared", column(t, path, "SELECT value_json FROM config_machine_state WHERE state_key = 'authProfiles.store'"))
	add("shared", column(t, path, "SELECT value_json FROM config_machine_state WHERE state_key = 'authProfiles.state'"))
	records := column(t, path, `SELECT json_group_array(json_object('source', source_path, 'table', target_table, 'sha', source_sha256, 'size', source_size_bytes,
		'count', source_record_count, 'status', status, 'archive', report_json ->> '$.archivePath', 'key', report_json ->> '$.targetStoreKey',
		'profiles', json_extract(report_json, '$.expectedProfileSha256'), 'state', report_json ->> '$.expectedStateSha256')) FROM migration_sources`)
	if list, ok := records.([]any); ok {
		for _, record := range list {
			record := asMap(record)
			record["source"] = strings.TrimPrefix(record["source"].(string), home+"/")
			record["archive"] = unstamped(strings.TrimPrefix(record["archive"].(string), home+"/"))
			r.Records = append(r.Records, record)
		}
	}
	for file := range content(t, home) {
		name, _ := filepath.Rel(home, file)
		if strings.Contains(name, ".sqlite") && !strings.Contains(name, "sqlite-import.") || strings.HasPrefix(name, "openclaw.json") || filepath.Base(name) == "models.json" {
			continue
		}
		r.Files = append(r.Files, unstamped(filepath.ToSlash(name)))
	}
	return r
}

var stamps = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\.migrated-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`), ".migrated-TIME-UUID"},
	{regexp.MustCompile(`\.\d{13}\.bak$`), ".MS.bak"},
}

// unstamped is the name of an archive without what differs from run to run.
func unstamped(name string) string {
	for _, stamp := range stamps {
		name = stamp.pattern.ReplaceAllString(name, stamp.instead)
	}
	return name
}

func parse(path string) (any, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var value any
	return value, json.Unmarshal(text, &value)
}

// column is the first column of a query's first row as JSON; nil for none.
func column(t *testing.T, path, sql string) any {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	connection, err := sqlite3.OpenFlags(path, sqlite3.OPEN_READONLY)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	statement, _, err := connection.Prepare(sql)
	if err != nil {
		if strings.Contains(err.Error(), "no such table") {
			return nil
		}
		t.Fatal(err)
	}
	defer statement.Close()
	var value any
	if statement.Step() {
		if err := json.Unmarshal([]byte(statement.ColumnText(0)), &value); err != nil {
			t.Fatal(err)
		}
	}
	return value
}

func asMap(value any) map[string]any { object, _ := value.(map[string]any); return object }

// lines tells a result line by line, what two of them can be compared by.
func (r result) lines() []string {
	var lines []string
	add := func(value any, words ...any) {
		text, _ := json.Marshal(value) // keys sorted
		lines = append(lines, fmt.Sprint(append(words, string(text))...))
	}
	if r.Dir != "" && r.Dir != ".openclaw" {
		add(r.Dir, "directory ")
	}
	for store, sections := range r.Stores {
		for section, value := range sections {
			for key, entry := range asMap(value) {
				add(entry, store, " ", section, " ", key, " ")
			}
		}
	}
	config := asMap(r.Config)
	for section, value := range asMap(config["auth"]) {
		for key, entry := range asMap(value) {
			add(entry, "config auth ", section, " ", key, " ")
		}
	}
	agents := asMap(config["agents"])
	for _, name := range []string{"model", "imageModel"} {
		if value, ok := asMap(agents["defaults"])[name]; ok {
			add(value, "config agents.defaults.", name, " ")
		}
	}
	for ref, entry := range asMap(asMap(agents["defaults"])["models"]) {
		add(entry, "config agents.defaults.models ", ref, " ")
	}
	for _, name := range []string{"list", "agent", "defaultModel"} {
		if value := agents[name]; name == "list" && value != nil {
			add(value, "config agents.list ")
		} else if value := config[name]; value != nil {
			add(value, "config ", name, " ")
		}
	}
	for agent, sessions := range r.Sessions {
		for key, entry := range sessions {
			for name, value := range entry {
				if sessionMember.MatchString(name) {
					add(value, "session ", agent, " ", key, " ", name, " ")
				}
			}
		}
	}
	for _, file := range r.Files {
		lines = append(lines, "file "+file)
	}
	for _, record := range r.Records {
		add(record, "record ")
	}
	slices.Sort(lines)
	return lines
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
			if backups, _ := written(Fix(queryOf(t, home, release, nil), doctor.Examine(queryOf(t, home, release, nil)).Findings, fixOptions)); len(backups) > 0 {
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

func isDatabasePath(path cmp.Path) bool {
	index, ok := path.Last().(cmp.MapIndex)
	return ok && strings.Contains(index.Key().String(), ".sqlite") && !strings.Contains(index.Key().String(), "sqlite-import.")
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
			_, err = q.Home.Undo(backup, fixOptions)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// compareMigration compares line by line; each difference must have a name.
func compareMigration(t *testing.T, name string, want, got result, met map[string]bool) {
	t.Helper()
	if want.NoDump {
		got.Stores, got.Records = nil, nil
	}
	if strings.Contains(name, "/run-") { // recorded beside other profiles, so that hashes of states differ
		for _, record := range got.Records {
			delete(record, "state")
		}
	}
	wanted, have := want.lines(), got.lines()
	check := func(line, sign string) {
		for _, d := range differences {
			if d.trees.MatchString(name) && d.line.MatchString(sign+line) {
				met[d.name] = true
				return
			}
		}
		t.Errorf("%s%s", sign, line)
	}
	for _, line := range wanted {
		if !slices.Contains(have, line) {
			check(line, "- ")
		}
	}
	for _, line := range have {
		if !slices.Contains(wanted, line) {
			check(line, "+ ")
		}
	}
}
