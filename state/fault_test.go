package state

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/state/internal/disk"
)

// faultDisk fails at the n-th operation, once or from then on.
type faultDisk struct {
	disk.Tree
	count   *int
	at      int
	forever bool
	fault   error // nil: a write that is too short
	done    bool  // what fails is done all the same, as when a network loses the answer
}

func (d faultDisk) fail(operation, path string) error {
	*d.count++
	if *d.count != d.at && (!d.forever || *d.count < d.at) {
		return nil
	}
	if d.fault == nil {
		return nil
	}
	return &fs.PathError{Op: operation, Path: path, Err: d.fault}
}

func (d faultDisk) Create(path string, mode fs.FileMode) (disk.File, error) {
	if err := d.fail("open", path); err != nil {
		return nil, err
	}
	file, err := d.Tree.Create(path, mode)
	return faultFile{file, d, path}, err
}

func (d faultDisk) Link(from, to string) error {
	if err := d.fail("link", to); err != nil {
		if d.done {
			return errors.Join(d.Tree.Link(from, to), err)
		}
		return err
	}
	return d.Tree.Link(from, to)
}

func (d faultDisk) Rename(from, to string) error {
	if err := d.fail("rename", from); err != nil {
		if d.done {
			return errors.Join(d.Tree.Rename(from, to), err)
		}
		return err
	}
	return d.Tree.Rename(from, to)
}

func (d faultDisk) Remove(path string) error {
	if err := d.fail("remove", path); err != nil {
		if d.done {
			return errors.Join(d.Tree.Remove(path), err)
		}
		return err
	}
	return d.Tree.Remove(path)
}

func (d faultDisk) Mkdir(path string, mode fs.FileMode) error {
	if err := d.fail("mkdir", path); err != nil {
		return err
	}
	return d.Tree.Mkdir(path, mode)
}

func (d faultDisk) Chmod(path string, mode fs.FileMode) error {
	if err := d.fail("chmod", path); err != nil {
		return err
	}
	return d.Tree.Chmod(path, mode)
}

func (d faultDisk) Within(directory string) (disk.Tree, error) {
	tree, err := d.Tree.Within(directory)
	d.Tree = tree
	return d, err
}

func (d faultDisk) Overwrite(path string) (disk.File, error) {
	if err := d.fail("open", path); err != nil {
		return nil, err
	}
	file, err := d.Tree.Overwrite(path)
	return faultFile{file, d, path}, err
}

func (d faultDisk) SyncDir(path string) error { return d.fail("sync", path) }

type faultFile struct {
	disk.File
	disk faultDisk
	path string
}

func (f faultFile) Write(data []byte) (int, error) {
	if err := f.disk.fail("write", f.path); err != nil {
		f.File.Write(data[:len(data)/2]) // what a full disk takes before it says so
		return len(data) / 2, err
	}
	if f.disk.fault == nil && (*f.disk.count == f.disk.at || f.disk.forever && *f.disk.count > f.disk.at) {
		return f.File.Write(data[:len(data)/2])
	}
	return f.File.Write(data)
}

func (f faultFile) Chmod(mode fs.FileMode) error {
	if err := f.disk.fail("chmod", f.path); err != nil {
		return err
	}
	return f.File.Chmod(mode)
}

func (f faultFile) Sync() error { return f.disk.fail("fsync", f.path) }

func (f faultFile) Close() error {
	if err := f.disk.fail("close", f.path); err != nil {
		f.File.Close()
		return err
	}
	return f.File.Close()
}

// faultCase is a write that is made to fail.
type faultCase struct {
	name  string
	line  string
	files map[string]string
	write func(h *Home, options WriteOptions) error
}

