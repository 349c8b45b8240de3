//go:build unix

package state

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// Owner is who owns a file.
type Owner struct{ UID, GID int }

func ownerOf(info fs.FileInfo) (Owner, bool) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return Owner{int(stat.Uid), int(stat.Gid)}, true
	}
	return Owner{}, false
}

func (o Owner) String() string { return strconv.Itoa(o.UID) }

func isRoot() bool { return os.Geteuid() == 0 }

// isForeign reports whether new files would belong to somebody else.
func (o Owner) isForeign() bool { return o.UID != os.Geteuid() }

func (o Owner) apply(path string) error { return os.Lchown(path, o.UID, o.GID) }

// Writable asks the system whether the process may make files in a directory.
func (osFS) Writable(path string) error {
	return unix.Faccessat(unix.AT_FDCWD, path, unix.W_OK|unix.X_OK, unix.AT_EACCESS)
}

// syncDir flushes a directory. File systems that can't are none the worse: what
// they promise for a rename is all there is.
func syncDir(path string) error {
	directory, err := os.Open(path)
	if err != nil {
		return err
	}
	defer directory.Close()
	err = directory.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	return err
}

// isLinkless reports whether an error says that the file system has no hard links.
func isLinkless(err error) bool {
	return errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.EXDEV) || errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.EMLINK)
}

func userID() int { return os.Getuid() }

// ownersOnly reports whether the system tells by a mode who may read a file.
const ownersOnly = true
