package sqlite

import "errors"

// PastRow is a row of a table about past runs. Its bytes are valid until
// the next row is read.
type PastRow struct {
	Session string // session id; empty where the table has none
	Key     string // session key
	Agent   string
	Seq     int64
	At      int64  // Unix milliseconds
	JSON    []byte // the record
	Packed  []byte // the record as zstd, where JSON is empty
	Status  string
	Error   string
	Run     string // run id
	Action  string
	Reason  string
}

// pastColumns are the columns of a PastRow in one table, "" where it has none.
type pastColumns struct {
	session, key, agent, seq, at, json, packed, status, error, run, action, reason string
	only                                                                           map[string]string // columns with the values that a row of interest has
}

// The tables of the past, with the releases that have them.
var pastTables = map[string]pastColumns{
	"transcript_events":                {session: "session_id", seq: "seq", at: "created_at", json: "event_json", packed: "event_zstd"},                                                                                                                           // 2026.8.2
	"trajectory_runtime_events":        {session: "session_id", seq: "seq", at: "created_at", json: "event_json"},                                                                                                                                                 // 2026.8.2
	"session_windows":                  {session: "session_id", key: "session_key", at: "updated_at"},                                                                                                                                                             // 2026.8.2
	"session_transcript_archives":      {session: "session_id", key: "session_key", at: "created_at", packed: "archive_blob"},                                                                                                                                     // 2026.9.6
	"session_transcript_cold_archives": {session: "session_id", at: "archived_at", packed: "archive_blob"},                                                                                                                                                        // 2026.9.6
	"cron_run_logs":                    {session: "session_id", key: "session_key", seq: "seq", at: "ts", json: "entry_json"},                                                                                                                                     // 2026.7.1
	"task_runs":                        {key: "child_session_key", agent: "agent_id", at: "ended_at", status: "status", error: "error", json: "detail_json", run: "run_id", only: map[string]string{"runtime": "cron"}},                                           // 2026.8.2
	"cron_run_receipts":                {agent: "agent_id", at: "finished_at_ms", status: "status", error: "error_text", run: "request_run_id"},                                                                                                                   // 2026.9.6
	"audit_events":                     {session: "session_id", key: "session_key", agent: "agent_id", seq: "sequence", at: "occurred_at", status: "status", run: "run_id", action: "action", reason: "error_code", only: map[string]string{"kind": "agent_run"}}, // 2026.7.1
}

// Past calls use with the rows of one of these tables, of one session where that
// is given, until it returns false: transcript_events, trajectory_runtime_events,
// session_windows, session_transcript_archives, session_transcript_cold_archives,
// cron_run_logs, cron_run_receipts, the rows of task_runs that are runs of cron
// jobs, and those of audit_events that are runs of agents. A database of a release
// without the table has no rows.
func (d *Database) Past(table, session string, use func(PastRow) bool) error {
	t, err := d.table(table)
	if errors.Is(err, MissingTable) {
		return nil
	}
	if err != nil {
		return err
	}
	var row PastRow
	columns, fill := pastTables[table].of(t, &row)
	var wanted []string
	for column, value := range pastTables[table].only {
		if t.stores(column) {
			columns, wanted = append(columns, column), append(wanted, value)
		}
	}
	each := func(values []value) (bool, error) {
		for i, value := range wanted {
			if values[len(fill)+i].String() != value {
				return true, nil
			}
		}
		for i := range fill {
			fill[i](values[i])
		}
		return use(row), nil
	}
	if session != "" && t.stores("session_id") {
		return d.find(t, "session_id", session, columns, each)
	}
	return d.each(t, columns, each)
}

// of lists the columns that the table has, with what takes their values.
func (p pastColumns) of(t *table, row *PastRow) (columns []string, fill []func(value)) {
	add := func(column string, take func(value)) {
		if column != "" && t.stores(column) {
			columns, fill = append(columns, column), append(fill, take)
		}
	}
	add(p.session, func(v value) { row.Session = v.String() })
	add(p.key, func(v value) { row.Key = v.String() })
	add(p.agent, func(v value) { row.Agent = v.String() })
	add(p.seq, func(v value) { row.Seq = v.whole })
	add(p.at, func(v value) { row.At = v.whole })
	add(p.json, func(v value) { row.JSON = v.bytes })
	add(p.packed, func(v value) { row.Packed = v.bytes })
	add(p.status, func(v value) { row.Status = v.String() })
	add(p.error, func(v value) { row.Error = v.String() })
	add(p.run, func(v value) { row.Run = v.String() })
	add(p.action, func(v value) { row.Action = v.String() })
	add(p.reason, func(v value) { row.Reason = v.String() })
	return columns, fill
}
