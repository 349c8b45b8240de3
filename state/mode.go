package state

import (
	"fmt"
	"io/fs"
	"strconv"

	"openclaw-auth/auth"
)

// othersMode are the bits of a mode that are for anyone but the owner.
const othersMode fs.FileMode = 0o077

// modePart is the part of a file that a change of its mode concerns.
const modePart = "(mode)"

// CloseToOthers takes what anyone but its owner may do from files and
// directories: from all of them or, if one can't be had, from none.
func (h *Home) CloseToOthers(paths []string, options WriteOptions) (*Written, error) {
	j := job{options: options}
	j.plan = func() ([]edit, error) {
		var edits []edit
		for _, path := range paths {
			before := h.modeOf(path)
			if before&othersMode != 0 {
				edits = append(edits, &modeEdit{home: h, path: path, before: before, after: before &^ othersMode})
			}
		}
		return edits, nil
	}
	return h.run(j)
}

// modeEdit changes a mode. Its contents are documents, such as {"mode":"0644"},
// so that it is shown, backed up and taken back like any other edit.
type modeEdit struct {
	home          *Home
	path          string
	before, after fs.FileMode
}

func (m *modeEdit) location() (file, part string) { return m.path, modePart }

func (m *modeEdit) contents() (before, after []byte) {
	return modeDocument(m.before), modeDocument(m.after)
}

func modeDocument(mode fs.FileMode) []byte { return fmt.Appendf(nil, `{"mode":"%04o"}`, mode) }

func (m *modeEdit) mode() fs.FileMode { return 0 } // nothing is made that could have another

func (m *modeEdit) check(w *writer) error {
	info, err := w.env.FS.Stat(m.path)
	if err != nil {
		return fileError(m.path, err)
	}
	if owner, ok := ownerOf(info); ok && owner.isForeign() && !isRoot() {
		return &FileError{File: m.path, Message: "belongs to user " + owner.String() + ": run this as that user", Err: fs.ErrPermission}
	}
	return nil
}

func (m *modeEdit) apply(w *writer) error { return m.set(w, m.before, m.after) }

func (m *modeEdit) revert(w *writer) error {
	if m.home.modeOf(m.path) == m.before {
		return nil
	}
	return m.set(w, m.after, m.before)
}

func (m *modeEdit) set(w *writer, from, to fs.FileMode) error {
	if m.home.modeOf(m.path) != from {
		return &changedError{m.path, "has another mode meanwhile"}
	}
	if err := w.disk.Chmod(m.path, to); err != nil {
		return fileError(m.path, err)
	}
	return nil
}

func (m *modeEdit) confirm() error {
	if m.home.modeOf(m.path) != m.after {
		return &changedError{m.path, "keeps its mode: the file system may know none"}
	}
	return nil
}

// undoMode is the edit that gives a file the mode back that it had.
func (h *Home) undoMode(entry BackupEntry, content []byte) (edit, error) {
	value, err := ParseJSON(entry.Path, content)
	if err != nil {
		return nil, err
	}
	document, _ := value.(*auth.Object)
	mode, err := strconv.ParseUint(document.Text("mode"), 8, 9)
	if err != nil {
		return nil, &FileError{File: entry.Path, Message: "the backup holds no mode"}
	}
	return &modeEdit{home: h, path: entry.Path, before: h.modeOf(entry.Path), after: fs.FileMode(mode)}, nil
}
