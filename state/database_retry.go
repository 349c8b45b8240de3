package state

import (
	"errors"

	"openclaw-auth/state/sqlite"
)

// maxReads bounds how often a read begins again.
const maxReads = 10

// again reads until the moment that is read can be kept to its end: another
// process may open a database that nobody had open, and write, in the middle
// of a read. Waiting for a lock is the reader's own affair.
func again[T any](read func() (T, error)) (T, error) {
	for attempt := 1; ; attempt++ {
		value, err := read()
		if err == nil || !errors.Is(err, sqlite.Busy) || attempt == maxReads {
			return value, err
		}
	}
}
