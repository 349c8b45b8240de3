package runner

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What a killed process has left is removed by the next one; what belongs to a
// living one, is too new to tell, or is something else stays.
func TestScratch(t *testing.T) {
	temporary := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, temporary)
	}
	living, err := NewScratch()
	if err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	leave := func(name string, age time.Time) string {
		dir := filepath.Join(temporary, name)
		if err := os.MkdirAll(filepath.Join(dir, "deep"), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{scratchLock, "result.json"} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte("left"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chtimes(dir, age, age); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	dead, fresh, other := leave(scratchPrefix+"1", old), leave(scratchPrefix+"2", time.Now()), leave("of-another-program", old)
	if err := os.Chtimes(living.dir, old, old); err != nil {
		t.Fatal(err)
	}
	next, err := NewScratch()
	if err != nil {
		t.Fatal(err)
	}
	defer next.Remove()
	for dir, stays := range map[string]bool{dead: false, fresh: true, other: true, living.dir: true} {
		if _, err := os.Stat(dir); (err == nil) != stays {
			t.Errorf("%s: stays is %v, want %v", filepath.Base(dir), err == nil, stays)
		}
	}
	living.Remove()
	if _, err := os.Stat(living.dir); err == nil {
		t.Error("Remove leaves the directory")
	}
}

// Each command finds an empty file, whatever the last one has made of it.
func TestScratchFile(t *testing.T) {
	s, err := NewScratch()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Remove()
	for _, spoil := range []func(string) error{
		func(path string) error { return os.WriteFile(path, []byte(`{"status": 429}`), 0o600) },
		func(path string) error { return os.Chmod(path, 0o400) },
		os.Remove,
	} {
		path, err := s.File()
		if err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(path); err != nil || len(data) > 0 {
			t.Errorf("%q %v", data, err)
		}
		if err := spoil(path); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.File(); err != nil {
		t.Error(err)
	}
}
