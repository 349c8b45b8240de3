package lock

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"time"

	"openclaw-auth/state/internal/disk"
)

// staleAge is the age at which OpenClaw takes some locks for abandoned.
const staleAge = 30 * time.Second

// Kind is one of OpenClaw's lock protocols.
type Kind struct {
	Name       string // "store", "sessions"
	Directory  bool   // the lock is a directory, renewed by its holder
	Newline    bool   // its text ends in a newline
	AgesMute   bool   // a lock that names no process is stale after a while
	MuteAtOnce bool   // such a lock is stale at once
}

// Lock is a lock as it stands on disk.
type Lock struct {
	File      string
	Kind      string // "store", "sessions", "refresh", "database", "own"
	PID       int    // 0 where the lock does not say
	Alive     bool   // the holder is running
	Command   string // the holder's command line, "" where it is not known
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
		return fmt.Sprintf("an unknown process (%s), for %s", l.Why, age)
	case l.Command == "":
		return fmt.Sprintf("process %d, for %s", l.PID, age)
	}
	return fmt.Sprintf("process %d (%s), for %s", l.PID, l.Command, age)
}

// IsAnonymous reports whether nothing on disk says since when the lock is held.
func (l *Lock) IsAnonymous() bool { return l.PID == 0 && l.text == nil && !l.Directory }

// BusyError is a lock that was still held when the time for it was over.
type BusyError struct {
	Lock Lock
	Now  time.Time
}

func (e *BusyError) Error() string {
	text := "timed out waiting for " + e.Lock.File + ": held by " + e.Lock.Describe(e.Now)
	if e.Lock.PID == 0 && e.Lock.Kind != "database" {
		return text + "; remove it if no OpenClaw is running"
	}
	return text
}

// Read returns the lock at a path, nil where there is none.
func Read(files disk.FS, path string, kind Kind, now time.Time) (*Lock, error) {
	info, err := files.Lstat(path)
	if disk.IsMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, disk.Fail(path, err)
	}
	lock := &Lock{File: path, Kind: kind.Name, Directory: info.IsDir(), Created: info.ModTime(), info: info}
	switch {
	case lock.Directory:
		lock.judgeDirectory(kind, now)
		return lock, nil
	case !info.Mode().IsRegular():
		lock.Why = "it is no file, and no release makes such a lock" // a link, dangling or not: never followed
		return lock, nil
	}
	if lock.text, err = disk.ReadFile(files, path, disk.MaxConfig); disk.IsMissing(err) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	lock.judge(kind, now)
	return lock, nil
}

func (l *Lock) judgeDirectory(kind Kind, now time.Time) {
	switch {
	case !kind.Directory:
		l.Why = "a directory, as 2026.1 makes it"
	case l.Age(now) > staleAge:
		l.Stale, l.Why = true, "its holder has not renewed it for 30 s"
	default:
		l.Why = "the lock names no process"
	}
}

// holder is what a lock says of its holder.
type holder struct {
	pid     int
	start   float64
	created string
	dated   bool // it has a createdAt at all
}

// holderOf reads the text of a lock. A pid that no process can have is none.
func holderOf(text []byte) holder {
	var document map[string]any
	if json.Unmarshal(text, &document) != nil {
		return holder{}
	}
	var h holder
	if pid, ok := document["pid"].(float64); ok && pid >= 1 && pid <= math.MaxInt32 && pid == math.Trunc(pid) {
		h.pid = int(pid)
	}
	h.start, _ = document["starttime"].(float64)
	h.created, _ = document["createdAt"].(string)
	_, h.dated = document["createdAt"]
	return h
}

// judge reads the text of a lock and decides whether it is stale. A holder that
// lives keeps its lock whatever its age.
func (l *Lock) judge(kind Kind, now time.Time) {
	h := holderOf(l.text)
	l.PID = h.pid
	created, err := time.Parse(time.RFC3339, h.created)
	if err == nil {
		l.Created = created
	}
	switch {
	case l.PID > 0 && !disk.IsAlive(l.PID):
		l.Stale, l.Why = true, "its process is gone"
	case l.PID > 0 && h.start > 0 && disk.StartOf(l.PID) > 0 && float64(disk.StartOf(l.PID)) != h.start:
		l.Stale, l.Why = true, "its process is gone, another has its number"
	case l.PID > 0:
		l.Alive, l.Command = true, CommandOf(l.PID)
	case kind.MuteAtOnce:
		l.Stale, l.Why = true, "it names no process"
	case kind.AgesMute || h.dated:
		l.Stale, l.Why = err != nil && !kind.AgesMute || l.Age(now) > staleAge, "it names no process"
	default:
		l.Why = "the lock can't be read, and this release never removes such a lock"
	}
}

// Path is the lock of a file: in the file's directory, symbolic links resolved.
func Path(files disk.FS, file string) (string, error) {
	directory, err := files.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return "", disk.Fail(filepath.Dir(file), err)
	}
	return filepath.Join(directory, filepath.Base(file)+".lock"), nil
}
