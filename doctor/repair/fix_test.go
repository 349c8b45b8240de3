package repair

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"openclaw-auth/auth/document"
	"openclaw-auth/doctor"
	"openclaw-auth/doctor/internal/doctortest"
	"openclaw-auth/state"
)

var fixOptions = state.WriteOptions{Why: "doctor --fix", Clock: state.SystemClock{}}

// queryOf is a query for the home below root.
func queryOf(tb testing.TB, root, release string, checks []*doctor.Check) doctor.Query {
	tb.Helper()
	home, config, evidence, err := doctortest.OpenHome(tb, root, release)
	return doctor.Query{Home: home, Config: config, Evidence: evidence, Problem: err, Checks: checks, Now: doctortest.Now}
}

// content returns the files of a home, each with its text, without what
// openclaw-auth itself keeps there.
func content(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "openclaw-auth":
			return fs.SkipDir
		case entry.IsDir():
			return nil
		}
		text, err := os.ReadFile(file)
		files[file] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func fix(t *testing.T, query doctor.Query, options state.WriteOptions) []Fixed {
	t.Helper()
	fixed := Fix(t.Context(), query, doctor.Examine(query).Findings, options)
	for _, f := range fixed {
		if f.Err != nil {
			t.Errorf("agent %s: %v", f.Agent.ID, f.Err)
		}
	}
	return fixed
}

func written(fixed []Fixed) (backups []string, changes int) {
	for _, f := range fixed {
		if f.Written != nil && len(f.Written.Changes) > 0 {
			changes += len(f.Written.Changes)
			backups = append(backups, f.Written.Backup)
		}
	}
	return backups, changes
}

