package traces_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ncruces/go-sqlite3"

	"openclaw-auth/chain/history"
	"openclaw-auth/state"
	"openclaw-auth/state/traces"
)

// pastRelease is a home whose agents' databases are made by the test.
const pastSchema = `
PRAGMA journal_mode = WAL;
CREATE TABLE schema_meta(meta_key TEXT NOT NULL PRIMARY KEY, role TEXT NOT NULL, schema_version INTEGER NOT NULL, agent_id TEXT, app_version TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
INSERT INTO schema_meta VALUES('primary', 'agent', 23, 'main', '2026.9.6', 1, 1);
CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, created_at INTEGER NOT NULL, event_zstd BLOB, PRIMARY KEY (session_id, seq)) STRICT;
CREATE TABLE trajectory_runtime_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, run_id TEXT, event_json TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (session_id, seq)) STRICT;
CREATE TABLE session_transcript_archives (session_id TEXT NOT NULL, generation TEXT NOT NULL, session_key TEXT NOT NULL, encoding TEXT NOT NULL, archive_blob BLOB NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (session_id, generation)) STRICT;
CREATE TABLE session_windows (session_id TEXT NOT NULL PRIMARY KEY, session_key TEXT NOT NULL, updated_at INTEGER NOT NULL) STRICT;
CREATE TABLE session_nodes (session_key TEXT NOT NULL PRIMARY KEY, current_session_id TEXT NOT NULL, entry_json TEXT NOT NULL, updated_at INTEGER NOT NULL) STRICT;
PRAGMA user_version = 23;
`

// records is a turn of a transcript as 2026.9.6 writes it: the fallback answers.
func records(minute int) []string {
	at := func(second int) string { return fmt.Sprintf("2026-11-30T21:%02d:%02d.000Z", minute, second) }
	return []string{
		fmt.Sprintf(`{"type":"message","timestamp":%q,"message":{"role":"user","content":"question %d","timestamp":%d}}`, at(0), minute, 1796072400000+minute*60_000),
		fmt.Sprintf(`{"type":"message","timestamp":%q,"message":{"role":"assistant","content":[],"provider":"core","model":"a1","stopReason":"error","errorMessage":"529 Overloaded"}}`, at(5)),
		fmt.Sprintf(`{"type":"message","timestamp":%q,"message":{"role":"assistant","content":[],"provider":"backup","model":"b1","stopReason":"stop"}}`, at(9)),
	}
}

