package state

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"
)

// WriteOptions say how a write goes about it.
type WriteOptions struct {
	Why     string        // the command, for the backup; it must hold no secret
	Run     string        // what several writes of one command have in common, "" for a single one
	DryRun  bool          // only the plan: nothing is locked, nothing is made
	Timeout time.Duration // how long to wait for a lock
	Waiting func(Lock)    // told whom a wait is for, again and again
	// Progress is told how many of the changes of one write are made; nil for nobody.
	Progress func(done, total int)
	Clock    Clock
}

// Written is what a write has done, or would do.
type Written struct {
	Changes  []Change
	Backup   string   // id of the backup, "" where nothing was written
	Warnings []string // what the user should know, one line each
}

// Change is what a write does to one file, or to one part of one.
type Change struct {
	File, Part    string
	Before, After []byte // nil for nothing; they hold secrets
	Mode          fs.FileMode
	Config        bool // the file is the configuration
}

// job is a write: what is locked for it, and the plan that reads and computes.
// The plan is made before the locks are taken, to see whether anything is to be
// done and can be done, and once more under the locks: that one counts.
type job struct {
	options   WriteOptions
	locks     []lockedFile
	databases []databaseStore
	open      transactions
	plan      func() ([]edit, error)
	undoes    string
}

// lockedFile is a file that OpenClaw locks while it writes it.
type lockedFile struct {
	path string
	kind lockKind
}

// run does the job: the one way in which anything is written.
func (h *Home) run(j job) (*Written, error) {
	if err := h.recoverFirst(j.options); err != nil {
		return nil, err
	}
	edits, err := j.plan()
	if err != nil {
		return nil, err
	}
	written := &Written{Changes: changesOf(edits)}
	if len(edits) == 0 || j.options.DryRun {
		return written, nil
	}
	w, err := h.writer()
	if err != nil {
		return nil, err
	}
	for _, e := range edits {
		if err := e.check(w); err != nil {
			return nil, err
		}
	}
	w, own, err := h.openWriter(j.options)
	if err != nil {
		return nil, err
	}
	defer own.release()
	if err := h.recover(w, j.options); err != nil {
		return nil, err
	}
	deadline := j.options.Clock.Now().Add(j.options.Timeout)
	for attempt := 1; ; attempt++ {
		written, err = h.runOnce(w, j, deadline)
		if _, changed := errors.AsType[*changedError](err); !changed || attempt == maxAttempts {
			return written, err
		}
	}
}

// openWriter makes the private directory and excludes other processes of
// openclaw-auth until the lock is released.
func (h *Home) openWriter(options WriteOptions) (*writer, *ownLock, error) {
	w, err := h.writer()
	if err != nil {
		return nil, nil, err
	}
	if err := w.makeDirs(w.private); err != nil {
		return nil, nil, err
	}
	own, err := takeOwnLock(w.private, options)
	if err != nil {
		return nil, nil, err
	}
	if err := w.giveTo(own.file.Path(), w.private); err != nil {
		own.release()
		return nil, nil, fileError(own.file.Path(), err)
	}
	return w, own, nil
}

// maxAttempts bounds how often a write starts again because somebody who does
// not care for locks was faster.
const maxAttempts = 3

func (h *Home) runOnce(w *writer, j job, deadline time.Time) (*Written, error) {
	held, err := w.takeAll(j, deadline)
	if err != nil {
		return nil, err
	}
	written, err := h.runLocked(w, j, held)
	releaseErr := releaseAll(held, err == nil)
	switch {
	case err != nil:
		return written, err
	case releaseErr != nil: // a database did not take what files have already
		return written, errors.Join(releaseErr, h.recover(w, j.options))
	}
	return written, h.finish(w)
}

// holder holds something that others must not write meanwhile.
type holder interface {
	// check fails if it is no longer held.
	check() error
	// release ends the hold; what was written is to stay if the write is done.
	release(done bool) error
}

