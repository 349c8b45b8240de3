package sqlite

import (
	"os"

	"golang.org/x/sys/windows"
)

// lockShared takes a shared lock on bytes of a file that is open for reading,
// without waiting.
func lockShared(file *os.File, start, length int64) error {
	const flags = windows.LOCKFILE_FAIL_IMMEDIATELY // and not exclusive
	overlapped := windows.Overlapped{Offset: uint32(start)}
	err := windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, uint32(length), 0, &overlapped)
	switch err {
	case nil:
		return nil
	case windows.ERROR_LOCK_VIOLATION, windows.ERROR_IO_PENDING:
		return errBusy
	}
	return failFile(file.Name(), err)
}

func unlock(file *os.File, start, length int64) {
	overlapped := windows.Overlapped{Offset: uint32(start)}
	_ = windows.UnlockFileEx(windows.Handle(file.Fd()), 0, uint32(length), 0, &overlapped)
}
