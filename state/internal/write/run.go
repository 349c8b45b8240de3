package write

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"openclaw-auth/state/internal/disk"
	"openclaw-auth/state/internal/lock"
)

// Options say how a write goes about it.
type Options struct {
	Why     string          // the command, for the backup; it must hold no secret
	Run     string          // what several writes of one command have in common, "" for a single one
	DryRun  bool            // only the plan: nothing is locked, nothing is made
	Timeout time.Duration   // how long to wait for a lock
	Waiting func(lock.Lock) // called repeatedly with the lock being waited for
	// Progress is told how many of the changes of one write are made; may be nil.
	Progress func(done, total int)
	Clock    lock.Clock
	// NoUndo keeps no backup: for writes that come by the hundred, and would push
	// those out that somebody may want back. Where a kill could leave such a write
	// half done, there is one until it is finished.
	NoUndo bool

	// Moment makes what a plan invents, times and the random parts of names, the
	// same whenever it is made; nil for the clock's time and chance.
	Moment *Moment
	// Want is the digest of the changes that are to be made; any other are refused
	// with ErrOtherPlan. "" for whatever the plan says.
	Want string
}

// Moment is when a plan was made, and a text that no other plan has.
type Moment struct {
	Time time.Time
	Seed string
}

// ErrOtherPlan is returned when a write would not be the one that was planned.
var ErrOtherPlan = errors.New("something has changed since the plan was made")

