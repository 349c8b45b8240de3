//go:build linux || darwin

package sqlite

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// lockShared takes a shared lock on bytes of a file that is open for reading,
// without waiting. These locks belong to the open file, not to the process as
// POSIX's do, and the two exclude each other between processes. Within one they
// don't: a program that has the same database open with SQLite's C library would
// lose that library's locks when this package closes its files.
func lockShared(file *os.File, start, length int64) error {
	err := setLock(file, unix.F_RDLCK, start, length)
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES) {
		return errBusy
	}
	if err != nil {
		return failFile(file.Name(), err)
	}
	return nil
}

func unlock(file *os.File, start, length int64) {
	_ = setLock(file, unix.F_UNLCK, start, length) // closing the file unlocks, too
}

func setLock(file *os.File, kind int16, start, length int64) error {
	lock := unix.Flock_t{Type: kind, Whence: io.SeekStart, Start: start, Len: length}
	for {
		err := unix.FcntlFlock(file.Fd(), setLockOfFile, &lock)
		if err != unix.EINTR {
			return err
		}
	}
}
