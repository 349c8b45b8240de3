package sqlite

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"

	"openclaw-auth/state/internal/disk"
)

// The places in the -shm file (the WAL index). The locks are on bytes of the
// file, whatever these bytes hold.
const (
	indexHeaderSize = 48  // there are two copies of it
	backfillOffset  = 96  // how many frames are in the database already
	firstReadMark   = 123 // the lock bytes of the five read marks
	readMarks       = 5
)

// index is an open -shm file whose read marks are locked.
type index struct{ file *os.File }

// lockIndex locks the read marks of the -shm file at path, shared. Writing
// pages back into the database needs the first of them alone, starting the -wal
// over needs the other four: with all five held, the database file stands still
// and the -wal only grows. That holds even against a process that comes later
// and starts the -shm over, for a lock survives truncation.
//
// The lock that says "this file is initialised" is left alone. To hold it on a
// -shm that a crash left behind would make the next writer trust its content.
//
// A nil index without an error means that there is no such file; errBusy, that
// a checkpoint is being written.
func lockIndex(path string) (*index, error) {
	file, err := disk.OpenBeside(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, failFile(path, err)
	}
	if err := lockShared(file, firstReadMark, readMarks); err != nil {
		file.Close()
		return nil, err
	}
	return &index{file}, nil
}

// close unlocks and closes; closing alone would unlock too, but Windows may do
// so late.
func (x *index) close() {
	unlock(x.file, firstReadMark, readMarks)
	x.file.Close()
}

// pending returns how many frames of the -wal were committed but not yet
// written back when the index was last written; 0 when the index doesn't say, or there
// is none.
func (x *index) pending() int64 {
	if x == nil {
		return 0
	}
	var data [backfillOffset + 4]byte
	if n, _ := x.file.ReadAt(data[:], 0); n < len(data) {
		return 0
	}
	header, word := data[:indexHeaderSize], binary.NativeEndian.Uint32
	if [indexHeaderSize]byte(header) != [indexHeaderSize]byte(data[indexHeaderSize:]) {
		return 0 // being written
	}
	sum := checksum{order: nativeOrder()}
	sum.add(header[:40])
	if word(header) != walVersion || sum.a != word(header[40:]) || sum.b != word(header[44:]) {
		return 0
	}
	return int64(word(header[16:])) - int64(word(data[backfillOffset:]))
}

func nativeOrder() binary.ByteOrder {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return binary.LittleEndian
	}
	return binary.BigEndian
}
