package write

import (
	"io/fs"

	"openclaw-auth/state/internal/disk"
)

// private opens the directory of openclaw-auth's own files. It must belong to
// whoever owns the home, and so must everything in it: what another user put
// there is not trusted. The error is an fs.ErrNotExist if there is no such directory.
func (h *Home) private() (disk.Tree, error) {
	system, err := h.Env.Disk()
	if err != nil {
		return nil, &disk.FileError{File: h.Private, Message: "does not exist", Err: fs.ErrNotExist}
	}
	info, err := h.Env.FS.Lstat(h.Private)
	if err != nil {
		return nil, disk.Fail(h.Private, err)
	}
	if err := h.checkOwner(h.Private, info); err != nil {
		return nil, err
	}
	return system.Within(h.Private)
}

// checkOwner refuses a private file of a user who does not own the home.
func (h *Home) checkOwner(path string, info fs.FileInfo) error {
	home, err := h.Env.FS.Stat(h.stateDir())
	if err != nil {
		return disk.Fail(h.stateDir(), err)
	}
	user, known := disk.OwnerOf(home)
	if owner, _ := disk.OwnerOf(info); known && !owner.SameUser(user) {
		return &disk.FileError{File: path, Message: "belongs to user " + owner.String() + " and the home to user " + user.String() + ": not used", Err: fs.ErrPermission}
	}
	return nil
}

// read reads a private file.
func (h *Home) read(tree disk.Tree, path string, limit int64) ([]byte, error) {
	info, err := tree.Lstat(path)
	if err != nil {
		return nil, disk.Fail(path, err)
	}
	if err := h.checkOwner(path, info); err != nil {
		return nil, err
	}
	return disk.ReadFile(tree, path, limit)
}
