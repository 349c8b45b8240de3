package state

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"openclaw-auth/auth/document"
)

// moveEdit gives a file, or a directory, another name: an archive beside it, or
// its place in another directory. It is not copied, so its content is only
// there once. Its contents are documents, such as {"mode":"0644","place":"old"},
// so that it is shown, backed up and taken back like any other edit.
type moveEdit struct {
	home          *Home
	from, to      string
	before, after fs.FileMode // modes; a move never opens a file to more people
	moved         bool        // it is at the new name when the edit is planned
}

// moveParts begin the part of a file that a move concerns.
const (
	movePrefix = "(to "
	moveSuffix = ")"
)

// move is the edit that moves a file and takes what others may do with it.
func (h *Home) move(from, to string) *moveEdit {
	mode, _ := h.fullMode(from)
	after := mode
	if !h.isDir(from) {
		after &^= othersMode
	}
	return &moveEdit{home: h, from: from, to: to, before: mode, after: after}
}

func (m *moveEdit) location() (file, part string) {
	name, err := filepath.Rel(filepath.Dir(m.from), m.to)
	if err != nil {
		name = m.to
	}
	return m.from, movePrefix + filepath.ToSlash(name) + moveSuffix
}

func (m *moveEdit) contents() (before, after []byte) {
	old, moved := placeDocument(placeOld, m.before), placeDocument(placeNew, m.after)
	if m.moved {
		return moved, old
	}
	return old, moved
}

// The places of a file that is moved.
const (
	placeOld = "old"
	placeNew = "new"
)

func placeDocument(place string, mode fs.FileMode) []byte {
	return fmt.Appendf(nil, `{"mode":"%04o","place":"%s"}`, modeNumber(mode), place)
}

func (m *moveEdit) mode() fs.FileMode { return 0 } // nothing is made that could have another

func (m *moveEdit) check(w *writer) error {
	if err := w.checkDirectory(filepath.Dir(m.from)); err != nil {
		return err
	}
	return w.checkDirectory(filepath.Dir(m.to))
}

func (m *moveEdit) apply(w *writer) error {
	if m.moved {
		return m.back(w)
	}
	return m.forth(w)
}

func (m *moveEdit) revert(w *writer) error {
	here, there := m.places()
	switch {
	case m.moved && here && !there:
		return m.forth(w)
	case !m.moved && there && !here:
		return m.back(w)
	case !m.moved && here && !there:
		return m.setMode(w, m.from, m.before)
	}
	return nil
}

// places reports where the file is: at its old name, at its new one.
func (m *moveEdit) places() (old, new bool) {
	_, errOld := m.home.FS.Lstat(m.from)
	_, errNew := m.home.FS.Lstat(m.to)
	return errOld == nil, errNew == nil
}

// forth closes the file to others and moves it, in this order: what is at the
// new name was never open.
func (m *moveEdit) forth(w *writer) error {
	if old, moved := m.places(); !old || moved {
		return &changedError{m.from, "has been moved meanwhile, or something has taken its new name"}
	}
	if err := w.makeDirs(filepath.Dir(m.to)); err != nil {
		return err
	}
	if err := m.setMode(w, m.from, m.after); err != nil {
		return err
	}
	return m.rename(w, m.from, m.to)
}

func (m *moveEdit) back(w *writer) error {
	if old, moved := m.places(); old || !moved {
		return &changedError{m.to, "has been moved meanwhile, or something has taken its old name"}
	}
	if err := w.makeDirs(filepath.Dir(m.from)); err != nil {
		return err
	}
	if err := m.rename(w, m.to, m.from); err != nil {
		return err
	}
	return m.setMode(w, m.from, m.before)
}

func (m *moveEdit) setMode(w *writer, path string, mode fs.FileMode) error {
	if now, own := m.home.fullMode(path); !own || now == mode {
		return nil
	}
	if err := w.disk.Chmod(path, mode); err != nil {
		return fileError(path, err)
	}
	return nil
}

func (m *moveEdit) rename(w *writer, from, to string) error {
	if err := w.disk.Rename(from, to); err != nil {
		return fileError(from, err)
	}
	if err := w.syncDir(filepath.Dir(to)); err != nil {
		return err
	}
	return w.syncDir(filepath.Dir(from))
}

func (m *moveEdit) confirm() error {
	if old, moved := m.places(); old == moved || moved == m.moved {
		return &changedError{m.from, "has not the name that it was given"}
	}
	return nil
}

// movedTo is the new place of a file.
func movedTo(path, part string) string {
	name := filepath.FromSlash(strings.TrimSuffix(strings.TrimPrefix(part, movePrefix), moveSuffix))
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(path), name)
}

func isMovePart(part string) bool { return strings.HasPrefix(part, movePrefix) }

// undoMove is the edit that gives a moved file its old name back.
func (h *Home) undoMove(entry BackupEntry, content []byte) (edit, error) {
	value, err := document.ParseJSON(entry.Path, content)
	if err != nil {
		return nil, err
	}
	doc, _ := value.(*document.Object)
	before, ok := modeOfText(doc.Text("mode"))
	if !ok {
		return nil, &FileError{File: entry.Path, Message: "the backup holds no mode"}
	}
	m := &moveEdit{home: h, from: entry.Path, to: movedTo(entry.Path, entry.Part), before: before}
	_, m.moved = m.places()
	if m.moved {
		m.after, _ = h.fullMode(m.to)
	} else {
		m.before, _ = h.fullMode(m.from) // it was never moved, or is back
	}
	return m, nil
}
