package repair

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"openclaw-auth/auth"
	"openclaw-auth/doctor"
	"openclaw-auth/doctor/internal/doctortest"
	"openclaw-auth/state"
)

// sampleRow is a database of a home in testdata/doctor/repair.
type sampleRow struct {
	Path, Release, Kind, Agent string
	Store, State               json.RawMessage
	Shared                     map[string]json.RawMessage
}

// openSample makes a home of testdata/doctor/repair and returns where it is, and
// the release that it is looked at for.
func openSample(t *testing.T, file string) (root, release string) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	root, release = t.TempDir(), "auto"
	for line := range strings.Lines(string(archive.Comment)) {
		if words := strings.Fields(line); len(words) == 2 && words[0] == "release" {
			release = words[1]
		}
	}
	for _, f := range archive.Files {
		if f.Name != "databases.json" {
			doctortest.Write(t, root, f.Name, string(bytes.TrimSuffix(f.Data, []byte("\n"))))
			continue
		}
		var rows []sampleRow
		if err := json.Unmarshal(f.Data, &rows); err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			makeDatabase(t, filepath.Join(root, "home"), row)
		}
	}
	closeModes(t, root)
	return root, release
}

func makeDatabase(t *testing.T, home string, row sampleRow) {
	t.Helper()
	path := filepath.Join(home, filepath.FromSlash(row.Path))
	sample := map[string]string{"agent": ".openclaw/agents/work/agent/openclaw-agent.sqlite", "state": ".openclaw/state/openclaw.sqlite"}[row.Kind]
	if row.Kind == "state" && row.Release == "2026.7.1" {
		return // nothing of auth is in it there
	}
	copyFile(t, sampleDatabase(t, row.Release, sample), path)
	if row.Kind == "agent" {
		run(t, path, "UPDATE schema_meta SET agent_id = ?1", row.Agent)
	}
	if row.Store != nil {
		run(t, path, "INSERT INTO auth_profile_store VALUES ('primary', ?1, 1)", string(row.Store))
	}
	if row.State != nil {
		run(t, path, "INSERT INTO auth_profile_state VALUES ('primary', ?1, 1)", string(row.State))
	}
	for key, value := range row.Shared {
		run(t, path, "INSERT OR REPLACE INTO config_machine_state VALUES (?1, ?2, 1)", key, string(value))
	}
}

// samples are the homes of testdata/doctor/repair.
func samples(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(doctortest.CasesDir, "repair", "*.txtar"))
	if err != nil || len(files) < 15 {
		t.Fatal(len(files), err)
	}
	return files
}

// TestPlanIsTheWrite plans every sample home, carries the plan out and takes it
// back: what is written is what was planned, what the plan repairs is gone, no
// agent uses another login than before, a second plan is empty, and undoing gives
// every byte back.
func TestPlanIsTheWrite(t *testing.T) {
	for _, file := range samples(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			root, release := openSample(t, file)
			q := queryOf(t, root, release, nil)
			if q.Problem != nil {
				t.Skip(q.Problem)
			}
			before, logins := content(t, root), usedLogins(t, q)
			findings := doctor.Examine(q).Findings
			plan := Make(t.Context(), q, findings, doctor.Info, NewMoment(state.SystemClock{}), fixOptions)
			if diff := cmp.Diff(before, content(t, root)); diff != "" {
				t.Fatalf("planning has written:\n%s", diff)
			}
			again := Make(t.Context(), q, findings, doctor.Info, plan.Moment, fixOptions)
			if diff := cmp.Diff(digests(plan.Fixed), digests(again.Fixed)); diff != "" {
				t.Errorf("two plans of one moment differ:\n%s", diff)
			}
			options := fixOptions
			options.Run = state.NewRun(options.Clock.Now())
			done, err := plan.Apply(t.Context(), options)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(digests(plan.Fixed), digests(done)); diff != "" {
				t.Errorf("what is written is not what was planned:\n%s", diff)
			}
			q = queryOf(t, root, release, nil)
			after := doctor.Examine(q)
			for _, f := range plan.Repaired {
				for _, still := range after.Findings {
					if still.Check == f.Check && still.Code == f.Code && still.Agent == f.Agent && still.Profile == f.Profile && still.Where == f.Where {
						t.Errorf("said to be repaired, and still there: %s %s", f.Check, f.Message)
					}
				}
			}
			if next := Make(t.Context(), q, after.Findings, doctor.Info, NewMoment(state.SystemClock{}), fixOptions); next.Changes() {
				t.Errorf("a second run changes something: %v", digests(next.Fixed))
			}
			now := usedLogins(t, q)
			for agent, login := range logins {
				if now[agent] != login {
					t.Errorf("%s used %s and uses %s now", agent, login, now[agent])
				}
			}
			undoRun(t, q)
			if diff := cmp.Diff(before, content(t, root), cmp.FilterPath(isDatabasePath, cmp.Ignore())); diff != "" {
				t.Errorf("undoing did not give back what was there (-want +got):\n%s", diff)
			}
		})
	}
}

