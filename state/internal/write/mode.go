package write

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strconv"

	"openclaw-auth/state/internal/disk"
)

// allModes are the bits that chmod sets.
const allModes = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// FullMode is a file's mode, 0 where there is no file, and whether this user may change it.
func FullMode(files disk.FS, path string) (mode fs.FileMode, own bool) {
	info, err := files.Stat(path)
	if err != nil {
		return 0, false
	}
	owner, known := disk.OwnerOf(info)
	return info.Mode() & allModes, !known || !owner.IsForeign() || disk.IsRoot()
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

func modeOfText(text string) (fs.FileMode, bool) {
	number, err := strconv.ParseUint(text, 8, 12)
	return modeOfNumber(number), err == nil
}

// modeIn is the mode in a content such as {"mode":"0644"}.
func modeIn(path string, content []byte) (fs.FileMode, error) {
	var document struct {
		Mode string `json:"mode"`
	}
	mode, ok := fs.FileMode(0), false
	if json.Unmarshal(content, &document) == nil {
		mode, ok = modeOfText(document.Mode)
	}
	if !ok {
		return 0, &disk.FileError{File: path, Message: "the backup holds no mode"}
	}
	return mode, nil
}

// ModeEdit changes a mode. Its contents are documents, such as {"mode":"0644"},
// so that it is shown, backed up and taken back like any other edit.
type ModeEdit struct {
	FS            disk.FS
	Path          string
	Before, After fs.FileMode
}

// Location is the file.
func (m *ModeEdit) Location() Location { return Location{Kind: KindMode, File: m.Path, Part: "(mode)"} }

// Contents are the modes.
func (m *ModeEdit) Contents() (before, after []byte) {
	return modeDocument(m.Before), modeDocument(m.After)
}

func modeDocument(mode fs.FileMode) []byte {
	return fmt.Appendf(nil, `{"mode":"%04o"}`, modeNumber(mode))
}

// Mode is 0: nothing is made that could have another.
func (m *ModeEdit) Mode() fs.FileMode { return 0 }

// Check refuses a file of another user.
func (m *ModeEdit) Check(w *disk.Writer) error {
	if _, own := FullMode(w.FS, m.Path); !own {
		return &disk.FileError{File: m.Path, Message: "is gone, or belongs to another user", Err: fs.ErrPermission}
	}
	return nil
}

// Apply sets the mode.
func (m *ModeEdit) Apply(w *disk.Writer) error { return m.set(w, m.Before, m.After) }

// Revert sets the mode that was there before.
func (m *ModeEdit) Revert(w *disk.Writer) error {
	if now, _ := FullMode(m.FS, m.Path); now == m.Before {
		return nil
	}
	return m.set(w, m.After, m.Before)
}

func (m *ModeEdit) set(w *disk.Writer, from, to fs.FileMode) error {
	if now, _ := FullMode(m.FS, m.Path); now != from {
		return &disk.ChangedError{File: m.Path, Problem: "has another mode by now"}
	}
	if err := w.Disk.Chmod(m.Path, to); err != nil {
		return disk.Fail(m.Path, err)
	}
	return nil
}

// Confirm reads the mode back.
func (m *ModeEdit) Confirm() error {
	if now, _ := FullMode(m.FS, m.Path); now != m.After {
		return &disk.ChangedError{File: m.Path, Problem: "keeps its mode: the file system may have none"}
	}
	return nil
}

// undoMode is the edit that gives a file the mode back that it had.
func undoMode(files disk.FS, entry Entry, content []byte) (Edit, error) {
	mode, err := modeIn(entry.Path, content)
	if err != nil {
		return nil, err
	}
	now, _ := FullMode(files, entry.Path)
	return &ModeEdit{FS: files, Path: entry.Path, Before: now, After: mode}, nil
}
