package sqlite

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/vfs"
)

// fileSystem is what one connection sees of the disk: its database, read-only.
type fileSystem struct {
	vfs.VFS        // the driver's own
	name    string // under which the driver knows it
	file    *pageFile
}

var fileSystems atomic.Int64

// newFileSystem makes a file system and tells the driver of it. There is one
// for each connection so that a failure inside of a read can be found again:
// SQLite passes on no more than its code.
func newFileSystem() *fileSystem {
	f := &fileSystem{VFS: vfs.Find(""), name: fmt.Sprintf("openclaw-auth-%d", fileSystems.Add(1))}
	vfs.Register(f.name, f)
	return f
}

func (f *fileSystem) close() { vfs.Unregister(f.name) }

// failure returns why a read failed, if it was for a reason of our own.
func (f *fileSystem) failure() error {
	if f.file == nil {
		return nil
	}
	return f.file.failure
}

// Open implements vfs.VFS; the driver calls OpenFilename instead.
func (f *fileSystem) Open(string, vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	return nil, 0, sqlite3.CANTOPEN
}

// OpenFilename opens the database, or a journal to see whether it is hot.
// Whatever else SQLite may want (a temporary file, a -wal) is refused.
func (f *fileSystem) OpenFilename(name *vfs.Filename, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	const writes = vfs.OPEN_READWRITE | vfs.OPEN_CREATE | vfs.OPEN_DELETEONCLOSE
	wanted := flags & (vfs.OPEN_MAIN_DB | vfs.OPEN_MAIN_JOURNAL)
	if name == nil || wanted == 0 || flags&writes != 0 {
		return nil, flags, sqlite3.CANTOPEN
	}
	file, flags, err := f.VFS.(vfs.VFSFilename).OpenFilename(name, flags)
	if err != nil || wanted != vfs.OPEN_MAIN_DB {
		return file, flags, err
	}
	f.file = &pageFile{File: file, path: name.String()}
	return f.file, flags, nil
}

// Delete implements vfs.VFS and refuses.
func (f *fileSystem) Delete(string, bool) error { return sqlite3.READONLY }

// Access implements vfs.VFS. The -wal is ours to read: SQLite is told that
// there is none.
func (f *fileSystem) Access(name string, flags vfs.AccessFlag) (bool, error) {
	if strings.HasSuffix(name, "-wal") {
		return false, nil
	}
	return f.VFS.Access(name, flags)
}