// undoRun takes back all that the last run wrote.
func undoRun(t *testing.T, q doctor.Query) {
	t.Helper()
	backups, err := q.Home.FindRun("")
	if err != nil && !errors.Is(err, state.ErrNoBackup) {
		t.Fatal(err)
	}
	for i := range backups {
		if _, err := q.Home.Undo(t.Context(), &backups[i], fixOptions); err != nil {
			t.Fatal(err)
		}
	}
}

func digests(fixed []Fixed) []string {
	var all []string
	for _, f := range fixed {
		if f.changes() {
			all = append(all, f.Written.Digest())
		}
	}
	return all
}

// usedLogins is the secret that each agent would use first for each provider, of
// the files that its store is in or waits in.
func usedLogins(t *testing.T, q doctor.Query) map[string]string {
	t.Helper()
	used := map[string]string{}
	for _, agent := range q.Home.Agents(q.Config) {
		loaded, err := q.Home.LoadAgent(agent, q.Now)
		if err != nil {
			continue
		}
		engine := loaded.Profiles(q.Home, q.Config)
		for _, provider := range []string{"xai", "mistral", "groq", "anthropic"} {
			if order := engine.Order(auth.OrderQuery{Provider: provider, Now: q.Now}).Order; len(order) > 0 {
				credential := engine.Store.Profiles.Object(string(order[0]))
				used[agent.ID+" "+provider] = credential.Text("key") + credential.Text("refresh")
			}
		}
	}
	return used
}

// An agent's own login under the id of one of main's stays the one that it uses,
// under an id of its own, also where the configuration orders main's alone.
func TestOwnLoginStays(t *testing.T) {
	for _, release := range []string{"7.1", "9.6"} {
		root, lines := openSample(t, filepath.Join(doctortest.CasesDir, "repair", "two-agents-one-id-"+release+".txtar"))
		q := queryOf(t, root, lines, nil)
		var waiting struct {
			Profiles map[string]struct{ Refresh string }
		}
		text, err := os.ReadFile(filepath.Join(q.Home.StateDir, "agents", "night", "agent", "auth-profiles.json"))
		if err == nil {
			err = json.Unmarshal(text, &waiting)
		}
		if err != nil {
			t.Fatal(err)
		}
		fix(t, q, fixOptions)
		q = queryOf(t, root, lines, nil)
		if got := usedLogins(t, q); got["night xai"] != waiting.Profiles["xai:home"].Refresh || got["night xai"] == got["main xai"] {
			t.Errorf("%s: night uses %q, main %q", release, got["night xai"], got["main xai"])
		}
	}
}

// A plan is refused as a whole once something has changed since.
func TestPlanIsRefused(t *testing.T) {
	root, release := openSample(t, filepath.Join(doctortest.CasesDir, "repair", "dry-run-shows-less.txtar"))
	q := queryOf(t, root, release, nil)
	plan := Make(t.Context(), q, doctor.Examine(q).Findings, doctor.Info, NewMoment(state.SystemClock{}), fixOptions)
	if len(plan.steps) < 2 {
		t.Fatalf("%d writes", len(plan.steps))
	}
	file := q.Config.Path
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, append(text, ' '), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	before := content(t, root)
	if _, err := plan.Apply(t.Context(), fixOptions); err == nil || !strings.Contains(err.Error(), state.ErrOtherPlan.Error()) {
		t.Errorf("the error is %v", err)
	}
	if diff := cmp.Diff(before, content(t, root), cmp.FilterPath(isDatabasePath, cmp.Ignore())); diff != "" {
		t.Errorf("something is changed all the same:\n%s", diff)
	}
}

// Before OpenClaw has made its databases, an agent's own login gets its id, its
// order and its pins in the files: OpenClaw's import would take it for main's.
func TestOwnLoginStaysBeforeDatabases(t *testing.T) {
	root, release := openSample(t, filepath.Join(doctortest.CasesDir, "repair", "two-agents-one-id-no-database.txtar"))
	fix(t, queryOf(t, root, release, nil), fixOptions)
	night := filepath.Join(root, "home", ".openclaw", "agents", "night")
	for file, want := range map[string]string{"agent/auth-profiles.json": `"xai:home-2"`, "sessions/sessions.json": `"xai:home-2"`, "agent/auth-state.json": `"xai:home-2"`} {
		text, err := os.ReadFile(filepath.Join(night, filepath.FromSlash(file)))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %s %v", file, text, err)
		}
	}
}
