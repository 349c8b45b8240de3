package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Disk is how files are changed: the one seam through which everything goes
// that is written. Paths are absolute. Tests put a disk in its place that fails
// at the n-th operation.
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
	// Within confines reads and writes to a directory, see Tree.
	Within(directory string) (Tree, error)
}

// File is a file that is being written.
type File interface {
	io.WriteCloser
	Sync() error
	// Chmod gives the file exactly this mode, whatever the umask.
	Chmod(mode fs.FileMode) error
	// Chown gives the file an owner.
	Chown(owner Owner) error
}

// Tree is a directory with what lies below it. Paths are absolute and below it;
// no symbolic link is followed out of it, whoever swaps what while it is in use.
type Tree interface {
	FS
	Disk
	io.Closer
	// Overwrite opens an existing file, emptied.
	Overwrite(path string) (File, error)
}

// ErrReadOnly is in the error for a home that can't be written, such as the demo home.
var ErrReadOnly = errors.New("is read-only")

// Disk returns the writing side of the environment's files.
func (e Env) Disk() (Disk, error) {
	switch files := e.FS.(type) {
	case Disk:
		return files, nil
	case mounted:
		return nil, &FileError{File: "the built-in home", Message: ErrReadOnly.Error(), Err: ErrReadOnly}
	}
	return nil, &FileError{File: "the state directory", Message: ErrReadOnly.Error(), Err: ErrReadOnly}
}

// System is the file system of the machine, for reading and for writing.
type System struct{}

// Open opens a regular file.
func (System) Open(path string) (io.ReadCloser, error) {
	file, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	return file, nil
}

// Stat describes what a path leads to, links followed.
func (System) Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }

// Lstat describes what stands at a path.
func (System) Lstat(path string) (fs.FileInfo, error) { return os.Lstat(path) }

// ReadDir lists a directory.
func (System) ReadDir(path string) ([]fs.DirEntry, error) { return os.ReadDir(path) }

// EvalSymlinks returns the path without symbolic links.
func (System) EvalSymlinks(path string) (string, error) { return filepath.EvalSymlinks(path) }

// Readlink returns what a symbolic link names.
func (System) Readlink(path string) (string, error) { return os.Readlink(path) }

// Create makes a new file. A symbolic link in its place is an fs.ErrExist.
func (System) Create(path string, mode fs.FileMode) (File, error) {
	return newFile(os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode))
}

// Link gives a file a second name.
func (System) Link(from, to string) error { return os.Link(from, to) }

// Rename gives a file another name; what has that is replaced.
func (System) Rename(from, to string) error { return os.Rename(from, to) }

// Remove removes a file or an empty directory.
func (System) Remove(path string) error { return os.Remove(path) }

// Mkdir makes one directory.
func (System) Mkdir(path string, mode fs.FileMode) error { return os.Mkdir(path, mode) }

// Chmod sets a mode.
func (System) Chmod(path string, mode fs.FileMode) error { return os.Chmod(path, mode) }

// Chown sets an owner; of a symbolic link, not of what it leads to.
func (System) Chown(path string, owner Owner) error {
	return owner.apply(func(uid, gid int) error { return os.Lchown(path, uid, gid) })
}

// SyncDir flushes a directory.
func (System) SyncDir(path string) error { return syncDir(os.Open(path)) }

// osFile is a file of the machine.
type osFile struct{ *os.File }

func newFile(file *os.File, err error) (File, error) {
	if err != nil {
		return nil, err
	}
	return osFile{file}, nil
}

func (f osFile) Chown(owner Owner) error { return owner.apply(f.File.Chown) }
