package state

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path/filepath"
)

// edit is one thing that a write changes: a file, a row of a database, an entry
// of a file of sessions. It knows what was there and what will be.
type edit interface {
	// location is the file, and the part of it where that is not all of it.
	location() (file, part string)
	// contents are what is there before and after; nil for nothing.
	contents() (before, after []byte)
	// mode is the file's mode before the write, 0 where there is no file.
	mode() fs.FileMode
	// check refuses what can't be written, before anything is made.
	check(w *writer) error
	// apply writes, if what is there is still what was there.
	apply(w *writer) error
	// revert takes the write back.
	revert(w *writer) error
	// confirm reads back and compares.
	confirm() error
}

// fileEdit replaces, makes or removes a whole file.
type fileEdit struct {
	home   *Home
	before snapshot
	after  []byte
}

func (f *fileEdit) location() (file, part string)    { return f.before.path, "" }
func (f *fileEdit) contents() (before, after []byte) { return f.before.data, f.after }
func (f *fileEdit) mode() fs.FileMode                { return f.before.mode }
func (f *fileEdit) check(w *writer) error            { return w.checkWritable(f.before.path) }

func (f *fileEdit) apply(w *writer) error {
	if err := f.compare(f.before.data, "has changed meanwhile"); err != nil {
		return err
	}
	return w.put(f.before.path, f.after)
}

func (f *fileEdit) revert(w *writer) error {
	now, err := f.home.snapshot(f.before.path)
	switch {
	case err != nil:
		return err
	case same(now.data, f.before.data):
		return nil
	case !same(now.data, f.after):
		return &changedError{f.before.path, "has changed meanwhile"}
	}
	return w.put(f.before.path, f.before.data)
}

func (f *fileEdit) confirm() error { return f.compare(f.after, "does not hold what was written") }

// compare refuses a file that does not hold the content.
func (f *fileEdit) compare(content []byte, problem string) error {
	now, err := f.home.snapshot(f.before.path)
	if err != nil {
		return err
	}
	if !same(now.data, content) {
		return &changedError{f.before.path, problem}
	}
	return nil
}

// changedError is a file that somebody else has changed.
type changedError struct{ file, problem string }

func (e *changedError) Error() string { return e.file + ": " + e.problem }

// same compares two contents; no file and an empty file are not the same.
func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// put makes a file hold the content; without one the file goes.
func (w *writer) put(path string, content []byte) error {
	if content == nil {
		return w.remove(path)
	}
	if err := w.makeDirs(filepath.Dir(path)); err != nil {
		return err
	}
	return w.replace(path, content)
}

func hashOf(content []byte) string {
	if content == nil {
		return ""
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// modeText is a mode as chmod takes it.
func modeText(mode fs.FileMode) string { return fmt.Sprintf("%#o", mode.Perm()) }
