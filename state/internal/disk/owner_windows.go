package disk

import (
	"errors"
	"io/fs"
	"os"
)

// Owner is who owns a file; Windows gives new files the rights of their directory.
type Owner struct{}

// OwnerOf knows no owner.
func OwnerOf(fs.FileInfo) (Owner, bool) { return Owner{}, false }

// LinksOf is how many names a file has, 0 where the system does not say.
func LinksOf(fs.FileInfo) int { return 0 }

// IsForeign is never true.
func (Owner) IsForeign() bool { return false }

// SameUser is always true.
func (Owner) SameUser(Owner) bool { return true }

// String is "?": Windows numbers no users.
func (Owner) String() string { return "?" }

func (Owner) apply(func(uid, gid int) error) error { return nil }

// IsRoot is never true.
func IsRoot() bool { return false }

// UserID is -1: Windows numbers no users.
func UserID() int { return -1 }

// syncDir closes the directory: Windows has no such operation.
func syncDir(directory *os.File, err error) error {
	if err == nil {
		directory.Close()
	}
	return nil
}

// IsLinkless reports whether an error may say that the file system has no hard
// links: all but the one that says that the name is taken.
func IsLinkless(err error) bool { return !errors.Is(err, fs.ErrExist) }

// HasModes reports whether the system says by a mode who may read a file.
const HasModes = false
