//go:build unix

package disk

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

// OwnerOf returns the owner of a file, where the system has such a thing.
func OwnerOf(info fs.FileInfo) (Owner, bool) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return Owner{int(stat.Uid), int(stat.Gid)}, true
	}
	return Owner{}, false
}

// LinksOf is how many names a file has, 0 where the system does not say.
func LinksOf(info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Nlink)
	}
	return 0
}

// String is the number of the user.
func (o Owner) String() string { return strconv.Itoa(o.UID) }

// IsForeign reports whether new files of this process would belong to another user.
func (o Owner) IsForeign() bool { return o.UID != os.Geteuid() }

// SameUser reports whether both are the same user.
func (o Owner) SameUser(other Owner) bool { return o.UID == other.UID }

func (o Owner) apply(chown func(uid, gid int) error) error { return chown(o.UID, o.GID) }

// IsRoot reports whether this process may write the files of everyone.
func IsRoot() bool { return os.Geteuid() == 0 }

// UserID is the number of the user, -1 where the system has none.
func UserID() int { return os.Getuid() }

// Writable asks the system whether the process may make files in a directory.
func (System) Writable(path string) error {
	return unix.Faccessat(unix.AT_FDCWD, path, unix.W_OK|unix.X_OK, unix.AT_EACCESS)
}

// syncDir flushes a directory and closes it. Some file systems can't: what they
// promise for a rename is all there is.
func syncDir(directory *os.File, err error) error {
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

// IsLinkless reports whether an error says that the file system has no hard links.
func IsLinkless(err error) bool {
	return errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.EXDEV) || errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.EMLINK)
}

// HasModes reports whether the system says by a mode who may read a file.
const HasModes = true
