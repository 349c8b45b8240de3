package runner

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

const (
	scratchPrefix = "openclaw-auth-exec-"
	scratchLock   = "lock"

	// settled is the age from which a directory without a holder is left over:
	// one that has just been made may not be locked yet.
	settled = time.Minute
)

// Scratch is a private directory for the files that a process exchanges with
// its commands. It is locked as long as its process lives, so that the next
// process can tell and remove what a killed one has left behind.
type Scratch struct {
	dir  string
	lock *flock.Flock
}

// NewScratch makes a directory of mode 0700 below the directory for temporary
// files, and removes those that killed processes of the same user have left.
func NewScratch() (*Scratch, error) {
	dir, err := os.MkdirTemp("", scratchPrefix)
	if err != nil {
		return nil, err
	}
	s := &Scratch{dir, flock.New(filepath.Join(dir, scratchLock), flock.SetPermissions(0o600))}
	if _, err := s.lock.TryLock(); err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	sweep(os.TempDir(), time.Now().Add(-settled))
	return s, nil
}

// File makes an empty file of mode 0600 for the next command.
func (s *Scratch) File() (string, error) {
	path := filepath.Join(s.dir, "result.json")
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return "", err // the last command may have put anything there
	}
	return path, os.WriteFile(path, nil, 0o600)
}

// Remove removes the directory. A command may have made that impossible.
func (s *Scratch) Remove() {
	_ = s.lock.Unlock() // Windows removes no open file
	_ = os.RemoveAll(s.dir)
}

// sweep removes the directories in dir whose process is gone and that have not
// changed since then. What can't be removed stays: it is in nobody's way.
func sweep(dir string, before time.Time) {
	folder, err := os.Open(dir)
	if err != nil {
		return
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(-1) // those that were read until an error
	for _, name := range names {
		if strings.HasPrefix(name, scratchPrefix) {
			sweepOne(filepath.Join(dir, name), before)
		}
	}
}

func sweepOne(path string, before time.Time) {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() || !isOwn(info) || info.ModTime().After(before) {
		return
	}
	lock := flock.New(filepath.Join(path, scratchLock), flock.SetPermissions(0o600))
	if locked, err := lock.TryLock(); err != nil || !locked {
		return
	}
	_ = lock.Unlock() // Windows removes no open file
	_ = os.RemoveAll(path)
}
