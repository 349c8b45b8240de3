package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"
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
	return &Error{Path: path, Kind: Unreadable, Message: "can't be read: " + cause.Error(), Err: err}
}

// failSQLite turns an error of the driver into one of this package.
func failSQLite(path string, waited time.Duration, err error) *Error {
	if own, ok := errors.AsType[*Error](err); ok {
		return own // raised by our file, passed through by the driver
	}
	kind, message := describe(waited, err)
	return &Error{Path: path, Kind: kind, Message: message, Err: err}
}

func describe(waited time.Duration, err error) (Kind, string) {
	text := strings.TrimPrefix(err.Error(), "sqlite3: ")
	switch {
	case errors.Is(err, sqlite3.BUSY), errors.Is(err, sqlite3.LOCKED):
		return Busy, fmt.Sprintf("is locked by another process (waited %v)", waited)
	case errors.Is(err, sqlite3.NOTADB):
		return NotDatabase, "is not a SQLite database"
	case errors.Is(err, sqlite3.READONLY_ROLLBACK):
		return Unfinished, "has a transaction that a crash left unfinished (-journal file); start OpenClaw once to roll it back"
	case errors.Is(err, sqlite3.CORRUPT), errors.Is(err, sqlite3.IOERR_SHORT_READ), errors.Is(err, sqlite3.TOOBIG):
		return Corrupt, "is truncated or damaged: " + text
	}
	if _, table, ok := strings.Cut(text, "no such table: "); ok {
		return MissingTable, "has no table " + table
	}
	if _, column, ok := strings.Cut(text, "no such column: "); ok {
		return MissingTable, "has no column " + column
	}
	return Unreadable, "can't be read: " + text
}
