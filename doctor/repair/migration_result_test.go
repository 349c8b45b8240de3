package repair

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3"
)

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

func isDatabasePath(path cmp.Path) bool {
	index, ok := path.Last().(cmp.MapIndex)
	return ok && strings.Contains(index.Key().String(), ".sqlite") && !strings.Contains(index.Key().String(), "sqlite-import.")
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
