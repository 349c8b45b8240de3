package state

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"openclaw-auth/auth/document"
	"openclaw-auth/state/internal/disk"
	"openclaw-auth/state/internal/lock"
	"openclaw-auth/state/internal/sqlite"
	"openclaw-auth/state/internal/write"
)

// transactions are the databases that a job writes, by path, while it holds them.
type transactions map[string]*sqlite.Writer

// databaseStore is a store in two cells of a database (2026.6.11+).
type databaseStore struct {
	home      *Home
	dir, path string
	owner     string // the agent that the database must belong to, "" for any
	role      sqlite.Role
	profiles  sqlite.Cell
	state     sqlite.Cell
	canBegin  bool // a store that there is not is made with the first write
	open      transactions
	clock     lock.Clock
}

// agentDatabase is the store in the database of an agent's directory.
func (h *Home) agentDatabase(dir, owner string) databaseStore {
	return databaseStore{
		home: h, dir: dir, path: filepath.Join(dir, agentDatabase), owner: owner, role: sqlite.AgentRole,
		profiles: sqlite.AgentStore, state: sqlite.AgentState, canBegin: RulesOf(h.Rules).Backend == BackendShared,
	}
}

// sharedDatabase is the store that all agents overlay (2026.8.2+).
func (h *Home) sharedDatabase() databaseStore {
	return databaseStore{
		home: h, dir: h.mainDir(), path: h.StateDatabase(), role: sqlite.StateRole,
		profiles: sqlite.SharedStore, state: sqlite.SharedState,
	}
}

func (d databaseStore) options() sqlite.Options {
	return sqlite.Options{Role: d.role, Agent: d.owner}
}

// join adds the database to what a job holds. All stores of a job share its
// transactions.
func (d databaseStore) join(to *write.Job) storePlace {
	for _, joined := range to.Databases {
		if other, ok := joined.(databaseStore); ok && d.open == nil {
			d.open = other.open
		}
	}
	if d.open == nil {
		d.open = transactions{}
	}
	d.clock = to.Options.Clock
	to.Databases = append(to.Databases, d)
	return d
}

// read reads the two cells: within the job's transaction if there is one.
func (d databaseStore) read() (*contents, error) {
	c := &contents{dir: d.dir, database: true, canBegin: d.canBegin}
	c.profiles = part{path: d.path, table: d.tableOf(d.profiles)}
	c.state = part{path: d.path, table: d.tableOf(d.state)}
	rows, found, err := d.readRows()
	if err != nil || !found {
		return c, err
	}
	if d.role == sqlite.StateRole {
		if c.shared, err = d.isLocated(rows.location); err != nil {
			return c, err
		}
	}
	c.profiles.name, c.profiles.text = d.path+" ("+c.profiles.table+")", rows.Store.JSON
	c.state.name, c.state.text = d.path+" ("+c.state.table+")", rows.State.JSON
	if err := c.profiles.parse(); err != nil {
		return c, err
	}
	return c, c.state.parse()
}

