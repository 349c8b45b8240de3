package disk

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
)

// PrivateMode is the mode of every file that is written; PrivateDir that of
// every directory that is made.
const (
	PrivateMode = fs.FileMode(0o600)
	PrivateDir  = fs.FileMode(0o700)
)

// OthersMode are the bits of a mode that are for anyone but the owner.
const OthersMode fs.FileMode = 0o077

// Writer changes files: a file has its old content or its new one, never
// something in between, and no mode is ever widened.
type Writer struct {
	FS   FS
	Disk Disk
	// Home is the state directory. Root writes nothing outside of it that does
	// not belong to its owner; "" for no such care.
	Home string
}

// maxLinks bounds a chain of symbolic links.
const maxLinks = 40

// Target follows the symbolic links of a file, one by one, so that a link to a
// file that does not exist yet has a target too. The link itself stays.
func Target(files FS, path string) (string, error) {
	reader, canLink := files.(interface{ Readlink(string) (string, error) })
	if !canLink {
		return path, nil
	}
	for range maxLinks {
		info, err := files.Lstat(path)
		if IsMissing(err) {
			return path, nil
		}
		if err != nil {
			return "", Fail(path, err)
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		next, err := reader.Readlink(path)
		if err != nil {
			return "", Fail(path, err)
		}
		if !filepath.IsAbs(next) {
			directory, err := files.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return "", Fail(path, err)
			}
			next = filepath.Join(directory, next)
		}
		path = next
	}
	return "", &FileError{File: path, Message: "too many symbolic links"}
}

// CheckWritable refuses, before anything is made, what a replacement would
// change in a way that nobody asked for, or could not do.
func (w *Writer) CheckWritable(path string) error {
	path, err := Target(w.FS, path)
	if err != nil {
		return err
	}
	info, err := w.FS.Lstat(path)
	switch {
	case IsMissing(err):
		return w.CheckDirectory(filepath.Dir(path))
	case err != nil:
		return Fail(path, err)
	case !info.Mode().IsRegular():
		return Fail(path, checkRegular(path, info))
	case info.Mode().Perm()&0o200 == 0:
		return &FileError{File: path, Message: fmt.Sprintf("is read-only (mode %#o)", info.Mode().Perm()), Err: fs.ErrPermission}
	}
	if owner, ok := OwnerOf(info); ok && owner.IsForeign() && !IsRoot() {
		return &FileError{File: path, Message: "belongs to user " + owner.String() + ": run this as that user", Err: fs.ErrPermission}
	}
	return w.CheckDirectory(filepath.Dir(path))
}

// CheckDirectory asks the system whether files can be made in the nearest
// directory that exists.
func (w *Writer) CheckDirectory(path string) error {
	for {
		_, err := w.FS.Stat(path)
		if err == nil {
			break
		}
		if parent := filepath.Dir(path); IsMissing(err) && parent != path {
			path = parent
			continue
		}
		return Fail(path, err)
	}
	if err := w.checkOwner(path); err != nil {
		return err
	}
	if checker, ok := w.Disk.(interface{ Writable(string) error }); ok {
		if err := checker.Writable(path); err != nil {
			return &FileError{File: path, Message: "can't be written: " + ReasonOf(err), Err: err}
		}
	}
	return nil
}

// checkOwner keeps root, at work on somebody's home, from being led elsewhere by
// a symbolic link in it.
func (w *Writer) checkOwner(directory string) error {
	if w.Home == "" || !IsRoot() {
		return nil
	}
	home, err := w.FS.Stat(w.Home)
	if err != nil {
		return nil // there is no home yet, and so nobody who could have made a link
	}
	user, ok := OwnerOf(home)
	info, err := w.FS.Stat(directory)
	if err != nil || !ok || !user.IsForeign() {
		return err
	}
	if owner, _ := OwnerOf(info); owner.SameUser(user) {
		return nil
	}
	real, err := w.FS.EvalSymlinks(directory)
	if err != nil {
		return Fail(directory, err)
	}
	realHome, err := w.FS.EvalSymlinks(w.Home)
	if err != nil {
		return Fail(w.Home, err)
	}
	if IsWithin(real, realHome) {
		return nil
	}
	return &FileError{File: real, Message: "does not belong to user " + user.String() + ", whose home this is: not written as root", Err: fs.ErrPermission}
}

// Replace gives a file a new content, all of it or nothing: a temporary file in
// the same directory takes its place. A file that exists keeps its owner; no
// mode is ever widened.
func (w *Writer) Replace(path string, data []byte) error { return w.ReplaceWith(path, writeAll(data)) }

// ReplaceWith is Replace for a content that is not in memory.
func (w *Writer) ReplaceWith(path string, content func(to io.Writer) error) error {
	path, err := Target(w.FS, path)
	if err != nil {
		return err
	}
	mode := PrivateMode
	info, err := w.FS.Lstat(path)
	switch {
	case err == nil:
		mode &= info.Mode().Perm()
	case !IsMissing(err):
		return Fail(path, err)
	default:
		if info, err = w.FS.Stat(filepath.Dir(path)); err != nil {
			return Fail(path, err)
		}
	}
	if err := w.checkOwner(filepath.Dir(path)); err != nil {
		return err
	}
	owner, owned := OwnerOf(info)
	temporary := TemporaryName(path)
	if err := w.fillWith(temporary, content, fileTraits{mode, owner, owned, true}); err != nil {
		return err
	}
	if err := w.Disk.Rename(temporary, path); err != nil {
		return w.Discard(temporary, fmt.Errorf("can't take the place of %s: %w", filepath.Base(path), err))
	}
	return w.SyncDir(filepath.Dir(path))
}

