package state

import (
	"path/filepath"
	"strings"

	"openclaw-auth/state/sqlite"
)

// undoPart is the edit that puts a part of a file back: its mode, a cell of a
// database, or the entry of a session.
func (h *Home) undoPart(entry BackupEntry, content []byte, j *job) (edit, error) {
	switch {
	case entry.Part == modePart:
		return h.undoMode(entry, content)
	case isMovePart(entry.Part):
		return h.undoMove(entry, content)
	}
	if database, ok := h.databaseOf(entry); ok {
		database.open, database.clock = j.open, j.options.Clock
		cell, err := cellNamed(entry)
		if err != nil {
			return nil, err
		}
		now, err := database.readCell(cell)
		return &cellEdit{store: database, cell: cell, before: now.JSON, after: content}, err
	}
	if !isSessionPart(entry) {
		return nil, &FileError{File: entry.Path, Message: "the backup is of a kind that this openclaw-auth does not know"}
	}
	return h.undoEntries(entry, content)
}

// databaseOf is the store that a backed up cell belongs to.
func (h *Home) databaseOf(entry BackupEntry) (databaseStore, bool) {
	if entry.Part == "" || entry.Part == modePart || isMovePart(entry.Part) || filepath.Ext(entry.Path) != ".sqlite" {
		return databaseStore{}, false
	}
	database := h.agentDatabase(filepath.Dir(entry.Path), "")
	if filepath.Base(entry.Path) != agentDatabase {
		database = h.sharedDatabase()
	}
	database.path = entry.Path
	_, err := cellNamed(entry)
	return database, err == nil
}

// cellNamed is the cell that a backup names.
func cellNamed(entry BackupEntry) (sqlite.Cell, error) {
	table, key, _ := strings.Cut(entry.Part, " ")
	cell := sqlite.Cell{Table: table, Key: key}
	if !sqlite.KnownCell(cell) {
		return cell, &FileError{File: entry.Path, Message: "the backup names a table that is not openclaw-auth's to write: " + entry.Part}
	}
	return cell, nil
}

// readCell returns what a cell holds now: within the job's transaction if there is one.
func (d databaseStore) readCell(cell sqlite.Cell) (sqlite.Row, error) {
	if w := d.open[d.path]; w != nil {
		return w.Get(cell)
	}
	return again(func() (sqlite.Row, error) {
		database, err := sqlite.Open(d.path, d.options())
		if err != nil {
			return sqlite.Row{}, err
		}
		defer database.Close()
		return database.Cell(cell)
	})
}
