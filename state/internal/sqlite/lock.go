package sqlite

import (
	"errors"
	"os"
)

// The bytes of the database file that SQLite's processes lock.
const (
	pendingByte  = 0x40000000 // a writer waits for its readers to end
	reservedByte = pendingByte + 1
	sharedFirst  = pendingByte + 2
	sharedSize   = 510
)

// errBusy is a lock that another process holds.
var errBusy = errors.New("locked by another process")

// lockDatabase takes the SHARED lock that every reader takes. With a rollback
// journal it keeps writers out of the file; in WAL mode it keeps the last
// process to close the database from removing the -wal and -shm files.
func lockDatabase(file *os.File) error {
	if err := lockShared(file, pendingByte, 1); err != nil {
		return err
	}
	defer unlock(file, pendingByte, 1)
	return lockShared(file, sharedFirst, sharedSize)
}

// writerAtWork reports whether a process is about to write, in rollback mode.
func writerAtWork(file *os.File) (bool, error) {
	err := lockShared(file, reservedByte, 1)
	if err == errBusy {
		return true, nil
	}
	if err == nil {
		unlock(file, reservedByte, 1)
	}
	return false, err
}
