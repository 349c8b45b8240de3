package state

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Locks lists the locks that stand on disk now: of the agents' stores, of their
// sessions, of running token refreshes, and openclaw-auth's own.
func (h *Home) Locks(config *Config, now time.Time) ([]Lock, error) {
	var files []lockedFile
	for _, agent := range h.Agents(config) {
		// Where stores are in databases, the lock is one of an import, or of before.
		files = append(files, lockedFile{filepath.Join(agent.Dir, profilesName), storeLock(&h.Rules.Store)})
		if h.Rules.Store.SessionLock {
			files = append(files, lockedFile{h.Sessions(config, agent).File(), sessionLock})
		}
	}
	var locks []Lock
	for _, file := range files {
		path, err := h.lockPath(file.path)
		if isMissing(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		lock, err := h.readLock(path, file.kind, now)
		if err != nil {
			return nil, err
		}
		if lock != nil && !slices.ContainsFunc(locks, func(l Lock) bool { return l.File == path }) {
			locks = append(locks, *lock)
		}
	}
	refreshes, err := h.refreshLocks(now)
	if err != nil {
		return nil, err
	}
	return append(append(locks, refreshes...), h.ownLocks(now)...), nil
}

// refreshAge is the age at which OpenClaw takes the lock of a token refresh for abandoned.
const refreshAge = 180 * time.Second

// refreshLocks are the locks of OAuth refreshes. openclaw-auth refreshes
// nothing and takes none; it only shows them.
func (h *Home) refreshLocks(now time.Time) ([]Lock, error) {
	directory := filepath.Join(h.StateDir, "locks", "oauth-refresh")
	entries, _ := h.FS.ReadDir(directory)
	var locks []Lock
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".lock") {
			continue
		}
		lock, err := h.readLock(filepath.Join(directory, entry.Name()), lockKind{name: "refresh"}, now)
		if err != nil {
			return nil, err
		}
		if lock == nil {
			continue
		}
		if !lock.Stale && lock.Age(now) > refreshAge {
			lock.Stale, lock.Why = true, "older than 3 min"
		}
		locks = append(locks, *lock)
	}
	return locks, nil
}

// ownLocks is the lock of openclaw-auth, if a process holds it.
func (h *Home) ownLocks(now time.Time) []Lock {
	path := filepath.Join(h.PrivateDir(), "lock")
	if _, system := h.FS.(Disk); !system || !h.exists(path) {
		return nil
	}
	file := flock.New(path, flock.SetFlag(0))
	free, err := file.TryLock()
	defer file.Close()
	if err != nil || free {
		return nil
	}
	return []Lock{ownHolder(path, now)}
}
