package state

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"openclaw-auth/state/internal/disk"
	"openclaw-auth/state/internal/lock"
	"openclaw-auth/state/internal/write"
)

// Locks lists the locks that stand on disk now: of the agents' stores, of their
// sessions, of running token refreshes, and openclaw-auth's own.
func (h *Home) Locks(config *Config, now time.Time) ([]Lock, error) {
	var files []write.LockedFile
	for _, agent := range h.Agents(config) {
		// Where stores are in databases, the lock is one of an import, or of before.
		files = append(files, write.LockedFile{Path: filepath.Join(agent.Dir, profilesName), Kind: storeLock(RulesOf(h.Rules))})
		if RulesOf(h.Rules).SessionLock {
			files = append(files, write.LockedFile{Path: h.Sessions(config, agent).File(), Kind: sessionLock})
		}
	}
	var locks []Lock
	for _, file := range files {
		path, err := lock.Path(h.FS, file.Path)
		if disk.IsMissing(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		found, err := lock.Read(h.FS, path, file.Kind, now)
		if err != nil {
			return nil, err
		}
		if found != nil && !slices.ContainsFunc(locks, func(l Lock) bool { return l.File == path }) {
			locks = append(locks, *found)
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
		found, err := lock.Read(h.FS, filepath.Join(directory, entry.Name()), lock.Kind{Name: "refresh"}, now)
		if err != nil {
			return nil, err
		}
		if found == nil {
			continue
		}
		if !found.Stale && found.Age(now) > refreshAge {
			found.Stale, found.Why = true, "older than 3 min"
		}
		locks = append(locks, *found)
	}
	return locks, nil
}

// ownLocks is the lock of openclaw-auth, if a process holds it.
func (h *Home) ownLocks(now time.Time) []Lock {
	if held := h.writes().Held(now); held != nil {
		return []Lock{*held}
	}
	return nil
}
