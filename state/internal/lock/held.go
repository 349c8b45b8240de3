package lock

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"time"

	"openclaw-auth/state/internal/disk"
)

// Held is a lock of OpenClaw's that this process holds.
type Held struct {
	writer *disk.Writer
	path   string
	kind   Kind
	text   []byte
	info   fs.FileInfo
}

// Path is the lock's file.
func (l *Held) Path() string { return l.path }

// Take tries to take a lock once. If it is held, that lock is returned;
// a stale one is removed first.
func Take(w *disk.Writer, path string, kind Kind, clock Clock) (*Held, *Lock, error) {
	for range 3 {
		held, err := makeLock(w, path, kind, clock.Now())
		if err == nil || !errors.Is(err, fs.ErrExist) {
			return held, nil, err
		}
		lock, err := Read(w.FS, path, kind, clock.Now())
		switch {
		case err != nil:
			return nil, nil, err
		case lock == nil: // released in the meantime
			continue
		case !lock.Stale:
			return nil, lock, nil
		}
		if err := breakLock(w, lock, kind, clock.Now()); err != nil {
			return nil, nil, err
		}
	}
	lock, err := Read(w.FS, path, kind, clock.Now())
	if lock == nil && err == nil {
		lock = &Lock{File: path, Kind: kind.Name, Why: "it changes hands all the time", Created: clock.Now()}
	}
	return nil, lock, err
}

// makeLock makes the lock with its text in one step: a process that is killed
// in between must not leave a lock that names nobody.
func makeLock(w *disk.Writer, path string, kind Kind, now time.Time) (*Held, error) {
	held := &Held{writer: w, path: path, kind: kind}
	if kind.Directory {
		if err := w.Disk.Mkdir(path, 0o777); err != nil {
			return nil, disk.Fail(path, err)
		}
		return held.identify()
	}
	text, err := json.MarshalIndent(struct {
		PID       int    `json:"pid"`
		CreatedAt string `json:"createdAt"`
	}{os.Getpid(), now.UTC().Format("2006-01-02T15:04:05.000Z")}, "", "  ")
	if err != nil {
		return nil, err
	}
	if kind.Newline {
		text = append(text, '\n')
	}
	held.text = text
	if err := place(w, path, text); err != nil {
		return nil, err
	}
	return held.identify()
}

// identify remembers which file the lock is.
func (l *Held) identify() (*Held, error) {
	info, err := l.writer.FS.Lstat(l.path)
	if err != nil {
		return nil, disk.Fail(l.path, err)
	}
	l.info = info
	return l, nil
}

// mode lets others read who holds the lock, as OpenClaw's own locks do.
const mode = fs.FileMode(0o644)

// isSame reports whether two names are of one file.
func isSame(files disk.FS, a, b string) bool {
	first, err := files.Lstat(a)
	if err != nil {
		return false
	}
	second, err := files.Lstat(b)
	return err == nil && os.SameFile(first, second)
}

// place makes a lock with its text in one step.
func place(w *disk.Writer, path string, text []byte) error {
	prepared := disk.TemporaryName(path)
	if err := w.FillLock(prepared, text, mode); err != nil {
		return err
	}
	err := w.Disk.Link(prepared, path)
	if err != nil && isSame(w.FS, prepared, path) {
		err = nil // done all the same: a network file system has lost the answer
	}
	if err == nil || errors.Is(err, fs.ErrExist) {
		if removeErr := w.Disk.Remove(prepared); removeErr != nil && err == nil {
			w.Disk.Remove(path)
			return disk.Fail(prepared, removeErr)
		}
		return placed(path, err)
	}
	w.Disk.Remove(prepared)
	if disk.IsLinkless(err) {
		return w.FillLock(path, text, mode)
	}
	return placed(path, err)
}

func placed(path string, err error) error {
	if err == nil {
		return nil
	}
	return &disk.FileError{File: path, Message: disk.ReasonOf(err), Err: err}
}

// breakLock removes a stale lock, unless it is another one by now.
func breakLock(w *disk.Writer, stale *Lock, kind Kind, now time.Time) error {
	current, err := Read(w.FS, stale.File, kind, now)
	if err != nil || current == nil {
		return err
	}
	if !current.Stale || !os.SameFile(current.info, stale.info) || !bytes.Equal(current.text, stale.text) {
		return nil
	}
	if err := w.Disk.Remove(stale.File); err != nil && !disk.IsMissing(err) {
		return disk.Fail(stale.File, err)
	}
	return nil
}

// RemoveOf removes a lock of a process that was killed, by its number.
func RemoveOf(w *disk.Writer, path string, pid int) {
	info, err := w.FS.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	text, err := disk.ReadFile(w.FS, path, disk.MaxConfig)
	if err == nil && pid > 0 && holderOf(text).pid == pid && !disk.IsAlive(pid) {
		_ = w.Disk.Remove(path) // where it stays, whoever wants the lock removes it
	}
}

// Check fails if the lock is no longer this process's.
func (l *Held) Check() error {
	info, err := l.writer.FS.Lstat(l.path)
	if err != nil || !os.SameFile(info, l.info) {
		return l.lost()
	}
	if l.kind.Directory {
		return nil
	}
	text, err := disk.ReadFile(l.writer.FS, l.path, disk.MaxConfig)
	if err != nil || !bytes.Equal(text, l.text) {
		return l.lost()
	}
	return nil
}

// Release removes the lock if it is still this process's.
func (l *Held) Release(bool) error {
	if err := l.Check(); err != nil {
		return err
	}
	err := l.writer.Disk.Remove(l.path)
	if err != nil && !disk.IsMissing(err) {
		err = l.writer.Disk.Remove(l.path) // a lock that stays is worth a second try
	}
	if err != nil && !disk.IsMissing(err) {
		return disk.Fail(l.path, err)
	}
	return nil
}

func (l *Held) lost() error {
	return &disk.ChangedError{File: l.path, Problem: "the lock was taken over in the meantime"}
}
