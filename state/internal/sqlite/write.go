package sqlite

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"openclaw-auth/state/internal/disk"
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
	// SharedLocation says where the shared store is; it is only read.
	SharedLocation = Cell{"config_machine_state", "auth.sharedStore"}
)

// SessionEntry is the record of a session; there must be one.
func SessionEntry(key string) Cell { return Cell{"session_nodes", key} }

// MigrationRun is the record of a migration, MigrationSource that of one of the
// files that it read (2026.8.2+). Their text is an object of their columns.
func MigrationRun(id string) Cell     { return Cell{"migration_runs", id} }
func MigrationSource(key string) Cell { return Cell{"migration_sources", key} }

// cellTable says how the texts of a table are stored.
type cellTable struct {
	key  string
	text string // the column of the text, "" where every column is a member of it
	time string // the column with the time of the last write, "" for none
	rest []string
}

// tableOf says how the texts of a table are stored; false for a table that
// openclaw-auth does not write.
func tableOf(name string) (cellTable, bool) {
	switch name {
	case "auth_profile_store":
		return cellTable{key: "store_key", text: "store_json", time: "updated_at"}, true
	case "auth_profile_state":
		return cellTable{key: "state_key", text: "state_json", time: "updated_at"}, true
	case "config_machine_state":
		return cellTable{key: "state_key", text: "value_json", time: "updated_at_ms"}, true
	case "session_nodes":
		return cellTable{key: "session_key", text: "entry_json"}, true
	case "migration_runs":
		return cellTable{key: "id", rest: []string{"started_at", "finished_at", "status", "report_json"}}, true
	case "migration_sources":
		return cellTable{key: "source_key", rest: []string{"migration_kind", "source_path", "target_table", "source_sha256", "source_size_bytes",
			"source_record_count", "last_run_id", "status", "imported_at", "removed_source", "report_json"}}, true
	}
	return cellTable{}, false
}

// selection is the query for the text of a key, and the time of its last write.
func (t cellTable) selection(name string) string {
	text, time := t.text, t.time
	if text == "" {
		text = "json_object('" + t.key + "', " + t.key
		for _, column := range t.rest {
			text += ", '" + column + "', " + column
		}
		text += ")"
	}
	if time == "" {
		time = "0"
	}
	return "SELECT " + text + ", " + time + " FROM " + name + " WHERE " + t.key + " = ?1"
}

// change is the statement that gives a key a text (?2) at a time (?3).
func (t cellTable) change(name string) string {
	columns, values := []string{t.key}, []string{"?1"}
	switch {
	case t.text != "" && t.time == "": // a row that is more than its text is not made here
		return "UPDATE " + name + " SET " + t.text + " = ?2 WHERE " + t.key + " = ?1"
	case t.text != "":
		columns, values = append(columns, t.text, t.time), append(values, "?2", "?3")
	}
	for _, column := range t.rest {
		columns, values = append(columns, column), append(values, "?2 ->> '$."+column+"'")
	}
	var updates []string
	for _, column := range columns[1:] {
		updates = append(updates, column+" = excluded."+column)
	}
	return "INSERT INTO " + name + " (" + strings.Join(columns, ", ") + ") VALUES (" + strings.Join(values, ", ") + ") " +
		"ON CONFLICT(" + t.key + ") DO UPDATE SET " + strings.Join(updates, ", ")
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
	if err := checkBeside(path); err != nil {
		return nil, err
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

// checkBeside refuses what SQLite would open beside the database and is no file.
func checkBeside(path string) error {
	base, err := target(path)
	if err != nil {
		return failFile(path, err)
	}
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		file, err := disk.OpenBeside(base + suffix)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return failFile(base+suffix, err)
		}
		file.Close()
	}
	return nil
}

// Get returns the cell as it is within the transaction.
func (w *Writer) Get(cell Cell) (Row, error) {
	table, _ := tableOf(cell.Table)
	statement, _, err := w.connection.Prepare(table.selection(cell.Table))
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
	table, _ := tableOf(cell.Table)
	query := "DELETE FROM " + cell.Table + " WHERE " + table.key + " = ?1"
	if text != nil {
		query = table.change(cell.Table)
	}
	statement, _, err := w.connection.Prepare(query)
	if err != nil {
		return failWrite(w.path, err)
	}
	defer statement.Close()
	err = statement.BindText(1, cell.Key)
	if text != nil {
		err = errors.Join(err, statement.BindText(2, string(text)))
		if table.time != "" {
			err = errors.Join(err, statement.BindInt64(3, now))
		}
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
