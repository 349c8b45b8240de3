package sqlite

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// folder is all that there is to see of a folder: names, modes, times,
// contents.
func folder(t *testing.T, path string) map[string]string {
	t.Helper()
	seen := map[string]string{}
	err := filepath.WalkDir(path, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		var data []byte
		if info.Mode().IsRegular() {
			if data, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		seen[path] = fmt.Sprint(info.Mode(), info.Size(), info.ModTime().UnixNano(), sha256.Sum256(data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return seen
}

// readAll asks a database for everything.
func readAll(path string) error {
	database, err := Open(path, Options{BusyTimeout: -1})
	if err != nil {
		return err
	}
	defer database.Close()
	_, first := database.AuthRows()
	_, second := database.MachineState("auth.sharedStore", "authProfiles.store")
	_, _, third := database.Session("agent:work:main")
	_, _, fourth := database.SessionByID("x")
	for _, err := range database.Sessions {
		first = errors.Join(first, err)
	}
	return errors.Join(first, second, third, fourth)
}

// places are databases in every condition that decides how they are read.
func places(t *testing.T) map[string]string {
	live := create(t, twoRows+sessionTable)
	execute(t, writer(t, live), "UPDATE auth_profile_store SET updated_at=1")
	held := create(t, twoRows)
	start(t, held).run("BEGIN IMMEDIATE; UPDATE auth_profile_store SET updated_at=2")
	leftOver := sample(t, agent96)
	write(t, leftOver+"-wal", nil)
	write(t, leftOver+"-shm", make([]byte, 32768))
	zero := filepath.Join(t.TempDir(), "zero.sqlite")
	write(t, zero, nil)
	text := filepath.Join(t.TempDir(), "text.sqlite")
	write(t, text, []byte("text"))
	return map[string]string{
		"-wal alone":       sample(t, agent71),
		"neither":          sample(t, agent96),
		"state":            sample(t, state96),
		"both, gateway up": live,
		"gateway writing":  held,
		"both, left over":  leftOver,
		"rollback":         create(t, twoRows+"PRAGMA journal_mode=delete"),
		"hot journal":      hotJournal(t),
		"zero bytes":       zero,
		"text":             text,
		"missing":          filepath.Join(t.TempDir(), "missing.sqlite"),
		"folder":           t.TempDir(),
	}
}

func TestNothingIsChanged(t *testing.T) {
	for name, path := range places(t) {
		t.Run(name, func(t *testing.T) {
			before := folder(t, filepath.Dir(path))
			for range 3 {
				t.Log(readAll(path))
			}
			if after := folder(t, filepath.Dir(path)); !maps.Equal(before, after) {
				t.Errorf("before: %v\nafter: %v", before, after)
			}
		})
	}
}

// What can't be read for its shape changes nothing either.
func TestSymbolicLink(t *testing.T) {
	path := sample(t, agent71)
	link := filepath.Join(t.TempDir(), "link.sqlite")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	rows, err := readBoth(link)
	if err != nil {
		t.Fatal(err)
	}
	direct, err := readBoth(path)
	if err != nil || string(direct.State.JSON) != string(rows.State.JSON) {
		t.Errorf("the -wal beside the link's target was not read: %v", err)
	}
}
