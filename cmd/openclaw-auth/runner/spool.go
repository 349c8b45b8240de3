package runner

import (
	"io"
	"os"
)

// inMemory is how much a Spool keeps in memory before it takes a file.
const inMemory = 1 << 20

// Spool keeps bytes to be read again: the first megabyte in memory, more than
// that in a file of mode 0600 that has no name any more, so that nothing stays
// behind when the process is killed. (Windows removes the file at Close.)
type Spool struct {
	memory []byte
	file   *os.File
	size   int64
}

// Size is how many bytes the spool holds.
func (s *Spool) Size() int64 { return s.size }

// Write appends to the spool.
func (s *Spool) Write(p []byte) (int, error) {
	if s.file == nil && len(s.memory)+len(p) <= inMemory {
		s.memory = append(s.memory, p...)
		s.size += int64(len(p))
		return len(p), nil
	}
	if s.file == nil {
		file, err := namelessFile()
		if err != nil {
			return 0, err
		}
		if s.file = file; len(s.memory) > 0 {
			if _, err := file.Write(s.memory); err != nil {
				return 0, err
			}
		}
		s.memory = nil
	}
	n, err := s.file.WriteAt(p, s.size)
	s.size += int64(n)
	return n, err
}

// ReadAt reads what was written at an offset.
func (s *Spool) ReadAt(p []byte, offset int64) (int, error) {
	if s.file != nil {
		return s.file.ReadAt(p, offset)
	}
	if offset >= s.size {
		return 0, io.EOF
	}
	return copy(p, s.memory[offset:]), nil
}

// CopyTo writes all that the spool holds.
func (s *Spool) CopyTo(w io.Writer) error {
	_, err := io.Copy(w, io.NewSectionReader(s, 0, s.size))
	return err
}

// Close frees the memory and the file.
func (s *Spool) Close() {
	if s.file != nil {
		_ = s.file.Close() // it is gone already, or about to go
		removeClosed(s.file)
	}
	*s = Spool{}
}

func namelessFile() (*os.File, error) {
	file, err := os.CreateTemp("", "openclaw-auth-*.spool") // mode 0600
	if err != nil {
		return nil, err
	}
	return file, removeOpen(file)
}