func faultCases() []faultCase {
	const profiles = `{"version":1,"profiles":{"a:x":{"type":"api_key","provider":"a","key":"k1"},"a:y":{"type":"api_key","provider":"a","key":"k2"}}`
	const dir = ".openclaw/agents/main/agent/"
	agent := func(h *Home) Agent { return Agent{ID: "main", Dir: h.mainDir()} }
	setOrder := func(h *Home, options WriteOptions) error {
		_, _, err := h.SetOrder(context.Background(), agent(h), "a", []auth.ProfileID{"a:y", "a:x"}, options)
		return err
	}
	kept := []faultCase{
		{"one file", "2026.5.12", map[string]string{dir + profilesName: profiles + "}", dir + stateName: `{"version":1,"lastGood":{"a":"a:x"}}`}, setOrder},
		{"state moves out", "2026.4.29", map[string]string{dir + profilesName: profiles + `,"usageStats":{"a:x":{"errorCount":2}}}`}, setOrder},
		{"state goes", "2026.4.29", map[string]string{dir + profilesName: profiles + "}", dir + stateName: `{"version":1,"order":{"a":["a:y"]}}`},
			func(h *Home, options WriteOptions) error {
				_, _, err := h.SetOrder(context.Background(), agent(h), "a", nil, options)
				return err
			}},
		{"import", "2026.4.29", map[string]string{dir + legacyAuthName: `{"a":{"type":"api_key","key":"k1"}}`},
			func(h *Home, options WriteOptions) error {
				files, err := h.LegacyFiles(agent(h))
				if err != nil {
					return err
				}
				loaded, err := h.LoadAgent(agent(h), 1)
				if err == nil {
					_, _, err = h.ImportFiles(context.Background(), loaded, files, options)
				}
				return err
			}},
		{"session", "2026.4.29", map[string]string{dir + profilesName: profiles + "}", ".openclaw/agents/main/sessions/sessions.json": "{\n  \"s\": {\n    \"sessionId\": \"1\"\n  },\n  \"t\": {}\n}"},
			func(h *Home, options WriteOptions) error {
				file := filepath.Join(h.StateDir, "agents", "main", "sessions", "sessions.json")
				_, err := h.UpdateSession(context.Background(), jsonSessions{files: h.FS, path: file}, "s", func(entry *document.Object) error {
					entry.Set("authProfileOverride", "a:x")
					return nil
				}, options)
				return err
			}},
	}
	cases := slices.Clone(kept)
	for _, c := range kept[:2] { // one file, which needs no backup, and two, which need one until they are written
		write := c.write
		c.name += " without undo"
		c.write = func(h *Home, options WriteOptions) error {
			options.NoUndo = true
			return write(h, options)
		}
		cases = append(cases, c)
	}
	return cases
}

// TestNoUndo keeps no backup and no note of a write that nobody takes back.
func TestNoUndo(t *testing.T) {
	for _, c := range faultCases() {
		t.Run(c.name, func(t *testing.T) {
			h := c.home(t, QuickDisk{})
			if err := c.write(h, testOptions()); err != nil {
				t.Fatal(err)
			}
			kept, damaged := h.Backups()
			if want := !strings.HasSuffix(c.name, "without undo"); (len(kept) == 1) != want || len(damaged) > 0 || h.Unfinished() != "" {
				t.Errorf("%d backups, damaged: %v, unfinished: %q", len(kept), damaged, h.Unfinished())
			}
		})
	}
}

// TestEveryOperationMayFail lets each operation of each write fail, in turn and
// in every way, and finds the old content in its place; where nothing works any
// more, the old content or the new one, and in both cases nothing in between.
func TestEveryOperationMayFail(t *testing.T) {
	faults := []error{syscall.ENOSPC, nil}
	if os.Getenv("OPENCLAW_AUTH_TEST_LONG") != "" {
		faults = append(faults, syscall.EIO, syscall.EROFS, syscall.EACCES)
	}
	for _, c := range faultCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			before, after := c.outcome(t)
			runs := 0
			for _, fault := range faults {
				for _, forever := range []bool{false, true} {
					for at := 1; c.failAt(t, faultDisk{Tree: QuickDisk{}, at: at, forever: forever, fault: fault}, before, after); at++ {
						runs++
					}
				}
			}
			t.Logf("%d failures", runs)
		})
	}
}

// TestNetworkDiskFails lets a network file system fail: with its own errors, and
// with a rename, a link or a removal that is done though it reports a failure,
// because the answer was lost.
func TestNetworkDiskFails(t *testing.T) {
	for _, c := range faultCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			before, after := c.outcome(t)
			for _, fault := range []error{syscall.ESTALE, syscall.EBUSY, syscall.EXDEV} {
				for _, done := range []bool{false, true} {
					for at := 1; c.failAt(t, faultDisk{Tree: QuickDisk{}, at: at, fault: fault, done: done}, before, after); at++ {
					}
				}
			}
		})
	}
}