// releaseAll ends all holds, the last one first, and returns the first error.
func releaseAll(held []holder, done bool) error {
	var first error
	for _, h := range slices.Backward(held) {
		if err := h.release(done && first == nil); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// runLocked plans again and writes.
func (h *Home) runLocked(w *writer, j job, held []holder) (*Written, error) {
	edits, err := j.plan()
	if err != nil {
		return nil, err
	}
	written := &Written{Changes: changesOf(edits), Warnings: warningsOf(edits)}
	if len(edits) == 0 {
		return written, nil
	}
	for _, e := range edits {
		file, _ := e.location()
		w.sweep(filepath.Dir(file))
	}
	if written.Backup, err = w.backUp(j, edits); err != nil {
		return nil, err
	}
	if err := h.begin(w, written.Backup, edits); err != nil {
		w.dropBackup(written.Backup)
		return nil, err
	}
	for i, e := range edits {
		if j.options.Progress != nil {
			j.options.Progress(i, len(edits))
		}
		err := stillHeld(held, e)
		if err == nil {
			err = e.apply(w)
		}
		if err != nil {
			return nil, w.takeBack(edits[:i+1], written.Backup, err)
		}
	}
	for _, e := range edits {
		if err := e.confirm(); err != nil {
			return nil, fmt.Errorf("%w (what was there before is in backup %s)", err, written.Backup)
		}
	}
	w.pruneBackups()
	return written, nil
}

// takeBack undoes what has been written before a write failed.
func (w *writer) takeBack(edits []edit, backup string, cause error) error {
	for _, e := range slices.Backward(edits) {
		err := e.revert(w)
		if _, foreign := errors.AsType[*changedError](err); foreign {
			continue // what stands there is somebody else's
		}
		if err != nil {
			file, _ := e.location()
			return fmt.Errorf("%w; %s may hold the new content: openclaw-auth undo %s", cause, file, backup)
		}
	}
	w.dropBackup(backup)
	_ = w.disk.Remove(filepath.Join(w.private, unfinishedName)) // without its backup it says nothing
	return cause
}

// stillHeld fails if what protects an edit is no longer held: the locks in the
// directory of its file or, where there are none, any.
func stillHeld(held []holder, e edit) error {
	file, _ := e.location()
	near := slices.DeleteFunc(slices.Clone(held), func(h holder) bool {
		lock, ok := h.(*heldLock)
		return !ok || filepath.Dir(lock.path) != filepath.Dir(file)
	})
	if len(near) == 0 {
		near = held
	}
	for _, h := range near {
		if err := h.check(); err != nil {
			return err
		}
	}
	return nil
}

// The waits between two looks at a lock that somebody holds.
const (
	firstWait = 20 * time.Millisecond
	lastWait  = 500 * time.Millisecond
)

// takeAll takes every lock of a job, or none: while it waits for one it holds
// no other.
func (w *writer) takeAll(j job, deadline time.Time) ([]holder, error) {
	clock := j.options.Clock
	start := clock.Now()
	for wait := firstWait; ; wait = min(wait*2, lastWait) {
		held, busy, err := w.tryAll(j)
		if err == nil && busy == nil {
			return held, nil
		}
		if releaseErr := releaseAll(held, false); err == nil {
			err = releaseErr
		}
		if err != nil {
			return nil, err
		}
		if busy.PID == 0 && busy.text == nil && !busy.Directory {
			busy.Created = start // nobody tells, but so long it is for sure
		}
		if now := clock.Now(); !now.Before(deadline) {
			return nil, &BusyError{*busy, now}
		}
		if j.options.Waiting != nil {
			j.options.Waiting(*busy)
		}
		clock.Sleep(wait + rand.N(wait/2))
	}
}

// tryAll takes what it can get, until something is held by somebody else.
func (w *writer) tryAll(j job) (held []holder, busy *Lock, err error) {
	paths, err := w.lockPaths(j.locks)
	if err != nil {
		return nil, nil, err
	}
	for _, file := range paths {
		lock, busy, err := w.take(file.path, file.kind, j.options.Clock)
		if err != nil || busy != nil {
			return held, busy, err
		}
		held = append(held, lock)
	}
	for _, database := range j.databases {
		transaction, busy, err := database.begin(j.options.Clock)
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
// sorted, so that nobody waits for a lock that waits for him.
func (w *writer) lockPaths(files []lockedFile) ([]lockedFile, error) {
	var locks []lockedFile
	for _, file := range files {
		// A lock lies beside its file, so the directory must be there first.
		if err := w.makeDirs(filepath.Dir(file.path)); err != nil {
			return nil, err
		}
		target, err := w.env.target(file.path)
		if err != nil {
			return nil, err
		}
		for _, path := range []string{file.path, target} {
			lock, err := w.env.lockPath(path)
			if err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(locks, func(l lockedFile) bool { return l.path == lock }) {
				locks = append(locks, lockedFile{lock, file.kind})
			}
		}
	}
	slices.SortFunc(locks, func(a, b lockedFile) int { return compareText(a.path, b.path) })
	return locks, nil
}

// litter is a temporary file of a process of openclaw-auth that was killed.
var litter = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.[0-9a-f]{16}\.tmp$`) })

// sweep removes what killed processes left in a directory. No other process of
// openclaw-auth is writing: this one holds the private lock.
func (w *writer) sweep(directory string) {
	entries, err := w.env.FS.ReadDir(directory)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if entry.Type().IsRegular() && litter().MatchString(entry.Name()) {
			_ = w.disk.Remove(filepath.Join(directory, entry.Name())) // it does no harm where it stays
		}
	}
}

func changesOf(edits []edit) []Change {
	var changes []Change
	for _, e := range edits {
		file, part := e.location()
		before, after := e.contents()
		change := Change{file, part, before, after, e.mode(), false}
		if whole, ok := e.(*fileEdit); ok {
			change.Config = file == whole.home.ConfigPath
		}
		changes = append(changes, change)
	}
	return changes
}

// warningsOf tells of files that others could read.
func warningsOf(edits []edit) []string {
	var warnings []string
	for _, e := range edits {
		_, after := e.contents()
		if mode := e.mode(); after != nil && mode&0o077 != 0 {
			file, _ := e.location()
			warnings = append(warnings, fmt.Sprintf("%s could be read by others (mode %s); now it is %s", file, modeText(mode), modeText(mode&privateMode)))
		}
	}
	return warnings
}
