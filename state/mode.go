package state

import (
	"fmt"
	"io/fs"
	"strconv"

	"openclaw-auth/auth/document"
)

// othersMode are the bits of a mode that are for anyone but the owner.
const othersMode fs.FileMode = 0o077

// modePart is the part of a file that a change of its mode concerns.
const modePart = "(mode)"

// CloseToOthers takes what anyone but its owner may do from files and
// directories: from all of them or, if one can't be had, from none. Those of
// another user are left alone.
func (h *Home) CloseToOthers(paths []string, options WriteOptions) (*Written, error) {
	j := job{options: options}
	j.plan = func() ([]edit, error) {
		var edits []edit
		for _, path := range paths {
			before, own := h.fullMode(path)
			if own && before&othersMode != 0 {
				edits = append(edits, &modeEdit{home: h, path: path, before: before, after: before &^ othersMode})
			}
		}
		return edits, nil
	}
	return h.run(j)
}

// allModes are the bits that chmod sets.
const allModes = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// fullMode is a file's mode, 0 where there is no file, and whether this user may change it.
func (e Env) fullMode(path string) (mode fs.FileMode, own bool) {
	info, err := e.FS.Stat(path)
	if err != nil {
		return 0, false
	}
	owner, known := ownerOf(info)
	return info.Mode() & allModes, !known || !owner.isForeign() || isRoot()
}

// specialModes are the bits beyond those of rwx, as chmod numbers them.
var specialModes = []struct {
	bit    fs.FileMode
	number uint64
}{{fs.ModeSetuid, 0o4000}, {fs.ModeSetgid, 0o2000}, {fs.ModeSticky, 0o1000}}

func modeNumber(mode fs.FileMode) uint64 {
	number := uint64(mode.Perm())
	for _, special := range specialModes {
		if mode&special.bit != 0 {
			number |= special.number
		}
	}
	return number
}

func modeOfNumber(number uint64) fs.FileMode {
	mode := fs.FileMode(number).Perm()
	for _, special := range specialModes {
		if number&special.number != 0 {
			mode |= special.bit
		}
	}
	return mode
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

func modeDocument(mode fs.FileMode) []byte {
	return fmt.Appendf(nil, `{"mode":"%04o"}`, modeNumber(mode))
}

func (m *modeEdit) mode() fs.FileMode { return 0 } // nothing is made that could have another

func (m *modeEdit) check(w *writer) error {
	if _, own := w.env.fullMode(m.path); !own {
		return &FileError{File: m.path, Message: "is gone, or belongs to another user", Err: fs.ErrPermission}
	}
	return nil
}

func (m *modeEdit) apply(w *writer) error { return m.set(w, m.before, m.after) }

func (m *modeEdit) revert(w *writer) error {
	if now, _ := m.home.fullMode(m.path); now == m.before {
		return nil
	}
	return m.set(w, m.after, m.before)
}

func (m *modeEdit) set(w *writer, from, to fs.FileMode) error {
	if now, _ := m.home.fullMode(m.path); now != from {
		return &changedError{m.path, "has another mode meanwhile"}
	}
	if err := w.disk.Chmod(m.path, to); err != nil {
		return fileError(m.path, err)
	}
	return nil
}

func (m *modeEdit) confirm() error {
	if now, _ := m.home.fullMode(m.path); now != m.after {
		return &changedError{m.path, "keeps its mode: the file system may know none"}
	}
	return nil
}

// undoMode is the edit that gives a file the mode back that it had.
func (h *Home) undoMode(entry BackupEntry, content []byte) (edit, error) {
	value, err := document.ParseJSON(entry.Path, content)
	if err != nil {
		return nil, err
	}
	doc, _ := value.(*document.Object)
	mode, ok := modeOfText(doc.Text("mode"))
	if !ok {
		return nil, &FileError{File: entry.Path, Message: "the backup holds no mode"}
	}
	now, _ := h.fullMode(entry.Path)
	return &modeEdit{home: h, path: entry.Path, before: now, after: mode}, nil
}

func modeOfText(text string) (fs.FileMode, bool) {
	number, err := strconv.ParseUint(text, 8, 12)
	return modeOfNumber(number), err == nil
}