// TemporaryName is a name beside a file that nothing has, see IsLitter.
func TemporaryName(path string) string {
	var random [8]byte
	rand.Read(random[:])
	return path + "." + hex.EncodeToString(random[:]) + ".tmp"
}

// IsLitter reports whether a name is one of TemporaryName: left behind by a
// process that was killed, or in use by one that is at work.
func IsLitter(name string) bool { return litter().MatchString(name) }

var litter = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.[0-9a-f]{16}\.tmp$`) })

// Fill makes a file with a content, on the disk itself and not only in memory.
func (w *Writer) Fill(path string, data []byte, mode fs.FileMode) error {
	return w.fill(path, data, mode, true)
}

// FillLock is Fill for a file that says nothing to anybody after a power failure.
func (w *Writer) FillLock(path string, data []byte, mode fs.FileMode) error {
	return w.fill(path, data, mode, false)
}

func (w *Writer) fill(path string, data []byte, mode fs.FileMode, durable bool) error {
	info, err := w.FS.Stat(filepath.Dir(path))
	if err != nil {
		return Fail(path, err)
	}
	owner, owned := OwnerOf(info)
	return w.fillWith(path, writeAll(data), fileTraits{mode, owner, owned, durable})
}

func writeAll(data []byte) func(to io.Writer) error {
	return func(to io.Writer) error {
		_, err := to.Write(data)
		return err
	}
}

// fullWriter makes an error of a write that was too short.
type fullWriter struct{ io.Writer }

func (w fullWriter) Write(data []byte) (int, error) {
	n, err := w.Writer.Write(data)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	return n, err
}

// fileTraits are what a new file has beside its content.
type fileTraits struct {
	mode    fs.FileMode
	owner   Owner // of a file that root makes
	owned   bool  // there is an owner to give it to
	durable bool  // its content is on the disk before anything else is done
}

// fillWith makes a file. Made by root, it belongs to the given owner before
// anything is in it.
func (w *Writer) fillWith(path string, content func(to io.Writer) error, traits fileTraits) error {
	file, err := w.Disk.Create(path, PrivateMode)
	if err != nil {
		return Fail(path, err)
	}
	if traits.owned && traits.owner.IsForeign() && IsRoot() {
		err = file.Chown(traits.owner)
	}
	if err == nil {
		err = file.Chmod(traits.mode) // also where the umask left less
	}
	if err == nil {
		err = content(fullWriter{file})
	}
	if err == nil && traits.durable {
		err = file.Sync()
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return w.Discard(path, err)
	}
	return nil
}

// Discard removes a file that was not finished and returns what went wrong.
func (w *Writer) Discard(path string, cause error) error {
	if err := w.Disk.Remove(path); err != nil && !IsMissing(err) {
		return &FileError{File: path, Message: ReasonOf(cause) + "; it could not be removed: " + ReasonOf(err), Err: cause}
	}
	return &FileError{File: path, Message: ReasonOf(cause), Err: cause}
}

// Put makes a file hold a content; nil removes it.
func (w *Writer) Put(path string, content []byte) error {
	if content == nil {
		return w.Remove(path)
	}
	if err := w.MakeDirs(filepath.Dir(path)); err != nil {
		return err
	}
	return w.Replace(path, content)
}

// Remove removes a file; of a symbolic link, its target.
func (w *Writer) Remove(path string) error {
	path, err := Target(w.FS, path)
	if err != nil {
		return err
	}
	if err := w.checkOwner(filepath.Dir(path)); err != nil {
		return err
	}
	if err := w.Disk.Remove(path); err != nil && !IsMissing(err) {
		return Fail(path, err)
	}
	return w.SyncDir(filepath.Dir(path))
}

// SyncDir makes the names in a directory durable.
func (w *Writer) SyncDir(path string) error {
	if err := w.Disk.SyncDir(path); err != nil {
		return Fail(path, err)
	}
	return nil
}

// MakeDirs makes a directory and those above it that are missing, all private.
func (w *Writer) MakeDirs(path string) error {
	if info, err := w.FS.Stat(path); err == nil {
		if !info.IsDir() {
			return &FileError{File: path, Message: ErrNotDirectory.Error(), Err: ErrNotDirectory}
		}
		return nil
	} else if !IsMissing(err) {
		return Fail(path, err)
	}
	parent := filepath.Dir(path)
	if err := w.MakeDirs(parent); err != nil {
		return err
	}
	if err := w.checkOwner(parent); err != nil {
		return err
	}
	switch err := w.Disk.Mkdir(path, PrivateDir); {
	case os.IsExist(err):
		return w.SyncDir(parent)
	case err != nil:
		return Fail(path, err)
	}
	if err := w.Disk.Chmod(path, PrivateDir); err != nil { // the umask may have left less
		return Fail(path, err)
	}
	info, err := w.FS.Stat(parent)
	if err != nil {
		return Fail(path, err)
	}
	if owner, ok := OwnerOf(info); ok && owner.IsForeign() && IsRoot() {
		if err := w.Disk.Chown(path, owner); err != nil {
			return Fail(path, err)
		}
	}
	return w.SyncDir(parent)
}
