package sqlite

import "golang.org/x/sys/unix"

// setLockOfFile is the command that sets a lock of an open file.
const setLockOfFile = unix.F_OFD_SETLK
