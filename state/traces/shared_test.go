package traces_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"openclaw-auth/chain/history"
	"openclaw-auth/state"
	"openclaw-auth/state/traces"
)

// sharedSchema is the tables of 2026.9.6's state database that record runs.
const sharedSchema = `
CREATE TABLE schema_meta(meta_key TEXT NOT NULL PRIMARY KEY, role TEXT NOT NULL, schema_version INTEGER NOT NULL, agent_id TEXT, app_version TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
INSERT INTO schema_meta VALUES('primary', 'global', 18, NULL, '2026.9.6', 1, 1);
CREATE TABLE task_runs (task_id TEXT NOT NULL PRIMARY KEY, runtime TEXT NOT NULL, child_session_key TEXT, agent_id TEXT, run_id TEXT, status TEXT NOT NULL, ended_at INTEGER, error TEXT, detail_json TEXT) STRICT;
INSERT INTO task_runs VALUES
 ('t1', 'cron', 'agent:job:cron:j', 'job', 'r1', 'succeeded', 1796072410000, NULL, '{"provider":"core","model":"a1"}'),
 ('t2', 'cron', 'agent:job:cron:j', 'job', 'r2', 'failed', 1796072470000, 'All models failed, key sk-abcdef1234567890', NULL),
 ('t3', 'subagent', 'agent:job:sub', 'job', 'r3', 'failed', 1796072480000, 'not a cron job', NULL);
CREATE TABLE cron_run_receipts (receipt_id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, request_run_id TEXT, status TEXT NOT NULL, finished_at_ms INTEGER, error_text TEXT) STRICT;
INSERT INTO cron_run_receipts VALUES
 ('c2', 'job', 'r2', 'error', 1796072470400, 'All models failed'),
 ('c4', 'job', 'r4', 'interrupted', 1796072530000, 'gateway stopped'),
 ('c5', 'job', 'r5', 'skipped', 1796072590000, NULL);
CREATE TABLE audit_events (sequence INTEGER PRIMARY KEY, occurred_at INTEGER NOT NULL, kind TEXT NOT NULL, action TEXT NOT NULL, status TEXT NOT NULL, error_code TEXT, agent_id TEXT, session_key TEXT, session_id TEXT, run_id TEXT) STRICT;
INSERT INTO audit_events VALUES
 (1, 1796072650000, 'agent_run', 'started', 'started', NULL, 'main', 'agent:main:main', 's1', 'a1'),
 (2, 1796072651000, 'tool_action', 'finished', 'failed', 'x', 'main', 'agent:main:main', 's1', 'a1'),
 (3, 1796072655000, 'agent_run', 'finished', 'failed', 'run_failed', 'main', 'agent:main:main', 's1', 'a1');
PRAGMA user_version = 18;
`

// Runs of cron jobs and those that a gateway has audited, out of the state
// database: a run that two tables hold is told once, and only the audit knows of
// a run whose log and transcript are gone.
func TestSharedRuns(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, ".openclaw", "state", "openclaw.sqlite")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	jobs := filepath.Join(dir, ".openclaw", "cron", "runs")
	if err := os.MkdirAll(jobs, 0o700); err != nil {
		t.Fatal(err)
	}
	// As releases up to 2026.5.12 wrote it; an upgrade leaves the file.
	row := `{"ts":1796072350000,"jobId":"old","action":"finished","status":"ok","summary":"the answer","sessionId":"s9","sessionKey":"agent:job:cron:old","runAtMs":1796072340000,"durationMs":10000,"model":"b1","provider":"backup"}` + "\n"
	if err := os.WriteFile(filepath.Join(jobs, "old.jsonl"), []byte(row), 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sqlite3.Open("file:" + filepath.ToSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Exec(sharedSchema); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	env := state.SystemEnv().With(map[string]string{"HOME": dir, "OPENCLAW_HOME": "", "OPENCLAW_STATE_DIR": "", "OPENCLAW_CONFIG_PATH": ""})
	opened, err := state.Open(env, "2026.9.6")
	if err != nil {
		t.Fatal(err)
	}
	var events []history.Event
	for i, past := range traces.Shared(opened.Home, traces.Query{}) {
		if err := past.Read(i, &history.Source{}, func(event *history.Event) bool { events = append(events, *event); return true }); err != nil {
			t.Fatal(err)
		}
	}
	var runs []*history.Run
	history.Tell(history.NewStory(history.Options{}, func(run *history.Run) { runs = append(runs, run) }), events, nil, nil)
	type summary struct {
		key, winner, detail string
		outcome             history.Outcome
		cron                bool
	}
	want := []summary{
		{"agent:job:cron:old", "backup/b1", "", history.OutcomeSelected, true},
		{"agent:job:cron:j", "core/a1", "", history.OutcomeSelected, true},
		{"agent:job:cron:j", "", "All models failed, key sk-****", history.OutcomeFailed, true},
		{"", "", "gateway stopped", history.OutcomeFailed, true},
		{"agent:main:main", "", "", history.OutcomeFailed, false},
	}
	if len(runs) != len(want) {
		t.Fatalf("%d runs, want %d", len(runs), len(want))
	}
	for i, run := range runs {
		got := summary{run.SessionKey, "", "", run.Outcome, run.Cron}
		if !run.Winner.IsZero() {
			got.winner = run.Winner.String()
		}
		for _, step := range run.Steps {
			if step.Kind == history.StepExhausted {
				got.detail = step.Detail
			}
			if step.Certainty != history.Recorded {
				t.Errorf("run %d: %s is %s", i+1, step.Kind, step.Certainty)
			}
		}
		if got != want[i] {
			t.Errorf("run %d: %+v, want %+v", i+1, got, want[i])
		}
	}
}