// TestFixTrees repairs the homes that OpenClaw's own doctor was run on: a plan
// changes nothing, a second run finds nothing more to do, and undoing gives
// every file back as it was.
func TestFixTrees(t *testing.T) {
	root := t.TempDir()
	repaired := 0
	for _, name := range doctortest.UnpackTrees(t, root) {
		release, _, _ := strings.Cut(name, "/")
		home := filepath.Join(root, filepath.FromSlash(name))
		t.Run(name, func(t *testing.T) {
			before := content(t, home)
			plan := fixOptions
			plan.DryRun = true
			_, planned := written(fix(t, queryOf(t, home, release, nil), plan))
			if diff := cmp.Diff(before, content(t, home)); diff != "" {
				t.Fatalf("a plan changed something:\n%s", diff)
			}
			backups, changes := written(fix(t, queryOf(t, home, release, nil), fixOptions))
			repaired += changes
			if changes < planned || planned == 0 && changes > 0 {
				t.Errorf("%d changes were planned and %d made", planned, changes)
			}
			if _, again := written(fix(t, queryOf(t, home, release, nil), fixOptions)); again != 0 {
				t.Errorf("the second run makes %d more changes", again)
			}
			for i := len(backups) - 1; i >= 0; i-- {
				q := queryOf(t, home, release, nil)
				backup, err := q.Home.FindBackup(backups[i])
				if err == nil {
					_, err = q.Home.Undo(t.Context(), backup, fixOptions)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(before, content(t, home)); diff != "" && !strings.Contains(diff, "sqlite") {
				t.Errorf("undoing did not give back what was there (-want +got):\n%s", diff)
			}
		})
	}
	if repaired == 0 {
		t.Error("no tree has anything to repair: the test tests nothing")
	}
}

// TestFixStores takes what refers to nothing out of stores, and nothing else.
func TestFixStores(t *testing.T) {
	for _, release := range []string{"2026.1.30", "2026.4.29", "2026.5.12"} {
		t.Run(release, func(t *testing.T) {
			root := t.TempDir()
			agent := "home/.openclaw/agents/main/agent/"
			profiles := `{"version":1,"profiles":{"anthropic:a":{"type":"api_key","provider":"anthropic","key":"k1"},"anthropic:b":{"type":"api_key","provider":"anthropic","key":"k2"}}%s}`
			stored := `"order":{"anthropic":["anthropic:gone","anthropic:b"],"openai":["openai:gone"]},"lastGood":{"anthropic":"anthropic:gone"},` +
				`"usageStats":{"anthropic:gone":{"errorCount":2},"anthropic:a":{"errorCount":3,"disabledUntil":99999999999999,"disabledReason":"billing"},"anthropic:b":{"errorCount":1,"cooldownUntil":%d}}`
			q := queryOf(t, root, release, nil)
			stored = fmt.Sprintf(stored, q.Now+30_000)
			file := agent + "auth-profiles.json"
			if state.RulesOf(q.Home.Rules).StateFile {
				doctortest.Write(t, root, file, fmt.Sprintf(profiles, ""))
				file = agent + "auth-state.json"
				doctortest.Write(t, root, file, `{"version":1,`+stored+`,"own":{"kept":true}}`)
			} else {
				doctortest.Write(t, root, file, fmt.Sprintf(profiles, ","+stored+`,"own":{"kept":true}`))
			}
			fix(t, queryOf(t, root, release, nil), fixOptions)
			text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
			if err != nil {
				t.Fatal(err)
			}
			value, err := document.ParseJSON(file, text)
			if err != nil {
				t.Fatal(err)
			}
			doc := value.(*document.Object)
			got := map[string]string{}
			for _, section := range []string{"order", "lastGood", "usageStats", "own"} {
				object := doc.Object(section)
				got[section] = string(document.EncodeCompact(object))
			}
			want := map[string]string{
				// The order of openai names nothing else: that it is left is the user's to decide.
				"order":      `{"anthropic":["anthropic:b"],"openai":["openai:gone"]}`,
				"lastGood":   `{}`,
				"usageStats": fmt.Sprintf(`{"anthropic:a":{"errorCount":3},"anthropic:b":{"errorCount":1,"cooldownUntil":%d}}`, q.Now+30_000),
				"own":        `{"kept":true}`,
			}
			if !doc.Has("lastGood") {
				got["lastGood"] = `{}`
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestFixHeldElsewhere leaves alone what refers to another agent's profile.
func TestFixHeldElsewhere(t *testing.T) {
	root := t.TempDir()
	main := "home/.openclaw/agents/main/agent/"
	doctortest.Write(t, root, "home/.openclaw/openclaw.json", `{"agents":{"list":[{"id":"main","default":true},{"id":"work"}]}}`)
	doctortest.Write(t, root, main+"auth-profiles.json", `{"version":1,"profiles":{"anthropic:a":{"type":"api_key","provider":"anthropic","key":"k1"}}}`)
	doctortest.Write(t, root, main+"auth-state.json", `{"version":1,"order":{"anthropic":["anthropic:w","anthropic:a"]},"lastGood":{"anthropic":"anthropic:w"}}`)
	doctortest.Write(t, root, "home/.openclaw/agents/work/agent/auth-profiles.json", `{"version":1,"profiles":{"anthropic:w":{"type":"api_key","provider":"anthropic","key":"k2"}}}`)
	if _, changes := written(fix(t, queryOf(t, root, "2026.5.12", nil), fixOptions)); changes != 0 {
		t.Errorf("%d changes, although an agent has the profile", changes)
	}
}

// TestFixWaiting leaves alone what refers to a profile that waits for an import.
func TestFixWaiting(t *testing.T) {
	root := t.TempDir()
	main := "home/.openclaw/agents/main/agent/"
	doctortest.Write(t, root, main+"auth-profiles.json", `{"version":1,"profiles":{"anthropic:a":{"type":"api_key","provider":"anthropic","key":"k1"}}}`)
	doctortest.Write(t, root, main+"auth-state.json", `{"version":1,"order":{"openai":["openai:default","anthropic:a"]},"usageStats":{"openai:default":{"errorCount":2}}}`)
	doctortest.Write(t, root, main+"auth.json", `{"openai":{"type":"api_key","provider":"openai","key":"k2"}}`)
	if _, changes := written(fix(t, queryOf(t, root, "2026.5.12", nil), fixOptions)); changes != 0 {
		t.Errorf("%d changes, although the profile waits in auth.json", changes)
	}
}

// TestFixNewWindow leaves a window alone that is not the one that was found.
func TestFixNewWindow(t *testing.T) {
	root := t.TempDir()
	main := "home/.openclaw/agents/main/agent/"
	doctortest.Write(t, root, main+"auth-profiles.json", `{"version":1,"profiles":{"anthropic:a":{"type":"api_key","provider":"anthropic","key":"k1"}}}`)
	doctortest.Write(t, root, main+"auth-state.json", `{"version":1,"usageStats":{"anthropic:a":{"disabledUntil":99999999999999,"disabledReason":"billing"}}}`)
	q := queryOf(t, root, "2026.5.12", nil)
	found := doctor.Examine(q).Findings
	doctortest.Write(t, root, main+"auth-state.json", fmt.Sprintf(`{"version":1,"usageStats":{"anthropic:a":{"disabledUntil":%d,"disabledReason":"billing"}}}`, q.Now+3600_000))
	if _, changes := written(Fix(t.Context(), q, found, fixOptions)); changes != 0 {
		t.Errorf("%d changes, although the window is another one now", changes)
	}
}

// TestLost names what is gone and was not to go.
func TestLost(t *testing.T) {
	before := holdings{
		{"", "", "a"}: {1}, {"", "", "b"}: {2}, {state.RepairUsage, "", "c"}: {}, {state.RepairOrder, "p", "c"}: {}, {state.RepairLastGood, "p", "d"}: {},
	}
	after := holdings{{"", "", "a"}: {1}, {"", "", "b"}: {9}}
	got := before.lost(after, []state.Repair{{Kind: state.RepairUsage, Profile: "c"}})
	want := []string{"c of the order of p", "d as lastGood of p", "the credential of b"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestFixModes closes what others may read, and an undo opens it again.
func TestFixModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no modes")
	}
	root := t.TempDir()
	doctortest.Write(t, root, "home/.openclaw/agents/main/agent/auth-profiles.json", `{"version":1,"profiles":{"anthropic:a":{"type":"api_key","provider":"anthropic","key":"k1"}}}`)
	dir := filepath.Join(root, "home", ".openclaw")
	store := filepath.Join(dir, "agents", "main", "agent", "auth-profiles.json")
	modes := func() [2]fs.FileMode {
		var modes [2]fs.FileMode
		for i, path := range []string{dir, store} {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			modes[i] = info.Mode() & (fs.ModePerm | fs.ModeSetgid)
		}
		return modes
	}
	open, closed := [2]fs.FileMode{0o775 | fs.ModeSetgid, 0o644}, [2]fs.FileMode{0o700 | fs.ModeSetgid, 0o600}
	for path, mode := range map[string]fs.FileMode{dir: open[0], store: open[1]} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	backups, _ := written(fix(t, queryOf(t, root, "2026.5.12", nil), fixOptions))
	if got := modes(); got != closed {
		t.Fatalf("modes %v, want %v", got, closed)
	}
	if len(backups) != 1 {
		t.Fatalf("%d backups, want one for all modes", len(backups))
	}
	q := queryOf(t, root, "2026.5.12", nil)
	backup, err := q.Home.FindBackup(backups[0])
	if err == nil {
		_, err = q.Home.Undo(t.Context(), backup, fixOptions)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := modes(); got != open {
		t.Errorf("after undo: modes %v, want %v", got, open)
	}
}

// TestFixUnwritable migrates what can be written: an agent whose directory can't
// be keeps the others from nothing but renames.
func TestFixUnwritable(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("the user may write everything")
	}
	root := t.TempDir()
	flat := `{"anthropic":{"apiKey":"k%s"}}`
	doctortest.Write(t, root, "home/.openclaw/openclaw.json", `{"agents":{"list":[{"id":"main","default":true},{"id":"work"}]}}`)
	doctortest.Write(t, root, "home/.openclaw/agents/main/agent/auth-profiles.json", fmt.Sprintf(flat, "1"))
	doctortest.Write(t, root, "home/.openclaw/agents/work/agent/auth-profiles.json", fmt.Sprintf(flat, "2"))
	dir := filepath.Join(root, "home", ".openclaw", "agents", "work", "agent")
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	q := queryOf(t, root, "2026.4.29", nil)
	fixed := Fix(t.Context(), q, doctor.Examine(q).Findings, fixOptions)
	if _, changes := written(fixed); changes == 0 {
		t.Error("main is not migrated")
	}
	if i := len(fixed) - 1; fixed[i].Err == nil || !strings.Contains(fixed[i].Err.Error(), "agent work: ") {
		t.Errorf("%+v", fixed)
	}
}