// outcome returns the files before and after the write that succeeds.
func (c faultCase) outcome(t *testing.T) (before, after map[string]string) {
	h := c.home(t, QuickDisk{})
	before = c.content(t, h)
	if err := c.write(h, testOptions()); err != nil {
		t.Fatal(err)
	}
	return before, c.content(t, h)
}

// failAt runs the write on a disk with a fault; false if it needs fewer
// operations than would be needed to meet the fault.
func (c faultCase) failAt(t *testing.T, faulty faultDisk, before, after map[string]string) bool {
	t.Helper()
	count := 0
	faulty.count = &count
	h := c.home(t, faulty)
	err := c.write(h, testOptions())
	if count < faulty.at {
		if err != nil {
			t.Fatalf("operation %d: %v", faulty.at, err)
		}
		return false
	}
	now := c.content(t, h)
	where := fmt.Sprintf("operation %d of fault %v, for ever %v", faulty.at, faulty.fault, faulty.forever)
	isOld, isNew := fmt.Sprint(now) == fmt.Sprint(before), fmt.Sprint(now) == fmt.Sprint(after)
	switch {
	case err == nil && !isNew:
		t.Errorf("%s: success, but the content is not new: %v", where, now)
	case err != nil && !isOld && !(isNew && faulty.forever) && !isBoth(now, before, after):
		t.Errorf("%s: %v, and the content is neither old nor new: %v", where, err, now)
	case err != nil && faulty.fault != nil && !strings.Contains(err.Error(), faulty.fault.Error()):
		t.Errorf("%s: the error does not name the cause: %v", where, err)
	case err != nil && !strings.Contains(err.Error(), h.StateDir):
		t.Errorf("%s: the error does not name the file: %v", where, err)
	}
	// The next write, on a disk that works again, succeeds at once.
	h.Env.FS = QuickDisk{}
	c.exit(t, h)
	if err := c.write(h, testOptions()); err != nil {
		t.Errorf("%s: the next write fails: %v", where, err)
	} else if now := c.content(t, h); fmt.Sprint(now) != fmt.Sprint(after) && !(faulty.forever && isBoth(now, before, after)) {
		t.Errorf("%s: after the next write: %v", where, now)
	}
	return true
}

// isBoth reports files that are each old or new: what is left where not even
// the way back works. Nothing is lost then, because the order of the writes
// leaves a state in two places rather than in none.
func isBoth(now, before, after map[string]string) bool {
	for name, text := range now {
		if text != before[name] && text != after[name] {
			return false
		}
	}
	return true
}

func testOptions() WriteOptions {
	return WriteOptions{Why: "test", Timeout: 2 * time.Second, Clock: SystemClock{}}
}

func (c faultCase) home(t *testing.T, files FS) *Home {
	t.Helper()
	directory := t.TempDir()
	for name, text := range c.files {
		path := filepath.Join(directory, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	rules, err := auth.RulesFor(c.line)
	if err != nil {
		t.Fatal(err)
	}
	getenv := func(name string) string { return map[string]string{"HOME": directory}[name] }
	return findHome(Env{Getenv: getenv, WorkDir: directory, FS: files}, rules)
}

// exit removes the lock that this process could not remove: once a process is
// gone its lock is in nobody's way.
func (c faultCase) exit(t *testing.T, h *Home) {
	locks, err := filepath.Glob(filepath.Join(h.StateDir, "agents", "main", "*", "*.lock"))
	for _, lock := range locks {
		err = errors.Join(err, os.Remove(lock))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// content is what the directories of the agent hold, litter included; only a
// lock that could not be removed does not count: its holder is gone.
func (c faultCase) content(t *testing.T, h *Home) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(filepath.Join(h.StateDir, "agents"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, ".lock") || disk.IsLitter(path) {
			return err
		}
		data, err := os.ReadFile(path)
		relative, _ := filepath.Rel(h.StateDir, path)
		files[relative] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
