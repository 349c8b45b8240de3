package write

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"

	"openclaw-auth/state/internal/disk"
)

// Kind says what an edit changes.
type Kind string

// The kinds of edits.
const (
	KindFile     Kind = "file"     // a whole file
	KindMode     Kind = "mode"     // the mode of a file or directory
	KindMove     Kind = "move"     // its name, and its mode with it
	KindCell     Kind = "cell"     // a row of a database
	KindSession  Kind = "session"  // the entry of one session in a file of sessions
	KindSessions Kind = "sessions" // the entries of several
)

// Edit is one thing that a write changes. It knows what was there and what will be.
type Edit interface {
	Location() Location
	// Contents are what is there before and after; nil for nothing.
	Contents() (before, after []byte)
	// Mode is the file's mode before the write, 0 where there is no file.
	Mode() fs.FileMode
	// Check refuses what can't be written, before anything is made.
	Check(w *disk.Writer) error
	// Apply writes, if what is there is still what was there.
	Apply(w *disk.Writer) error
	// Revert takes the write back.
	Revert(w *disk.Writer) error
	// Confirm reads back and compares.
	Confirm() error
}

// Location is what an edit changes.
type Location struct {
	Kind Kind
	File string // absolute
	Part string // of the file: "TABLE KEY" of a cell, the key of a session
	To   string // the other name, of a move
}

// String is the file and the part of it.
func (l Location) String() string {
	if l.Part == "" {
		return l.File
	}
	return l.File + " " + l.Part
}

// FileEdit replaces, makes or removes a whole file.
type FileEdit struct {
	FS     disk.FS
	Before disk.Snapshot
	After  []byte // nil: the file goes
}

// Location is the file.
func (f *FileEdit) Location() Location { return Location{Kind: KindFile, File: f.Before.Path} }

// Contents are those of the file.
func (f *FileEdit) Contents() (before, after []byte) { return f.Before.Data, f.After }

// Mode is the mode of the file before.
func (f *FileEdit) Mode() fs.FileMode { return f.Before.Mode }

// Check refuses a file that can't be replaced.
func (f *FileEdit) Check(w *disk.Writer) error { return w.CheckWritable(f.Before.Path) }

// Apply writes the file.
func (f *FileEdit) Apply(w *disk.Writer) error {
	if err := f.compare(f.Before.Data, "has changed in the meantime"); err != nil {
		return err
	}
	return w.Put(f.Before.Path, f.After)
}

// Revert gives the file its former content.
func (f *FileEdit) Revert(w *disk.Writer) error {
	now, err := disk.Snap(f.FS, f.Before.Path)
	switch {
	case err != nil:
		return err
	case Same(now.Data, f.Before.Data):
		return nil
	case !Same(now.Data, f.After):
		return &disk.ChangedError{File: f.Before.Path, Problem: "has changed in the meantime"}
	}
	return w.Put(f.Before.Path, f.Before.Data)
}

// Confirm reads the file back.
func (f *FileEdit) Confirm() error { return f.compare(f.After, "does not hold what was written") }

// compare refuses a file that does not hold the content.
func (f *FileEdit) compare(content []byte, problem string) error {
	now, err := disk.Snap(f.FS, f.Before.Path)
	if err != nil {
		return err
	}
	if !Same(now.Data, content) {
		return &disk.ChangedError{File: f.Before.Path, Problem: problem}
	}
	return nil
}

// Same compares two contents; no file and an empty file are not the same.
func Same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// HashOf identifies a content; "" is nothing.
func HashOf(content []byte) string {
	if content == nil {
		return ""
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// ModeText is a mode as chmod takes it.
func ModeText(mode fs.FileMode) string { return fmt.Sprintf("%#o", mode.Perm()) }
