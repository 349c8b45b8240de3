package state

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"openclaw-auth/auth"
	"openclaw-auth/state/internal/disk"
	"openclaw-auth/state/internal/lock"
)

// TestForeignLocks meets locks as others leave them and does what the line says,
// except that it never takes one from a process that lives.
func TestForeignLocks(t *testing.T) {
	alive := exec.Command("sleep", "60")
	if err := alive.Start(); err != nil {
		t.Skip("no sleep command")
	}
	defer func() { alive.Process.Kill(); alive.Wait() }()
	dead := exec.Command("sleep", "0")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	text := func(pid int, age time.Duration) string {
		return fmt.Sprintf("{\n  \"pid\": %d,\n  \"createdAt\": %q\n}\n", pid, now.Add(-age).UTC().Format(time.RFC3339))
	}
	directory := "\x00directory"
	for _, c := range []struct {
		name, line, text string
		age              time.Duration // of the file
		busy             string        // part of the error; "" if the write goes through
	}{
		{"of a dead process", "2026.4.29", text(dead.Process.Pid, 0), 0, ""},
		{"of a dead process", "2026.5.12", text(dead.Process.Pid, 0), 0, ""},
		{"of a live process", "2026.4.29", text(alive.Process.Pid, 0), 0, "sleep 60"},
		{"of a live process, 35 s old", "2026.4.29", text(alive.Process.Pid, 35*time.Second), 35 * time.Second, "sleep 60), for 3"},
		{"of a live process, 35 s old", "2026.5.12", text(alive.Process.Pid, 35*time.Second), 35 * time.Second, "sleep 60), for 3"},
		{"of the future", "2026.5.12", text(alive.Process.Pid, -time.Hour), 0, "for 0s"},
		{"garbage, fresh", "2026.4.29", "{\"pi", 0, "an unknown process"},
		{"garbage, 31 s old", "2026.4.29", "{\"pi", 31 * time.Second, ""},
		{"garbage, 31 s old", "2026.5.12", "{\"pi", 31 * time.Second, "never removes such a lock"},
		{"empty, an hour old", "2026.5.12", "", time.Hour, "remove it if no OpenClaw is running"},
		{"without a process, 31 s old", "2026.5.12", fmt.Sprintf("{\"createdAt\":%q}", now.Add(-31*time.Second).UTC().Format(time.RFC3339)), 0, ""},
		{"a directory", "2026.4.29", directory, time.Hour, "a directory, as 2026.1 makes it"},
		{"a fresh directory", "2026.1.30", directory, 0, "names no process"},
		{"an old directory", "2026.1.30", directory, 31 * time.Second, ""},
	} {
		t.Run(c.line+" "+c.name, func(t *testing.T) {
			h, agent := lockHome(t, c.line)
			lockFile := filepath.Join(agent.Dir, profilesName+".lock")
			var err error
			if c.text == directory {
				err = os.Mkdir(lockFile, 0o700)
			} else {
				err = os.WriteFile(lockFile, []byte(c.text), 0o644)
			}
			if err := errors.Join(err, os.Chtimes(lockFile, now.Add(-c.age), now.Add(-c.age))); err != nil {
				t.Fatal(err)
			}
			options := testOptions()
			options.Timeout = 50 * time.Millisecond
			_, _, err = h.SetOrder(t.Context(), agent, "a", []auth.ProfileID{"a:y", "a:x"}, options)
			_, still := os.Lstat(lockFile)
			busy, isBusy := errors.AsType[*BusyError](err)
			switch {
			case c.busy == "" && (err != nil || still == nil):
				t.Errorf("the lock stands in the way: %v", err)
			case c.busy != "" && (!isBusy || !strings.Contains(busy.Error(), c.busy) || still != nil):
				t.Errorf("got %v, want a busy error that says %q, and the lock in place (%v)", err, c.busy, still)
			}
		})
	}
}

func lockHome(t *testing.T, line string) (*Home, Agent) {
	t.Helper()
	c := faultCase{line: line, files: map[string]string{
		".openclaw/agents/main/agent/auth-profiles.json": `{"version":1,"profiles":{"a:x":{"type":"api_key","provider":"a","key":"k1"},"a:y":{"type":"api_key","provider":"a","key":"k2"}}}`,
	}}
	h := c.home(t, QuickDisk{})
	return h, Agent{ID: "main", Dir: h.mainDir()}
}

// TestLockIsWrittenAsOpenClawReadsIt looks at the lock while it is held.
func TestLockIsWrittenAsOpenClawReadsIt(t *testing.T) {
	for line, end := range map[string]string{"2026.4.29": "}", "2026.5.12": "}\n"} {
		h, agent := lockHome(t, line)
		path := filepath.Join(agent.Dir, profilesName+".lock")
		held, busy, err := lock.Take(&disk.Writer{FS: QuickDisk{}, Disk: QuickDisk{}}, path, storeLock(RulesOf(h.Rules)), SystemClock{})
		if err != nil || busy != nil {
			t.Fatal(busy, err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("{\n  \"pid\": %d,\n  \"createdAt\": \"", os.Getpid()); !strings.HasPrefix(string(data), want) || !strings.HasSuffix(string(data), "Z\"\n"+end) {
			t.Errorf("%s: %q", line, data)
		}
		if err := held.Release(true); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLostLock finds that the lock was taken over before anything is written.
func TestLostLock(t *testing.T) {
	h, agent := lockHome(t, "2026.4.29")
	path := filepath.Join(agent.Dir, profilesName+".lock")
	held, _, err := lock.Take(&disk.Writer{FS: QuickDisk{}, Disk: QuickDisk{}}, path, storeLock(RulesOf(h.Rules)), SystemClock{})
	if err == nil {
		err = errors.Join(os.Remove(path), os.WriteFile(path, []byte("another's"), 0o644))
	}
	if err != nil {
		t.Fatal(err)
	}
	if held.Check() == nil || held.Release(true) == nil {
		t.Error("the lock of another is taken for the own one")
	}
	if _, err := os.Stat(path); err != nil {
		t.Error("the lock of another is gone:", err)
	}
}

// TestStolenLock lets somebody take the lock over and write, as OpenClaw up to
// 2026.4.29 does when a process that holds it was stopped for half a minute.
// The write begins again and loses nothing of either.
func TestStolenLock(t *testing.T) {
	h, agent := lockHome(t, "2026.4.29")
	lockFile := filepath.Join(agent.Dir, profilesName+".lock")
	state := filepath.Join(agent.Dir, stateName)
	stolen := false
	plan := func(stores []*Stored) error {
		if _, err := os.Lstat(lockFile); err == nil && !stolen {
			stolen = true
			if err := errors.Join(os.Remove(lockFile), os.WriteFile(state, []byte(`{"version":1,"lastGood":{"a":"a:y"}}`), 0o600)); err != nil {
				return err
			}
		}
		stores[0].SetOrder("a", []auth.ProfileID{"a:x"})
		return nil
	}
	if _, err := h.updateStores(t.Context(), []storePlace{h.ownPlace(agent)}, plan, testOptions()); err != nil {
		t.Fatal(err)
	}
	doc, err := h.ReadObject(state)
	if err != nil {
		t.Fatal(err)
	}
	if !stolen || !doc.Object("order").Has("a") || doc.Object("lastGood").Text("a") != "a:y" {
		t.Errorf("stolen %v, order %v, lastGood %v", stolen, doc.Object("order").Keys(), doc.Object("lastGood").Keys())
	}
}