func pastHome(t *testing.T) *state.Home {
	t.Helper()
	dir := t.TempDir()
	agent := filepath.Join(dir, ".openclaw", "agents", "main", "agent")
	if err := os.MkdirAll(agent, 0o700); err != nil {
		t.Fatal(err)
	}
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sqlite3.Open("file:" + filepath.ToSlash(filepath.Join(agent, "openclaw-agent.sqlite")))
	if err != nil {
		t.Fatal(err)
	}
	run := func(query string, values ...any) {
		t.Helper()
		statement, _, err := db.Prepare(query)
		if err != nil {
			t.Fatal(err)
		}
		defer statement.Close()
		for i, value := range values {
			if blob, ok := value.([]byte); ok {
				err = statement.BindBlob(i+1, blob)
			} else if text, ok := value.(string); ok {
				err = statement.BindText(i+1, text)
			} else {
				err = statement.BindInt64(i+1, int64(value.(int)))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := statement.Exec(); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Exec(pastSchema); err != nil {
		t.Fatal(err)
	}
	var archive []byte
	for i, record := range slices.Concat(records(1), records(2)) {
		if i%2 == 0 {
			run("INSERT INTO transcript_events VALUES('s1', ?, NULL, 1, ?)", i, encoder.EncodeAll([]byte(record), nil))
		} else {
			run("INSERT INTO transcript_events VALUES('s1', ?, ?, 1, NULL)", i, record)
		}
	}
	run("INSERT INTO transcript_events VALUES('s1', 99, NULL, 1, ?)", []byte("no zstd at all"))
	for _, record := range records(3) {
		archive = append(archive, record...)
		archive = append(archive, '\n')
	}
	run("INSERT INTO session_transcript_archives VALUES('s0', 'g', 'agent:main:main', 'zstd', ?, 1)", encoder.EncodeAll(archive, nil))
	run("INSERT INTO session_windows VALUES('s1', 'agent:main:main', 1), ('s0', 'agent:main:main', 1)")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	env := state.SystemEnv().With(map[string]string{"HOME": dir, "OPENCLAW_HOME": "", "OPENCLAW_STATE_DIR": "", "OPENCLAW_CONFIG_PATH": ""})
	opened, err := state.Open(env, "2026.9.6")
	if err != nil {
		t.Fatal(err)
	}
	return opened.Home
}

// Transcripts in a database: plain rows, packed ones, archives of sessions that
// were reset; a row that can't be unpacked is counted.
func TestPastInDatabase(t *testing.T) {
	home := pastHome(t)
	config, err := home.ReadConfig()
	if err != nil {
		t.Fatal(err)
	}
	agent := home.Agents(config)[0]
	sources, err := traces.Find(home, config, agent, traces.Query{})
	if err != nil {
		t.Fatal(err)
	}
	var events []history.Event
	unreadable := int64(0)
	for i := range sources {
		var source history.Source
		if err := sources[i].Read(i, &source, func(event *history.Event) bool { events = append(events, *event); return true }); err != nil {
			t.Fatal(err)
		}
		unreadable += source.Unreadable
	}
	if unreadable != 1 {
		t.Errorf("%d unreadable rows, want 1", unreadable)
	}
	sessions, err := traces.Sessions(home, config, agent)
	if err != nil || len(sessions) != 2 {
		t.Fatalf("sessions %v, %v", sessions, err)
	}
	var runs []*history.Run
	history.Tell(history.NewStory(history.Options{Sessions: sessions}, func(run *history.Run) { runs = append(runs, run) }), events, nil, nil)
	slices.SortFunc(runs, func(a, b *history.Run) int { return cmp.Compare(a.StartedAt, b.StartedAt) })
	if len(runs) != 3 {
		t.Fatalf("%d runs, want 3", len(runs))
	}
	for i, run := range runs {
		text, _ := json.Marshal(run)
		if run.Outcome != history.OutcomeFallback || run.Winner.String() != "backup/b1" || run.Requested.String() != "core/a1" || run.Failures() != 1 || run.SessionKey != "agent:main:main" {
			t.Errorf("run %d: %s", i+1, text)
		}
	}
	one, err := traces.Find(home, config, agent, traces.Query{Session: "s0"})
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for i := range one {
		if err := one[i].Read(i, &history.Source{}, func(*history.Event) bool { count++; return true }); err != nil {
			t.Fatal(err)
		}
	}
	if count != 3 {
		t.Errorf("%d events of one session, want 3", count)
	}
}

// The logs of a day with its rotated parts come in the order of time; those of
// another profile and of a time before --since don't.
func TestLogs(t *testing.T) {
	dir := t.TempDir()
	logs := filepath.Join(dir, "openclaw")
	if err := os.MkdirAll(logs, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"openclaw-2026-11-30.log", "openclaw-2026-11-30.1.log", "openclaw-2026-11-30.2.log", "openclaw-2026-11-29.log",
		"openclaw-work-2026-11-30.log", "other.log", "openclaw-2026-11-30.log.gz",
	} {
		if err := os.WriteFile(filepath.Join(logs, name), []byte("x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := state.SystemEnv().With(map[string]string{"HOME": dir, "TMPDIR": dir, "OPENCLAW_HOME": "", "OPENCLAW_STATE_DIR": "", "OPENCLAW_CONFIG_PATH": ""})
	for profile, want := range map[string][]string{
		"":     {"openclaw-2026-11-29.log", "openclaw-2026-11-30.2.log", "openclaw-2026-11-30.1.log", "openclaw-2026-11-30.log"},
		"work": {"openclaw-2026-11-29.log", "openclaw-2026-11-30.2.log", "openclaw-2026-11-30.1.log", "openclaw-2026-11-30.log", "openclaw-work-2026-11-30.log"},
	} {
		opened, err := state.Open(env.With(map[string]string{"OPENCLAW_PROFILE": profile}), "2026.9.6")
		if err != nil {
			t.Fatal(err)
		}
		home, config := opened.Home, opened.Config
		found, _ := traces.Logs(home, config, 0)
		var names []string
		for _, log := range found {
			if filepath.Dir(log.Path) == logs {
				names = append(names, filepath.Base(log.Path))
			}
		}
		if !slices.Equal(names, want) {
			t.Errorf("profile %q: %q, want %q", profile, names, want)
		}
		if younger, _ := traces.Logs(home, config, 9e15); len(younger) != 0 {
			t.Errorf("%d logs are from the future", len(younger))
		}
	}
}

// The rows of a database are read session by session, each from the time that its
// first record tells, and go on where they were when another process opens the
// database in the middle.
func TestDatabaseBySession(t *testing.T) {
	home := pastHome(t)
	config, err := home.ReadConfig()
	if err != nil {
		t.Fatal(err)
	}
	agent := home.Agents(config)[0]
	sources, err := traces.Find(home, config, agent, traces.Query{})
	if err != nil {
		t.Fatal(err)
	}
	begins := map[string]int64{}
	for _, source := range sources {
		begins[source.Session+" "+source.Table] = source.Begin
	}
	if want := map[string]int64{"s1 transcript_events": 1, "s0 session_transcript_archives": 1}; !maps.Equal(begins, want) {
		t.Errorf("begins %v, want %v", begins, want)
	}
	if late, err := traces.Find(home, config, agent, traces.Query{Since: 2}); err != nil || len(late) != 0 {
		t.Errorf("%d sources that were written to later, %v", len(late), err)
	}
	path := home.Sessions(config, agent).File()
	events := 0
	for i := range sources {
		err := sources[i].Read(i, &history.Source{}, func(*history.Event) bool {
			if events++; events == 2 {
				writeInto(t, path)
			}
			return true
		})
		if err != nil {
			t.Errorf("%s: %v", sources[i].Table, err)
		}
	}
	if events != 9 {
		t.Errorf("%d events, want 9", events)
	}
}

// writeInto writes to a database as another process does.
func writeInto(t *testing.T, path string) {
	t.Helper()
	db, err := sqlite3.Open("file:" + filepath.ToSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := db.Exec("INSERT INTO session_windows VALUES('s9', 'agent:main:other', 1)"); err != nil {
		t.Fatal(err)
	}
}
