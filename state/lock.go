package state

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
)

// lockAge is the age at which OpenClaw takes some locks for abandoned.
const lockAge = 30 * time.Second

// lockKind is one of OpenClaw's lock protocols.
type lockKind struct {
	name       string
	directory  bool // the lock is a directory, renewed by its holder
	newline    bool // its text ends in a newline
	agesMute   bool // a lock that tells nothing of its holder is stale after a while
	muteAtOnce bool // such a lock is stale at once
}

func storeLock(rules *auth.StoreRules) lockKind {
	return lockKind{name: "store", directory: rules.LockDirectory, newline: rules.LockNewline, agesMute: rules.LockUnreadable}
}

var sessionLock = lockKind{name: "sessions", agesMute: true, muteAtOnce: true}

// Lock is a lock of OpenClaw's as it stands on disk.
type Lock struct {
	File      string
	Kind      string // "store", "sessions"
	PID       int    // 0 where the lock does not tell
	Alive     bool   // the holder is running
	Command   string // the holder's command line, "" where it is not to be had
	Created   time.Time
	Directory bool
	Stale     bool   // the next writer removes it, OpenClaw and openclaw-auth alike
	Why       string // why it is stale, or why it is not though nobody seems to hold it

	info fs.FileInfo
	text []byte
}

// Age is how old the lock is, by its own word or else by its file's.
func (l *Lock) Age(now time.Time) time.Duration { return now.Sub(l.Created) }

// Describe says who holds the lock: pid, age and command.
func (l *Lock) Describe(now time.Time) string {
	age := max(l.Age(now), 0).Round(time.Second)
	switch {
	case l.PID == 0:
		return fmt.Sprintf("somebody (%s), for %s", l.Why, age)
	case l.Command == "":
		return fmt.Sprintf("process %d, for %s", l.PID, age)
	}
	return fmt.Sprintf("process %d (%s), for %s", l.PID, l.Command, age)
}

// BusyError is a lock that was not had in time.
type BusyError struct {
	Lock Lock
	Now  time.Time
}

func (e *BusyError) Error() string {
	text := e.Lock.File + ": held by " + e.Lock.Describe(e.Now)
	if e.Lock.PID == 0 && e.Lock.Kind != "database" {
		return text + "; remove it if no OpenClaw is running"
	}
	return text
}

// readLock returns the lock of that name, nil where there is none.
func (e Env) readLock(path string, kind lockKind, now time.Time) (*Lock, error) {
	info, err := e.FS.Lstat(path)
	if isMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fileError(path, err)
	}
	lock := &Lock{File: path, Kind: kind.name, Directory: info.IsDir(), Created: info.ModTime(), info: info}
	if lock.Directory {
		lock.judgeDirectory(kind, now)
		return lock, nil
	}
	if lock.text, err = e.readFile(path, maxConfig); isMissing(err) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	lock.judge(kind, now)
	return lock, nil
}

func (l *Lock) judgeDirectory(kind lockKind, now time.Time) {
	switch {
	case !kind.directory:
		l.Why = "a directory, as 2026.1 makes it"
	case l.Age(now) > lockAge:
		l.Stale, l.Why = true, "its holder has not renewed it for 30 s"
	default:
		l.Why = "the lock names no process"
	}
}

// judge reads the text of a lock and decides whether it is stale. A holder that
// lives keeps its lock whatever its age.
func (l *Lock) judge(kind lockKind, now time.Time) {
	value, _ := document.ParseJSON(l.File, l.text)
	doc, _ := value.(*document.Object)
	pid, _ := doc.Number("pid")
	l.PID = int(pid)
	created, err := time.Parse(time.RFC3339, doc.Text("createdAt"))
	if err == nil {
		l.Created = created
	}
	start, _ := doc.Number("starttime")
	switch {
	case l.PID > 0 && !IsAlive(l.PID):
		l.Stale, l.Why = true, "its process is gone"
	case l.PID > 0 && start > 0 && startOf(l.PID) > 0 && startOf(l.PID) != int64(start):
		l.Stale, l.Why = true, "its process is gone, another has its number"
	case l.PID > 0:
		l.Alive, l.Command = true, CommandOf(l.PID)
	case kind.muteAtOnce:
		l.Stale, l.Why = true, "it names no process"
	case kind.agesMute || doc.Has("createdAt"):
		l.Stale, l.Why = err != nil && !kind.agesMute || l.Age(now) > lockAge, "it names no process"
	default:
		l.PID, l.Why = 0, "the lock can't be read, and this release never removes such a lock"
	}
}

// lockPath is the lock of a file: in the file's directory, symbolic links resolved.
func (e Env) lockPath(file string) (string, error) {
	directory, err := e.FS.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return "", fileError(filepath.Dir(file), err)
	}
	return filepath.Join(directory, filepath.Base(file)+".lock"), nil
}

