package state

import (
	"path/filepath"
	"strings"

	"openclaw-auth/auth/document"
)

// Session is a session as far as failover goes: its key, and of its entry the
// members that decide about models, profiles and their fallbacks.
type Session struct {
	Key   string
	Entry *document.Object
}

// isSessionMember reports whether a member of an entry is read; an entry may
// hold megabytes of others.
func isSessionMember(name string) bool {
	switch name {
	case "sessionId", "updatedAt", "chatType", "channel", "groupId", "status", "providerOverride", "modelOverride",
		"modelOverrideSource", "modelOverrideRouteResolution", "modelOverrideFallbackOriginProvider",
		"modelOverrideFallbackOriginModel", "authProfileOverride", "authProfileOverrideSource",
		"authProfileOverrideCompactionCount", "compactionCount", "modelProvider", "model", "modelSelectionLocked",
		"modelFallback", "fallbackNoticeSelectedModel", "fallbackNoticeActiveModel", "fallbackNoticeReason",
		"fallbackNotice", "liveModelSwitchPending", "parentSessionKey", "spawnDepth", "spawnedBy":
		return true
	}
	return false
}

// SessionID returns the id of the session's transcript.
func (s Session) SessionID() string { return s.Entry.Text("sessionId") }

// UpdatedAt returns when the session was last written, in Unix ms.
func (s Session) UpdatedAt() float64 {
	at, _ := s.Entry.Number("updatedAt")
	return at
}

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
