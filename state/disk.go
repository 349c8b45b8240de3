package state

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// Disk is how files are changed: the one seam through which everything goes
// that openclaw-auth writes. Paths are absolute. Tests put a disk in its place
// that fails at the n-th operation.
type Disk interface {
	// Create makes a new file; it fails with fs.ErrExist where there is one.
	Create(path string, mode fs.FileMode) (File, error)
	// Link gives a file a second name; it fails with fs.ErrExist where that is taken.
	Link(from, to string) error
	Rename(from, to string) error
	Remove(path string) error
	// Mkdir makes one directory; it fails with fs.ErrExist where there is one.
	Mkdir(path string, mode fs.FileMode) error
	Chmod(path string, mode fs.FileMode) error
	Chown(path string, owner Owner) error
	// SyncDir makes the names in a directory durable.
	SyncDir(path string) error
}

// File is a file that is being written.
type File interface {
	io.WriteCloser
	Sync() error
}

// ErrReadOnly is in the error for a home that can't be written, such as the demo home.
var ErrReadOnly = errors.New("is read-only")

// disk returns the writing side of the environment's files.
func (e Env) disk() (Disk, error) {
	switch files := e.FS.(type) {
	case Disk:
		return files, nil
	case mounted:
		return nil, &FileError{File: "the built-in home", Message: ErrReadOnly.Error(), Err: ErrReadOnly}
	}
	return nil, &FileError{File: "the state directory", Message: ErrReadOnly.Error(), Err: ErrReadOnly}
}

func (osFS) Create(path string, mode fs.FileMode) (File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}
func (osFS) Link(from, to string) error                { return os.Link(from, to) }
func (osFS) Rename(from, to string) error              { return os.Rename(from, to) }
func (osFS) Remove(path string) error                  { return os.Remove(path) }
func (osFS) Mkdir(path string, mode fs.FileMode) error { return os.Mkdir(path, mode) }
func (osFS) Chmod(path string, mode fs.FileMode) error { return os.Chmod(path, mode) }
func (osFS) Chown(path string, owner Owner) error      { return owner.apply(path) }
func (osFS) SyncDir(path string) error                 { return syncDir(path) }

// isMissing reports whether an error says that a file does not exist.
func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
