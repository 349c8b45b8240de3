package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Within opens a directory for reading and writing below it. The directory
// itself must be one: a symbolic link in its place is refused.
func (System) Within(directory string) (Tree, error) {
	parent, err := os.OpenRoot(filepath.Dir(directory))
	if err != nil {
		return nil, Fail(directory, err)
	}
	defer parent.Close()
	name := filepath.Base(directory)
	info, err := parent.Lstat(name)
	switch {
	case err != nil:
		return nil, Fail(directory, err)
	case !info.IsDir():
		return nil, &FileError{File: directory, Message: "is not a directory of openclaw-auth's: remove it", Err: ErrNotDirectory}
	}
	root, err := parent.OpenRoot(name)
	if err != nil {
		return nil, Fail(directory, err)
	}
	if now, err := root.Stat("."); err != nil || !os.SameFile(info, now) {
		root.Close()
		return nil, &FileError{File: directory, Message: "was replaced while it was opened", Err: ErrNotDirectory}
	}
	return &tree{root: root, directory: directory}, nil
}

// ErrNotDirectory is in the error for something else in place of a directory.
var ErrNotDirectory = errors.New("is not a directory")

type tree struct {
	root      *os.Root
	directory string
}

// name is a path within the tree.
func (t *tree) name(path string) (string, error) {
	name, err := filepath.Rel(t.directory, path)
	if err != nil || !filepath.IsLocal(name) {
		return "", &fs.PathError{Op: "open", Path: path, Err: errors.New("is outside of " + t.directory)}
	}
	return name, nil
}

// at runs an operation on the name of a path.
func (t *tree) at(path string, do func(name string) error) error {
	name, err := t.name(path)
	if err != nil {
		return err
	}
	return do(name)
}

// Open opens a regular file that is no symbolic link.
func (t *tree) Open(path string) (io.ReadCloser, error) {
	name, err := t.name(path)
	if err != nil {
		return nil, err
	}
	file, err := t.root.OpenFile(name, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	if err := t.checkOpened(path, name, file); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// checkOpened refuses what is no file of its own name.
func (t *tree) checkOpened(path, name string, file *os.File) error {
	opened, err := file.Stat()
	if err != nil {
		return err
	}
	if err := checkRegular(path, opened); err != nil {
		return err
	}
	named, err := t.root.Lstat(name)
	if err != nil {
		return err
	}
	if !os.SameFile(opened, named) {
		return &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	return nil
}

func (t *tree) Stat(path string) (fs.FileInfo, error) { return t.Lstat(path) }

func (t *tree) Lstat(path string) (info fs.FileInfo, err error) {
	err = t.at(path, func(name string) error { info, err = t.root.Lstat(name); return err })
	return info, err
}

func (t *tree) ReadDir(path string) (entries []fs.DirEntry, err error) {
	err = t.at(path, func(name string) error {
		entries, err = fs.ReadDir(t.root.FS(), filepath.ToSlash(name))
		return err
	})
	return entries, err
}

func (t *tree) EvalSymlinks(path string) (string, error) { return path, nil }

func (t *tree) Create(path string, mode fs.FileMode) (file File, err error) {
	err = t.at(path, func(name string) error {
		file, err = newFile(t.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode))
		return err
	})
	return file, err
}

func (t *tree) Overwrite(path string) (File, error) {
	name, err := t.name(path)
	if err != nil {
		return nil, err
	}
	file, err := t.root.OpenFile(name, os.O_WRONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	err = t.checkOpened(path, name, file)
	if err == nil {
		err = file.Truncate(0)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return osFile{file}, nil
}

func (t *tree) Link(from, to string) error { return t.both(from, to, t.root.Link) }

func (t *tree) Rename(from, to string) error { return t.both(from, to, t.root.Rename) }

func (t *tree) both(from, to string, do func(from, to string) error) error {
	return t.at(from, func(from string) error {
		return t.at(to, func(to string) error { return do(from, to) })
	})
}

func (t *tree) Remove(path string) error { return t.at(path, t.root.Remove) }

func (t *tree) Mkdir(path string, mode fs.FileMode) error {
	return t.at(path, func(name string) error { return t.root.Mkdir(name, mode) })
}

func (t *tree) Chmod(path string, mode fs.FileMode) error {
	return t.at(path, func(name string) error { return t.root.Chmod(name, mode) })
}

func (t *tree) Chown(path string, owner Owner) error {
	return t.at(path, func(name string) error {
		return owner.apply(func(uid, gid int) error { return t.root.Lchown(name, uid, gid) })
	})
}

func (t *tree) SyncDir(path string) error {
	return t.at(path, func(name string) error { return syncDir(t.root.Open(name)) })
}

func (t *tree) Within(directory string) (Tree, error) {
	name, err := t.name(directory)
	if err != nil {
		return nil, err
	}
	root, err := t.root.OpenRoot(name)
	return &tree{root, directory}, err
}

func (t *tree) Close() error { return t.root.Close() }
