//go:build unix

package disk

import (
	"errors"
	"syscall"
)

// IsAlive reports whether there is a process of that id. One of another
// user is alive too.
func IsAlive(pid int) bool {
	if pid <= 0 {
		return false
	}
	err := syscall.Kill(pid, 0)
	return (err == nil || errors.Is(err, syscall.EPERM)) && !isZombie(pid)
}
