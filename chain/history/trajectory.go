package history

import (
	"bytes"
	"io"

	"openclaw-auth/chain"
)

// ReadTrajectory finds events in a trajectory: attempts and steps of the
// fallback chain. Most of a trajectory is passed over unread.
func ReadTrajectory(r io.Reader, source *Source, talk Talk, yield func(*Event) bool) error {
	return scanRecords(r, source, newTrajectoryReader(talk), yield)
}

// TrajectoryRow reads one event of a trajectory that a database holds.
type TrajectoryRow struct{ reader *trajectoryReader }

// NewTrajectoryRow returns a reader for the rows of one session.
func NewTrajectoryRow(talk Talk) *TrajectoryRow { return &TrajectoryRow{newTrajectoryReader(talk)} }

// Read yields the event of a row, if it holds one; false: the row is unreadable.
func (t *TrajectoryRow) Read(row []byte, seq int64, source *Source, yield func(*Event) bool) bool {
	return readRow(t.reader, row, seq, source, yield)
}

type trajectoryReader struct {
	talk    Talk
	texts   texts
	details details
}

func newTrajectoryReader(talk Talk) *trajectoryReader {
	return &trajectoryReader{talk: talk, texts: texts{}, details: details{}}
}

// trajectoryTypes are the events that matter, with the kinds that they become.
var trajectoryTypes = []struct {
	name string
	kind EventKind
}{
	{"session.started", EventAttempt},
	{"model.completed", EventAttemptEnd},
	{"model.fallback_step", EventStep},
}

// typeWithin is how far into a record its type is looked for.
const typeWithin = 400

func (t *trajectoryReader) read(line []byte, number int64, events []Event) ([]Event, bool) {
	head := line[:min(len(line), typeWithin)]
	event := Event{Line: number, Source: t.talk.Source, Session: t.talk.ID, SessionKey: t.talk.Key, Agent: t.talk.Agent}
	for _, kind := range trajectoryTypes {
		if bytes.Contains(head, []byte(`"type":"`+kind.name+`"`)) {
			event.Kind = kind.kind
		}
	}
	if line[0] != '{' || line[len(line)-1] != '}' {
		return events, false
	}
	if event.Kind == EventNone {
		return events, true
	}
	s := skimmer{data: line}
	s.begin()
	for {
		key, more, ok := s.next()
		if !ok {
			return events, false
		}
		if !more {
			return append(events, event), true
		}
		if string(key) == "data" && s.data[s.at] == '{' {
			if !t.data(&s, &event) {
				return events, false
			}
			continue
		}
		raw, ok := s.value()
		if !ok {
			return events, false
		}
		switch string(key) {
		case "ts":
			event.At, _ = parseTime(unquoted(raw))
		case "sessionId":
			event.Session = t.texts.keep(unquoted(raw))
		case "sessionKey":
			event.SessionKey = t.texts.keep(unquoted(raw))
		case "runId":
			event.Run = t.texts.keep(unquoted(raw))
		case "provider":
			event.Ref.Provider = t.texts.keep(unquoted(raw))
		case "modelId":
			event.Ref.Model = t.texts.keep(unquoted(raw))
		}
	}
}

// data reads what an event says of itself.
func (t *trajectoryReader) data(s *skimmer, event *Event) bool {
	s.at++
	step := event.Kind == EventStep
	if step {
		event.Requested, event.Ref = event.Ref, chain.Ref{}
	}
	for {
		key, more, ok := s.next()
		if !more {
			return ok
		}
		raw, ok := s.value()
		if !ok {
			return false
		}
		switch string(key) {
		case "messagesSnapshot":
			t.lastMessage(raw, event)
		case "aborted", "timedOut", "idleTimedOut", "promptError":
			if isTrue(raw) || len(raw) > 2 && raw[0] == '"' {
				event.Failed = true
				if string(key) != "promptError" {
					event.Code = t.texts.keep(key)
				}
			}
		case "fallbackStepFromModel":
			event.Ref = refIn(unquoted(raw), &t.texts)
		case "fallbackStepToModel":
			event.Next = refIn(unquoted(raw), &t.texts)
		case "fallbackStepFromFailureReason":
			event.Reason = t.texts.keep(unquoted(raw))
		case "fallbackStepFromFailureDetail":
			event.Detail = t.details.keep(unquoted(raw))
		case "fallbackStepChainPosition":
			event.Attempt = int(numberOf(raw))
		case "fallbackStepFinalOutcome":
			event.Code = t.texts.keep(unquoted(raw))
		}
	}
}

func refIn(text []byte, kept *texts) chain.Ref {
	provider, model, _ := bytes.Cut(text, []byte("/"))
	return chain.Ref{Provider: kept.keep(provider), Model: kept.keep(model)}
}

// lastMessage looks at the last message that an attempt left: whether it failed.
func (t *trajectoryReader) lastMessage(messages []byte, event *Event) {
	at := bytes.LastIndex(messages, []byte(`{"role":"assistant"`))
	if at < 0 {
		return
	}
	s := skimmer{data: messages[at:]}
	s.begin()
	for {
		key, more, ok := s.next()
		if !more || !ok {
			return
		}
		raw, ok := s.value()
		if !ok {
			return
		}
		switch string(key) {
		case "stopReason":
			event.Code = t.texts.keep(unquoted(raw))
			event.Failed = event.Failed || event.Code == "error" || event.Code == "aborted"
		case "errorMessage":
			event.Detail = t.details.keep(unquoted(raw))
			event.Status = statusIn(event.Detail, 0)
		}
	}
}

func (t *trajectoryReader) when([]byte) int64 { return 0 }
