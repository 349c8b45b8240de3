package state

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"openclaw-auth/auth/document"
	"openclaw-auth/state/internal/sessions"
	"openclaw-auth/state/internal/sqlite"
)

// sessionsTable is where sessions are from 2026.8.2 on.
const sessionsTable = "session_nodes"

// databaseSessions are the sessions in an agent's database (2026.8.2+).
type databaseSessions struct {
	home  *Home
	path  string
	owner string
}

// sessionDatabase is the database that stands for a sessions.json of older
// releases: the agent's own, or one beside a file that session.store names.
func (h *Home) sessionDatabase(agent Agent, jsonPath string) string {
	usual := filepath.Join(h.StateDir, "agents", agent.ID, "sessions", "sessions.json")
	if jsonPath == usual {
		return filepath.Join(agent.Dir, agentDatabase)
	}
	return strings.TrimSuffix(jsonPath, filepath.Ext(jsonPath)) + ".sqlite"
}

func (s databaseSessions) File() string { return s.path }

func (s databaseSessions) Origin(key, member string) Origin {
	pointer := document.Pointer(key, "entry_json")
	if member != "" {
		pointer += document.Pointer(member)
	}
	return Origin{File: s.path, Table: sessionsTable, Pointer: pointer}
}

func (s databaseSessions) Each(visit func(Session) bool) error {
	database, err := s.home.OpenDatabase(s.path, sqlite.AgentRole, s.owner)
	if database == nil || err != nil {
		return err
	}
	defer database.Close()
	for row, err := range database.Sessions {
		if err != nil {
			return err
		}
		session, ok, err := s.session(row)
		if err != nil {
			return err
		}
		if ok && !visit(session) {
			return nil
		}
	}
	return nil
}

func (s databaseSessions) Get(keys ...string) (map[string]Session, error) {
	found := map[string]Session{}
	database, err := s.home.OpenDatabase(s.path, sqlite.AgentRole, s.owner)
	if database == nil || err != nil {
		return found, err
	}
	defer database.Close()
	for _, key := range keys {
		row, ok, err := database.Session(key)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		session, valid, err := s.session(row)
		if err != nil {
			return nil, err
		}
		if valid {
			found[key] = session
		}
	}
	return found, nil
}

// session reads a row's record; a row whose record is about another session or
// time is none, as for OpenClaw.
func (s databaseSessions) session(row sqlite.Session) (Session, bool, error) {
	if !row.Valid {
		return Session{}, false, nil
	}
	now := sqlite.Row{JSON: row.JSON}
	s.home.planRow(s.path, sqlite.SessionEntry(row.Key), &now)
	row.JSON = now.JSON
	decoder := jsontext.NewDecoder(bytes.NewReader(row.JSON), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	entry := document.NewObject()
	if decoder.PeekKind() == jsontext.KindBeginObject {
		var err error
		if entry, err = sessions.ReadEntry(decoder); err != nil {
			return Session{}, false, document.DecodeError(s.path+" ("+sessionsTable+" "+row.Key+")", row.JSON, decoder, err)
		}
	}
	return Session{Key: row.Key, Entry: entry}, true, nil
}
