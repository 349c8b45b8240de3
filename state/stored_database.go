package state

import (
	"errors"
	"io/fs"
	"path/filepath"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/state/sqlite"
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
	clock     Clock
}

// agentDatabase is the store in the database of an agent's directory.
func (h *Home) agentDatabase(dir, owner string) databaseStore {
	return databaseStore{
		home: h, dir: dir, path: filepath.Join(dir, agentDatabase), owner: owner, role: sqlite.AgentRole,
		profiles: sqlite.AgentStore, state: sqlite.AgentState, canBegin: h.Rules.Store.Backend == auth.BackendShared,
	}
}

// sharedDatabase is the store that all agents overlay (2026.8.2+).
func (h *Home) sharedDatabase() databaseStore {
	return databaseStore{
		home: h, dir: h.mainDir(), path: h.stateDatabase(), role: sqlite.StateRole,
		profiles: sqlite.SharedStore, state: sqlite.SharedState,
	}
}

func (d databaseStore) options() sqlite.Options {
	return sqlite.Options{Role: d.role, Agent: d.owner}
}

// read returns a cell: within the job's transaction if there is one.
func (d databaseStore) read() (store, state sqlite.Row, err error) {
	if w := d.open[d.path]; w != nil {
		store, err = w.Get(d.profiles)
		if err == nil {
			state, err = w.Get(d.state)
		}
		return store, state, err
	}
	rows, err := again(d.readRows)
	if errors.Is(err, sqlite.Missing) {
		return store, state, &FileError{File: d.path, Message: "does not exist; OpenClaw makes it when it first runs for this agent", Err: ErrNothingStored}
	}
	return rows.Store, rows.State, err
}

func (d databaseStore) readRows() (sqlite.AuthRows, error) {
	database, err := sqlite.Open(d.path, d.options())
	if err != nil {
		return sqlite.AuthRows{}, err
	}
	defer database.Close()
	if d.role == sqlite.AgentRole {
		return database.AuthRows()
	}
	rows, err := database.MachineState(d.profiles.Key, d.state.Key)
	return sqlite.AuthRows{Store: rows[d.profiles.Key], State: rows[d.state.Key]}, err
}

// loadedDatabase is a store with the cells that it was read from.
type loadedDatabase struct {
	databaseStore
	*Stored
	doc        *document.Object // of the profiles
	store, row sqlite.Row
	before     storeText
}

func (d databaseStore) load() (loadedStore, error) {
	store, row, err := d.read()
	if err != nil {
		return nil, err
	}
	l := &loadedDatabase{databaseStore: d, store: store, row: row}
	if store.OK() {
		if l.doc, err = rowDocument(d.path, d.profiles.Table, store); err != nil {
			return nil, err
		}
	}
	l.Stored = &Stored{
		Dir: d.dir, Exists: store.OK() || d.canBegin, home: d.home, file: d.path, Profiles: l.doc.Object("profiles").Clone(),
	}
	l.Stored.lay(l.doc)
	if row.OK() {
		doc, err := rowDocument(d.path, d.state.Table, row)
		if err != nil {
			return nil, err
		}
		l.Stored.lay(doc)
		l.Stored.rest = without(doc, sections...)
	}
	l.before = l.text()
	return l, nil
}

func (l *loadedDatabase) stored() *Stored { return l.Stored }

func (l *loadedDatabase) edits() []edit {
	now := l.text()
	if now == l.before {
		return nil
	}
	moves := len(without(l.doc, sections...).Keys()) < len(l.doc.Keys())
	var edits []edit
	if now.profiles != l.before.profiles || moves || !l.store.OK() {
		doc := document.NewObject()
		doc.SetNumber("version", 1)
		for name, value := range without(l.doc, sections...).All() {
			doc.Set(name, value)
		}
		doc.Set("profiles", document.NewObject())
		if l.Profiles != nil {
			doc.Set("profiles", l.Profiles)
		}
		edits = append(edits, l.cell(l.profiles, l.store, doc))
	}
	if now.state != l.before.state || moves {
		edits = append(edits, l.cell(l.state, l.row, l.stateDocument()))
	}
	return edits
}

func (l *loadedDatabase) cell(cell sqlite.Cell, before sqlite.Row, doc *document.Object) edit {
	edit := &cellEdit{store: l.databaseStore, cell: cell, before: before.JSON}
	if doc != nil {
		edit.after = document.EncodeCompact(doc)
	}
	return edit
}

// cellEdit changes one cell of a database, within the job's transaction: a
// write that fails leaves nothing to take back.
type cellEdit struct {
	store         databaseStore
	cell          sqlite.Cell
	before, after []byte
}

func (c *cellEdit) location() (file, part string) {
	return c.store.path, c.cell.Table + " " + c.cell.Key
}
func (c *cellEdit) contents() (before, after []byte) { return c.before, c.after }
func (c *cellEdit) mode() fs.FileMode                { return c.store.home.modeOf(c.store.path) }
func (c *cellEdit) check(w *writer) error            { return w.checkWritable(c.store.path) }
func (c *cellEdit) revert(*writer) error             { return nil }

func (c *cellEdit) apply(*writer) error {
	if err := c.compare(c.before, "has changed meanwhile"); err != nil {
		return err
	}
	return c.store.open[c.store.path].Put(c.cell, c.after, c.store.clock.Now().UnixMilli())
}

func (c *cellEdit) confirm() error { return c.compare(c.after, "does not hold what was written") }

func (c *cellEdit) compare(content []byte, problem string) error {
	now, err := c.store.open[c.store.path].Get(c.cell)
	if err != nil {
		return err
	}
	if !same(now.JSON, content) {
		return &changedError{c.store.path, problem}
	}
	return nil
}

// heldDatabase is a database that this process writes.
type heldDatabase struct {
	open transactions
	path string
}

// begin tries to begin the transactions of a job; if somebody else is writing,
// that is returned.
func (d databaseStore) begin(clock Clock) (holder, *Lock, error) {
	if d.open[d.path] != nil {
		return nil, nil, nil
	}
	w, err := sqlite.BeginWrite(d.path, d.options())
	if errors.Is(err, sqlite.Busy) {
		return nil, &Lock{File: d.path, Kind: "database", Created: clock.Now(), Why: "another process is writing the database"}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	d.open[d.path] = w
	return &heldDatabase{d.open, d.path}, nil, nil
}

func (h *heldDatabase) check() error { return nil }

func (h *heldDatabase) release(done bool) error {
	w := h.open[h.path]
	delete(h.open, h.path)
	if done {
		return w.Commit()
	}
	return w.Rollback()
}
