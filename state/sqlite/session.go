package sqlite

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

// The columns of a Session. IS compares without turning texts into numbers: a
// quoted updatedAt is not equal, as for OpenClaw.
const selectSession = `SELECT session_key, current_session_id, updated_at, entry_json,
	CASE WHEN json_valid(entry_json)
		THEN json_extract(entry_json, '$.sessionId') IS current_session_id
			AND json_extract(entry_json, '$.updatedAt') IS updated_at
		ELSE 0 END
	FROM session_nodes `

const (
	sessionByKey = selectSession + "WHERE session_key = ?1"
	sessionByID  = selectSession + "WHERE current_session_id = ?1 ORDER BY updated_at DESC, session_key"
	allSessions  = selectSession + "ORDER BY session_key"
)

// Session returns the session with a key, spelled exactly so. ok is false when
// there is none. Before 2026.8 sessions are in a file, and asking is a
// MissingTable error.
func (d *Database) Session(key string) (session Session, ok bool, err error) {
	return d.session(sessionByKey, key)
}

// SessionByID returns the session whose current session has an id; of several
// the one updated last.
func (d *Database) SessionByID(id string) (session Session, ok bool, err error) {
	return d.session(sessionByID, id)
}

// Sessions yields all sessions in the order of their keys, one at a time: it
// never holds more than the row that it yields. An error is yielded last, with
// an empty Session.
//
//	for session, err := range database.Sessions { … }
func (d *Database) Sessions(yield func(Session, error) bool) {
	stopped := false
	err := d.while(allSessions, nil, func(r row) bool {
		stopped = !yield(r.session(), nil)
		return !stopped
	})
	if err != nil && !stopped {
		yield(Session{}, err)
	}
}

func (d *Database) session(query, value string) (session Session, ok bool, err error) {
	err = d.while(query, []string{value}, func(r row) bool {
		session, ok = r.session(), true
		return false
	})
	return session, ok, err
}

func (r row) session() Session {
	return Session{
		Key:       r.text(0),
		ID:        r.text(1),
		UpdatedAt: r.integer(2),
		JSON:      r.bytes(3),
		Valid:     r.truth(4),
	}
}
