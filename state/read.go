package state

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"openclaw-auth/auth/document"
)

// The sizes up to which documents are read. OpenClaw's own files stay far
// below; a larger one is a mistake that should not cost all memory.
const (
	maxDocument = 64 << 20
	maxConfig   = 16 << 20
)

// FileError is a file that can't be read as what it should be.
type FileError struct {
	File    string
	Message string
	Err     error // the cause, where there is one
}

func (e *FileError) Error() string { return e.File + ": " + e.Message }
func (e *FileError) Unwrap() error { return e.Err }

// readFile returns the content of a regular file of at most limit bytes. A
// missing file is an error that satisfies errors.Is(err, fs.ErrNotExist).
func (e Env) readFile(path string, limit int64) ([]byte, error) {
	info, err := e.FS.Stat(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	switch {
	case info.IsDir():
		return nil, &FileError{File: path, Message: "is a directory, expected a file"}
	case !info.Mode().IsRegular():
		return nil, &FileError{File: path, Message: "is no regular file"}
	case info.Size() > limit:
		return nil, tooLarge(path, limit)
	}
	file, err := e.FS.Open(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	defer file.Close()
	data := make([]byte, info.Size()+1) // room for all of it, and to see that it ends there
	n, err := io.ReadFull(file, data)
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return data[:n], nil
	case err != nil:
		return nil, fileError(path, err)
	}
	more, err := io.ReadAll(io.LimitReader(file, limit+1-int64(n))) // it grew meanwhile
	switch {
	case err != nil:
		return nil, fileError(path, err)
	case int64(n+len(more)) > limit:
		return nil, tooLarge(path, limit)
	}
	return append(data, more...), nil
}

func tooLarge(path string, limit int64) error {
	return &FileError{File: path, Message: fmt.Sprintf("is larger than %d MiB, not read", limit>>20)}
}

// fileError says what is wrong without repeating the path.
func fileError(path string, err error) error {
	cause := err
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		cause = pathError.Err
	}
	return &FileError{File: path, Message: cause.Error(), Err: err}
}

// ReadDocument reads a file of any content; nil where there is none.
func (e Env) ReadDocument(path string) (*document.Document, error) {
	data, err := e.readFile(path, maxDocument)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return document.New(path, data), nil
}
