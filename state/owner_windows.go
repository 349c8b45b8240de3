package state

import (
	"errors"
	"io/fs"
)

// Owner is who owns a file; Windows gives new files the rights of their directory.
type Owner struct{}

func ownerOf(fs.FileInfo) (Owner, bool) { return Owner{}, false }
func (Owner) isForeign() bool           { return false }
func (Owner) String() string            { return "?" }
func isRoot() bool                      { return false }
func (Owner) apply(string) error        { return nil }

// syncDir does nothing: Windows has no such operation.
func syncDir(string) error { return nil }

// isLinkless reports whether an error may say that the file system has no hard
// links: all but the one that says that the name is taken.
func isLinkless(err error) bool { return !errors.Is(err, fs.ErrExist) }

func userID() int { return -1 }

// ownersOnly reports whether the system tells by a mode who may read a file.
const ownersOnly = false
