package state

import (
	"errors"
	"path/filepath"
	"strings"

	"openclaw-auth/auth/document"
	"openclaw-auth/state/internal/sqlite"
)

const agentDatabase = "openclaw-agent.sqlite"

// DatabaseError is a database that can't be read or written.
type DatabaseError = sqlite.Error

// ErrDatabaseBusy is in the error for a database that was locked for too long.
const ErrDatabaseBusy = sqlite.Busy

// openDatabase opens a database for reading; nil where there is none.
func (h *Home) OpenDatabase(path string, role sqlite.Role, agent string) (*sqlite.Database, error) {
	if !h.hasDatabases() || !h.Exists(path) {
		return nil, nil // an embedded home has no databases
	}
	database, err := sqlite.Open(path, sqlite.Options{Role: role, Agent: agent, Force: h.ForceRead})
	if errors.Is(err, sqlite.Missing) {
		return nil, nil
	}
	return database, err
}

// maxReads bounds how often a read begins again.
const maxReads = 10

// again reads until the moment that is read can be kept to its end: another
// process may open a database that nobody had open, and write, in the middle
// of a read. Waiting for a lock is the reader's own affair.
func Retry[T any](read func() (T, error)) (T, error) {
	for attempt := 1; ; attempt++ {
		value, err := read()
		if err == nil || !errors.Is(err, sqlite.Busy) || attempt == maxReads {
			return value, err
		}
	}
}

// stateDatabase is the path of the state database.
func (h *Home) StateDatabase() string { return filepath.Join(h.StateDir, "state", "openclaw.sqlite") }

// readShared reads the store that all agents overlay from the state database;
// nil where that says that it is still in the main agent's.
func (h *Home) readShared() (*Source, error) {
	c, err := h.sharedDatabase().read()
	if err != nil || !c.shared {
		return nil, err
	}
	return h.source(c)
}

// rowDocument parses the JSON object of a row.
func rowDocument(path, table string, row sqlite.Row) (*document.Object, error) {
	return objectIn(path+" ("+table+")", row.JSON)
}

// MigrationRequired is how a line fails closed: legacy files hold credentials,
// the store has none, and every load fails until openclaw doctor --fix has run
// (2026.8.2+).
type MigrationRequired struct {
	Store string   // the store without profiles
	Files []string // the legacy files
}

// Error returns OpenClaw's own words, and what lies in wait.
func (e *MigrationRequired) Error() string {
	return "AUTH_PROFILE_MIGRATION_REQUIRED: auth profile store " + e.Store +
		" requires legacy credential migration; run openclaw doctor --fix (waiting: " + strings.Join(e.Files, ", ") + ")"
}
