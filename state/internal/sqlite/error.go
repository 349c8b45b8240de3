package sqlite

import (
	"errors"
	"fmt"
	"io/fs"

	"openclaw-auth/state/internal/disk"
)

// Kind is why a database can't be read. Kinds are errors, so that
// errors.Is(err, sqlite.Busy) asks for one.
type Kind string

// The kinds of failure. Each error of this package has exactly one.
const (
	Missing      Kind = "missing"        // no such file; the error is also fs.ErrNotExist
	Unreadable   Kind = "unreadable"     // no permission, no regular file, or the disk fails
	Empty        Kind = "zero bytes"     // a file without content
	NotDatabase  Kind = "not a database" // some other file, or an encrypted one
	Corrupt      Kind = "damaged"        // truncated or overwritten
	MissingWAL   Kind = "missing -wal"   // commits are lost, see Open
	Unfinished   Kind = "unfinished"     // a crashed transaction waits in a -journal file
	WrongRole    Kind = "wrong role"     // a state database for an agent's, or the reverse
	OtherAgent   Kind = "other agent's"  // it belongs to another agent
	NewerSchema  Kind = "newer schema"   // written by a release that this code doesn't know
	MissingTable Kind = "missing table"  // the table (or a column of it) is not there
	Unsupported  Kind = "unsupported"    // of a shape that SQLite can have and this package can't read
	Busy         Kind = "busy"           // locked for longer than the busy timeout; worth another try
)

// Error implements error.
func (k Kind) Error() string { return string(k) }

// Error is a database that can't be read: one line, the path first.
type Error struct {
	Path    string
	Kind    Kind
	Message string // what is wrong, without the path
	Err     error  // the cause, where there is one
}

// Error implements error.
func (e *Error) Error() string { return e.Path + ": " + e.Message }

// Unwrap returns the kind and the cause.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

func fail(path string, kind Kind, format string, values ...any) *Error {
	return &Error{Path: path, Kind: kind, Message: fmt.Sprintf(format, values...)}
}

// failFile says why a file can't be opened or read, without repeating its path.
func failFile(path string, err error) *Error {
	if errors.Is(err, fs.ErrNotExist) {
		return &Error{Path: path, Kind: Missing, Message: "no such file", Err: err}
	}
	cause := err
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		cause = pathError.Err
	}
	if errors.Is(err, disk.ErrNotRegular) {
		return &Error{Path: path, Kind: Unreadable, Message: cause.Error(), Err: err}
	}
	return &Error{Path: path, Kind: Unreadable, Message: "can't be read: " + cause.Error(), Err: err}
}
