package state

import (
	"io/fs"

	"openclaw-auth/state/internal/disk"
)

// QuickDisk is the machine's disk without the waits for the medium.
type QuickDisk struct{ disk.System }

type quickFile struct{ disk.File }

func (quickFile) Sync() error { return nil }

// Create makes a file that does not wait.
func (d QuickDisk) Create(path string, mode fs.FileMode) (disk.File, error) {
	file, err := d.System.Create(path, mode)
	return quickFile{file}, err
}

// SyncDir does nothing.
func (QuickDisk) SyncDir(string) error { return nil }

// Within confines the disk to a directory.
func (d QuickDisk) Within(directory string) (disk.Tree, error) {
	tree, err := d.System.Within(directory)
	return quickTree{tree}, err
}

type quickTree struct{ disk.Tree }

func (t quickTree) Create(path string, mode fs.FileMode) (disk.File, error) {
	file, err := t.Tree.Create(path, mode)
	return quickFile{file}, err
}

func (quickTree) SyncDir(string) error { return nil }

// Close does nothing for the whole disk.
func (QuickDisk) Close() error { return nil }

// Overwrite is only there to make a tree of the whole disk.
func (QuickDisk) Overwrite(path string) (disk.File, error) {
	return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrInvalid}
}
