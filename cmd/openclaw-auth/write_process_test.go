package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/ncruces/go-sqlite3"
)

// long makes tests run that take minutes.
var long = os.Getenv("OPENCLAW_AUTH_TEST_LONG") != ""

// process prepares the program as a process of its own with a home.
func process(home string, args ...string) *exec.Cmd {
	program := filepath.Join(filepath.Dir(home), "bin", "openclaw-auth")
	command := exec.Command(program, args...)
	command.Env = []string{"HOME=" + home, "OPENCLAW_AUTH_AGENT=main"}
	return command
}

// databaseHome makes a home of 2026.7.1, whose profiles are in a database.
func databaseHome(t *testing.T) string {
	t.Helper()
	home := writingHome(t)
	if err := copyHome("2026.7.1", home); err != nil {
		t.Fatal(err)
	}
	return home
}

// storeTexts returns the main agent's profiles and their state, out of files or a database.
func storeTexts(t *testing.T, home string) (profiles, state []byte) {
	t.Helper()
	database := filepath.Join(home, ".openclaw", "agents", "main", "agent", "openclaw-agent.sqlite")
	if _, err := os.Stat(database); err == nil {
		return cellText(t, database, "SELECT store_json FROM auth_profile_store"), cellText(t, database, "SELECT state_json FROM auth_profile_state")
	}
	var err error
	if profiles, err = os.ReadFile(filepath.Join(home, ".openclaw", store)); err == nil {
		state, err = os.ReadFile(filepath.Join(home, ".openclaw", states))
	}
	if err != nil {
		t.Fatal(err)
	}
	return profiles, state
}

// cellText returns the answer to a query of one value; nobody must be writing.
func cellText(t *testing.T, path, query string) []byte {
	t.Helper()
	copied := filepath.Join(t.TempDir(), "copy.sqlite") // SQLite makes files beside what it reads
	for _, suffix := range []string{"", "-wal"} {
		data, err := os.ReadFile(path + suffix)
		if err == nil {
			err = os.WriteFile(copied+suffix, data, 0o600)
		}
		if err != nil && (suffix == "" || !errors.Is(err, os.ErrNotExist)) {
			t.Fatal(err)
		}
	}
	connection, err := sqlite3.Open(copied)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	statement, _, err := connection.Prepare(query)
	if err != nil {
		t.Fatal(err)
	}
	defer statement.Close()
	if statement.Step() {
		return []byte(statement.ColumnText(0))
	}
	if err := statement.Err(); err != nil {
		t.Fatal(err)
	}
	return nil
}

// writingHome makes a home with two profiles, and the program beside it.
func writingHome(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs links to programs")
	}
	home := filepath.Join(t.TempDir(), "home")
	program := filepath.Join(filepath.Dir(home), "bin", "openclaw-auth")
	self, err := os.Executable()
	if err == nil {
		err = errors.Join(os.MkdirAll(filepath.Dir(program), 0o700), os.Symlink(self, program))
	}
	if err != nil {
		t.Fatal(err)
	}
	write(t, home, map[string]string{
		conf:   `{"meta":{"lastTouchedVersion":"2026.5.12"}}`,
		store:  `{"version":1,"profiles":{"a:x":{"type":"api_key","provider":"a","key":"sk-x"},"a:y":{"type":"api_key","provider":"a","key":"sk-y"}}}`,
		states: `{"version":1,"lastGood":{"a":"a:x"}}`,
	})
	return home
}

// stateOf reads the state of the home's main agent.
func stateOf(t *testing.T, home string) (state struct {
	LastGood   map[string]string
	Order      map[string][]string
	UsageStats map[string]struct {
		ErrorCount    int
		FailureCounts map[string]int
	}
}) {
	t.Helper()
	_, data := storeTexts(t, home)
	if err := json.Unmarshal(data, &state); err != nil {
		t.Fatal(err)
	}
	return state
}

// TestManyWriters lets processes record failures at the same time: none is lost.
// They all happen in one moment, because OpenClaw counts anew after a cooldown.
func TestManyWriters(t *testing.T) {
	t.Run("files", func(t *testing.T) { manyWriters(t, writingHome(t), "a:x", "a:y") })
	t.Run("database", func(t *testing.T) { manyWriters(t, databaseHome(t), "anthropic:setup", "google:default") })
}

