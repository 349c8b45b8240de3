package lock

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"openclaw-auth/state/internal/disk"
)

func writer() *disk.Writer { return &disk.Writer{FS: disk.System{}, Disk: disk.System{}} }

// The texts of locks, also those that nobody writes, are judged without being
// taken for what they are not.
func TestOddLocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.lock")
	now := time.Now()
	for text, pid := range map[string]int{
		`{"pid":1e300}`: 0, `{"pid":-1}`: 0, `{"pid":1.5}`: 0, `{"pid":"7"}`: 0, `{"pid":null}`: 0, `{"pid":4294967297}`: 0, `[]`: 0, ``: 0, `{`: 0,
		`{"PID":1}`: 0, `{"pid":1}`: 1,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		lock, err := Read(disk.System{}, path, Kind{Name: "store"}, now)
		if err != nil || lock.PID != pid || lock.Stale {
			t.Errorf("%s: %+v, %v", text, lock, err)
		}
	}
}

// A link in place of a lock, also one that leads nowhere, is somebody's lock
// until a person removes it.
func TestLinkForLock(t *testing.T) {
	dir := t.TempDir()
	path, victim := filepath.Join(dir, "store.lock"), filepath.Join(dir, "victim")
	for _, to := range []string{victim, filepath.Join(dir, "none")} {
		os.Remove(path)
		if err := errors.Join(os.WriteFile(victim, []byte("precious"), 0o600), os.Symlink(to, path)); err != nil {
			t.Skip(err)
		}
		held, busy, err := Take(writer(), path, Kind{Name: "store"}, SystemClock{})
		if err != nil || held != nil || busy == nil {
			t.Fatalf("%v, %v, %v", held, busy, err)
		}
		if text := (&BusyError{*busy, time.Now()}).Error(); !strings.Contains(text, "no file") || !strings.Contains(text, "remove it") {
			t.Error(text)
		}
		if text, _ := os.ReadFile(victim); string(text) != "precious" {
			t.Errorf("the file of the link is %q", text)
		}
	}
}

func TestOwnLock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "private")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	tree, err := disk.System{}.Within(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	wait := Wait{Clock: SystemClock{}, Timeout: 20 * time.Millisecond}
	take := func() (*Own, error) { return TakeOwn(context.Background(), tree, dir, wait) }
	own, err := take()
	if err != nil || own.Killed != 0 {
		t.Fatal(own, err)
	}
	if _, err := take(); err == nil {
		t.Error("the lock is held twice")
	}
	if held, _ := ReadOwn(tree, dir, time.Now()); held == nil || held.PID != os.Getpid() {
		t.Errorf("held by %+v", held)
	}
	own.Release()
	if held, killed := ReadOwn(tree, dir, time.Now()); held != nil || killed != 0 {
		t.Errorf("after the release: %+v, %d", held, killed)
	}
	// A holder that was killed leaves its number.
	if err := os.WriteFile(filepath.Join(dir, OwnName), []byte("999999999\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if own, err = take(); err != nil || own.Killed != 999999999 {
		t.Fatalf("%+v, %v", own, err)
	}
	own.Release()
	ctx, cancel := context.WithCancel(context.Background())
	own, _ = take()
	cancel()
	if _, err := TakeOwn(ctx, tree, dir, Wait{Clock: SystemClock{}, Timeout: time.Hour}); !errors.Is(err, context.Canceled) {
		t.Errorf("a wait that was called off: %v", err)
	}
	own.Release()
}

// TestOwnLockThatIsNone finds something else in place of the lock, and does not
// touch it.
func TestOwnLockThatIsNone(t *testing.T) {
	home := t.TempDir()
	dir, victim := filepath.Join(home, "private"), filepath.Join(home, "victim")
	path := filepath.Join(dir, OwnName)
	for name, make := range map[string]func() error{
		"link":       func() error { return os.Symlink(victim, path) },
		"link aside": func() error { return os.Symlink("../victim", path) },
		"hard link":  func() error { return os.Link(victim, path) },
		"directory":  func() error { return os.Mkdir(path, 0o700) },
	} {
		if err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700), os.WriteFile(victim, []byte("precious"), 0o600)); err != nil {
			t.Fatal(err)
		}
		if err := make(); err != nil {
			t.Skip(err)
		}
		tree, err := disk.System{}.Within(dir)
		if err != nil {
			t.Fatal(err)
		}
		own, err := TakeOwn(context.Background(), tree, dir, Wait{Clock: SystemClock{}})
		if err == nil {
			own.Release()
		}
		if !errors.Is(err, disk.ErrNotRegular) {
			t.Errorf("%s: %v", name, err)
		}
		if text, _ := os.ReadFile(victim); string(text) != "precious" {
			t.Errorf("%s: the file outside is %q", name, text)
		}
		tree.Close()
	}
}

// FuzzLock reads the text of a lock, under every kind: whatever it says, there is
// an answer, on one line, and a lock whose holder runs is never called stale.
func FuzzLock(f *testing.F) {
	for _, text := range []string{`{"pid":1,"createdAt":"2026-01-01T00:00:00.000Z"}`, `{"pid":1e300}`, `{"pid":-1}`, `{"createdAt":"9999-99-99"}`, `[]`, ``, "\x00", `{"pid":1,"createdAt":1e99}`} {
		f.Add([]byte(text), int64(0))
		f.Add([]byte(text), int64(time.Hour))
	}
	start := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text []byte, age int64) {
		files := disk.Mount(fstest.MapFS{"l": {Data: text, Mode: 0o644, ModTime: start}}, "/")
		for _, kind := range []Kind{{Name: "store"}, {Name: "store", AgesMute: true}, {Name: "sessions", Newline: true, MuteAtOnce: true}, {Name: "refresh", Directory: true}} {
			lock, err := Read(files, "/l", kind, start.Add(time.Duration(age)))
			switch {
			case err != nil || lock == nil:
				t.Errorf("%v, %v", lock, err)
			case lock.PID < 0 || strings.ContainsAny(lock.Why, "\n\x1b"):
				t.Errorf("process %d, why %q", lock.PID, lock.Why)
			}
		}
	})
}
