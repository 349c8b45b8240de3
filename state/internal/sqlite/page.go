package sqlite

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// errLost is a moment that could not be kept: there was no -shm file to lock,
// and then a writer came.
var errLost = errors.New("moment lost")

// page returns a page; numbers begin at 1.
func (s *snapshot) page(number uint32) ([]byte, error) {
	if number == 0 || int64(number) > s.pages {
		return nil, s.damaged("page %d of %d asked for", number, s.pages)
	}
	s.pagesRead++
	data := s.buffer()
	if s.wal == nil {
		return data, s.readDatabase(data, number)
	}
	if frame, ok := s.wal.frames[number]; ok {
		same, err := s.wal.read(data, frame)
		if err != nil {
			return nil, failFile(s.base+"-wal", err)
		}
		if same {
			return data, nil
		}
		if err := s.startedOver(); err != nil {
			return nil, err
		}
	}
	return data, s.readDatabase(data, number)
}

// buffer returns room for a page: that of a page which nobody looks at any more,
// or new one, which costs more than reading the page.
func (s *snapshot) buffer() []byte {
	last := len(s.spare) - 1
	if last < 0 {
		return make([]byte, s.header.pageSize)
	}
	data := s.spare[last]
	s.spare = s.spare[:last]
	return data
}

// release gives the room of a page back. Nothing out of the page may be used
// from then on.
func (s *snapshot) release(n node) {
	s.spare = append(s.spare, n.data[:s.header.pageSize])
}

// startedOver decides what an overwritten frame means. A writer may have begun
// to start the -wal over before the read marks were locked, and writes its
// header only now. That it did means that all the old frames were in the
// database before, where they can't be replaced while the read marks are held.
func (s *snapshot) startedOver() error {
	same, err := s.wal.unchanged()
	if err != nil {
		return failFile(s.base+"-wal", err)
	}
	if same || s.index == nil {
		return s.lost()
	}
	return nil
}

// readDatabase reads a page from the file itself.
func (s *snapshot) readDatabase(data []byte, number uint32) error {
	n, err := s.file.ReadAt(data, int64(number-1)*s.header.pageSize)
	if !s.checkedLater {
		if err := s.keepsMoment(); err != nil {
			return err
		}
	}
	switch {
	case n == len(data):
		return nil
	case err == io.EOF:
		return s.damaged("page %d is cut off", number)
	}
	return failFile(s.path, err)
}

// atOnce reads pages of which nothing is told before it returns: one look at the
// end, whether the moment was kept, does for all of them.
func (s *snapshot) atOnce(read func() error) error {
	s.checkedLater = true
	err := read()
	s.checkedLater = false
	if lost := s.keepsMoment(); lost != nil {
		return lost
	}
	return err
}

// keepsMoment is an error if pages that were read from the file itself may be
// of a later moment. Nobody can have changed them while there was no -shm file,
// and none that comes goes again before the database is unlocked.
func (s *snapshot) keepsMoment() error {
	if s.index != nil || !s.header.walMode && s.wal == nil {
		return nil
	}
	if _, err := os.Lstat(s.base + "-shm"); !errors.Is(err, fs.ErrNotExist) {
		return s.lost()
	}
	return nil
}

func (s *snapshot) lost() error {
	return &Error{Path: s.path, Kind: Busy, Message: "was opened by another process while it was read", Err: errLost}
}

func (s *snapshot) damaged(format string, values ...any) error {
	return fail(s.path, Corrupt, "is damaged: "+format, values...)
}
