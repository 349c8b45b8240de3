package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const nobody = 65534

// asUser prepares the program as a process of a user for whom modes count: the
// one who runs the test or, for root, nobody.
func asUser(t *testing.T, home string, args ...string) *exec.Cmd {
	t.Helper()
	command := process(home, args...)
	if os.Geteuid() != 0 {
		return command
	}
	self, err := os.ReadFile(command.Path)
	program := filepath.Join(filepath.Dir(home), "program", "openclaw-auth")
	if err == nil {
		err = errors.Join(os.MkdirAll(filepath.Dir(program), 0o755), os.WriteFile(program, self, 0o755))
	}
	for directory := filepath.Dir(program); err == nil && strings.Contains(directory, "Test"); directory = filepath.Dir(directory) {
		err = os.Chmod(directory, 0o755)
	}
	err = errors.Join(err, filepath.WalkDir(home, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, nobody, nobody))
	}))
	if err != nil {
		t.Fatal(err)
	}
	command.Path = program
	command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	return command
}

// TestRefusedBeforeAnythingIsMade finds what can't be written before the first
// file is made, while reading works.
func TestRefusedBeforeAnythingIsMade(t *testing.T) {
	for name, c := range map[string]struct {
		path  string
		mode  fs.FileMode
		cause string
	}{
		"read-only directory": {filepath.Dir(states), 0o555, "can't be written: permission denied"},
		"read-only file":      {states, 0o444, "is read-only (mode 0444)"},
		"read-only state":     {"", 0o555, "permission denied"},
	} {
		t.Run(name, func(t *testing.T) {
			home := writingHome(t)
			path := filepath.Join(home, ".openclaw", c.path)
			writer := asUser(t, home, "auth", "order", "set", "a", "a:y")
			reader := asUser(t, home, "auth", "order", "a", "--plain")
			if err := os.Chmod(path, c.mode); err != nil {
				t.Fatal(err)
			}
			defer os.Chmod(path, 0o700)
			before := snapshot(t, home)
			if out, err := reader.CombinedOutput(); err != nil {
				t.Errorf("reading: %v: %s", err, out)
			}
			out, err := writer.CombinedOutput()
			if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != exitUsage || !strings.Contains(string(out), c.cause) || !strings.Contains(string(out), home) {
				t.Errorf("writing: %v: %s", err, out)
			}
			if diff := cmp.Diff(before, snapshot(t, home)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestForeignOwner refuses a store that somebody else owns, and lets root keep
// the owner.
func TestForeignOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root to give files away")
	}
	home := writingHome(t)
	writer := asUser(t, home, "auth", "order", "set", "a", "a:y")
	path := filepath.Join(home, ".openclaw", states)
	if err := os.Chown(path, 1, 1); err != nil {
		t.Fatal(err)
	}
	out, err := writer.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "permission denied") && !strings.Contains(string(out), "belongs to user 1") {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := process(home, "auth", "order", "set", "a", "a:y").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	err = filepath.WalkDir(filepath.Join(home, ".openclaw"), func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		want := uint32(nobody)
		if name == path {
			want = 1
		}
		if owner := info.Sys().(*syscall.Stat_t).Uid; err == nil && owner != want {
			t.Errorf("%s belongs to %d", name, owner)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestFullDisk writes to a disk that is full in earnest.
func TestFullDisk(t *testing.T) {
	home := writingHome(t)
	disk := filepath.Join(home, ".openclaw")
	data, err := os.ReadFile(filepath.Join(disk, store))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=64k,mode=0700"); err != nil {
		t.Skip("can't make a small disk:", err)
	}
	defer syscall.Unmount(disk, 0)
	write(t, home, map[string]string{conf: "{}", store: string(data), states: `{"version":1,"lastGood":{"a":"a:x"}}`})
	if err := os.WriteFile(filepath.Join(disk, "ballast"), bytes.Repeat([]byte("x"), 64<<10), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal("the disk is not full:", err)
	}
	before := stateOf(t, home)
	out, err := process(home, "auth", "order", "set", "a", "a:y").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "no space left on device") || !strings.Contains(string(out), disk) {
		t.Errorf("%v: %s", err, out)
	}
	if diff := cmp.Diff(before, stateOf(t, home)); diff != "" {
		t.Error(diff)
	}
	if err := os.Remove(filepath.Join(disk, "ballast")); err != nil {
		t.Fatal(err)
	}
	if out, err := process(home, "auth", "order", "set", "a", "a:y").CombinedOutput(); err != nil {
		t.Errorf("with space again: %v: %s", err, out)
	}
	checkClean(t, home)
}

// TestUnreadableByMode closes each file and directory that answers depend on, in
// turn: the commands that need it say so, and none takes it for missing.
func TestUnreadableByMode(t *testing.T) {
	for _, sample := range []string{"2026.5.12", "2026.7.1", "2026.9.6"} {
		for _, closed := range []string{"agents/main/agent", "agents/main/agent/auth-profiles.json", "agents/main/agent/auth-state.json", "agents/main/agent/openclaw-agent.sqlite", "openclaw.json"} {
			home := writingHome(t)
			if err := copyHome(sample, home); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(home, ".openclaw", closed)
			if _, err := os.Stat(path); err != nil {
				continue // of another release
			}
			commands := map[string]*exec.Cmd{
				"list":  asUser(t, home, "auth", "list"),
				"chain": asUser(t, home, "chain", "explain"),
				"reset": asUser(t, home, "auth", "reset", "--all", "--yes"),
			}
			if err := os.Chmod(path, 0); err != nil {
				t.Fatal(err)
			}
			for name, command := range commands {
				out, err := command.CombinedOutput()
				if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != exitUsage || !bytes.Contains(out, []byte("permission denied")) {
					t.Errorf("%s, %s closed, %s: %v, %s", sample, closed, name, err, out)
				}
			}
			_ = os.Chmod(path, 0o700)
		}
	}
}