// heldLock is a lock of OpenClaw's that this process holds.
type heldLock struct {
	writer *writer
	path   string
	kind   lockKind
	text   []byte
	info   fs.FileInfo
}

// take tries to take a lock once. If somebody holds it, that lock is returned;
// a stale one is removed first.
func (w *writer) take(path string, kind lockKind, clock Clock) (*heldLock, *Lock, error) {
	for range 3 {
		held, err := w.makeLock(path, kind, clock)
		if err == nil || !errors.Is(err, fs.ErrExist) {
			return held, nil, err
		}
		lock, err := w.env.readLock(path, kind, clock.Now())
		switch {
		case err != nil:
			return nil, nil, err
		case lock == nil: // released meanwhile
			continue
		case !lock.Stale:
			return nil, lock, nil
		}
		if err := w.breakLock(lock, kind, clock); err != nil {
			return nil, nil, err
		}
	}
	lock, err := w.env.readLock(path, kind, clock.Now())
	if lock == nil && err == nil {
		lock = &Lock{File: path, Kind: kind.name, Why: "it changes hands all the time", Created: clock.Now()}
	}
	return nil, lock, err
}

// makeLock makes the lock with its text in one step: a process that is killed
// in between must not leave a lock that names nobody.
func (w *writer) makeLock(path string, kind lockKind, clock Clock) (*heldLock, error) {
	held := &heldLock{writer: w, path: path, kind: kind}
	if kind.directory {
		if err := w.disk.Mkdir(path, 0o777); err != nil {
			return nil, fileError(path, err)
		}
		return w.identify(held)
	}
	doc := document.NewObject()
	doc.SetNumber("pid", float64(os.Getpid()))
	doc.Set("createdAt", clock.Now().UTC().Format("2006-01-02T15:04:05.000Z"))
	held.text = document.Encode(doc)
	if !kind.newline {
		held.text = bytes.TrimSuffix(held.text, []byte("\n"))
	}
	if err := w.placeLock(path, held.text); err != nil {
		return nil, err
	}
	return w.identify(held)
}

// identify remembers which file the lock is.
func (w *writer) identify(held *heldLock) (*heldLock, error) {
	info, err := w.env.FS.Lstat(held.path)
	if err != nil {
		return nil, fileError(held.path, err)
	}
	held.info = info
	return held, nil
}

// lockMode lets others read who holds the lock, as OpenClaw's own locks do.
const lockMode = fs.FileMode(0o644)

func (w *writer) placeLock(path string, text []byte) error {
	prepared := filepath.Join(w.private, "lock.new")
	if err := w.disk.Remove(prepared); err != nil && !isMissing(err) {
		return fileError(prepared, err)
	}
	if err := w.fill(prepared, text, lockMode); err != nil {
		return err
	}
	err := w.disk.Link(prepared, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		if removeErr := w.disk.Remove(prepared); removeErr != nil && err == nil {
			w.disk.Remove(path)
			return fileError(prepared, removeErr)
		}
		return lockError(path, err)
	}
	w.disk.Remove(prepared)
	if isLinkless(err) {
		return w.fill(path, text, lockMode)
	}
	return lockError(path, err)
}

func lockError(path string, err error) error {
	if err == nil {
		return nil
	}
	return &FileError{File: path, Message: reasonOf(err), Err: err}
}

// breakLock removes a stale lock, unless it is another one by now.
func (w *writer) breakLock(stale *Lock, kind lockKind, clock Clock) error {
	now, err := w.env.readLock(stale.File, kind, clock.Now())
	if err != nil || now == nil {
		return err
	}
	if !now.Stale || !os.SameFile(now.info, stale.info) || !bytes.Equal(now.text, stale.text) {
		return nil
	}
	if err := w.disk.Remove(stale.File); err != nil && !isMissing(err) {
		return fileError(stale.File, err)
	}
	return nil
}

// check fails if the lock is no longer this process's.
func (l *heldLock) check() error {
	info, err := l.writer.env.FS.Lstat(l.path)
	if err != nil || !os.SameFile(info, l.info) {
		return l.lost()
	}
	if l.kind.directory {
		return nil
	}
	text, err := l.writer.env.readFile(l.path, maxConfig)
	if err != nil || !bytes.Equal(text, l.text) {
		return l.lost()
	}
	return nil
}

// release removes the lock if it is still this process's.
func (l *heldLock) release(bool) error {
	if err := l.check(); err != nil {
		return err
	}
	err := l.writer.disk.Remove(l.path)
	if err != nil && !isMissing(err) {
		err = l.writer.disk.Remove(l.path) // a lock that stays is worth a second try
	}
	if err != nil && !isMissing(err) {
		return fileError(l.path, err)
	}
	return nil
}

func (l *heldLock) lost() error { return &changedError{l.path, "the lock was taken over meanwhile"} }
