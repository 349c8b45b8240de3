package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadingWritesNothing runs every reading command on every sample home and
// finds each file and directory as it was: name, size, mode, time of change.
func TestReadingWritesNothing(t *testing.T) {
	names := sampleHomes(t)
	if testing.Short() {
		names = names[len(names)-2:] // one with files, one with databases
	}
	for _, name := range names {
		home := sampleHome(t, name)
		before := snapshot(t, home)
		outputs(t, home)
		if diff := cmp.Diff(before, snapshot(t, home)); diff != "" {
			t.Errorf("%s has changed:\n%s", name, diff)
		}
	}
}

func snapshot(t *testing.T, home string) map[string]string {
	files := map[string]string{}
	err := filepath.WalkDir(home, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		files[path] = fmt.Sprint(info.Size(), info.Mode(), info.ModTime().UnixNano())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
