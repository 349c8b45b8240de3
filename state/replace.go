package state

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// privateMode is the mode of every file that openclaw-auth writes; privateDir
// that of every directory that it makes.
const (
	privateMode = fs.FileMode(0o600)
	privateDir  = fs.FileMode(0o700)
)

// writer changes files. It is made for one update and knows the environment's disk.
type writer struct {
	env     Env
	disk    Disk
	line    string // of the rules
	private string // the directory of openclaw-auth's own files
}

func (h *Home) writer() (*writer, error) {
	disk, err := h.disk()
	return &writer{h.Env, disk, h.Rules.Line, h.PrivateDir()}, err
}

// maxLinks bounds a chain of symbolic links.
const maxLinks = 40

// target follows the symbolic links of a file, one by one, so that a link to a
// file that does not exist yet has a target too. The link itself stays.
func (e Env) target(path string) (string, error) {
	reader, canLink := e.FS.(interface{ Readlink(string) (string, error) })
	if !canLink {
		return path, nil
	}
	for range maxLinks {
		info, err := e.FS.Lstat(path)
		if isMissing(err) {
			return path, nil
		}
		if err != nil {
			return "", fileError(path, err)
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		next, err := reader.Readlink(path)
		if err != nil {
			return "", fileError(path, err)
		}
		if !filepath.IsAbs(next) {
			directory, err := e.FS.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return "", fileError(path, err)
			}
			next = filepath.Join(directory, next)
		}
		path = next
	}
	return "", &FileError{File: path, Message: "too many symbolic links"}
}

// Readlink returns what a symbolic link names.
func (osFS) Readlink(path string) (string, error) { return os.Readlink(path) }

// checkWritable refuses, before anything is made, what a replacement would
// change in a way that nobody asked for, or could not do.
func (w *writer) checkWritable(path string) error {
	path, err := w.env.target(path)
	if err != nil {
		return err
	}
	info, err := w.env.FS.Lstat(path)
	switch {
	case isMissing(err):
		return w.checkDirectory(filepath.Dir(path))
	case err != nil:
		return fileError(path, err)
	case !info.Mode().IsRegular():
		return &FileError{File: path, Message: "is no regular file"}
	case info.Mode().Perm()&0o200 == 0:
		return &FileError{File: path, Message: fmt.Sprintf("is read-only (mode %#o)", info.Mode().Perm()), Err: fs.ErrPermission}
	}
	if owner, ok := ownerOf(info); ok && owner.isForeign() && !isRoot() {
		return &FileError{File: path, Message: "belongs to user " + owner.String() + ": run this as that user", Err: fs.ErrPermission}
	}
	return w.checkDirectory(filepath.Dir(path))
}

// checkDirectory asks the system whether files can be made in the nearest
// directory that exists.
func (w *writer) checkDirectory(path string) error {
	for {
		_, err := w.env.FS.Stat(path)
		if err == nil {
			break
		}
		if parent := filepath.Dir(path); isMissing(err) && parent != path {
			path = parent
			continue
		}
		return fileError(path, err)
	}
	if checker, ok := w.disk.(interface{ Writable(string) error }); ok {
		if err := checker.Writable(path); err != nil {
			return &FileError{File: path, Message: "can't be written: " + reasonOf(err), Err: err}
		}
	}
	return nil
}

// replace gives a file a new content, all of it or nothing: a temporary file in
// the same directory takes its place. A file that exists keeps its owner; no
// mode is ever widened.
func (w *writer) replace(path string, data []byte) error {
	return w.replaceWith(path, writeAll(data))
}

