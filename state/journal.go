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
	foreign, err := h.restore(w, backup, &j)
	if releaseErr := releaseAll(held, err == nil); err == nil {
		err = releaseErr
	}
	if err != nil {
		return err
	}
	if !foreign {
		w.dropBackup(id)
	}
	return h.finish(w)
}

// restore puts back every entry of a backup that has been changed, the last
// one first, and reports whether there are some that somebody else has changed.
func (h *Home) restore(w *writer, backup *Manifest, j *job) (foreign bool, err error) {
	for _, entry := range slices.Backward(backup.Entries) {
		e, err := h.undoEntry(backup, entry, j)
		if err != nil {
			return foreign, err
		}
		now, _ := e.contents()
		switch {
		case entry.Before.match(now):
		case entry.After.match(now):
			if err := e.apply(w); err != nil {
				return foreign, err
			}
		default:
			foreign = true
		}
	}
	return foreign, nil
}

// undoUnfinished takes back a write that was not finished.
func (h *Home) undoUnfinished(backup *Manifest, options WriteOptions) (*Written, error) {
	j := h.undoing(backup, options)
	edits, err := h.planUndo(backup, &j)
	written := &Written{Changes: changesOf(edits)}
	if err != nil || options.DryRun {
		return written, err
	}
	w, own, err := h.openWriter(options)
	if err != nil {
		return nil, err
	}
	defer own.release()
	return written, h.recover(w, options)
}
