package lock

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"openclaw-auth/state/internal/disk"
)

// OwnName is the name of the lock that excludes the processes of openclaw-auth
// from each other, in their private directory.
const OwnName = "lock"

// Own is that lock. The system drops it with its holder, so it never needs to
// be cleaned up.
type Own struct {
	file *flock.Flock
	tree disk.Tree
	path string
	// Killed is the process that held the lock before and was killed at work; 0
	// for none. What it left behind is to be swept.
	Killed int
}

// Wait says how long to wait for a lock, and whom to tell.
type Wait struct {
	Clock   Clock
	Timeout time.Duration
	Waiting func(Lock) // called repeatedly with the lock being waited for; nil for nobody
}

// The waits between two looks at a lock that is held. They grow, so that hundreds
// of processes that wait for each other don't keep the machine busy with looking.
const (
	firstLook = 2 * time.Millisecond
	lastLook  = 50 * time.Millisecond
	FirstWait = 20 * time.Millisecond
	LastWait  = 500 * time.Millisecond
)

// TakeOwn takes the lock in a private directory. Owner is who all files there
// must belong to.
func TakeOwn(ctx context.Context, tree disk.Tree, directory string, wait Wait) (*Own, error) {
	path := filepath.Join(directory, OwnName)
	if err := makeOwn(tree, path); err != nil {
		return nil, err
	}
	file := flock.New(path, flock.SetFlag(ownFlags), flock.SetPermissions(disk.PrivateMode))
	own := &Own{file: file, tree: tree, path: path}
	start := wait.Clock.Now()
	told := start
	for pause := firstLook; ; pause = min(pause*3/2, lastLook) {
		ok, err := file.TryLock()
		if err != nil {
			return nil, disk.Fail(path, err)
		}
		if ok {
			break
		}
		now := wait.Clock.Now()
		if now.Sub(start) >= wait.Timeout {
			return nil, &BusyError{ownHolder(tree, path, now), now}
		}
		if wait.Waiting != nil && now.Sub(told) > LastWait {
			wait.Waiting(ownHolder(tree, path, now))
			told = now
		}
		if err := wait.Clock.Sleep(ctx, pause+rand.N(pause/2)); err != nil {
			return nil, err
		}
	}
	if err := own.checkLocked(); err != nil {
		file.Close()
		return nil, err
	}
	if before := ownPID(tree, path); before != os.Getpid() {
		own.Killed = before
	}
	// For whoever waits, and for whoever comes after a kill. Where the system keeps
	// the file to itself while it is locked, nobody can be told.
	_ = own.write(strconv.Itoa(os.Getpid()) + "\n")
	return own, nil
}

// makeOwn makes the file of the lock, if there is none, and refuses what is no
// file of its own: a symbolic link, or a second name of another file.
func makeOwn(tree disk.Tree, path string) error {
	info, err := tree.Lstat(path)
	if disk.IsMissing(err) {
		w := &disk.Writer{FS: tree, Disk: tree}
		if err := w.FillLock(path, nil, disk.PrivateMode); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
		info, err = tree.Lstat(path)
	}
	switch {
	case err != nil:
		return disk.Fail(path, err)
	case !info.Mode().IsRegular() || disk.LinksOf(info) > 1:
		return &disk.FileError{File: path, Message: "is not a lock of openclaw-auth's: remove it", Err: disk.ErrNotRegular}
	}
	return nil
}

// checkLocked refuses a lock on another file than the one in the directory.
func (l *Own) checkLocked() error {
	locked, err := l.file.Stat()
	if err != nil {
		return disk.Fail(l.path, err)
	}
	named, err := l.tree.Lstat(l.path)
	if err != nil || !os.SameFile(locked, named) {
		return &disk.FileError{File: l.path, Message: "was replaced while it was opened", Err: disk.ErrNotRegular}
	}
	return nil
}

// write replaces the text of the lock's file, in place: it is the file that is locked.
func (l *Own) write(text string) error {
	file, err := l.tree.Overwrite(l.path)
	if err != nil {
		return err
	}
	_, err = io.WriteString(file, text)
	return errors.Join(err, file.Close())
}

// Release ends the hold. What was at work is done or was taken back.
func (l *Own) Release() {
	_ = l.write("")
	_ = l.file.Close()
}

// ownPID is the process that the lock's file names, 0 for none.
func ownPID(files disk.FS, path string) int {
	text, err := disk.ReadFile(files, path, disk.MaxConfig)
	if err != nil {
		return 0
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return max(pid, 0)
}

// ownHolder says which process of openclaw-auth holds the lock.
func ownHolder(files disk.FS, path string, now time.Time) Lock {
	lock := Lock{File: path, Kind: "own", Created: now, Why: "another openclaw-auth"}
	if info, err := files.Lstat(path); err == nil {
		lock.Created = info.ModTime()
	}
	if lock.PID = ownPID(files, path); lock.PID > 0 {
		lock.Alive = disk.IsAlive(lock.PID)
		lock.Command = CommandOf(lock.PID)
	}
	return lock
}

// ReadOwn returns the lock in a private directory if a process holds it now,
// and the process that was killed while it held it, 0 for none.
func ReadOwn(tree disk.Tree, directory string, now time.Time) (held *Lock, killed int) {
	path := filepath.Join(directory, OwnName)
	if makesNone(tree, path) {
		return nil, 0
	}
	file := flock.New(path, flock.SetFlag(readFlags))
	free, err := file.TryRLock()
	defer file.Close()
	switch {
	case err != nil:
		return nil, 0
	case free:
		return nil, ownPID(tree, path)
	}
	lock := ownHolder(tree, path, now)
	return &lock, 0
}

// makesNone reports that there is no file of a lock.
func makesNone(files disk.FS, path string) bool {
	info, err := files.Lstat(path)
	return err != nil || !info.Mode().IsRegular()
}
