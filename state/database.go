package state

import (
	"errors"
	"path/filepath"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/state/sqlite"
)

// The rows that hold profiles and their state.
const (
	storeRow       = "auth_profile_store"
	stateRow       = "auth_profile_state"
	sharedStoreRow = "config_machine_state:authProfiles.store"
	sharedStateRow = "config_machine_state:authProfiles.state"
)

// openDatabase opens a database for reading; nil where there is none.
func (h *Home) openDatabase(path string, role sqlite.Role, agent string) (*sqlite.Database, error) {
	if _, ok := h.FS.(osFS); !ok || !h.exists(path) {
		return nil, nil // an embedded home has no databases
	}
	database, err := sqlite.Open(path, sqlite.Options{Role: role, Agent: agent, Force: h.ForceRead})
	if errors.Is(err, sqlite.Missing) {
		return nil, nil
	}
	return database, err
}

// readDatabaseSource reads the profiles of an agent's database (2026.6.11+).
func (h *Home) readDatabaseSource(dir, agent string) (*Source, error) {
	return again(func() (*Source, error) { return h.readDatabaseOnce(dir, agent) })
}

func (h *Home) readDatabaseOnce(dir, agent string) (*Source, error) {
	path := filepath.Join(dir, agentDatabase)
	source := &Source{Dir: dir, Profiles: path, State: path, profilesTable: storeRow, stateTable: stateRow}
	database, err := h.openDatabase(path, sqlite.AgentRole, agent)
	if database == nil || err != nil {
		return source, err
	}
	defer database.Close()
	rows, err := database.AuthRows()
	if err != nil {
		return nil, err
	}
	return source, source.loadRows(h.Rules, rows.Store, rows.State)
}

// sharedLocation says where the main store is on lines with a shared one (2026.8.2+).
type sharedLocation string

const (
	sharedInState sharedLocation = "state-db"    // in the state database
	sharedInMain  sharedLocation = "legacy-main" // still in the main agent's database
)

// stateDatabase is the path of the state database.
func (h *Home) stateDatabase() string { return filepath.Join(h.StateDir, "state", "openclaw.sqlite") }

// readShared reads the store that all agents overlay from the state database;
// nil where that says that it is still in the main agent's.
func (h *Home) readShared() (*Source, error) { return again(h.readSharedOnce) }

func (h *Home) readSharedOnce() (*Source, error) {
	path := h.stateDatabase()
	database, err := h.openDatabase(path, sqlite.StateRole, "")
	if database == nil || err != nil {
		return nil, err
	}
	defer database.Close()
	rows, err := database.MachineState("auth.sharedStore", "authProfiles.store", "authProfiles.state")
	if errors.Is(err, sqlite.MissingTable) {
		return nil, nil // of a release before the table
	}
	if err != nil {
		return nil, err
	}
	location, err := sharedStoreLocation(path, rows["auth.sharedStore"])
	if err != nil || location == sharedInMain {
		return nil, err
	}
	source := &Source{
		Dir: h.mainDir(), Profiles: path, State: path, Shared: true, profilesTable: sharedStoreRow, stateTable: sharedStateRow,
	}
	return source, source.loadRows(h.Rules, rows["authProfiles.store"], rows["authProfiles.state"])
}

func sharedStoreLocation(path string, row sqlite.Row) (sharedLocation, error) {
	if !row.OK() {
		return sharedInMain, nil
	}
	value, err := document.ParseJSON(path+" (config_machine_state auth.sharedStore)", row.JSON)
	if err != nil {
		return "", err
	}
	doc, _ := value.(*document.Object)
	switch location := sharedLocation(doc.Text("location")); location {
	case sharedInState, sharedInMain:
		return location, nil
	}
	return "", &FileError{File: path, Message: "config_machine_state auth.sharedStore names no location that OpenClaw knows (INVALID_SHARED_AUTH_STORE_OWNERSHIP)"}
}

// loadRows loads the store and the state out of their rows; without a store
// row there is no store.
func (s *Source) loadRows(rules *auth.Rules, store, state sqlite.Row) error {
	if !store.OK() {
		return nil
	}
	doc, err := rowDocument(s.Profiles, s.profilesTable, store)
	if err != nil {
		return err
	}
	s.Store = &auth.Store{}
	s.loadProfiles(rules, doc.Object("profiles"))
	s.loadState(rules, doc, s.profilesTable)
	if !state.OK() {
		return nil
	}
	if doc, err = rowDocument(s.State, s.stateTable, state); err != nil {
		return err
	}
	s.loadState(rules, doc, s.stateTable)
	return nil
}

// rowDocument parses the JSON text of a row.
func rowDocument(path, table string, row sqlite.Row) (*document.Object, error) {
	name := path + " (" + table + ")"
	value, err := document.ParseJSON(name, row.JSON)
	if err != nil {
		return nil, err
	}
	wrong := func(pointer, expected string, value document.Value) error {
		return &FileError{File: name, Message: nameOf(pointer) + " is " + kindOf(value) + ", expected " + expected}
	}
	doc, ok := value.(*document.Object)
	if !ok {
		return nil, wrong("", "an object", value)
	}
	return doc, checkShapes(doc, stateShapes, wrong)
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
