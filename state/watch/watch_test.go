package watch

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func watched(t *testing.T, files ...string) *Watcher {
	t.Helper()
	w, err := New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	if err := w.Watch(files); err != nil {
		t.Fatal(err)
	}
	return w
}

// soon is when a change must have been told.
func soon() time.Time { return time.Now().Add(5 * time.Second) }

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func expect(t *testing.T, w *Watcher, what string, files ...string) {
	t.Helper()
	got, err := w.Wait(soon(), nil)
	if err != nil || !slices.Equal(got, files) {
		t.Errorf("%s: %v, %v, want %v", what, got, err, files)
	}
}

// Whatever happens to a file is told: in place, by a rename, its end, its
// return, and directories that come first.
func TestChanges(t *testing.T) {
	dir := t.TempDir()
	a, b, deep := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "x", "y", "deep")
	write(t, a, "1")
	w := watched(t, a, b, deep)

	write(t, filepath.Join(dir, "other"), "1")
	if got, err := w.Wait(time.Now().Add(100*time.Millisecond), nil); len(got) > 0 || err != nil {
		t.Errorf("a file that nobody asked for: %v, %v", got, err)
	}
	write(t, a, "2")
	expect(t, w, "in place", a)
	write(t, b+".tmp", "1")
	if err := os.Rename(b+".tmp", b); err != nil {
		t.Fatal(err)
	}
	expect(t, w, "by a rename", b)
	if err := os.Remove(b); err != nil {
		t.Fatal(err)
	}
	expect(t, w, "removed", b)
	write(t, a, "3")
	write(t, b, "3")
	expect(t, w, "two at once", a, b)

	write(t, deep, "1")
	expect(t, w, "with its directories", deep)
	write(t, deep, "2")
	expect(t, w, "in a directory that has come", deep)
	if err := os.RemoveAll(filepath.Join(dir, "x")); err != nil {
		t.Fatal(err)
	}
	expect(t, w, "gone with its directories", deep)
	write(t, deep, "3")
	expect(t, w, "back again", deep)
}

// What lies behind symbolic links counts, of a file as of its directory.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "real", "file")
	write(t, real, "1")
	if err := os.Symlink(filepath.Dir(real), filepath.Join(dir, "dir")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(real, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	through, link := filepath.Join(dir, "dir", "file"), filepath.Join(dir, "link")
	w := watched(t, through, link)
	write(t, real, "2")
	got, err := w.Wait(soon(), nil)
	if err != nil || len(got) == 0 {
		t.Errorf("%v, %v", got, err)
	}
}

// Without a change the time comes, or somebody stops the waiting.
func TestNoChange(t *testing.T) {
	w := watched(t, filepath.Join(t.TempDir(), "file"))
	start := time.Now()
	if got, err := w.Wait(start.Add(50*time.Millisecond), nil); len(got) > 0 || err != nil || time.Since(start) < 50*time.Millisecond {
		t.Errorf("%v, %v", got, err)
	}
	stop := make(chan struct{})
	close(stop)
	if got, err := w.Wait(time.Time{}, stop); len(got) > 0 || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}