func manyWriters(t *testing.T, home string, ids ...string) {
	writers, records := 8, 5
	if long {
		writers, records = 50, 20
	}
	start := time.Now()
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			for range records {
				if out, err := process(home, "auth", "record", ids[i%2], "--reason", "format", "--at", "1795989700000", "--lock-timeout", "300s").CombinedOutput(); err != nil {
					t.Errorf("%v: %s", err, out)
				}
			}
		})
	}
	all.Wait()
	usage := stateOf(t, home).UsageStats
	if sum := usage[ids[0]].FailureCounts["format"] + usage[ids[1]].FailureCounts["format"]; sum != writers*records {
		t.Errorf("%d of %d records are there", sum, writers*records)
	}
	took := time.Since(start)
	t.Logf("%d processes, %d records each: %s, %s each", writers, records, took.Round(time.Millisecond), (took / time.Duration(writers*records)).Round(time.Microsecond))
	checkClean(t, home)
}

// checkClean finds no lock, no litter and no mode that is too wide.
func checkClean(t *testing.T, home string) {
	t.Helper()
	err := filepath.WalkDir(home, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := entry.Info(); err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %#o", path, info.Mode().Perm())
		}
		if name := entry.Name(); strings.HasSuffix(name, ".tmp") || strings.HasSuffix(name, ".lock") && !strings.Contains(path, "backups") || name == "lock.new" {
			t.Errorf("%s is left", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestKilledWriters kills writers at random moments: the state is always the
// old or the new one, and the next writer starts at once.
func TestKilledWriters(t *testing.T) {
	t.Run("files", func(t *testing.T) { killedWriters(t, writingHome(t), "a:x") })
	t.Run("database", func(t *testing.T) { killedWriters(t, databaseHome(t), "anthropic:setup") })
}

func killedWriters(t *testing.T, home, id string) {
	kills := 30
	if long {
		kills = 1000
	}
	profiles, _ := storeTexts(t, home)
	record := []string{"auth", "record", id, "--reason", "format", "--at", "1795989700000"}
	count := func() int { return stateOf(t, home).UsageStats[id].FailureCounts["format"] }
	killed, locks, previous := 0, 0, count()
	var slowest time.Duration
	for range kills {
		writer := process(home, record...)
		if err := writer.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(rand.N(20 * time.Millisecond))
		writer.Process.Kill()
		if writer.Wait() != nil {
			killed++
		}
		if _, err := os.Stat(filepath.Join(home, ".openclaw", store+".lock")); err == nil {
			locks++
		}
		after := count()
		if after != previous && after != previous+1 {
			t.Fatalf("%d failures after %d", after, previous)
		}
		start := time.Now()
		if out, err := process(home, record...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		slowest = max(slowest, time.Since(start))
		if previous = count(); previous != after+1 {
			t.Fatalf("%d failures after %d", previous, after)
		}
		if now, _ := storeTexts(t, home); !bytes.Equal(now, profiles) {
			t.Fatal("the profiles have changed")
		}
	}
	t.Logf("%d of %d writers died of it, %d left a lock; the slowest next writer took %s", killed, kills, locks, slowest.Round(time.Millisecond))
	checkClean(t, home)
}

// TestBusy waits for a lock whose holder lives, however old the lock is; it tells
// who that is when timed out, and writes once the lock is gone.
func TestBusy(t *testing.T) {
	home := writingHome(t)
	lock := filepath.Join(home, ".openclaw", store+".lock")
	holder := exec.Command("sleep", "600")
	if err := holder.Start(); err != nil {
		t.Skip("no sleep command")
	}
	defer func() { holder.Process.Kill(); holder.Wait() }()
	text := fmt.Sprintf("{\n  \"pid\": %d,\n  \"createdAt\": \"2026-05-20T14:00:00.000Z\"\n}\n", holder.Process.Pid)
	if err := os.WriteFile(lock, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := process(home, "auth", "order", "set", "a", "a:y", "--lock-timeout", "300ms").CombinedOutput()
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok || exit.ExitCode() != exitBusy || !strings.Contains(string(out), fmt.Sprintf("held by process %d (sleep 600)", holder.Process.Pid)) {
		t.Errorf("%v: %s", err, out)
	}
	out, err = process(home, "state", "locks").CombinedOutput()
	if exit, ok = errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != exitBusy {
		t.Errorf("%v: %s", err, out)
	}
	waiting := process(home, "auth", "order", "set", "a", "a:y")
	if err := waiting.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond)
	if len(stateOf(t, home).Order) > 0 {
		t.Error("the order is written while the lock is held")
	}
	if err := errors.Join(os.Remove(lock), waiting.Wait()); err != nil || len(stateOf(t, home).Order["a"]) != 1 {
		t.Errorf("not written once the lock is free: %v", err)
	}
}

// TestInterruptedWait interrupts every writing command while it waits for a
// lock: it ends with 130, and nothing is written.
func TestInterruptedWait(t *testing.T) {
	for name, args := range map[string][]string{
		"order set":   {"auth", "order", "set", "anthropic", "anthropic:default"},
		"order clear": {"auth", "order", "clear", "anthropic"},
		"reset":       {"auth", "reset", "--all", "--yes"},
		"record":      {"auth", "record", "anthropic:default", "--reason", "billing"},
		"success":     {"auth", "record", "anthropic:default", "--success"},
		"import":      {"auth", "import", "--yes", "--agent", "research"},
		"pin set":     {"chain", "pin", "set", "agent:main:main", "anthropic:default"},
		"fix":         {"doctor", "--fix", "--yes"},
		"undo":        {"undo"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := writingHome(t)
			if err := copyHome("2026.4.29", home); err != nil {
				t.Fatal(err)
			}
			if out, err := process(home, "auth", "order", "set", "openai", "openai:default").CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if err := os.Chmod(filepath.Join(home, ".openclaw", "openclaw.json"), 0o644); err != nil { // something to repair
				t.Fatal(err)
			}
			_, before := storeTexts(t, home)
			held := flock.New(filepath.Join(home, ".openclaw", "openclaw-auth", "lock"))
			if ok, err := held.TryLock(); err != nil || !ok {
				t.Fatal(ok, err)
			}
			defer held.Close()
			command := process(home, args...)
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(2 * time.Second)
			_ = command.Process.Signal(os.Interrupt)
			_ = command.Wait()
			if code := shellCode(command.ProcessState); code != exitInterrupted {
				t.Errorf("exit %d", code)
			}
			if _, after := storeTexts(t, home); !bytes.Equal(before, after) {
				t.Error("something was written")
			}
		})
	}
}

// shellCode is the exit code of a process as shells say it.
func shellCode(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}

// TestInterruptedRecord asks chain exec to end while it waits to record that an
// attempt has failed: it makes no other attempt, and ends as by that signal.
func TestInterruptedRecord(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process can't be interrupted from there")
	}
	for _, asked := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(asked.String(), func(t *testing.T) {
			t.Parallel()
			home := writingHome(t)
			if err := copyHome("2026.4.29", home); err != nil {
				t.Fatal(err)
			}
			if out, err := process(home, "auth", "order", "set", "openai", "openai:default").CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			held := flock.New(filepath.Join(home, ".openclaw", "openclaw-auth", "lock"))
			if ok, err := held.TryLock(); err != nil || !ok {
				t.Fatal(ok, err)
			}
			defer held.Close()
			made := filepath.Join(t.TempDir(), "made")
			command := process(home, "chain", "exec", "--on-exit", "7=rate_limit", "--", "/bin/sh", "-c", "echo >> "+made+"; exit 7")
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(2 * time.Second)
			_ = command.Process.Signal(asked)
			_ = command.Wait()
			if code := shellCode(command.ProcessState); code != 128+int(asked) {
				t.Errorf("exit %d", code)
			}
			if text, err := os.ReadFile(made); err != nil || len(text) != 1 {
				t.Errorf("attempts: %d, %v", len(text), err)
			}
		})
	}
}
