package state

import (
	"context"
	"errors"
	"maps"
	"slices"

	"openclaw-auth/auth/document"
	"openclaw-auth/state/internal/sessions"
	"openclaw-auth/state/internal/write"
)

// ErrSessionsUnlocked says that the release writes sessions.json without a lock
// that another program could respect.
var ErrSessionsUnlocked = errors.New("sessions can't be written safely")

// UpdateSession changes the entry of one session in its sessions.json: change
// gets the entry as it stands and changes it in place. Everything else in the
// file stays as it is, byte for byte.
func (h *Home) UpdateSession(ctx context.Context, store SessionStore, key string, change func(entry *document.Object) error, options WriteOptions) (*Written, error) {
	file := store.File()
	if !RulesOf(h.Rules).SessionLock {
		return nil, &FileError{File: file, Message: "OpenClaw " + h.Rules.Line + " writes its sessions without a lock for others: " + ErrSessionsUnlocked.Error(), Err: ErrSessionsUnlocked}
	}
	var found *sessions.Edit
	plan := func() ([]write.Edit, error) {
		var err error
		if found == nil || !found.IsCurrent() { // a file of this size is not read twice while others wait
			found, err = sessions.Entries(h.FS, file, []string{key})
		}
		if err != nil {
			return nil, err
		}
		if err := found.Change(func(_ string, entry *document.Object) error { return change(entry) }); err != nil || !found.Changes() {
			return nil, err
		}
		return []write.Edit{found}, nil
	}
	return h.run(ctx, write.Job{Options: options, Locks: []write.LockedFile{{Path: file, Kind: sessionLock}}, Plan: plan})
}

// undoEntries is the edit that gives sessions the entries back that they had.
func (h *Home) undoEntries(entry BackupEntry, content []byte) (write.Edit, error) {
	entries := map[string][]byte{entry.Part: content}
	if entry.Kind == write.KindSessions {
		var err error
		if entries, err = sessions.Kept(entry.Path, content); err != nil {
			return nil, err
		}
	}
	found, err := sessions.Entries(h.FS, entry.Path, slices.Sorted(maps.Keys(entries)))
	if err != nil {
		return nil, err
	}
	found.Set(entries)
	return found, nil
}