// isLocated reports whether the shared store is in the state database: that says
// so itself. Before it is moved there, it is the main agent's.
func (d databaseStore) isLocated(row sqlite.Row) (bool, error) {
	if !row.OK() {
		return false, nil
	}
	location, err := objectIn(d.path+" (config_machine_state auth.sharedStore)", row.JSON)
	switch location.Text("location") {
	case "state-db":
		return true, nil
	case "legacy-main":
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return false, &FileError{File: d.path, Message: "config_machine_state auth.sharedStore names no location that OpenClaw knows (INVALID_SHARED_AUTH_STORE_OWNERSHIP)"}
}

// tableOf names a row.
func (d databaseStore) tableOf(cell sqlite.Cell) string {
	if d.role == sqlite.StateRole {
		return cell.Table + ":" + cell.Key
	}
	return cell.Table
}

// storeRows are the cells of a store and, of the shared one, the row that says
// where it is.
type storeRows struct {
	sqlite.AuthRows
	location sqlite.Row
}

// readRows reads the cells of one moment; found is false where there is no
// database, or none with such a store.
func (d databaseStore) readRows() (rows storeRows, found bool, err error) {
	if w := d.open[d.path]; w != nil {
		for cell, row := range map[sqlite.Cell]*sqlite.Row{d.profiles: &rows.Store, d.state: &rows.State, sqlite.SharedLocation: &rows.location} {
			if cell != sqlite.SharedLocation || d.role == sqlite.StateRole {
				if *row, err = w.Get(cell); err != nil {
					return rows, true, err
				}
			}
		}
		return rows, true, nil
	}
	rows, err = Retry(func() (storeRows, error) {
		database, err := d.home.OpenDatabase(d.path, d.role, d.owner)
		if database == nil || err != nil {
			return storeRows{}, err
		}
		defer database.Close()
		found = true
		if d.role == sqlite.AgentRole {
			rows, err := database.AuthRows()
			return storeRows{AuthRows: rows}, err
		}
		cells, err := database.MachineState(sqlite.SharedLocation.Key, d.profiles.Key, d.state.Key)
		return storeRows{sqlite.AuthRows{Store: cells[d.profiles.Key], State: cells[d.state.Key]}, cells[sqlite.SharedLocation.Key]}, err
	})
	if errors.Is(err, sqlite.MissingTable) && d.role == sqlite.StateRole {
		return storeRows{}, false, nil // of a release before the table
	}
	if found {
		d.home.planRow(d.path, d.profiles, &rows.Store)
		d.home.planRow(d.path, d.state, &rows.State)
	}
	return rows, found, err
}

// readCell returns what a cell holds now: within the job's transaction if there is one.
func (d databaseStore) readCell(cell sqlite.Cell) (sqlite.Row, error) {
	if w := d.open[d.path]; w != nil {
		return w.Get(cell)
	}
	return Retry(func() (sqlite.Row, error) {
		database, err := sqlite.Open(d.path, d.options())
		if err != nil {
			return sqlite.Row{}, err
		}
		defer database.Close()
		row, err := database.Cell(cell)
		d.home.planRow(d.path, cell, &row)
		return row, err
	})
}

func (d databaseStore) edit(before part, after *document.Object) write.Edit {
	cell := d.profiles
	if before.table == d.tableOf(d.state) {
		cell = d.state
	}
	edit := &cellEdit{store: d, cell: cell, before: before.text}
	if after != nil {
		edit.after = document.EncodeCompact(after)
	}
	return edit
}

// Begin tries to begin a transaction; if another process is writing, its lock is returned.
func (d databaseStore) Begin(clock lock.Clock) (write.Holder, *lock.Lock, error) {
	if d.open[d.path] != nil {
		return nil, nil, nil
	}
	w, err := sqlite.BeginWrite(d.path, d.options())
	if errors.Is(err, sqlite.Busy) {
		return nil, &lock.Lock{File: d.path, Kind: "database", Created: clock.Now(), Why: "another process is writing the database"}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	d.open[d.path] = w
	return &heldDatabase{d.open, d.path}, nil, nil
}

// heldDatabase is a database that this process writes.
type heldDatabase struct {
	open transactions
	path string
}

// Check does nothing: nobody takes a transaction away.
func (h *heldDatabase) Check() error { return nil }

// Release commits the transaction, or rolls it back.
func (h *heldDatabase) Release(done bool) error {
	w := h.open[h.path]
	delete(h.open, h.path)
	if done {
		return w.Commit()
	}
	return w.Rollback()
}

// cellEdit changes one cell of a database, within the job's transaction: a
// write that fails leaves nothing to take back.
type cellEdit struct {
	store         databaseStore
	cell          sqlite.Cell
	before, after []byte
}

func (c *cellEdit) Location() write.Location {
	return write.Location{Kind: write.KindCell, File: c.store.path, Part: c.cell.Table + " " + c.cell.Key}
}
func (c *cellEdit) Contents() (before, after []byte) { return c.before, c.after }
func (c *cellEdit) Mode() fs.FileMode                { return c.store.home.modeOf(c.store.path) }
func (c *cellEdit) Check(w *disk.Writer) error       { return w.CheckWritable(c.store.path) }
func (c *cellEdit) Revert(*disk.Writer) error        { return nil }

func (c *cellEdit) Apply(*disk.Writer) error {
	if err := c.compare(c.before, "has changed in the meantime"); err != nil {
		return err
	}
	return c.store.open[c.store.path].Put(c.cell, c.after, c.store.clock.Now().UnixMilli())
}

func (c *cellEdit) Confirm() error { return c.compare(c.after, "does not hold what was written") }

func (c *cellEdit) compare(content []byte, problem string) error {
	now, err := c.store.open[c.store.path].Get(c.cell)
	if err != nil {
		return err
	}
	if !write.Same(now.JSON, content) {
		return &disk.ChangedError{File: c.store.path, Problem: problem}
	}
	return nil
}

// databaseOf is the store that a backed up cell belongs to.
func (h *Home) databaseOf(entry BackupEntry) databaseStore {
	cell, _ := cellNamed(entry)
	database := h.sharedDatabase()
	switch cell.Table {
	case sqlite.AgentStore.Table, sqlite.AgentState.Table, sessionsTable:
		database = h.agentDatabase(filepath.Dir(entry.Path), "")
	}
	database.path = entry.Path
	return database
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
