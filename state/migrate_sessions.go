package state

import (
	"path/filepath"

	"openclaw-auth/auth/document"
	"openclaw-auth/state/internal/sessions"
	"openclaw-auth/state/internal/sqlite"
	"openclaw-auth/state/internal/write"
)

// changedSessions are the sessions of one store that a migration changes.
type changedSessions struct {
	store   SessionStore
	keys    []string
	changes map[string][]func(entry *document.Object)
}

// ChangeSessions changes the entries of those sessions of an agent that wanted
// picks, and returns how many these are: in the line's store and in a
// sessions.json that waits to be imported into a database. A session may be
// picked several times. On lines whose sessions.json has no lock for others
// (2026.5.12 to 2026.7.1) it is refused while a gateway runs.
func (m *Migration) ChangeSessions(agent Agent, wanted func(Session) bool, change func(entry *document.Object)) (int, error) {
	stores := []SessionStore{m.home.Sessions(m.config, agent)}
	if RulesOf(m.home.Rules).Backend == BackendShared {
		waiting := filepath.Join(m.home.StateDir, "agents", agent.ID, "sessions", "sessions.json")
		stores = append(stores, jsonSessions{files: m.home.FS, path: waiting})
	}
	count := 0
	for _, store := range stores {
		picked, err := m.pickSessions(store, wanted, change)
		if err != nil {
			return count, err
		}
		count += picked
	}
	return count, nil
}

func (m *Migration) pickSessions(store SessionStore, wanted func(Session) bool, change func(entry *document.Object)) (int, error) {
	var keys []string
	picked := map[string]bool{} // a key may come twice in a file
	err := store.Each(func(session Session) bool {
		if wanted(session) && !picked[session.Key] {
			picked[session.Key] = true
			keys = append(keys, session.Key)
		}
		return true
	})
	if err != nil || len(keys) == 0 {
		return 0, err
	}
	if _, inFile := store.(jsonSessions); inFile && !RulesOf(m.home.Rules).SessionLock && m.home.Gateway() > 0 {
		return 0, &FileError{File: store.File(), Message: "can't be written while a gateway runs: stop it first", Err: ErrSessionsUnlocked}
	}
	changed := m.changedSessions(store)
	for _, key := range keys {
		if changed.changes[key] == nil {
			changed.keys = append(changed.keys, key)
		}
		changed.changes[key] = append(changed.changes[key], change)
	}
	return len(keys), nil
}

func (m *Migration) changedSessions(store SessionStore) *changedSessions {
	for _, changed := range m.sessions {
		if changed.store.File() == store.File() {
			return changed
		}
	}
	changed := &changedSessions{store: store, changes: map[string][]func(entry *document.Object){}}
	m.sessions = append(m.sessions, changed)
	return changed
}

func (c *changedSessions) apply(key string, entry *document.Object) {
	for _, change := range c.changes[key] {
		change(entry)
	}
}

// sessionEdits are what makes the stores of sessions say what the migration wants.
func (m *Migration) sessionEdits() ([]write.Edit, error) {
	var edits []write.Edit
	for _, changed := range m.sessions {
		if database, ok := changed.store.(databaseSessions); ok {
			rows, err := m.sessionRows(database, changed)
			if err != nil {
				return nil, err
			}
			edits = append(edits, rows...)
			continue
		}
		found, err := sessions.Entries(m.home.FS, changed.store.File(), changed.keys)
		if err != nil {
			return nil, err
		}
		if err := found.Change(func(key string, entry *document.Object) error { changed.apply(key, entry); return nil }); err != nil {
			return nil, err
		}
		if found.Changes() {
			edits = append(edits, found)
		}
	}
	return edits, nil
}

func (m *Migration) sessionRows(sessions databaseSessions, changed *changedSessions) ([]write.Edit, error) {
	store := m.home.agentDatabase(filepath.Dir(sessions.path), sessions.owner)
	store.path, store.open, store.clock = sessions.path, m.open, m.clock
	var edits []write.Edit
	for _, key := range changed.keys {
		cell := sqlite.SessionEntry(key)
		row, err := store.readCell(cell)
		if err != nil {
			return nil, err
		}
		entry, err := rowDocument(sessions.path, cell.Table, row)
		if err != nil {
			return nil, err
		}
		before := document.EncodeCompact(entry)
		changed.apply(key, entry)
		if after := document.EncodeCompact(entry); string(before) != string(after) {
			edits = append(edits, &cellEdit{store: store, cell: cell, before: row.JSON, after: after})
		}
	}
	return edits, nil
}
