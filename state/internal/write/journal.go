package write

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"openclaw-auth/state/internal/disk"
	"openclaw-auth/state/internal/lock"
)

// unfinishedName is the note that a write has begun: it holds the id of its
// backup. It is made before anything else and goes after the last change, so
// that the existence of a backup proves nothing, and the next write can put back
// what a killed process left half done.
const unfinishedName = "unfinished"

func (h *Home) unfinishedFile() string { return filepath.Join(h.Private, unfinishedName) }

// Unfinished returns the backup of a write that was begun and not finished, ""
// for none. The next write takes it back first.
func (h *Home) Unfinished() string {
	tree, err := h.private()
	if err != nil {
		return ""
	}
	defer tree.Close()
	return h.unfinished(tree)
}

func (h *Home) unfinished(tree disk.Tree) string {
	text, err := h.read(tree, h.unfinishedFile(), disk.MaxConfig)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// begin notes that a write begins.
func (s *session) begin(id string) error {
	return s.own.Replace(s.home.unfinishedFile(), []byte(id+"\n"))
}

// finish notes that nothing is half done any more.
func (s *session) finish() error {
	if _, err := s.tree.Lstat(s.home.unfinishedFile()); disk.IsMissing(err) {
		return nil
	}
	return s.own.Remove(s.home.unfinishedFile())
}

// Recover takes back a write that a killed process has left half done; there
// are no changes where none is.
func (h *Home) Recover(ctx context.Context, options Options) (*Written, error) {
	id := h.Unfinished()
	if id == "" {
		return &Written{}, nil
	}
	backup, err := h.ReadBackup(id)
	if disk.IsMissing(err) {
		return &Written{}, h.RecoverFirst(ctx, options)
	}
	if err != nil {
		return nil, err
	}
	j := h.undoing(backup, options)
	edits, _, err := h.halfDone(backup, &j)
	written := &Written{Changes: changesOf(edits)}
	if err != nil || options.DryRun {
		return written, err
	}
	return written, h.RecoverFirst(ctx, options)
}

// RecoverFirst takes back what is half done before something else is written.
func (h *Home) RecoverFirst(ctx context.Context, options Options) error {
	if options.DryRun || h.Unfinished() == "" {
		return nil
	}
	s, own, err := h.open(ctx, options)
	if err != nil {
		return err
	}
	defer s.close(own)
	return s.recover(ctx, options)
}

// recover puts back what a killed process left half done. What another process
// has changed since stays, and then the backup does too.
func (s *session) recover(ctx context.Context, options Options) error {
	id := s.home.unfinished(s.tree)
	if id == "" || filepath.Base(id) != id {
		return s.finish()
	}
	backup, err := s.home.readBackup(s.tree, id)
	if disk.IsMissing(err) { // it was never complete, so nothing was changed
		s.dropBackup(id)
		return s.finish()
	}
	if err != nil {
		return fmt.Errorf("%w; remove %s to leave what the interrupted command wrote as it is", err, s.home.unfinishedFile())
	}
	j := s.home.undoing(backup, options)
	held, err := s.takeAll(ctx, &j, options.Clock.Now().Add(options.Timeout))
	if err != nil {
		return err
	}
	edits, state, err := s.home.halfDone(backup, &j)
	for _, e := range edits {
		if err == nil {
			err = e.Apply(s.files)
		}
	}
	if releaseErr := releaseAll(held, err == nil); err == nil {
		err = releaseErr
	}
	if err != nil {
		return err
	}
	for _, entry := range backup.Entries {
		s.sweep(filepath.Dir(entry.Path))
	}
	if state == takenBack {
		s.dropBackup(id)
	}
	return s.finish()
}

// progress says how far a write came that did not finish.
type progress int

const (
	complete  progress = iota // all of it was written: only the note was left
	takenBack                 // nothing of it is left once the edits are applied
	mixed                     // somebody else has changed something since
)

// halfDone are the edits that take back what has been written of a backup, the
// last one first; none if all of it has been.
func (h *Home) halfDone(backup *Manifest, j *Job) (edits []Edit, state progress, err error) {
	all, foreign := true, false
	for _, entry := range slices.Backward(backup.Entries) {
		e, err := h.undoEntry(backup, entry, j)
		if err != nil {
			return nil, mixed, err
		}
		now, _ := e.Contents()
		switch {
		case entry.After.match(now):
			edits = append(edits, e)
		case entry.Before.match(now):
			all = false
		default:
			all, foreign = false, true
		}
	}
	switch {
	case all:
		return nil, complete, nil
	case foreign:
		return edits, mixed, nil
	}
	return edits, takenBack, nil
}

// sweep removes what killed processes left in a directory. No other process of
// openclaw-auth is writing: this one holds the private lock.
func (s *session) sweep(directory string) {
	for _, path := range litterIn(s.home.Env.FS, directory) {
		_ = s.files.Disk.Remove(path) // it does no harm where it stays
	}
}

// litterIn lists what killed processes left in a directory.
func litterIn(files disk.FS, directory string) (paths []string) {
	entries, _ := files.ReadDir(directory)
	for _, entry := range entries {
		if entry.Type().IsRegular() && disk.IsLitter(entry.Name()) {
			paths = append(paths, filepath.Join(directory, entry.Name()))
		}
	}
	return paths
}

// sweepAfter removes what a killed process left anywhere: temporary files, and
// its locks.
func (s *session) sweepAfter(pid int) {
	for _, directory := range s.home.Litter() {
		s.sweep(directory)
		entries, _ := s.home.Env.FS.ReadDir(directory)
		for _, entry := range entries {
			if filepath.Ext(entry.Name()) == ".lock" {
				lock.RemoveOf(s.files, filepath.Join(directory, entry.Name()), pid)
			}
		}
	}
	entries, _ := s.tree.ReadDir(s.home.Private)
	for _, entry := range entries {
		if disk.IsLitter(entry.Name()) || entry.Name() == "lock.new" {
			_ = s.tree.Remove(filepath.Join(s.home.Private, entry.Name()))
		}
	}
}

// LeftBehind lists what a killed process of openclaw-auth left behind: temporary
// files, which hold what was being written. The next write removes them. There
// are none while a process is at work.
func (h *Home) LeftBehind(now time.Time) (paths []string) {
	if tree, err := h.private(); err == nil {
		defer tree.Close()
		if held, _ := lock.ReadOwn(tree, h.Private, now); held != nil {
			return nil
		}
		paths = litterIn(tree, h.Private)
	}
	for _, directory := range h.Litter() {
		paths = append(paths, litterIn(h.Env.FS, directory)...)
	}
	return paths
}

// Held returns the lock of openclaw-auth's own processes if one holds it.
func (h *Home) Held(now time.Time) *lock.Lock {
	tree, err := h.private()
	if err != nil {
		return nil
	}
	defer tree.Close()
	held, _ := lock.ReadOwn(tree, h.Private, now)
	return held
}
