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
	data := make([]byte, s.header.pageSize)
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
	if s.index == nil && (s.header.walMode || s.wal != nil) {
		// Nobody can have changed the page while there was no -shm file.
		if _, err := os.Lstat(s.base + "-shm"); !errors.Is(err, fs.ErrNotExist) {
			return s.lost()
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

func (s *snapshot) lost() error {
	return &Error{Path: s.path, Kind: Busy, Message: "was opened by another process while it was read", Err: errLost}
}

func (s *snapshot) damaged(format string, values ...any) error {
	return fail(s.path, Corrupt, "is damaged: "+format, values...)
}
