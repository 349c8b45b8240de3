package state

import (
	"path/filepath"

	"openclaw-auth/state/sqlite"
)

// undoPart is the edit that puts a part of a file back: its mode, a cell of a
// database, or the entry of a session.
func (h *Home) undoPart(entry BackupEntry, content []byte, j *job) (edit, error) {
	if entry.Part == modePart {
		return h.undoMode(entry, content)
	}
	if database, ok := h.databaseOf(entry); ok {
		database.open, database.clock = j.open, j.options.Clock
		cell, now, err := database.cellOf(entry.Part)
		return &cellEdit{store: database, cell: cell, before: now.JSON, after: content}, err
	}
	if !isSessionPart(entry) {
		return nil, &FileError{File: entry.Path, Message: "the backup is of a kind that this openclaw-auth does not know"}
	}
	found, err := h.findEntry(entry.Path, entry.Part)
	if err != nil {
		return nil, err
	}
	found.after = content
	return found, nil
}

// databaseOf is the store that a backed up cell belongs to.
func (h *Home) databaseOf(entry BackupEntry) (databaseStore, bool) {
	if entry.Part == "" || entry.Part == modePart || filepath.Ext(entry.Path) != ".sqlite" {
		return databaseStore{}, false
	}
	database := h.agentDatabase(filepath.Dir(entry.Path), "")
	if filepath.Base(entry.Path) != agentDatabase {
		database = h.sharedDatabase()
	}
	database.path = entry.Path
	_, _, err := database.cellNamed(entry.Part)
	return database, err == nil
}

// cellNamed finds the cell that a backup names, and whether it holds the profiles.
func (d databaseStore) cellNamed(part string) (cell sqlite.Cell, profiles bool, err error) {
	for _, cell := range []sqlite.Cell{d.profiles, d.state} {
		if cell.Table+" "+cell.Key == part {
			return cell, cell == d.profiles, nil
		}
	}
	return cell, false, &FileError{File: d.path, Message: "the backup names a table that is not openclaw-auth's to write: " + part}
}

// cellOf returns the cell that a backup names, and what it holds now.
func (d databaseStore) cellOf(part string) (sqlite.Cell, sqlite.Row, error) {
	cell, profiles, err := d.cellNamed(part)
	if err != nil {
		return cell, sqlite.Row{}, err
	}
	store, state, err := d.read()
	if profiles {
		return cell, store, err
	}
	return cell, state, err
}
