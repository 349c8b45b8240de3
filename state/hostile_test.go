//go:build unix

package state

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"openclaw-auth/auth"
	"openclaw-auth/state/internal/disk"
	"openclaw-auth/state/internal/write"
)

const hostileProfiles = `{"version":1,"profiles":{"a:x":{"type":"api_key","provider":"a","key":"k1"},"a:y":{"type":"api_key","provider":"a","key":"k2"}}}`

// hostileHome is a home whose order was set once.
func hostileHome(t *testing.T) *Home {
	t.Helper()
	c := faultCase{line: "2026.4.29", files: map[string]string{
		".openclaw/agents/main/agent/auth-profiles.json": hostileProfiles,
		".openclaw/agents/main/agent/auth-state.json":    `{"version":1,"order":{"a":["a:x","a:y"]}}`,
	}}
	h := c.home(t, QuickDisk{})
	setOrder(t, h, "a:y", "a:x")
	return h
}

func setOrder(t *testing.T, h *Home, ids ...auth.ProfileID) {
	t.Helper()
	if _, _, err := h.SetOrder(t.Context(), h.MainAgent(), "a", ids, testOptions()); err != nil {
		t.Fatal(err)
	}
}

func orderIn(t *testing.T, h *Home) string {
	t.Helper()
	loaded, err := h.LoadAgent(h.MainAgent(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(texts(loaded.Store.Order.Value("a")), " ")
}

// at is the same home in another directory.
func (h *Home) at(directory string) *Home {
	env := Env{WorkDir: directory, FS: QuickDisk{}, Getenv: func(name string) string { return map[string]string{"HOME": directory}[name] }}
	return findHome(env, h.Rules)
}

func undoLast(ctx context.Context, h *Home) error {
	backup, err := h.FindBackup("")
	if err == nil {
		_, err = h.Undo(ctx, backup, testOptions())
	}
	return err
}

// An undo in a copy of a home changes the copy; a home that was moved takes its
// backups along.
func TestUndoGoesWithTheHome(t *testing.T) {
	h := hostileHome(t)
	copied := h.at(t.TempDir())
	if err := os.CopyFS(copied.StateDir, os.DirFS(h.StateDir)); err != nil {
		t.Fatal(err)
	}
	if err := undoLast(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	if orderIn(t, copied) != "a:x a:y" || orderIn(t, h) != "a:y a:x" {
		t.Errorf("copy %q, original %q", orderIn(t, copied), orderIn(t, h))
	}
	moved := h.at(filepath.Join(t.TempDir(), "moved"))
	if err := errors.Join(os.Mkdir(moved.HomeDir, 0o700), os.Rename(h.StateDir, moved.StateDir)); err != nil {
		t.Fatal(err)
	}
	if err := undoLast(t.Context(), moved); err != nil || orderIn(t, moved) != "a:x a:y" {
		t.Errorf("moved: %v, %q", err, orderIn(t, moved))
	}
}

// plant puts a manifest into a home, with a copy that holds "evil".
func plant(t *testing.T, h *Home, version int, entry string) string {
	t.Helper()
	const id = "20260101T000000.000Z"
	directory := filepath.Join(h.BackupsDir(), id)
	text := fmt.Sprintf(`{"version":%d,"id":%q,"why":"x","time":"2026-01-01T00:00:00Z","rules":"2026.4.29","entries":[{%s,"copy":"1-x","before":{"exists":true,"size":4,"sha256":%q},"after":{"exists":false,"size":0}}]}`,
		version, id, entry, write.HashOf([]byte("evil")))
	if err := errors.Join(os.MkdirAll(directory, 0o700), os.WriteFile(filepath.Join(directory, "1-x"), []byte("evil"), 0o600), os.WriteFile(filepath.Join(directory, "manifest.json"), []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	return id
}

// A manifest that somebody else made never leads out of the home, neither undone
// nor as the one of an interrupted write.
func TestPlantedManifests(t *testing.T) {
	outside := t.TempDir()
	victim := filepath.Join(outside, "victim")
	for name, entry := range map[string]string{
		"absolute":            fmt.Sprintf(`"kind":"file","path":%q`, victim),
		"upwards":             `"kind":"file","path":"../../victim"`,
		"upwards in it":       `"kind":"file","path":"agents/../../../victim"`,
		"a link":              `"kind":"file","path":"link"`,
		"below a link":        `"kind":"file","path":"directory/victim"`,
		"a link to nothing":   `"kind":"file","path":"dangling"`,
		"unknown place":       `"kind":"file","place":"agent nobody","path":"victim"`,
		"beside the config":   `"kind":"file","place":"config","path":"../victim"`,
		"not the config":      `"kind":"file","place":"config","path":"victim"`,
		"a move out":          `"kind":"move","path":"agents/main/agent/auth-profiles.json","to":"../victim"`,
		"a move elsewhere":    fmt.Sprintf(`"kind":"move","path":"agents/main/agent/auth-profiles.json","to":%q`, victim),
		"a mode":              `"kind":"mode","path":"link"`,
		"an unknown kind":     `"kind":"boot","path":"agents/main/agent/auth-profiles.json"`,
		"an unknown table":    `"kind":"cell","path":"agents/main/agent/openclaw-agent.sqlite","part":"sqlite_schema x"`,
		"absolute, version 1": fmt.Sprintf(`"path":%q`, victim),
	} {
		t.Run(name, func(t *testing.T) {
			h := hostileHome(t)
			if err := errors.Join(os.Symlink(victim, filepath.Join(h.StateDir, "link")), os.Symlink(outside, filepath.Join(h.StateDir, "directory")),
				os.Symlink(filepath.Join(outside, "new"), filepath.Join(h.StateDir, "dangling")), os.WriteFile(victim, []byte("precious"), 0o644)); err != nil {
				t.Fatal(err)
			}
			version := 2
			if strings.HasSuffix(name, "version 1") {
				version = 1
			}
			id := plant(t, h, version, entry)
			if backup, err := h.FindBackup(id); err == nil {
				if _, err = h.Undo(t.Context(), backup, testOptions()); err == nil {
					t.Error("the undo went through")
				}
			}
			if err := os.WriteFile(filepath.Join(h.privateDir(), "unfinished"), []byte(id+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := h.Recover(t.Context(), testOptions()); err == nil {
				t.Error("the recovery went through")
			}
			info, err := os.Stat(victim)
			text, _ := os.ReadFile(victim)
			entries, _ := os.ReadDir(outside)
			if err != nil || string(text) != "precious" || info.Mode().Perm() != 0o644 || len(entries) != 1 {
				t.Errorf("outside: %q, %v, %v", text, info, entries)
			}
		})
	}
}

// Manifests of before, with absolute paths, are read where they were made.
func TestOldManifest(t *testing.T) {
	h := hostileHome(t)
	path := filepath.Join(h.mainDir(), stateName)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	id := plant(t, h, 1, fmt.Sprintf(`"path":%q,"mode":"0600"`, path))
	backup, err := h.FindBackup(id)
	if err == nil {
		_, err = h.Undo(t.Context(), backup, testOptions())
	}
	if text, _ := os.ReadFile(path); err != nil || string(text) != "evil" {
		t.Errorf("%q, %v", text, err)
	}
}

// A damaged backup is named, and the others are there all the same.
func TestDamagedManifest(t *testing.T) {
	h := hostileHome(t)
	for i, text := range []string{"{bad", "[]", `{"version":9}`, ""} {
		directory := filepath.Join(h.BackupsDir(), fmt.Sprintf("2025010%dT000000.000Z", i+1))
		if err := errors.Join(os.Mkdir(directory, 0o700), os.WriteFile(filepath.Join(directory, "manifest.json"), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if backups, damaged := h.Backups(); len(backups) != 1 || len(damaged) != 4 {
		t.Errorf("%d backups, %v", len(backups), damaged)
	}
	if err := undoLast(t.Context(), h); err != nil || orderIn(t, h) != "a:x a:y" {
		t.Error(err)
	}
}

// A backup of somebody else's is not used.
func TestForeignManifest(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root to give a file away")
	}
	h := hostileHome(t)
	ids, _ := os.ReadDir(h.BackupsDir())
	path := filepath.Join(h.BackupsDir(), ids[0].Name(), "manifest.json")
	if err := os.Chown(path, 4242, 4242); err != nil {
		t.Fatal(err)
	}
	if _, err := h.FindBackup(ids[0].Name()); err == nil || !strings.Contains(err.Error(), "belongs to user 4242") {
		t.Error(err)
	}
	if err := os.Chown(h.privateDir(), 4242, 4242); err != nil {
		t.Fatal(err)
	}
	if _, _, err := h.SetOrder(t.Context(), h.MainAgent(), "a", nil, testOptions()); err == nil {
		t.Error("a private directory of somebody else's is used")
	}
}

// An undo that was killed between its backup and its change is still to be done.
func TestKilledUndo(t *testing.T) {
	h := hostileHome(t)
	path := filepath.Join(h.mainDir(), stateName)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := undoLast(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, before, 0o600); err != nil { // as if it had never come so far
		t.Fatal(err)
	}
	if err := undoLast(t.Context(), h); err != nil || orderIn(t, h) != "a:x a:y" {
		t.Errorf("%v, %q", err, orderIn(t, h))
	}
	if err := undoLast(t.Context(), h); !errors.Is(err, ErrNoBackup) {
		t.Errorf("once more: %v", err)
	}
}

// What a killed process left, also in the folder of another agent, is named and
// then swept by the next write; what others left stays.
func TestLitterIsSwept(t *testing.T) {
	dead := exec.Command("sleep", "0")
	if err := dead.Run(); err != nil {
		t.Skip("no sleep command")
	}
	h := hostileHome(t)
	other := filepath.Join(h.StateDir, "agents", "other", "agent")
	if err := os.MkdirAll(other, 0o700); err != nil {
		t.Fatal(err)
	}
	ours := []string{
		filepath.Join(other, profilesName+".0123456789abcdef.tmp"), filepath.Join(other, profilesName+".lock"),
		filepath.Join(h.privateDir(), "unfinished.0123456789abcdef.tmp"),
	}
	theirs := []string{filepath.Join(other, profilesName+".8b2cf1d0-3c2b-4f6e-9b1a-0123456789ab.tmp"), filepath.Join(other, "x.tmp")}
	for _, path := range append(ours, theirs...) {
		write0(t, path, fmt.Sprintf(`{"pid":%d,"createdAt":"2026-01-01T00:00:00.000Z"}`, dead.Process.Pid))
	}
	write0(t, filepath.Join(h.privateDir(), "lock"), fmt.Sprintln(dead.Process.Pid))
	if left := h.LeftBehind(); len(left) != 2 {
		t.Errorf("left behind: %v", left)
	}
	setOrder(t, h, "a:x")
	for _, path := range ours {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there: %v", path, err)
		}
	}
	for _, path := range theirs {
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
	}
}

// Things that are no files, in place of files, are errors at once.
func TestSpecialFiles(t *testing.T) {
	for _, name := range []string{profilesName, stateName, profilesName + ".lock", legacyAuthName} {
		h := hostileHome(t)
		path := filepath.Join(h.mainDir(), name)
		os.Remove(path)
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		options := testOptions()
		options.Timeout = 0
		_, _, err := h.SetOrder(t.Context(), h.MainAgent(), "a", nil, options)
		_, loadErr := h.LoadAgent(h.MainAgent(), 1)
		if name != legacyAuthName && err == nil || (name == profilesName || name == stateName) && !errors.Is(loadErr, disk.ErrNotRegular) {
			t.Errorf("%s: %v, %v", name, err, loadErr)
		}
	}
}

// A file with several names keeps its content under the others, and that is said.
func TestHardLink(t *testing.T) {
	h := hostileHome(t)
	path := filepath.Join(h.mainDir(), stateName)
	if err := os.Link(path, filepath.Join(h.HomeDir, "second")); err != nil {
		t.Skip(err)
	}
	written, _, err := h.SetOrder(t.Context(), h.MainAgent(), "a", []auth.ProfileID{"a:x"}, testOptions())
	if err != nil || len(written.Warnings) != 1 || !strings.Contains(written.Warnings[0], "2 names") {
		t.Errorf("%v, %+v", err, written)
	}
}

// Root at work on somebody's home is not led out of it.
func TestRootInAnothersHome(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	h := hostileHome(t)
	outside := t.TempDir()
	agent := filepath.Join(h.StateDir, "agents", "led", "agent")
	if err := errors.Join(os.MkdirAll(filepath.Dir(agent), 0o700), os.Symlink(outside, agent), os.WriteFile(filepath.Join(outside, profilesName), []byte(hostileProfiles), 0o600)); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(h.HomeDir, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, 4242, 4242))
	})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = h.SetOrder(t.Context(), Agent{ID: "led", Dir: agent}, "a", []auth.ProfileID{"a:x"}, testOptions())
	if !errors.Is(err, fs.ErrPermission) {
		t.Errorf("written outside: %v", err)
	}
	setOrder(t, h, "a:x")
	err = filepath.WalkDir(h.StateDir, func(path string, entry fs.DirEntry, err error) error {
		info, statErr := os.Lstat(path)
		if owner, _ := disk.OwnerOf(info); statErr == nil && owner.UID != 4242 {
			t.Errorf("%s belongs to %s", path, owner)
		}
		return errors.Join(err, statErr)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// setClock is a clock that stands.
type setClock struct {
	SystemClock
	at time.Time
}

func (c setClock) Now() time.Time { return c.at }

// The clock may go back by a day between two writes: the later write is still
// the one that an undo takes back first, and locks are taken as ever.
func TestClockGoesBack(t *testing.T) {
	h := hostileHome(t)
	at := time.Now()
	for _, ids := range [][]auth.ProfileID{{"a:x"}, {"a:y"}} {
		options := testOptions()
		options.Clock = setClock{at: at}
		if _, _, err := h.SetOrder(t.Context(), h.MainAgent(), "a", ids, options); err != nil {
			t.Fatal(err)
		}
		at = at.Add(-24 * time.Hour)
	}
	for _, want := range []string{"a:x", "a:y a:x", "a:x a:y"} {
		at = at.Add(-24 * time.Hour)
		options := testOptions()
		options.Clock = setClock{at: at}
		backup, err := h.FindBackup("")
		if err == nil {
			_, err = h.Undo(t.Context(), backup, options)
		}
		if got := orderIn(t, h); err != nil || got != want {
			t.Fatalf("%q, want %q: %v", got, want, err)
		}
	}
}
