package write

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"

	"openclaw-auth/state/internal/disk"
)

// MoveEdit gives a file, or a directory, another name: an archive beside it, or
// its place in another directory. It is not copied, so its content is only
// there once. Its contents are documents, such as {"mode":"0644","place":"old"},
// so that it is shown, backed up and taken back like any other edit.
type MoveEdit struct {
	FS            disk.FS
	From, To      string
	Before, After fs.FileMode // modes; a move never opens a file to more people
	Moved         bool        // it has the new name already when the edit is planned
}

// Move is the edit that moves a file and takes what others may do with it.
func Move(files disk.FS, from, to string) *MoveEdit {
	mode, _ := FullMode(files, from)
	after := mode
	if !disk.IsDir(files, from) {
		after &^= disk.OthersMode
	}
	return &MoveEdit{FS: files, From: from, To: to, Before: mode, After: after}
}

// Location is the old name, and the new one.
func (m *MoveEdit) Location() Location {
	name, err := filepath.Rel(filepath.Dir(m.From), m.To)
	if err != nil {
		name = m.To
	}
	return Location{Kind: KindMove, File: m.From, To: m.To, Part: "(to " + filepath.ToSlash(name) + ")"}
}

// Contents are the modes and the places.
func (m *MoveEdit) Contents() (before, after []byte) {
	old, moved := placeDocument(placeOld, m.Before), placeDocument(placeNew, m.After)
	if m.Moved {
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

// IsBack reports whether the content of a move says that the old name is the one after it.
func IsBack(content []byte) bool {
	var document struct {
		Place string `json:"place"`
	}
	return json.Unmarshal(content, &document) == nil && document.Place == placeOld
}

// Mode is 0: nothing is made that could have another.
func (m *MoveEdit) Mode() fs.FileMode { return 0 }

// Check refuses directories that can't be written.
func (m *MoveEdit) Check(w *disk.Writer) error {
	if err := w.CheckDirectory(filepath.Dir(m.From)); err != nil {
		return err
	}
	return w.CheckDirectory(filepath.Dir(m.To))
}

// Apply moves the file.
func (m *MoveEdit) Apply(w *disk.Writer) error {
	if m.Moved {
		return m.back(w)
	}
	return m.forth(w)
}

// Revert moves it back.
func (m *MoveEdit) Revert(w *disk.Writer) error {
	here, there := m.places()
	switch {
	case m.Moved && here && !there:
		return m.forth(w)
	case !m.Moved && there && !here:
		return m.back(w)
	case !m.Moved && here && !there:
		return m.setMode(w, m.From, m.Before)
	}
	return nil
}

// places reports where the file is: at its old name, at its new one.
func (m *MoveEdit) places() (old, new bool) {
	_, errOld := m.FS.Lstat(m.From)
	_, errNew := m.FS.Lstat(m.To)
	return errOld == nil, errNew == nil
}

// forth closes the file to others and moves it, in this order: what is at the
// new name was never open.
func (m *MoveEdit) forth(w *disk.Writer) error {
	if old, moved := m.places(); !old || moved {
		return &disk.ChangedError{File: m.From, Problem: "has been moved in the meantime, or something has taken its new name"}
	}
	if err := w.MakeDirs(filepath.Dir(m.To)); err != nil {
		return err
	}
	if err := m.setMode(w, m.From, m.After); err != nil {
		return err
	}
	return m.rename(w, m.From, m.To)
}

func (m *MoveEdit) back(w *disk.Writer) error {
	if old, moved := m.places(); old || !moved {
		return &disk.ChangedError{File: m.To, Problem: "has been moved in the meantime, or something has taken its old name"}
	}
	if err := w.MakeDirs(filepath.Dir(m.From)); err != nil {
		return err
	}
	if err := m.rename(w, m.To, m.From); err != nil {
		return err
	}
	return m.setMode(w, m.From, m.Before)
}

func (m *MoveEdit) setMode(w *disk.Writer, path string, mode fs.FileMode) error {
	if now, own := FullMode(m.FS, path); !own || now == mode {
		return nil
	}
	if err := w.Disk.Chmod(path, mode); err != nil {
		return disk.Fail(path, err)
	}
	return nil
}

func (m *MoveEdit) rename(w *disk.Writer, from, to string) error {
	if err := w.CheckDirectory(filepath.Dir(to)); err != nil {
		return err
	}
	if err := w.Disk.Rename(from, to); err != nil {
		return disk.Fail(from, err)
	}
	if err := w.SyncDir(filepath.Dir(to)); err != nil {
		return err
	}
	return w.SyncDir(filepath.Dir(from))
}

// Confirm looks where the file is.
func (m *MoveEdit) Confirm() error {
	if old, moved := m.places(); old == moved || moved == m.Moved {
		return &disk.ChangedError{File: m.From, Problem: "does not have the name that it was given"}
	}
	return nil
}

// undoMove is the edit that gives a moved file its old name back.
func undoMove(files disk.FS, entry Entry, content []byte) (Edit, error) {
	before, err := modeIn(entry.Path, content)
	if err != nil {
		return nil, err
	}
	m := &MoveEdit{FS: files, From: entry.Path, To: entry.To, Before: before}
	_, m.Moved = m.places()
	if m.Moved {
		m.After, _ = FullMode(files, m.To)
	} else {
		m.Before, _ = FullMode(files, m.From) // it was never moved, or is back
	}
	return m, nil
}
