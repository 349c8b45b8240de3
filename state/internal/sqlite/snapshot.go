package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"openclaw-auth/state/internal/disk"
)

// snapshot is a database at one moment: pages out of the -wal where it has
// them, all others out of the file.
type snapshot struct {
	path   string // as it was asked for
	base   string // without a symbolic link: what -wal and -shm are beside
	file   *os.File
	header header // as of the moment
	pages  int64  // size of the database

	index   *index   // nil: no -shm file
	walFile *os.File // nil: no -wal file
	wal     *walView // nil: no commits in it

	checkedLater bool     // see atOnce
	spare        [][]byte // room of pages that were read before
	pagesRead    int      // what an answer cost
}

// takeSnapshot opens a database and fixes a moment of it, waiting for locks up
// to timeout.
func takeSnapshot(path string, timeout time.Duration) (*snapshot, error) {
	base, err := target(path)
	if err != nil {
		return nil, failFile(path, err)
	}
	file, err := disk.OpenRegular(base)
	if err != nil {
		return nil, failFile(path, err)
	}
	s := &snapshot{path: path, base: base, file: file}
	for begun := time.Now(); ; time.Sleep(2 * time.Millisecond) {
		err := s.begin()
		if err == nil {
			return s, nil
		}
		s.end()
		if err != errBusy || time.Since(begun) >= timeout {
			s.file.Close()
			return nil, busyAfter(path, timeout, err)
		}
	}
}

func busyAfter(path string, timeout time.Duration, err error) error {
	if err != errBusy {
		return err
	}
	return fail(path, Busy, "is locked by another process (waited %v)", timeout)
}

// begin fixes the moment. The order matters: under the SHARED lock no process
// removes the -wal and -shm files, and with the read marks locked the -wal can
// only grow.
func (s *snapshot) begin() (err error) {
	if err := lockDatabase(s.file); err != nil {
		return err
	}
	if s.index, err = lockIndex(s.base + "-shm"); err != nil {
		return err
	}
	if s.header, err = readHeader(s.path, s.file); err != nil {
		return err
	}
	pending := s.index.pending()
	if err := s.openWAL(); err != nil {
		return err
	}
	switch {
	case s.wal != nil:
		return s.beginWithWAL()
	case pending > 0 && s.emptyWAL():
		return fail(s.path, MissingWAL, "has lost its -wal file: the -shm file counts %d pages that were only there", pending)
	}
	return s.beginWithoutWAL()
}

// openWAL reads the -wal file, if there is one. SQLite looks at it whatever the
// database's header says.
func (s *snapshot) openWAL() error {
	path := s.base + "-wal"
	file, err := disk.OpenBeside(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return failFile(path, err)
	}
	s.walFile = file
	wal, changed, err := readWAL(file)
	if err != nil {
		return failFile(path, err)
	}
	if changed {
		return errBusy
	}
	s.wal = wal
	return nil
}

// emptyWAL reports a -wal file that is not there or has no content. Both are
// normal after a checkpoint.
func (s *snapshot) emptyWAL() bool {
	if s.walFile == nil {
		return true
	}
	info, err := s.walFile.Stat()
	return err == nil && info.Size() == 0
}

// beginWithWAL takes the header from the -wal if it has a newer one.
func (s *snapshot) beginWithWAL() error {
	s.pages = s.wal.pages
	if s.wal.pageSize != s.header.pageSize {
		return fail(s.path, Corrupt, "is damaged: pages of %d bytes, but of %d in its -wal file", s.header.pageSize, s.wal.pageSize)
	}
	page, err := s.page(1)
	if err != nil {
		return err
	}
	s.header, err = parseHeader(s.path, page)
	return err
}

// beginWithoutWAL checks that the file is all there.
func (s *snapshot) beginWithoutWAL() error {
	info, err := s.file.Stat()
	if err != nil {
		return failFile(s.path, err)
	}
	s.pages = info.Size() / s.header.pageSize
	if s.header.pages > s.pages {
		return fail(s.path, Corrupt, "is truncated: %d bytes, expected %d", info.Size(), s.header.pages*s.header.pageSize)
	}
	if s.header.pages > 0 {
		s.pages = s.header.pages
	}
	return s.checkJournal()
}

// checkJournal refuses a database that a crash left half written: its old pages
// are in a -journal file, and only a writer can put them back.
func (s *snapshot) checkJournal() error {
	journal, err := disk.OpenBeside(s.base + "-journal")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return failFile(s.base+"-journal", err)
	}
	defer journal.Close()
	var first [1]byte
	if n, _ := journal.ReadAt(first[:], 0); n == 0 || first[0] == 0 {
		return nil // ended: emptied or overwritten with zeroes
	}
	working, err := writerAtWork(s.file)
	if err != nil || working {
		return err // a writer that is alive can't touch the file before we are done
	}
	return fail(s.path, Unfinished, "has a transaction that a crash left unfinished (-journal file); start OpenClaw once to roll it back")
}

// end lets go of what begin took.
func (s *snapshot) end() {
	if s.index != nil {
		s.index.close()
	}
	if s.walFile != nil {
		s.walFile.Close()
	}
	s.index, s.walFile, s.wal = nil, nil, nil
	unlock(s.file, sharedFirst, sharedSize)
}

func (s *snapshot) close() error {
	s.end()
	return s.file.Close()
}

// target returns the file that a path leads to.
func target(path string) (string, error) {
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&os.ModeSymlink != 0 {
		path, err = filepath.EvalSymlinks(path)
	}
	return path, err
}