// replaceWith is replace for a content that is not at hand.
func (w *writer) replaceWith(path string, content func(to io.Writer) error) error {
	path, err := w.env.target(path)
	if err != nil {
		return err
	}
	mode := privateMode
	info, err := w.env.FS.Lstat(path)
	switch {
	case err == nil:
		mode &= info.Mode().Perm()
	case !isMissing(err):
		return fileError(path, err)
	default:
		if info, err = w.env.FS.Stat(filepath.Dir(path)); err != nil {
			return fileError(path, err)
		}
	}
	owner, owned := ownerOf(info)
	temporary := path + "." + randomName() + ".tmp"
	if err := w.fillWith(temporary, content, mode); err != nil {
		return err
	}
	if owned && owner.isForeign() && isRoot() {
		if err := w.disk.Chown(temporary, owner); err != nil {
			return w.discard(temporary, err)
		}
	}
	if err := w.disk.Rename(temporary, path); err != nil {
		return w.discard(temporary, fmt.Errorf("can't take the place of %s: %w", filepath.Base(path), err))
	}
	return w.syncDir(filepath.Dir(path))
}

// fill makes a file with a content, on the disk itself and not only in memory.
func (w *writer) fill(path string, data []byte, mode fs.FileMode) error {
	return w.fillWith(path, writeAll(data), mode)
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

func (w *writer) fillWith(path string, content func(to io.Writer) error, mode fs.FileMode) error {
	file, err := w.disk.Create(path, privateMode)
	if err != nil {
		return fileError(path, err)
	}
	err = w.giveTo(path, filepath.Dir(path))
	if err == nil {
		err = content(fullWriter{file})
	}
	if err == nil {
		err = file.Sync()
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err == nil && mode != privateMode {
		err = w.disk.Chmod(path, mode)
	}
	if err != nil {
		return w.discard(path, err)
	}
	return nil
}

// discard removes a file that was not finished and returns what went wrong.
func (w *writer) discard(path string, cause error) error {
	if err := w.disk.Remove(path); err != nil && !isMissing(err) {
		return &FileError{File: path, Message: reasonOf(cause) + "; it stays, for " + reasonOf(err), Err: cause}
	}
	return &FileError{File: path, Message: reasonOf(cause), Err: cause}
}

// remove removes a file, a link's target if it is one.
func (w *writer) remove(path string) error {
	path, err := w.env.target(path)
	if err != nil {
		return err
	}
	if err := w.disk.Remove(path); err != nil && !isMissing(err) {
		return fileError(path, err)
	}
	return w.syncDir(filepath.Dir(path))
}

func (w *writer) syncDir(path string) error {
	if err := w.disk.SyncDir(path); err != nil {
		return fileError(path, err)
	}
	return nil
}

// makeDirs makes a directory and those above it that are missing, all private.
func (w *writer) makeDirs(path string) error {
	if info, err := w.env.FS.Stat(path); err == nil {
		if !info.IsDir() {
			return &FileError{File: path, Message: "is no directory"}
		}
		return nil
	} else if !isMissing(err) {
		return fileError(path, err)
	}
	parent := filepath.Dir(path)
	if err := w.makeDirs(parent); err != nil {
		return err
	}
	if err := w.disk.Mkdir(path, privateDir); err != nil && !os.IsExist(err) {
		return fileError(path, err)
	}
	if err := w.giveTo(path, parent); err != nil {
		return fileError(path, err)
	}
	return w.syncDir(parent)
}

// giveTo lets what root makes belong to whoever owns the directory.
func (w *writer) giveTo(path, directory string) error {
	info, err := w.env.FS.Stat(directory)
	if err != nil {
		return err
	}
	if owner, ok := ownerOf(info); ok && owner.isForeign() && isRoot() {
		return w.disk.Chown(path, owner)
	}
	return nil
}

// reasonOf is an error without the paths that a caller has named already.
func reasonOf(err error) string {
	text := err.Error()
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return strings.Replace(text, link.Error(), link.Err.Error(), 1)
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return strings.Replace(text, path.Error(), path.Err.Error(), 1)
	}
	return text
}

func randomName() string {
	var random [8]byte
	rand.Read(random[:])
	return hex.EncodeToString(random[:])
}
