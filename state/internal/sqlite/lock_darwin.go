package sqlite

// setLockOfFile is the command that sets a lock of an open file. F_OFD_SETLK is
// in the system's private headers only; it has been this number since 10.13,
// and SQLite's own locks respect it.
const setLockOfFile = 90