// Digest stands for changes: the same text for the same changes, and nothing of
// what they hold can be read from it.
func Digest(changes []Change) string {
	hash := sha256.New()
	for _, c := range changes {
		for _, part := range []string{string(c.Kind), c.File, c.Part, c.To, HashOf(c.Before), HashOf(c.After)} {
			fmt.Fprintf(hash, "%d:%s,", len(part), part)
		}
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// Written is what a write has done, or would do.
type Written struct {
	Changes  []Change
	Backup   string   // id of the backup, "" where nothing was written
	Warnings []string // what the user should know, one line each
}

// Change is what a write does to one file, or to one part of one.
type Change struct {
	Location
	Before, After []byte // nil for nothing; they hold secrets
	Mode          fs.FileMode
}

// Job is a write: what is locked for it, and the plan that reads and computes.
// The plan is made before the locks are taken, to see whether anything is to be
// done and can be done, and once more under the locks: that one counts.
type Job struct {
	Options   Options
	Locks     []LockedFile
	Databases []Database
	Plan      func() ([]Edit, error)
	undoes    string
}

// LockedFile is a file that OpenClaw locks while it writes it.
type LockedFile struct {
	Path string
	Kind lock.Kind
}

// Holder holds something that others must not write in the meantime.
type Holder interface {
	// Check fails if it is no longer held.
	Check() error
	// Release ends the hold; what was written is to stay if the write is done.
	Release(done bool) error
}

// Database is a database that a job writes.
type Database interface {
	// Begin tries to begin a transaction; if somebody else is writing, that is
	// returned. Without either it had begun already.
	Begin(clock lock.Clock) (Holder, *lock.Lock, error)
}

// maxAttempts bounds how often a write starts again because a process that ignores
// locks was faster.
const maxAttempts = 3

// Run does the job: the one way in which anything is written. The end of ctx ends
// a wait for a lock; a write that has begun is finished.
func (h *Home) Run(ctx context.Context, j Job) (*Written, error) {
	if err := h.RecoverFirst(ctx, j.Options); err != nil {
		return nil, err
	}
	edits, err := j.Plan()
	if err != nil {
		return nil, err
	}
	written := &Written{Changes: changesOf(edits)}
	if files, err := h.writer(); err == nil && j.Options.DryRun && j.Options.Moment != nil { // a plan says what can't be written
		if err := h.check(files, edits); err != nil {
			return nil, err
		}
	}
	if want := j.Options.Want; want != "" && !j.Options.DryRun && Digest(written.Changes) != want {
		return nil, ErrOtherPlan
	}
	if len(edits) == 0 || j.Options.DryRun {
		return written, nil
	}
	files, err := h.writer()
	if err != nil {
		return nil, err
	}
	if err := h.check(files, edits); err != nil {
		return nil, err
	}
	s, own, err := h.open(ctx, j.Options)
	if err != nil {
		return nil, err
	}
	defer s.close(own)
	if err := s.recover(ctx, j.Options); err != nil {
		return nil, err
	}
	deadline := j.Options.Clock.Now().Add(j.Options.Timeout)
	for attempt := 1; ; attempt++ {
		written, err = s.runOnce(ctx, &j, deadline)
		if _, changed := errors.AsType[*disk.ChangedError](err); !changed || attempt == maxAttempts {
			return written, err
		}
	}
}

// check refuses what can't be written, or could not be taken back.
func (h *Home) check(files *disk.Writer, edits []Edit) error {
	for _, e := range edits {
		at := e.Location()
		for _, path := range []string{at.File, at.To} {
			if path == "" {
				continue
			}
			if _, _, err := h.locate(path); err != nil {
				return err
			}
		}
		if err := e.Check(files); err != nil {
			return err
		}
	}
	return nil
}

func (h *Home) writer() (*disk.Writer, error) {
	system, err := h.Env.Disk()
	if err != nil {
		return nil, err
	}
	return &disk.Writer{FS: h.Env.FS, Disk: system, Home: h.stateDir()}, nil
}

// open makes the private directory and excludes other processes of openclaw-auth
// until the session is closed. What a killed one left behind is removed.
func (h *Home) open(ctx context.Context, options Options) (*session, *lock.Own, error) {
	files, err := h.writer()
	if err != nil {
		return nil, nil, err
	}
	if _, err := h.Env.FS.Lstat(h.Private); disk.IsMissing(err) {
		if err := files.MakeDirs(h.Private); err != nil {
			return nil, nil, err
		}
	}
	tree, err := h.private()
	if err != nil {
		return nil, nil, err
	}
	own, err := lock.TakeOwn(ctx, tree, h.Private, lock.Wait{Clock: options.Clock, Timeout: options.Timeout, Waiting: options.Waiting})
	if err != nil {
		tree.Close()
		return nil, nil, err
	}
	s := &session{home: h, files: files, own: &disk.Writer{FS: tree, Disk: tree}, tree: tree}
	if own.Killed > 0 {
		s.sweepAfter(own.Killed)
	}
	return s, own, nil
}

func (s *session) close(own *lock.Own) {
	own.Release()
	s.tree.Close()
}

func (s *session) runOnce(ctx context.Context, j *Job, deadline time.Time) (*Written, error) {
	held, err := s.takeAll(ctx, j, deadline)
	if err != nil {
		return nil, err
	}
	written, err := s.runLocked(j, held)
	releaseErr := releaseAll(held, err == nil)
	switch {
	case err != nil:
		return written, err
	case releaseErr != nil: // a database did not take what files have already
		return written, errors.Join(releaseErr, s.recover(ctx, j.Options))
	}
	return written, s.finish()
}

// releaseAll ends all holds, the last one first, and returns the first error.
func releaseAll(held []Holder, done bool) error {
	var first error
	for _, h := range slices.Backward(held) {
		if err := h.Release(done && first == nil); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// runLocked plans again and writes.
func (s *session) runLocked(j *Job, held []Holder) (*Written, error) {
	edits, err := j.Plan()
	if err != nil {
		return nil, err
	}
	written := &Written{Changes: changesOf(edits), Warnings: warningsOf(edits)}
	if want := j.Options.Want; want != "" && Digest(written.Changes) != want {
		return nil, ErrOtherPlan
	}
	if len(edits) == 0 {
		return written, nil
	}
	for _, e := range edits {
		s.sweep(filepath.Dir(e.Location().File))
	}
	id := ""
	if !j.Options.NoUndo || !areAtomic(edits) {
		id = s.newID(j.Options.Clock.Now())
		if err := s.begin(id); err != nil {
			return nil, fmt.Errorf("this change is not written: %w", err)
		}
		if err := s.backUp(id, j, edits); err != nil {
			return nil, errors.Join(err, s.finish())
		}
	}
	for i, e := range edits {
		if j.Options.Progress != nil {
			j.Options.Progress(i, len(edits))
		}
		err := stillHeld(held, e)
		if err == nil {
			err = e.Apply(s.files)
		}
		if err != nil {
			return nil, s.takeBack(edits[:i+1], id, err)
		}
	}
	for _, e := range edits {
		if err := e.Confirm(); err != nil {
			if id != "" {
				err = fmt.Errorf("%w (what was there before is in backup %s)", err, id)
			}
			return nil, err
		}
	}
	switch {
	case id == "":
	case j.Options.NoUndo:
		s.dropBackup(id)
	default:
		written.Backup = id
		s.pruneBackups()
	}
	return written, nil
}

// areAtomic reports whether a kill leaves all of the edits or none: a single file
// is replaced by a rename, and rows of one database are written in one transaction.
func areAtomic(edits []Edit) bool {
	first := edits[0].Location()
	switch first.Kind {
	case KindFile:
		return len(edits) == 1
	case KindCell:
		return !slices.ContainsFunc(edits, func(e Edit) bool {
			at := e.Location()
			return at.Kind != KindCell || at.File != first.File
		})
	default:
		return false
	}
}

// takeBack undoes what has been written before a write failed. The id is that of
// its backup, "" for none.
func (s *session) takeBack(edits []Edit, id string, cause error) error {
	for _, e := range slices.Backward(edits) {
		err := e.Revert(s.files)
		if _, foreign := errors.AsType[*disk.ChangedError](err); foreign {
			continue // what stands there is somebody else's
		}
		switch {
		case err == nil:
		case id == "":
			return fmt.Errorf("%w; %s may hold the new content", cause, e.Location().File)
		default:
			return fmt.Errorf("%w; %s may hold the new content: openclaw-auth undo %s", cause, e.Location().File, id)
		}
	}
	if id == "" {
		return cause
	}
	s.dropBackup(id)
	_ = s.tree.Remove(s.home.unfinishedFile()) // without its backup it says nothing
	return cause
}

// stillHeld fails if what protects an edit is no longer held: the locks in the
// directory of its file or, where there are none, any.
func stillHeld(held []Holder, e Edit) error {
	directory := filepath.Dir(e.Location().File)
	near := slices.DeleteFunc(slices.Clone(held), func(h Holder) bool {
		l, ok := h.(*lock.Held)
		return !ok || filepath.Dir(l.Path()) != directory
	})
	if len(near) == 0 {
		near = held
	}
	for _, h := range near {
		if err := h.Check(); err != nil {
			return err
		}
	}
	return nil
}

func changesOf(edits []Edit) []Change {
	var changes []Change
	for _, e := range edits {
		before, after := e.Contents()
		changes = append(changes, Change{e.Location(), before, after, e.Mode()})
	}
	return changes
}

// warningsOf names files that others could read, and files with other names
// whose content stays the old one.
func warningsOf(edits []Edit) []string {
	var warnings []string
	for _, e := range edits {
		file := e.Location().File
		_, after := e.Contents()
		if mode := e.Mode(); after != nil && mode&disk.OthersMode != 0 {
			warnings = append(warnings, fmt.Sprintf("%s could be read by others (mode %s); now it is %s", file, ModeText(mode), ModeText(mode&disk.PrivateMode)))
		}
		if whole, ok := e.(*FileEdit); ok && after != nil && whole.Before.Links > 1 {
			warnings = append(warnings, fmt.Sprintf("%s had %d names (hard links): the others keep the old content, as when OpenClaw writes it", file, whole.Before.Links))
		}
	}
	return warnings
}
