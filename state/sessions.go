package state

import (
	"path/filepath"
	"strings"

	"openclaw-auth/state/internal/sessions"
)

// Session is a session as far as failover goes: its key, and of its entry the
// members that decide about models, profiles and their fallbacks.
type Session = sessions.Session

// SessionStore is where an agent's sessions are kept.
type SessionStore interface {
	// File is the file that holds the sessions, whether it exists or not.
	File() string
	// Each calls visit for every session until that returns false. Sessions come
	// in the order of the store; a key that the store has twice comes twice, the
	// last one counts.
	Each(visit func(Session) bool) error
	// Get returns the sessions of the given keys that there are, exactly as spelled.
	Get(keys ...string) (map[string]Session, error)
	// Origin returns where a session's member stands; the entry itself for "".
	Origin(key, member string) Origin
}

// Sessions returns the session store of an agent.
func (h *Home) Sessions(config *Config, agent Agent) SessionStore {
	path := filepath.Join(h.StateDir, "agents", agent.ID, "sessions", "sessions.json")
	if store := strings.TrimSpace(config.Document().Object("session").Text("store")); store != "" {
		path = h.UserPath(strings.ReplaceAll(store, "{agentId}", agent.ID))
	}
	if RulesOf(h.Rules).Backend == BackendShared {
		return databaseSessions{home: h, path: h.sessionDatabase(agent, path), owner: agent.DatabaseOwner()}
	}
	return jsonSessions{files: h.FS, path: path}
}

// ErrNoSession is returned when no session matches.
var ErrNoSession = sessions.ErrNoSession

// FindSession returns the session that a user names: by its key, by the key
// without "agent:ID:", by the id of its transcript, or by a part of the key
// that only one session has; upper and lower case are the same where no
// session is spelled exactly so. "" means the session that was written last;
// without any session the zero Session is returned.
func FindSession(store SessionStore, agent, name string) (Session, error) {
	return sessions.Find(store, agent, name)
}
