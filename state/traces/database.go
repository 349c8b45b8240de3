package traces

import (
	"bytes"
	"errors"
	"io"

	"openclaw-auth/chain/history"
	"openclaw-auth/state"
	"openclaw-auth/state/internal/sqlite"
)

// databasePast lists what an agent's database tells of each session. Its rows
// are read session by session when their time comes, as files are: all of them
// at once may be more than memory holds.
func databasePast(h *state.Home, path string, agent state.Agent, query Query) ([]Past, error) {
	if !h.Exists(path) {
		return nil, nil
	}
	shared := &sharedDatabase{open: func() (*sqlite.Database, error) {
		return h.OpenDatabase(path, sqlite.AgentRole, agent.DatabaseOwner())
	}}
	var found []Past
	for _, table := range []string{"transcript_events", "trajectory_runtime_events", "session_transcript_archives", "session_transcript_cold_archives"} {
		sessions, err := state.Retry(func() ([]sessionRows, error) { return shared.sessions(table, query) })
		if err != nil {
			return found, err
		}
		kind := history.SourceTranscript
		if table == "trajectory_runtime_events" {
			kind = history.SourceTrajectory
		}
		for _, session := range sessions {
			found = append(found, Past{
				Kind: kind, Path: path, Table: table, Agent: agent.ID, Session: session.id, Begin: session.begin,
				read: shared.reader(table, session.id, 0),
			})
		}
	}
	return found, nil
}

// sharedPast are the tables of the state database: runs of cron jobs, and those
// that a gateway has audited.
func sharedPast(h *state.Home, query Query) []Past {
	path := h.StateDatabase()
	if state.RulesOf(h.Rules).Backend == state.BackendJSON || !h.Exists(path) {
		return nil
	}
	shared := &sharedDatabase{open: func() (*sqlite.Database, error) { return h.OpenDatabase(path, sqlite.StateRole, "") }}
	var found []Past
	for _, table := range []string{"cron_run_logs", "task_runs", "cron_run_receipts"} {
		found = append(found, Past{Kind: history.SourceCron, Path: path, Table: table, Mixed: true, read: shared.reader(table, query.Session, query.Since)})
	}
	return append(found, Past{Kind: history.SourceAudit, Path: path, Table: "audit_events", read: shared.reader("audit_events", query.Session, query.Since)})
}

// sharedDatabase is a database that many sources are read out of, in turns: it is
// opened once for all of them.
type sharedDatabase struct {
	open     func() (*sqlite.Database, error)
	database *sqlite.Database
	unread   int // sources that are not read to their end
	unpacker unpacker
}

// sessionRows are the rows of a session in one table.
type sessionRows struct {
	id    string
	begin int64 // Unix ms
	last  int64 // when the last of them was stored
}

// sessions lists the sessions of a table that were written to since a time.
func (d *sharedDatabase) sessions(table string, query Query) ([]sessionRows, error) {
	database, err := d.open()
	if database == nil || err != nil {
		return nil, err
	}
	defer database.Close()
	places := map[string]int{}
	var sessions []sessionRows
	err = database.Past(table, query.Session, func(row sqlite.PastRow) bool {
		place, ok := places[row.Session]
		if !ok {
			place = len(sessions)
			places[row.Session] = place
			sessions = append(sessions, sessionRows{id: row.Session, begin: d.begin(table, row)})
		}
		sessions[place].last = max(sessions[place].last, row.At)
		return true
	})
	wanted := sessions[:0]
	for _, session := range sessions {
		if session.last == 0 || session.last >= query.Since {
			wanted = append(wanted, session)
		}
	}
	return wanted, err
}

// begin is the time that a session's first row tells, or that of when it was stored.
func (d *sharedDatabase) begin(table string, row sqlite.PastRow) int64 {
	record := io.Reader(bytes.NewReader(row.JSON))
	switch {
	case table == "session_transcript_archives" || table == "session_transcript_cold_archives":
		archive, err := openArchive(row.Packed)
		if err != nil {
			return 0
		}
		defer archive.Close()
		record = archive
	case len(row.JSON) == 0:
		record = bytes.NewReader(d.unpacker.row(row.Packed))
	}
	begin := history.Begin(record)
	if begin == 0 || row.At != 0 && row.At < begin {
		return row.At
	}
	return begin
}

// maxReads bounds how often a read begins again.
const maxReads = 10

// reader reads the events of a table's rows, of one session where that is given.
func (d *sharedDatabase) reader(table, session string, since int64) func(*history.Source, history.Talk, func(*history.Event) bool) error {
	d.unread++
	return func(source *history.Source, talk history.Talk, yield func(*history.Event) bool) error {
		defer d.finish()
		rows := newPastRows(source, talk, &d.unpacker, yield)
		read := 0
		for attempt := 1; ; attempt++ {
			database, err := d.get()
			if database == nil || err != nil {
				return err
			}
			place := 0
			err = database.Past(table, session, func(row sqlite.PastRow) bool {
				if place++; place <= read {
					return true
				}
				read = place
				return row.At != 0 && row.At < since || rows.read(table, row)
			})
			if err == nil || attempt == maxReads || !errors.Is(err, sqlite.Busy) && d.database == database {
				return err
			}
			d.drop(database) // its moment was lost, for this source or for another one
		}
	}
}

func (d *sharedDatabase) get() (*sqlite.Database, error) {
	if d.database != nil {
		return d.database, nil
	}
	database, err := d.open()
	d.database = database
	return database, err
}

func (d *sharedDatabase) drop(database *sqlite.Database) {
	if d.database == database {
		database.Close()
		d.database = nil
	}
}

// finish closes the database behind the last source.
func (d *sharedDatabase) finish() {
	if d.unread--; d.unread == 0 && d.database != nil {
		d.drop(d.database)
	}
}
