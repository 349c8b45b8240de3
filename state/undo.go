package state

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"openclaw-auth/auth"
)

// ErrNoBackup says that there is nothing to take back.
var ErrNoBackup = errors.New("no such backup")

// ChangedError says that something has changed since a backup was made, so that
// taking it back would lose that.
type ChangedError struct {
	Backup Manifest
	// Since is what taking the backup back would change now: what has become of
	// the files against what they were before.
	Since []Change
}

func (e *ChangedError) Error() string {
	var files []string
	for _, change := range e.Since {
		files = append(files, strings.TrimSpace(change.File+" "+change.Part))
	}
	return fmt.Sprintf("not undone: changed since %s (%s): %s", e.Backup.ID, e.Backup.Why, strings.Join(files, ", "))
}

// FindBackup returns the named backup or, for "", the last one that has not been
// taken back and does not take another back.
func (h *Home) FindBackup(id string) (*Manifest, error) {
	if id != "" {
		if filepath.Base(id) != id {
			return nil, fmt.Errorf("%w: %q is no id", ErrNoBackup, id)
		}
		manifest, err := h.ReadBackup(id)
		if isMissing(err) {
			return nil, fmt.Errorf("%w: %s", ErrNoBackup, id)
		}
		return manifest, err
	}
	backups, err := h.Backups()
	if err != nil {
		return nil, err
	}
	undone := map[string]bool{}
	for _, backup := range backups {
		if backup.Undoes != "" {
			undone[backup.Undoes] = true
			continue
		}
		if !undone[backup.ID] {
			return &backup, nil
		}
	}
	return nil, fmt.Errorf("%w: there is nothing to take back in %s", ErrNoBackup, h.BackupsDir())
}

// FindRun is FindBackup for all that one command wrote: the backup of that id
// or, if it is the id of a run or the backup belongs to one and none is named,
// those of the run that have not been taken back, the newest first.
func (h *Home) FindRun(id string) ([]Manifest, error) {
	backups, err := h.Backups()
	if err != nil {
		return nil, err
	}
	run := id
	if id == "" {
		last, err := h.FindBackup("")
		if err != nil {
			return nil, err
		}
		if run = last.Run; run == "" {
			return []Manifest{*last}, nil
		}
	}
	var found []Manifest
	undone := map[string]bool{}
	for _, backup := range backups {
		undone[backup.Undoes] = true
		if backup.Run == run && (backup.Undoes == "" || id != "") && !undone[backup.ID] {
			found = append(found, backup)
		}
	}
	if len(found) == 0 {
		last, err := h.FindBackup(id)
		if err != nil {
			return nil, err
		}
		return []Manifest{*last}, nil
	}
	return found, nil
}

// Undo puts back what a backup holds, if nothing has changed since; otherwise
// the error is a ChangedError. The backup stays, and so does one of what the
// undo itself changes.
func (h *Home) Undo(backup *Manifest, options WriteOptions) (*Written, error) {
	if h.Unfinished() == backup.ID {
		if written, err := h.Recover(options); err != nil || len(written.Changes) > 0 {
			return written, err
		}
	}
	j := h.undoing(backup, options)
	j.undoes = backup.ID
	j.plan = func() ([]edit, error) { return h.planUndo(backup, &j) }
	return h.run(j)
}

// undoing is the job that holds what must be held while a backup is put back.
func (h *Home) undoing(backup *Manifest, options WriteOptions) job {
	j := job{options: options, locks: locksOf(backup)}
	for _, entry := range backup.Entries {
		if database, ok := h.databaseOf(entry); ok {
			database.join(&j)
		}
	}
	return j
}

func (h *Home) planUndo(backup *Manifest, j *job) ([]edit, error) {
	var edits []edit
	changed := &ChangedError{Backup: *backup}
	for _, entry := range slices.Backward(backup.Entries) { // what came last goes first
		e, err := h.undoEntry(backup, entry, j)
		if err != nil {
			return nil, err
		}
		now, then := e.contents()
		switch {
		case entry.Before.match(now):
		case entry.After.match(now):
			edits = append(edits, e)
		default:
			changed.Since = append(changed.Since, Change{entry.Path, entry.Part, now, then, e.mode(), entry.Path == h.ConfigPath})
		}
	}
	if len(changed.Since) > 0 {
		return nil, changed
	}
	return edits, nil
}

// undoEntry is the edit that puts one entry of a backup back.
func (h *Home) undoEntry(backup *Manifest, entry BackupEntry, j *job) (edit, error) {
	var content []byte
	if entry.Before.Exists {
		path := filepath.Join(h.BackupsDir(), backup.ID, filepath.Base(entry.Copy))
		var err error
		if content, err = h.readFile(path, maxDocument); err != nil {
			return nil, err
		}
		if content == nil {
			content = []byte{}
		}
		if hashOf(content) != entry.Before.SHA256 {
			return nil, &FileError{File: path, Message: "is not what was backed up"}
		}
	}
	if entry.Part != "" {
		return h.undoPart(entry, content, j)
	}
	now, err := h.snapshot(entry.Path)
	if err != nil {
		return nil, err
	}
	return &fileEdit{home: h, before: now, after: content}, nil
}

// locksOf are the files that OpenClaw, the release of the backup, locks while
// it writes what the backup holds.
func locksOf(backup *Manifest) []lockedFile {
	rules, err := auth.RulesFor(backup.Rules)
	if err != nil {
		rules = auth.Newest()
	}
	var locks []lockedFile
	for _, entry := range backup.Entries {
		switch filepath.Base(entry.Path) {
		case profilesName, stateName:
			locks = append(locks, lockedFile{filepath.Join(filepath.Dir(entry.Path), profilesName), storeLock(&rules.Store)})
		default:
			if isSessionPart(entry) {
				locks = append(locks, lockedFile{entry.Path, sessionLock})
			}
		}
	}
	return locks
}

// modeOf is a file's mode, 0 where there is no file.
func (e Env) modeOf(path string) fs.FileMode {
	info, err := e.FS.Stat(path)
	if err != nil {
		return 0
	}
	return info.Mode().Perm()
}
