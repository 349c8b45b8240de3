package state

import (
	"path/filepath"
	"slices"
	"strings"
)

// unfinishedName is the note that a write has begun: it holds the id of the
// backup of what was there. It is made before the first change and goes after
// the last one, so that the next write can put back what a killed process left
// half done.
const unfinishedName = "unfinished"

func (h *Home) unfinishedFile() string { return filepath.Join(h.PrivateDir(), unfinishedName) }

// Unfinished returns the backup of a write that was begun and not finished, ""
// for none. The next write takes it back first.
func (h *Home) Unfinished() string {
	text, err := h.readFile(h.unfinishedFile(), maxConfig)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// begin notes that a write begins. A single change happens at once or not at
// all and needs no note.
func (h *Home) begin(w *writer, backup string, edits []edit) error {
	if len(edits) < 2 {
		return nil
	}
	return w.replace(h.unfinishedFile(), []byte(backup+"\n"))
}

// finish notes that nothing is half done any more.
func (h *Home) finish(w *writer) error {
	if !h.exists(h.unfinishedFile()) {
		return nil
	}
	return w.remove(h.unfinishedFile())
}

// Recover takes back a write that a killed process has left half done; there
// are no changes where none is.
func (h *Home) Recover(options WriteOptions) (*Written, error) {
	id := h.Unfinished()
	if id == "" {
		return &Written{}, nil
	}
	backup, err := h.ReadBackup(id)
	if isMissing(err) {
		return &Written{}, h.recoverFirst(options)
	}
	if err != nil {
		return nil, err
	}
	j := h.undoing(backup, options)
	edits, _, err := h.halfDone(backup, &j)
	written := &Written{Changes: changesOf(edits)}
	if err != nil || options.DryRun {
		return written, err
	}
	return written, h.recoverFirst(options)
}

// recoverFirst takes back what is half done before something else is written.
func (h *Home) recoverFirst(options WriteOptions) error {
	if options.DryRun || h.Unfinished() == "" {
		return nil
	}
	w, own, err := h.openWriter(options)
	if err != nil {
		return err
	}
	defer own.release()
	return h.recover(w, options)
}

// recover puts back what a killed process left half done. What somebody else
// has changed since stays, and then the backup does too.
func (h *Home) recover(w *writer, options WriteOptions) error {
	id := h.Unfinished()
	if id == "" || filepath.Base(id) != id {
		return h.finish(w)
	}
	backup, err := h.ReadBackup(id)
	if isMissing(err) { // it was never complete, so nothing was changed
		return h.finish(w)
	}
	if err != nil {
		return err
	}
	j := h.undoing(backup, options)
	held, err := w.takeAll(j, options.Clock.Now().Add(options.Timeout))
	if err != nil {
		return err
	}
	edits, foreign, err := h.halfDone(backup, &j)
	for _, e := range edits {
		if err == nil {
			err = e.apply(w)
		}
	}
	if releaseErr := releaseAll(held, err == nil); err == nil {
		err = releaseErr
	}
	if err != nil {
		return err
	}
	if len(edits) > 0 && !foreign {
		w.dropBackup(id)
	}
	return h.finish(w)
}

// halfDone are the edits that take back what has been written of a backup, the
// last one first; none if all of it has been, so that only the note was left.
// foreign reports whether somebody else has changed something since.
func (h *Home) halfDone(backup *Manifest, j *job) (edits []edit, foreign bool, err error) {
	all := true
	for _, entry := range slices.Backward(backup.Entries) {
		e, err := h.undoEntry(backup, entry, j)
		if err != nil {
			return nil, foreign, err
		}
		now, _ := e.contents()
		switch {
		case entry.After.match(now):
			edits = append(edits, e)
		case entry.Before.match(now):
			all = false
		default:
			all, foreign = false, true
		}
	}
	if all {
		return nil, false, nil
	}
	return edits, foreign, nil
}
