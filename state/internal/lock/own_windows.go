package lock

import "os"

// The flags that the lock's file is opened with.
const (
	ownFlags  = os.O_RDWR
	readFlags = os.O_RDONLY
)
