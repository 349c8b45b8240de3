package state

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Clock is the time and the passing of it.
type Clock interface {
	Now() time.Time
	Sleep(d time.Duration)
}

// SystemClock is the clock of the machine.
type SystemClock struct{}

// Now returns the time.
func (SystemClock) Now() time.Time { return time.Now() }

// Sleep waits.
func (SystemClock) Sleep(d time.Duration) { time.Sleep(d) }

// privateName is the directory below the state directory that belongs to
// openclaw-auth: its lock and its backups.
const privateName = "openclaw-auth"

// PrivateDir is the directory of openclaw-auth's own files.
func (h *Home) PrivateDir() string { return filepath.Join(h.StateDir, privateName) }

// ownPoll is how often a process looks whether another one of openclaw-auth is done.
const ownPoll = 5 * time.Millisecond

// ownLock excludes the processes of openclaw-auth from each other. The system
// drops it with its holder, so it never needs to be cleaned up.
type ownLock struct{ file *flock.Flock }

func takeOwnLock(directory string, options WriteOptions) (*ownLock, error) {
	path := filepath.Join(directory, "lock")
	file := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(privateMode))
	start := options.Clock.Now()
	for {
		ok, err := file.TryLock()
		if err != nil {
			return nil, fileError(path, err)
		}
		if ok {
			break
		}
		now := options.Clock.Now()
		if now.Sub(start) >= options.Timeout {
			return nil, &BusyError{ownHolder(path, now), now}
		}
		if options.Waiting != nil && now.Sub(start) > lastWait {
			options.Waiting(ownHolder(path, now))
		}
		options.Clock.Sleep(ownPoll)
	}
	// Only for the message of one who waits; where the system keeps the file to
	// itself while it is locked, that message names no process.
	_ = os.WriteFile(path, []byte(strconv.Itoa(os.Getpid())+"\n"), privateMode)
	return &ownLock{file}, nil
}

// ownHolder tells which process of openclaw-auth holds the private lock.
func ownHolder(path string, now time.Time) Lock {
	lock := Lock{File: path, Kind: "own", Created: now, Why: "another openclaw-auth"}
	data, err := os.ReadFile(path)
	if err != nil {
		return lock
	}
	if info, err := os.Stat(path); err == nil {
		lock.Created = info.ModTime()
	}
	lock.PID, _ = strconv.Atoi(strings.TrimSpace(string(data)))
	lock.Alive = IsAlive(lock.PID)
	lock.Command = CommandOf(lock.PID)
	return lock
}

func (l *ownLock) release() { l.file.Close() }
