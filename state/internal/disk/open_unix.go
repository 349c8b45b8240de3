//go:build unix

package disk

import "syscall"

// nonBlocking keeps the opening of a FIFO from waiting for a writer. It makes
// no difference for a regular file. A socket can't be opened at all.
const nonBlocking = syscall.O_NONBLOCK | syscall.O_NOCTTY
