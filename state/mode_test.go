package state

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// stubbornDisk has a file whose mode can't be changed.
type stubbornDisk struct {
	QuickDisk
	name string
}

func (d stubbornDisk) Chmod(path string, mode fs.FileMode) error {
	if filepath.Base(path) == d.name {
		return &fs.PathError{Op: "chmod", Path: path, Err: syscall.EPERM}
	}
	return d.QuickDisk.Chmod(path, mode)
}

// TestCloseToOthersIsWhole changes all modes or none.
func TestCloseToOthersIsWhole(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no modes")
	}
	files := map[string]string{".openclaw/a.json": "{}", ".openclaw/b.json": "{}", ".openclaw/c.json": "{}"}
	for _, stubborn := range []string{"", "b.json", "c.json"} {
		c := faultCase{line: "2026.5.12", files: files}
		h := c.home(t, stubbornDisk{name: stubborn})
		var paths []string
		for _, name := range []string{"a.json", "b.json", "c.json"} {
			path := filepath.Join(h.StateDir, name)
			if err := os.Chmod(path, 0o644); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, path)
		}
		written, err := h.CloseToOthers(t.Context(), paths, testOptions())
		want := fs.FileMode(0o600)
		if stubborn != "" {
			want = 0o644
			if !errors.Is(err, syscall.EPERM) {
				t.Errorf("%s: error %v", stubborn, err)
			}
		} else if err != nil || written.Backup == "" {
			t.Errorf("%+v, %v", written, err)
		}
		for _, path := range paths {
			if got := h.modeOf(path); got != want {
				t.Errorf("with %q stubborn %s has mode %04o, want %04o", stubborn, filepath.Base(path), got, want)
			}
		}
		if backups, err := h.Backups(); len(err) > 0 || (len(backups) == 1) != (stubborn == "") {
			t.Errorf("%q: %d backups, %v", stubborn, len(backups), err)
		}
	}
}
