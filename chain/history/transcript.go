package history

import (
	"hash/maphash"
	"io"

	"openclaw-auth/chain"
)

// Talk names the session that a transcript or a trajectory belongs to.
type Talk struct {
	Source int
	ID     string // session id
	Key    string
	Agent  string
}

// ReadTranscript finds events in a transcript: user messages, answers, failed
// attempts and switches of the model. What was said is skipped over, not decoded.
func ReadTranscript(r io.Reader, source *Source, talk Talk, yield func(*Event) bool) error {
	order := &transcriptOrder{}
	return scanRecords(r, source, newTranscriptReader(talk), func(event *Event) bool {
		return !order.keeps(event) || yield(event)
	})
}

// TranscriptRow reads one record of a transcript that a database holds.
type TranscriptRow struct {
	reader *transcriptReader
	order  transcriptOrder
}

// NewTranscriptRow returns a reader for the rows of one session.
func NewTranscriptRow(talk Talk) *TranscriptRow {
	return &TranscriptRow{reader: newTranscriptReader(talk)}
}

// Read yields the event of a row, if it holds one; false: the row is unreadable.
func (t *TranscriptRow) Read(row []byte, seq int64, source *Source, yield func(*Event) bool) bool {
	return readRow(t.reader, row, seq, source, func(event *Event) bool { return !t.order.keeps(event) || yield(event) })
}

func readRow(reader lineReader, row []byte, seq int64, source *Source, yield func(*Event) bool) bool {
	var events []Event
	ok := len(row) > 0
	if ok {
		events, ok = reader.read(row, seq, nil)
	}
	source.Lines++
	if !ok {
		source.Unreadable++
	}
	for i := range events {
		source.See(events[i].At)
		if !yield(&events[i]) {
			break
		}
	}
	return ok
}

// transcriptOrder sees the records of a transcript in their order.
type transcriptOrder struct {
	lastAnswer int64
	calls      chain.Ref // the model that called a tool last, and nothing came since
	changes    int
}

// keeps says whether an event stays, and when a turn begins: when its message was
// sent, or, if the turn before was still running then, when it was written down.
// Of the calls of tools that a model makes one after the other the first is enough.
func (t *transcriptOrder) keeps(event *Event) bool {
	calls := t.calls
	t.calls = chain.Ref{}
	switch event.Kind {
	case EventTurn:
		if event.Until > t.lastAnswer {
			event.At = event.Until
		}
		event.At = max(event.At, t.lastAnswer)
	case EventAnswer, EventAnswerFailed:
		t.lastAnswer = max(t.lastAnswer, event.At)
		if event.Kind == EventAnswer && event.Code == "toolUse" {
			t.calls = event.Ref
			return calls != event.Ref
		}
	case EventModelChange: // the first one only names the first model
		t.changes++
		return t.changes > 1
	}
	return true
}

// seed is the same in the whole process: only equal messages are told apart.
var seed = maphash.MakeSeed()

type transcriptReader struct {
	talk    Talk
	texts   texts
	details details
}

func newTranscriptReader(talk Talk) *transcriptReader {
	return &transcriptReader{talk: talk, texts: texts{}, details: details{}}
}

func (t *transcriptReader) read(line []byte, number int64, events []Event) ([]Event, bool) {
	s := skimmer{data: line}
	if !s.begin() || line[len(line)-1] != '}' {
		return events, false
	}
	event := Event{Line: number, Source: t.talk.Source, Session: t.talk.ID, SessionKey: t.talk.Key, Agent: t.talk.Agent}
	var kind, custom []byte
	for {
		key, more, ok := s.next()
		if !ok {
			return events, false
		}
		if !more {
			break
		}
		switch string(key) {
		case "message":
			if string(kind) == "message" && s.data[s.at] == '{' {
				if !t.message(&s, &event) {
					return events, false
				}
				continue
			}
		case "data":
			if string(custom) == "model-snapshot" && s.data[s.at] == '{' {
				event.Kind = EventSnapshot
				if !t.model(&s, &event) {
					return events, false
				}
				continue
			}
		}
		raw, ok := s.value()
		if !ok {
			return events, false
		}
		switch string(key) {
		case "type":
			if kind = unquoted(raw); !isTold(kind) {
				return events, true
			}
		case "customType":
			custom = unquoted(raw)
		case "timestamp":
			if at, ok := parseTime(unquoted(raw)); ok && event.At == 0 {
				event.At = at
			}
		case "provider":
			event.Ref.Provider = t.texts.keep(unquoted(raw))
		case "modelId":
			event.Ref.Model = t.texts.keep(unquoted(raw))
		}
	}
	if string(kind) == "model_change" {
		event.Kind = EventModelChange
	}
	if event.Kind == EventNone {
		return events, true
	}
	return append(events, event), true
}

// isTold reports whether a record of this type holds something of interest.
func isTold(kind []byte) bool {
	return string(kind) == "message" || string(kind) == "custom" || string(kind) == "model_change"
}

// model reads the members of a model-snapshot.
func (t *transcriptReader) model(s *skimmer, event *Event) bool {
	s.at++
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
		case "provider":
			event.Ref.Provider = t.texts.keep(unquoted(raw))
		case "modelId":
			event.Ref.Model = t.texts.keep(unquoted(raw))
		}
	}
}

// message reads a message.
func (t *transcriptReader) message(s *skimmer, event *Event) bool {
	s.at++
	var role, content, stop, failure, sent []byte
	for {
		key, more, ok := s.next()
		if !ok {
			return false
		}
		if !more {
			break
		}
		if string(key) == "__openclaw" && s.data[s.at] == '{' {
			if !t.run(s, event) {
				return false
			}
			continue
		}
		raw, ok := s.value()
		if !ok {
			return false
		}
		switch string(key) {
		case "role":
			role = unquoted(raw)
		case "content":
			content = raw
		case "provider":
			event.Ref.Provider = t.texts.keep(unquoted(raw))
		case "model":
			event.Ref.Model = t.texts.keep(unquoted(raw))
		case "stopReason":
			stop = unquoted(raw)
		case "errorMessage":
			failure = raw
		case "timestamp":
			sent = raw
		}
	}
	switch string(role) {
	case "user":
		event.Kind, event.Hash = EventTurn, maphash.Bytes(seed, content)
		event.Until = max(numberOf(sent), 0) // what the message itself says; a repetition says the same
		event.Run = ""
	case "assistant":
		t.answer(stop, failure, event)
	}
	return true
}

func (t *transcriptReader) answer(stop, failure []byte, event *Event) {
	event.Kind, event.Code = EventAnswer, t.texts.keep(stop)
	switch event.Code {
	case "error":
		event.Kind = EventAnswerFailed
		event.Detail = t.details.keep(unquoted(failure))
		event.Status = statusIn(event.Detail, 0)
	case "aborted":
		event.Failed = true
	}
	// OpenClaw writes some messages of its own under names that are no model's.
	if event.Ref.Provider == "openclaw" || event.Ref.IsZero() {
		event.Kind = EventNone
	}
}

// run reads the run id that newer releases write into an answer.
func (t *transcriptReader) run(s *skimmer, event *Event) bool {
	s.at++
	for {
		key, more, ok := s.next()
		if !more {
			return ok
		}
		raw, ok := s.value()
		if !ok {
			return false
		}
		if string(key) == "runId" {
			event.Run = t.texts.keep(unquoted(raw))
		}
	}
}

func (t *transcriptReader) when([]byte) int64 { return 0 }
