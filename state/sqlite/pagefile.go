package sqlite

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/vfs"
)

// Where the database header says which journal it has: 1 rollback, 2 -wal.
const (
	formatOffset = 18
	formatWAL    = 2
)

// errBusy is a lock that another process holds. SQLite asks again until its
// busy timeout is over.
var errBusy error = sqlite3.BUSY

// pageFile is the database as SQLite sees it: pages out of the -wal where it
// has them, all others out of the file, and never in WAL mode, so that SQLite
// looks for no other file. Its moment begins with the SHARED lock and ends when
// that is released, which is to say: with the read transaction.
type pageFile struct {
	vfs.File // the database, opened read-only
	path     string

	locked  bool
	walMode bool // by its header
	index   *index
	walFile *os.File
	wal     *walView
	failure error // why a read failed, kept for the caller
}

// Lock implements vfs.File.
func (f *pageFile) Lock(level vfs.LockLevel) error {
	if level > vfs.LOCK_SHARED {
		return sqlite3.READONLY
	}
	if err := f.File.Lock(level); err != nil || f.locked {
		return err
	}
	err := f.begin()
	if err == nil {
		f.locked = true
		return nil
	}
	f.end()
	_ = f.File.Unlock(vfs.LOCK_NONE)
	return f.failed(err, sqlite3.IOERR_LOCK)
}

// Unlock implements vfs.File.
func (f *pageFile) Unlock(level vfs.LockLevel) error {
	if level == vfs.LOCK_NONE {
		f.end()
	}
	return f.File.Unlock(level)
}

// Close implements vfs.File.
func (f *pageFile) Close() error {
	f.end()
	return f.File.Close()
}

// begin fixes the moment. It is called with the SHARED lock held, under which
// no other process can remove the -wal and -shm files.
func (f *pageFile) begin() (err error) {
	var format [1]byte
	if n, err := f.File.ReadAt(format[:], formatOffset); n == 0 && err != io.EOF {
		return failFile(f.path, err)
	}
	f.walMode = format[0] == formatWAL
	if f.index, err = lockIndex(f.path + "-shm"); err != nil {
		return err
	}
	if err := f.openWAL(); err != nil {
		return err
	}
	if f.wal == nil && f.index != nil && f.emptyWAL() {
		if n := f.index.pending(); n > 0 {
			return fail(f.path, MissingWAL, "has lost its -wal file: the -shm file counts %d pages that were only there", n)
		}
	}
	return nil
}

// openWAL reads the -wal file, if there is one.
func (f *pageFile) openWAL() error {
	path := f.path + "-wal"
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return failFile(path, err)
	}
	f.walFile = file
	wal, changed, err := readWAL(file)
	switch {
	case err != nil:
		return failFile(path, err)
	case changed:
		return errBusy
	}
	f.wal = wal
	return nil
}

// emptyWAL reports a -wal file that is not there or has no content. Both are
// normal after a checkpoint.
func (f *pageFile) emptyWAL() bool {
	if f.walFile == nil {
		return true
	}
	info, err := f.walFile.Stat()
	return err == nil && info.Size() == 0
}

// end lets go of what begin took.
func (f *pageFile) end() {
	if f.index != nil {
		f.index.close()
	}
	if f.walFile != nil {
		f.walFile.Close()
	}
	f.locked, f.index, f.walFile, f.wal = false, nil, nil, nil
}

// Size implements vfs.File.
func (f *pageFile) Size() (int64, error) {
	if f.wal != nil {
		return f.wal.pages * f.wal.pageSize, nil
	}
	return f.File.Size()
}

// ReadAt implements vfs.File.
func (f *pageFile) ReadAt(p []byte, offset int64) (n int, err error) {
	if f.wal == nil {
		n, err = f.readDatabase(p, offset)
	} else {
		n, err = f.readPages(p, offset)
	}
	if at := formatOffset - offset; at >= -1 { // the read begins before the end of the two bytes
		hideWAL(p[:n], int(at))
	}
	if err != nil && err != io.EOF {
		return n, f.failed(err, sqlite3.IOERR_READ)
	}
	return n, err
}

// hideWAL says "rollback journal" where the header says "-wal": two bytes, the
// first at index at of what was read.
func hideWAL(p []byte, at int) {
	for i := max(at, 0); i < min(at+2, len(p)); i++ {
		if p[i] == formatWAL {
			p[i] = 1
		}
	}
}

// readPages reads page by page; SQLite never asks for more than one.
func (f *pageFile) readPages(p []byte, offset int64) (n int, err error) {
	for n < len(p) {
		page, within := offset/f.wal.pageSize+1, offset%f.wal.pageSize
		if page > f.wal.pages {
			return n, io.EOF
		}
		part := p[n:min(len(p), n+int(f.wal.pageSize-within))]
		got, err := f.readPage(part, uint32(page), within)
		n, offset = n+got, offset+int64(got)
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

func (f *pageFile) readPage(p []byte, page uint32, within int64) (int, error) {
	frame, ok := f.wal.frames[page]
	if ok {
		same, err := f.wal.read(p, frame, within)
		if err != nil || same {
			return len(p), err
		}
		if err := f.startedOver(); err != nil {
			return 0, err
		}
	}
	return f.readDatabase(p, int64(page-1)*f.wal.pageSize+within)
}

// startedOver decides what an overwritten frame means. A writer may have begun
// to start the -wal over before the read marks were locked, and writes its
// header only now. That it did means that all the old frames were in the
// database before, where they can't be replaced while the read marks are held.
func (f *pageFile) startedOver() error {
	same, err := f.wal.unchanged()
	if err != nil {
		return err
	}
	if same || f.index == nil {
		return f.lost()
	}
	return nil
}

// readDatabase reads from the file itself.
func (f *pageFile) readDatabase(p []byte, offset int64) (int, error) {
	n, err := f.File.ReadAt(p, offset)
	if f.locked && f.index == nil && (f.walMode || f.wal != nil) {
		// Nobody can have changed the page while there was no -shm file.
		if _, statErr := os.Lstat(f.path + "-shm"); !errors.Is(statErr, fs.ErrNotExist) {
			return 0, f.lost()
		}
	}
	return n, err
}

func (f *pageFile) lost() error {
	return fail(f.path, Busy, "was changed by another process while it was read")
}

// failed keeps an error for the caller and gives SQLite a code for it.
func (f *pageFile) failed(err error, code sqlite3.ExtendedErrorCode) error {
	if err == errBusy {
		return err
	}
	f.failure = err
	return vfs.SystemError(err, code)
}

// pageCount returns the size that a database header states, in pages, and the
// page size; zeroes for a header that states none.
func pageCount(header []byte) (pages, size int64) {
	size = int64(binary.BigEndian.Uint16(header[16:]))
	if size == 1 { // 65536 doesn't fit
		size = 65536
	}
	return int64(binary.BigEndian.Uint32(header[28:])), size
}
