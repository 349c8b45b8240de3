package traces

import (
	"openclaw-auth/auth/document"
	"openclaw-auth/chain/history"
	"openclaw-auth/state/internal/sqlite"
)

// pastRows turns rows of a database into events.
type pastRows struct {
	source     *history.Source
	talk       history.Talk
	yield      func(*history.Event) bool
	transcript *history.TranscriptRow
	trajectory *history.TrajectoryRow
	unpacker   *unpacker
}

func newPastRows(source *history.Source, talk history.Talk, unpacker *unpacker, yield func(*history.Event) bool) *pastRows {
	return &pastRows{
		source: source, talk: talk, yield: yield, unpacker: unpacker,
		transcript: history.NewTranscriptRow(talk), trajectory: history.NewTrajectoryRow(talk),
	}
}

// read reads a row; false: enough was read.
func (p *pastRows) read(table string, row sqlite.PastRow) bool {
	more := true
	yield := func(event *history.Event) bool { more = p.yield(event); return more }
	talk := p.talk
	if row.Session != "" {
		talk.ID = row.Session
	}
	if row.Key != "" {
		talk.Key = row.Key
	}
	switch table {
	case "transcript_events":
		data := row.JSON
		if len(data) == 0 {
			data = p.unpacker.row(row.Packed)
		}
		p.transcript.Read(data, row.Seq, p.source, yield)
	case "trajectory_runtime_events":
		p.trajectory.Read(row.JSON, row.Seq, p.source, yield)
	case "session_transcript_archives", "session_transcript_cold_archives":
		p.readArchive(row.Packed, talk, yield)
	case "cron_run_logs":
		history.CronRow(row.JSON, row.Seq, p.source, talk, yield)
	case "task_runs", "cron_run_receipts":
		p.tell(cronEvent(row), yield)
	case "audit_events":
		p.tell(auditEvent(row), yield)
	}
	return more
}

// tell yields the event of a row that is no record of its own; the kind
// EventNone is no event.
func (p *pastRows) tell(event history.Event, yield func(*history.Event) bool) {
	p.source.Lines++
	if event.Kind == history.EventNone {
		return
	}
	event.Source = p.talk.Source
	if event.Line == 0 {
		event.Line = p.source.Lines
	}
	p.source.See(event.At)
	yield(&event)
}

// cronEvent is a finished run of a cron job: a task (2026.8.2+) or a receipt
// (2026.9.6).
func cronEvent(row sqlite.PastRow) history.Event {
	event := history.Event{
		At: row.At, Line: row.Seq, Kind: history.EventCron, Run: row.Run, SessionKey: row.Key, Agent: row.Agent, Code: "ok", Detail: history.Preview(row.Error),
	}
	switch row.Status {
	case "done", "ok", "succeeded", "completed", "success":
	case "running", "queued", "pending", "skipped", "superseded":
		return history.Event{}
	default:
		event.Code, event.Failed = "error", true
	}
	if value, err := document.ParseJSON("task_runs", row.JSON); err == nil {
		detail, _ := value.(*document.Object)
		event.Ref.Provider, event.Ref.Model, event.Session = detail.Text("provider"), detail.Text("model"), detail.Text("sessionId")
	}
	return event
}

// auditEvent is the begin or the end of an agent's run as a gateway audits it
// (2026.7.1+): the row names no model and no profile.
func auditEvent(row sqlite.PastRow) history.Event {
	event := history.Event{
		At: row.At, Line: row.Seq, Kind: history.EventAuditEnd, Run: row.Run, Session: row.Session, SessionKey: row.Key, Agent: row.Agent, Code: row.Status,
	}
	switch row.Status {
	case "started":
		event.Kind = history.EventAuditStart
	case "succeeded":
	case "failed", "timed_out", "blocked": // blocked: every model failed
		event.Failed, event.Detail = true, history.Preview(row.Reason)
	default: // cancelled, or not known
		event.Code = "done"
	}
	return event
}

// readArchive reads a whole transcript out of a blob.
func (p *pastRows) readArchive(blob []byte, talk history.Talk, yield func(*history.Event) bool) {
	if len(blob) == 0 {
		return // in a file elsewhere
	}
	archive, err := openArchive(blob)
	if err != nil {
		p.source.Unreadable++
		return
	}
	defer archive.Close()
	if err := history.ReadTranscript(archive, p.source, talk, yield); err != nil {
		p.source.Unreadable++
	}
}
