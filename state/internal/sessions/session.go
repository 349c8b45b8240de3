// Package sessions reads entries of OpenClaw's sessions, finds one by the name
// that a user gives, and changes entries of a sessions.json in place: everything
// else in the file stays as it is, byte for byte, and is never held in memory.
package sessions

import (
	"github.com/go-json-experiment/json/jsontext"

	"openclaw-auth/auth/document"
)

// Session is a session as far as failover goes: its key, and of its entry the
// members that decide about models, profiles and their fallbacks.
type Session struct {
	Key   string
	Entry *document.Object
}

// isMember reports whether a member of an entry is read; an entry may
// hold megabytes of others.
func isMember(name string) bool {
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

// Stream visits the entries of a document of sessions; those of unwanted keys
// are passed over.
func Stream(decoder *jsontext.Decoder, wanted func(key string) bool, visit func(Session) bool) error {
	if decoder.PeekKind() != jsontext.KindBeginObject {
		if _, err := decoder.ReadToken(); err != nil {
			return err
		}
		return ErrNoObject
	}
	if _, err := decoder.ReadToken(); err != nil {
		return err
	}
	for decoder.PeekKind() != jsontext.KindEndObject {
		name, err := decoder.ReadToken()
		if err != nil {
			return err
		}
		key := name.String()
		if decoder.PeekKind() != jsontext.KindBeginObject || !wanted(key) {
			if err := decoder.SkipValue(); err != nil {
				return err
			}
			continue
		}
		entry, err := ReadEntry(decoder)
		if err != nil {
			return err
		}
		if !visit(Session{Key: key, Entry: entry}) {
			return nil
		}
	}
	_, err := decoder.ReadToken()
	return err
}

// ReadEntry reads the members that matter of the entry that comes next.
func ReadEntry(decoder *jsontext.Decoder) (*document.Object, error) {
	if _, err := decoder.ReadToken(); err != nil {
		return nil, err
	}
	entry := document.NewObject()
	for decoder.PeekKind() != jsontext.KindEndObject {
		name, err := decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		member := name.String()
		if !isMember(member) {
			if err := decoder.SkipValue(); err != nil {
				return nil, err
			}
			continue
		}
		value, err := document.ReadValue(decoder)
		if err != nil {
			return nil, err
		}
		entry.Set(member, value)
	}
	_, err := decoder.ReadToken()
	return entry, err
}
