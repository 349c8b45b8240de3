package sqlite

import (
	"bytes"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Session is one row of session_nodes, where sessions are kept from 2026.8 on.
type Session struct {
	Key       string // agent:<id>:main, agent:<id>:<channel>:…
	ID        string // current_session_id
	UpdatedAt int64  // Unix milliseconds
	JSON      []byte // entry_json, the record itself, unparsed

	// Valid reports that the record is about this row: its sessionId and
	// updatedAt are those of the columns. OpenClaw ignores rows that aren't.
	Valid bool
}

var sessionColumns = []string{"session_key", "current_session_id", "updated_at", "entry_json"}

// Session returns the session with a key, spelled exactly so. ok is false when
// there is none. Before 2026.8 sessions are in a file, and asking is a
// MissingTable error.
func (d *Database) Session(key string) (session Session, ok bool, err error) {
	return d.session("session_key", key)
}

// SessionByID returns the session whose current session has an id; of several
// the one updated last.
func (d *Database) SessionByID(id string) (session Session, ok bool, err error) {
	return d.session("current_session_id", id)
}

// Sessions yields all sessions in the order in which they were first stored,
// one at a time: it never holds more than the row that it yields. An error is
// yielded last, with an empty Session.
//
//	for session, err := range database.Sessions { … }
func (d *Database) Sessions(yield func(Session, error) bool) {
	t, err := d.table("session_nodes")
	if err == nil {
		err = d.each(t, sessionColumns, func(values []value) (bool, error) {
			return yield(newSession(values), nil), nil
		})
	}
	if err != nil {
		yield(Session{}, err)
	}
}

func (d *Database) session(by, key string) (session Session, ok bool, err error) {
	t, err := d.table("session_nodes")
	if err != nil {
		return Session{}, false, err
	}
	err = d.find(t, by, key, sessionColumns, func(values []value) (bool, error) {
		if found := newSession(values); !ok || found.UpdatedAt > session.UpdatedAt {
			session, ok = found, true
		}
		return true, nil
	})
	if err != nil {
		return Session{}, false, err
	}
	return session, ok, nil
}

func newSession(values []value) Session {
	s := Session{
		Key:       values[0].String(),
		ID:        values[1].String(),
		UpdatedAt: values[2].whole,
		JSON:      values[3].json(),
	}
	id, updatedAt, ok := identity(s.JSON)
	s.Valid = ok && id == s.ID && updatedAt == float64(s.UpdatedAt)
	return s
}

// identity reads sessionId and updatedAt out of a record; of several members of
// one name the last counts, as in JavaScript. ok is false unless the whole text
// is a JSON object that has both, of the right types.
func identity(text []byte) (id string, updatedAt float64, ok bool) {
	decoder := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if start, err := decoder.ReadToken(); err != nil || start.Kind() != '{' {
		return "", 0, false
	}
	var haveID, haveTime bool
	for decoder.PeekKind() == '"' {
		name, err := decoder.ReadToken()
		if err != nil {
			return "", 0, false
		}
		switch name.String() {
		case "sessionId":
			token, err := scalar(decoder)
			if haveID = err == nil && token.Kind() == '"'; haveID {
				id = token.String()
			}
		case "updatedAt":
			token, err := scalar(decoder)
			if haveTime = err == nil && token.Kind() == '0'; haveTime {
				updatedAt, err = token.Float()
				haveTime = err == nil
			}
		default:
			if decoder.SkipValue() != nil {
				return "", 0, false
			}
		}
	}
	if end, err := decoder.ReadToken(); err != nil || end.Kind() != '}' {
		return "", 0, false
	}
	_, err := decoder.ReadToken()
	return id, updatedAt, err == io.EOF && haveID && haveTime
}

// scalar reads a value; of an object or array no more than that it is one.
func scalar(decoder *jsontext.Decoder) (jsontext.Token, error) {
	if kind := decoder.PeekKind(); kind == '{' || kind == '[' {
		return jsontext.Null, decoder.SkipValue()
	}
	return decoder.ReadToken()
}
