package write

import (
	"cmp"
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"

	"openclaw-auth/state/internal/disk"
	"openclaw-auth/state/internal/lock"
)

// takeAll takes every lock of a job, or none: while it waits for one it holds
// no other.
func (s *session) takeAll(ctx context.Context, j *Job, deadline time.Time) ([]Holder, error) {
	clock := j.Options.Clock
	start := clock.Now()
	for wait := lock.FirstWait; ; wait = min(wait*2, lock.LastWait) {
		held, busy, err := s.tryAll(j)
		if err == nil && busy == nil {
			return held, nil
		}
		if releaseErr := releaseAll(held, false); err == nil {
			err = releaseErr
		}
		if err != nil {
			return nil, err
		}
		if busy.IsAnonymous() {
			busy.Created = start // owner unknown; held at least since then
		}
		if now := clock.Now(); !now.Before(deadline) {
			return nil, &lock.BusyError{Lock: *busy, Now: now}
		}
		if j.Options.Waiting != nil {
			j.Options.Waiting(*busy)
		}
		if err := clock.Sleep(ctx, wait+rand.N(wait/2)); err != nil {
			return nil, err
		}
	}
}

// tryAll takes what it can get, until another process holds something.
func (s *session) tryAll(j *Job) (held []Holder, busy *lock.Lock, err error) {
	paths, err := s.lockPaths(j.Locks)
	if err != nil {
		return nil, nil, err
	}
	for _, file := range paths {
		taken, busy, err := lock.Take(s.files, file.Path, file.Kind, j.Options.Clock)
		if err != nil || busy != nil {
			return held, busy, err
		}
		held = append(held, taken)
	}
	for _, database := range j.Databases {
		transaction, busy, err := database.Begin(j.Options.Clock)
		if err != nil || busy != nil {
			return held, busy, err
		}
		if transaction != nil {
			held = append(held, transaction)
		}
	}
	return held, nil, nil
}

// lockPaths are the locks of files: where OpenClaw makes them and, for a file
// that is a symbolic link, also where it would for the file itself. They are
// sorted, so that two processes never wait for each other.
func (s *session) lockPaths(files []LockedFile) ([]LockedFile, error) {
	var locks []LockedFile
	for _, file := range files {
		// A lock lies beside its file, so the directory must be there first.
		if err := s.files.MakeDirs(filepath.Dir(file.Path)); err != nil {
			return nil, err
		}
		target, err := disk.Target(s.home.Env.FS, file.Path)
		if err != nil {
			return nil, err
		}
		for _, path := range []string{file.Path, target} {
			name, err := lock.Path(s.home.Env.FS, path)
			if err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(locks, func(l LockedFile) bool { return l.Path == name }) {
				locks = append(locks, LockedFile{name, file.Kind})
			}
		}
	}
	slices.SortFunc(locks, func(a, b LockedFile) int { return cmp.Compare(a.Path, b.Path) })
	return locks, nil
}
