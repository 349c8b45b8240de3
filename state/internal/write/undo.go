package write

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"openclaw-auth/state/internal/disk"
)

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
		manifest, err := h.ReadBackup(id)
		if disk.IsMissing(err) {
			return nil, fmt.Errorf("%w: %s", ErrNoBackup, id)
		}
		return manifest, err
	}
	backups, damaged := h.Backups()
	undone := h.undone(backups)
	for _, backup := range backups {
		if backup.Undoes == "" && !undone[backup.ID] {
			return &backup, nil
		}
	}
	err := fmt.Errorf("%w: there is nothing to take back in %s", ErrNoBackup, h.BackupsDir())
	for _, problem := range damaged {
		err = fmt.Errorf("%w; %w", err, problem)
	}
	return nil, err
}

// FindRun is FindBackup for all that one command wrote: the backup of that id
// or, if it is the id of a run or the backup belongs to one and none is named,
// those of the run that have not been taken back, the newest first.
func (h *Home) FindRun(id string) ([]Manifest, error) {
	backups, _ := h.Backups()
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
	undone := h.undone(backups)
	for _, backup := range backups {
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

// undone names the backups that have been taken back. That there is a backup of
// an undo does not prove it: where everything is as it was before the undo, that
// never happened, or was taken back itself; one that was interrupted will be.
func (h *Home) undone(backups []Manifest) map[string]bool {
	undone := map[string]bool{}
	unfinished := h.Unfinished()
	for i := range backups {
		backup := &backups[i]
		switch {
		case backup.Undoes == "":
		case backup.ID == unfinished:
			j := h.undoing(backup, Options{})
			_, state, err := h.halfDone(backup, &j)
			undone[backup.Undoes] = err == nil && state == complete
		case !h.isWithoutEffect(backup):
			undone[backup.Undoes] = true
		}
	}
	return undone
}

// isWithoutEffect reports whether everything is as it was before a write.
func (h *Home) isWithoutEffect(backup *Manifest) bool {
	j := h.undoing(backup, Options{})
	for _, entry := range backup.Entries {
		e, err := h.undoEntry(backup, entry, &j)
		if err != nil {
			return false
		}
		if now, _ := e.Contents(); !entry.Before.match(now) {
			return false
		}
	}
	return len(backup.Entries) > 0
}

// Undo puts back what a backup holds, if nothing has changed since; otherwise
// the error is a ChangedError. The backup stays, and so does one of what the
// undo itself changes.
func (h *Home) Undo(ctx context.Context, backup *Manifest, options Options) (*Written, error) {
	if h.Unfinished() == backup.ID {
		if written, err := h.Recover(ctx, options); err != nil || len(written.Changes) > 0 {
			return written, err
		}
	}
	j := h.undoing(backup, options)
	j.undoes = backup.ID
	j.Plan = func() ([]Edit, error) { return h.planUndo(backup, &j) }
	return h.Run(ctx, j)
}

// undoing is the job that holds what must be held while a backup is put back.
func (h *Home) undoing(backup *Manifest, options Options) Job {
	j := Job{Options: options}
	h.Hold(backup, &j)
	return j
}

func (h *Home) planUndo(backup *Manifest, j *Job) ([]Edit, error) {
	var edits []Edit
	changed := &ChangedError{Backup: *backup}
	for _, entry := range slices.Backward(backup.Entries) { // what came last goes first
		e, err := h.undoEntry(backup, entry, j)
		if err != nil {
			return nil, err
		}
		now, then := e.Contents()
		switch {
		case entry.Before.match(now):
		case entry.After.match(now):
			edits = append(edits, e)
		default:
			changed.Since = append(changed.Since, Change{e.Location(), now, then, e.Mode()})
		}
	}
	if len(changed.Since) > 0 {
		return nil, changed
	}
	return edits, nil
}

// undoEntry is the edit that puts one entry of a backup back.
func (h *Home) undoEntry(backup *Manifest, entry Entry, j *Job) (Edit, error) {
	content, err := h.readCopy(backup, entry)
	if err != nil {
		return nil, err
	}
	switch entry.Kind {
	case KindFile:
		now, err := disk.Snap(h.Env.FS, entry.Path)
		if err != nil {
			return nil, err
		}
		return &FileEdit{FS: h.Env.FS, Before: now, After: content}, nil
	case KindMode:
		return undoMode(h.Env.FS, entry, content)
	case KindMove:
		return undoMove(h.Env.FS, entry, content)
	case KindCell, KindSession, KindSessions:
		return h.UndoPart(entry, content, j)
	}
	return nil, &disk.FileError{File: entry.Path, Message: "the backup is of a kind that this openclaw-auth does not know"}
}
