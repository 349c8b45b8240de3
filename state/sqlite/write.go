package sqlite

import (
	"errors"

	"github.com/ncruces/go-sqlite3"
)

// Cell names a table of JSON texts by key, as OpenClaw keeps profiles in, and
// the key of one of them.
type Cell struct {
	Table string
	Key   string
}

// The cells that may be written.
var (
	AgentStore  = Cell{"auth_profile_store", "primary"}
	AgentState  = Cell{"auth_profile_state", "primary"}
	SharedStore = Cell{"config_machine_state", "authProfiles.store"}
	SharedState = Cell{"config_machine_state", "authProfiles.state"}
)

// columns are the columns of a cell's table: key, JSON text, time of the last write.
var columns = map[string][3]string{
	"auth_profile_store":   {"store_key", "store_json", "updated_at"},
	"auth_profile_state":   {"state_key", "state_json", "updated_at"},
	"config_machine_state": {"state_key", "value_json", "updated_at_ms"},
}

// Writer is a transaction that writes cells of an existing database. From its
// beginning to its end no other process writes the database.
type Writer struct {
	path       string
	connection *sqlite3.Conn
}

// BeginWrite opens an existing database of a known schema and begins to write.
// It does not wait: if another process is writing, the error is Busy.
func BeginWrite(path string, options Options) (*Writer, error) {
	options.Force = false // what is not understood is not written
	known, err := Open(path, options)
	if err != nil {
		return nil, err
	}
	schema := known.Schema()
	if err := known.Close(); err != nil {
		return nil, err
	}
	if schema.Role == AnyRole || schema.UserVersion < 1 {
		return nil, fail(path, WrongRole, "does not say what it is for; OpenClaw has not set it up")
	}
	connection, err := sqlite3.OpenFlags(path, sqlite3.OPEN_READWRITE)
	if err != nil {
		return nil, failWrite(path, err)
	}
	w := &Writer{path, connection}
	if err := errors.Join(connection.BusyTimeout(0), connection.Exec("BEGIN IMMEDIATE")); err != nil {
		connection.Close()
		return nil, failWrite(path, err)
	}
	return w, nil
}

// Get returns the cell as it is within the transaction.
func (w *Writer) Get(cell Cell) (Row, error) {
	names := columns[cell.Table]
	statement, _, err := w.connection.Prepare("SELECT " + names[1] + ", " + names[2] + " FROM " + cell.Table + " WHERE " + names[0] + " = ?")
	if err != nil {
		return Row{}, failWrite(w.path, err)
	}
	defer statement.Close()
	if err := statement.BindText(1, cell.Key); err != nil {
		return Row{}, failWrite(w.path, err)
	}
	var row Row
	if statement.Step() {
		row.JSON, row.UpdatedAt = []byte(statement.ColumnText(0)), statement.ColumnInt64(1)
	}
	if err := statement.Err(); err != nil {
		return Row{}, failWrite(w.path, err)
	}
	return row, nil
}

// Put gives the cell a text, written at a time in Unix ms; nil removes the row.
func (w *Writer) Put(cell Cell, text []byte, now int64) error {
	names := columns[cell.Table]
	query := "DELETE FROM " + cell.Table + " WHERE " + names[0] + " = ?1"
	if text != nil {
		query = "INSERT INTO " + cell.Table + " (" + names[0] + ", " + names[1] + ", " + names[2] + ") VALUES (?1, ?2, ?3) " +
			"ON CONFLICT(" + names[0] + ") DO UPDATE SET " + names[1] + " = excluded." + names[1] + ", " + names[2] + " = excluded." + names[2]
	}
	statement, _, err := w.connection.Prepare(query)
	if err != nil {
		return failWrite(w.path, err)
	}
	defer statement.Close()
	err = statement.BindText(1, cell.Key)
	if text != nil {
		err = errors.Join(err, statement.BindText(2, string(text)), statement.BindInt64(3, now))
	}
	if err == nil {
		err = statement.Exec()
	}
	if err != nil {
		return failWrite(w.path, err)
	}
	return nil
}

// Commit ends the transaction: what was put is there from now on.
func (w *Writer) Commit() error { return w.end("COMMIT") }

// Rollback ends the transaction: nothing was put.
func (w *Writer) Rollback() error { return w.end("ROLLBACK") }

func (w *Writer) end(how string) error {
	err := w.connection.Exec(how)
	if closeErr := w.connection.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return failWrite(w.path, err)
	}
	return nil
}

// failWrite gives an error of SQLite its kind: not every failed write is a busy one.
func failWrite(path string, err error) *Error {
	kind := Unreadable
	switch {
	case errors.Is(err, sqlite3.BUSY) || errors.Is(err, sqlite3.LOCKED):
		kind = Busy
	case errors.Is(err, sqlite3.CORRUPT) || errors.Is(err, sqlite3.NOTADB):
		kind = Corrupt
	case errors.Is(err, sqlite3.ERROR):
		kind = MissingTable
	}
	return &Error{Path: path, Kind: kind, Message: "can't be written: " + err.Error(), Err: err}
}
