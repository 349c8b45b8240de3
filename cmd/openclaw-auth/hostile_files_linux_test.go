package main

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// impossible makes a file one that can't be read to its end, or not at all.
var impossible = map[string]func(path string) error{
	"link to an endless device": func(path string) error { return os.Symlink("/dev/zero", path) },
	"FIFO":                      func(path string) error { return syscall.Mkfifo(path, 0o600) },
	"directory":                 func(path string) error { return os.Mkdir(path, 0o700) },
	"link in a circle":          func(path string) error { return os.Symlink(filepath.Base(path), path) },
	"dangling link":             func(path string) error { return os.Symlink("missing", path) },
	"closed by its mode":        func(path string) error { return os.WriteFile(path, []byte("{}"), 0) },
	"10 GB of holes": func(path string) error {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
		if err != nil {
			return err
		}
		return errors.Join(file.Truncate(10<<30), file.Close())
	},
}

// lookers read, together, every file of a home that the program reads.
var lookers = [][]string{
	{"auth", "order"}, {"auth", "list", "--json"}, {"chain", "explain"}, {"chain", "simulate", "--fail", "all=rate_limit"},
	{"state", "show"}, {"state", "sessions", "--all"}, {"state", "locks"}, {"state", "paths"}, {"doctor"}, {"doctor", "--fix", "--dry-run", "--to", "2026.9.6"},
	{"chain", "history"}, {"undo", "--list"}, {"metrics"}, {"auth", "import", "--dry-run"}, {"auth", "reset", "--all", "--dry-run"}, {"report"},
}

// TestImpossibleFiles puts a device, a FIFO, an endless file and the like in the
// place of each file of a home in turn: every command ends soon, in little memory,
// with an answer or with one line that says what is wrong.
func TestImpossibleFiles(t *testing.T) {
	for _, sample := range []string{"2026.4.29", "2026.7.1", "2026.9.6"} {
		t.Run(sample, func(t *testing.T) {
			home := writingHome(t)
			if err := copyHome(sample, home); err != nil {
				t.Fatal(err)
			}
			user := asUser(t, home)
			for _, name := range slices.Sorted(maps.Keys(filesOf(t, home))) {
				path := filepath.Join(home, name)
				for kind, make := range impossible {
					if !long && rand.N(40) > 0 { // all of them take a quarter of an hour
						continue
					}
					kept := path + ".kept"
					if err := errors.Join(os.Rename(path, kept), make(path)); err != nil {
						t.Fatal(err)
					}
					if kind != "link to an endless device" {
						_ = os.Lchown(path, nobody, nobody)
					}
					for _, args := range lookers {
						lookAt(t, again(user, args...), kind+" as "+strings.TrimPrefix(path, home))
					}
					if err := errors.Join(os.RemoveAll(path), os.Rename(kept, path)); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}

// again is a process like another one, with other arguments.
func again(like *exec.Cmd, args ...string) *exec.Cmd {
	command := exec.Command(like.Path, args...)
	command.Env, command.SysProcAttr = like.Env, like.SysProcAttr
	return command
}

// lookAt runs a command that reads, and judges how it ends.
func lookAt(t *testing.T, command *exec.Cmd, what string) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
	defer stop()
	var out, stderr bytes.Buffer
	command.Stdout, command.Stderr = &out, &stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	defer context.AfterFunc(ctx, func() { _ = command.Process.Kill() })()
	err := command.Wait()
	name := what + ": " + strings.Join(command.Args[1:], " ")
	switch code := command.ProcessState.ExitCode(); {
	case ctx.Err() != nil:
		t.Errorf("%s does not end", name)
	case code != 0 && code != exitNo && code != exitUsage:
		t.Errorf("%s: %v: %s", name, err, cut(stderr.String()))
	case code == exitUsage && out.Len()+stderr.Len() == 0:
		t.Errorf("%s fails without a word", name)
	case strings.Contains(stderr.String(), "goroutine "):
		t.Errorf("%s panics: %s", name, cut(stderr.String()))
	}
	// What the system counts begins with this test's own memory, before the exec.
	if usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage); ok && usage.Maxrss > 1<<20 {
		t.Errorf("%s takes %d MB", name, usage.Maxrss>>10)
	}
}
