//go:build unix

package lock

import (
	"os"
	"syscall"
)

// The flags that the lock's file is opened with: a symbolic link is not followed.
const (
	ownFlags  = os.O_RDWR | syscall.O_NOFOLLOW | syscall.O_NONBLOCK
	readFlags = os.O_RDONLY | syscall.O_NOFOLLOW | syscall.O_NONBLOCK
)
