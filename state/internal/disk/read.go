package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The sizes up to which files are read. OpenClaw's own documents stay far below;
// a larger one is a mistake that should not cost all memory.
const (
	MaxDocument = 64 << 20
	MaxConfig   = 16 << 20
)

// FileError is a file that can't be read or written as what it should be.
type FileError struct {
	File    string
	Message string
	Err     error // the cause, where there is one
}

func (e *FileError) Error() string { return e.File + ": " + e.Message }
func (e *FileError) Unwrap() error { return e.Err }

// Fail says what is wrong with a file without repeating its path.
func Fail(path string, err error) error {
	cause := err
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		cause = pathError.Err
	}
	return &FileError{File: path, Message: cause.Error(), Err: err}
}

// ReasonOf is an error without the paths that a caller has named already.
func ReasonOf(err error) string {
	text := err.Error()
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return strings.Replace(text, link.Error(), link.Err.Error(), 1)
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return strings.Replace(text, path.Error(), path.Err.Error(), 1)
	}
	return text
}

// ChangedError is returned for a file that another process has changed.
type ChangedError struct{ File, Problem string }

func (e *ChangedError) Error() string { return e.File + ": " + e.Problem }

// IsMissing reports whether an error says that a file does not exist.
func IsMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// ReadFile returns the content of a regular file of at most limit bytes. A
// missing file is an error that satisfies errors.Is(err, fs.ErrNotExist).
func ReadFile(files FS, path string, limit int64) ([]byte, error) {
	info, err := files.Stat(path)
	if err != nil {
		return nil, Fail(path, err)
	}
	if err := checkRegular(path, info); err != nil {
		return nil, Fail(path, err)
	}
	if info.Size() > limit {
		return nil, tooLarge(path, limit)
	}
	file, err := files.Open(path)
	if err != nil {
		return nil, Fail(path, err)
	}
	defer file.Close()
	data := make([]byte, info.Size()+1) // room for all of it, and to see that it ends there
	n, err := io.ReadFull(file, data)
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return data[:n], nil
	case err != nil:
		return nil, Fail(path, err)
	}
	more, err := io.ReadAll(io.LimitReader(file, limit+1-int64(n))) // it has grown in the meantime
	switch {
	case err != nil:
		return nil, Fail(path, err)
	case int64(n+len(more)) > limit:
		return nil, tooLarge(path, limit)
	}
	return append(data, more...), nil
}

func tooLarge(path string, limit int64) error {
	return &FileError{File: path, Message: fmt.Sprintf("is larger than %d MiB, not read", limit>>20)}
}

// Exists reports whether there is something at a path. What can't be looked at,
// in a directory that is closed to this user, counts: reading it says why.
func Exists(files FS, path string) bool {
	_, err := files.Stat(path)
	return !IsMissing(err)
}

// IsDir reports whether there is a directory at a path.
func IsDir(files FS, path string) bool {
	info, err := files.Stat(path)
	return err == nil && info.IsDir()
}

// Snapshot is a file as it was read: nil Data where there is none.
type Snapshot struct {
	Path  string
	Data  []byte
	Mode  fs.FileMode
	Links int // names that the file has, 0 where the system does not say
}

// Snap reads a file.
func Snap(files FS, path string) (Snapshot, error) {
	data, err := ReadFile(files, path, MaxDocument)
	if IsMissing(err) {
		return Snapshot{Path: path}, nil
	}
	if err != nil {
		return Snapshot{}, err
	}
	info, err := files.Stat(path)
	if err != nil {
		return Snapshot{}, Fail(path, err)
	}
	if data == nil {
		data = []byte{}
	}
	return Snapshot{path, data, info.Mode().Perm(), LinksOf(info)}, nil
}

// IsWithin reports whether a path is a directory or lies in it, as far as the
// names tell.
func IsWithin(path, directory string) bool {
	relative, err := filepath.Rel(directory, path)
	return err == nil && relative != ".." && !strings.HasPrefix(relative, ".."+string(filepath.Separator))
}
