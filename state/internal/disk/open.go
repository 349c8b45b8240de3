package disk

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
)

// ErrNotRegular is in the error for a FIFO, a socket, a device or a directory
// where a file is expected. Opening some of these would wait for ever.
var ErrNotRegular = errors.New("is not a regular file")

// OpenRegular opens a regular file for reading. It is the only way in which
// anything of a home is opened: it never blocks, whatever stands at the path,
// and looks at what it has opened, not at what stood there before. Symbolic
// links are followed. Errors are of type *fs.PathError.
func OpenRegular(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		if info, statErr := os.Stat(path); statErr == nil { // a socket can't be opened
			err = cmp.Or(checkRegular(path, info), err)
		}
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = checkRegular(path, info)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// OpenBeside opens a file as OpenRegular does, but does not follow a link to
// nothing: a program that makes the file would not either, or somewhere else.
func OpenBeside(path string) (*os.File, error) {
	file, err := OpenRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		if info, linkErr := os.Lstat(path); linkErr == nil && info.Mode()&fs.ModeSymlink != 0 {
			return nil, &fs.PathError{Op: "open", Path: path, Err: errDangling}
		}
	}
	return file, err
}

func checkRegular(path string, info fs.FileInfo) error {
	switch {
	case info.Mode().IsRegular():
		return nil
	case info.IsDir():
		return &fs.PathError{Op: "open", Path: path, Err: ErrDirectory}
	}
	return &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
}

// ErrDirectory is the ErrNotRegular of a directory.
var ErrDirectory error = notRegular("is a directory, expected a file")

// errDangling is the ErrNotRegular of a link whose target is missing.
var errDangling error = notRegular("is a link to a file that is missing")

// notRegular is a text for ErrNotRegular.
type notRegular string

func (n notRegular) Error() string        { return string(n) }
func (n notRegular) Is(target error) bool { return target == ErrNotRegular }
