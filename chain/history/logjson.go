package history

import (
	"bytes"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
)

// record is a line of the log with the members that matter, as raw JSON.
type record struct {
	date, time, subsystem, message, text []byte
	fields
}

// fields are the members of a structured log call.
type fields struct {
	event, runID, sessionID, sessionKey, agentID, lane                     []byte
	decision, stage, reason, failoverReason, profileReason                 []byte
	provider, model, profileID, status, httpCode                           []byte
	requestedProvider, requestedModel, candidateProvider, candidateModel   []byte
	nextProvider, nextModel, attempt, total, profileCount                  []byte
	errorPreview, rawErrorPreview, errorText, windowType, windowReused     []byte
	cooldownUntil, disabledUntil, errorCount, suppressed, dropped, timeout []byte
}

// field returns where a member of a structured call is kept; nil: it does not matter.
func (f *fields) field(key []byte) *[]byte {
	switch string(key) {
	case "event":
		return &f.event
	case "runId":
		return &f.runID
	case "sessionId":
		return &f.sessionID
	case "sessionKey":
		return &f.sessionKey
	case "agentId":
		return &f.agentID
	case "lane":
		return &f.lane
	case "decision":
		return &f.decision
	case "stage":
		return &f.stage
	case "reason":
		return &f.reason
	case "failoverReason":
		return &f.failoverReason
	case "profileFailureReason":
		return &f.profileReason
	case "provider":
		return &f.provider
	case "model":
		return &f.model
	case "profileId":
		return &f.profileID
	case "status":
		return &f.status
	case "httpCode":
		return &f.httpCode
	case "timedOut":
		return &f.timeout
	}
	return f.moreFields(key)
}

func (f *fields) moreFields(key []byte) *[]byte {
	switch string(key) {
	case "requestedProvider":
		return &f.requestedProvider
	case "requestedModel":
		return &f.requestedModel
	case "candidateProvider":
		return &f.candidateProvider
	case "candidateModel":
		return &f.candidateModel
	case "nextCandidateProvider":
		return &f.nextProvider
	case "nextCandidateModel":
		return &f.nextModel
	case "attempt":
		return &f.attempt
	case "total":
		return &f.total
	case "profileCount":
		return &f.profileCount
	case "errorPreview":
		return &f.errorPreview
	case "rawErrorPreview":
		return &f.rawErrorPreview
	case "error":
		return &f.errorText
	case "windowType":
		return &f.windowType
	case "windowReused":
		return &f.windowReused
	case "cooldownUntil":
		return &f.cooldownUntil
	case "disabledUntil":
		return &f.disabledUntil
	case "errorCount":
		return &f.errorCount
	case "suppressedDuplicateCount":
		return &f.suppressed
	case "dropped":
		return &f.dropped
	}
	return nil
}

// readJSON reads a line of JSON that may matter: one of the file log, of the console's JSON
// style, or a journal's or container's wrapping of a line.
func (l *logReader) readJSON(line []byte, event *Event) (found, ok bool) {
	var r record
	whole, wrapped := r.read(line, &l.dateAt)
	if wrapped != nil {
		return l.readWrapped(wrapped, &r, event)
	}
	if !whole || line[len(line)-1] != '}' { // cut: a crash, or a copy made while it was written
		return false, false
	}
	at, timed := parseTime(unquoted(r.date))
	if !timed {
		at, _ = parseTime(unquoted(r.time))
	}
	event.At = at
	if r.event != nil && l.structured(&r.fields, event) {
		return true, true
	}
	if n := numberOf(r.dropped); n > 0 {
		event.Code, event.Attempt = string(GapOverflow), int(n)
		return true, true
	}
	text := l.unquote(r.text)
	if text == nil {
		text = l.unquote(r.message)
	}
	return text != nil && l.readText(text, event), true
}

// read collects the members that matter. It stops at the time of the record
// when the file log's form tells that nothing of interest follows.
func (r *record) read(line []byte, dateAt *int) (whole bool, wrapped []byte) {
	s := skimmer{data: line}
	if !s.begin() {
		return false, nil
	}
	for {
		key, more, ok := s.next()
		if !more {
			return ok, nil
		}
		if len(key) == 1 && (key[0] == '0' || key[0] == '1') && s.data[s.at] == '{' {
			if !r.fields.read(&s) {
				return false, nil
			}
			continue
		}
		switch string(key) {
		case "_meta":
			if r.readMeta(&s, dateAt) {
				return true, nil
			}
			continue
		case "MESSAGE", "log":
			if wrapped, ok = s.value(); !ok {
				return false, nil
			}
			wrapped = unquoted(wrapped)
			r.readRest(&s)
			return true, wrapped
		}
		raw, ok := s.value()
		if !ok {
			return false, nil
		}
		r.member(key, raw)
	}
}

// member keeps a member of the outermost object.
func (r *record) member(key, raw []byte) {
	switch string(key) {
	case "0", "1":
		if r.text = raw; key[0] == '0' && !bytes.HasPrefix(raw, []byte(`"{`)) {
			r.message = raw
		}
	case "time", "__REALTIME_TIMESTAMP":
		if r.time == nil {
			r.time = raw
		}
	case "subsystem":
		r.subsystem = raw
	case "message":
		r.message = raw
	default:
		if field := r.field(key); field != nil {
			*field = raw
		}
	}
}

// dateMember is searched for from its second byte on: quotes are everywhere.
var dateMember = []byte(`"date":"`)

// readMeta reads the time; true: it is there. dateAt is where the date stood in
// the last line's _meta: the lines of a process have it at the same place.
func (r *record) readMeta(s *skimmer, dateAt *int) bool {
	meta := s.data[s.at:]
	if meta[0] != '{' {
		s.value()
		return false
	}
	place := *dateAt
	if place >= len(meta) || !bytes.HasPrefix(meta[place:], dateMember) {
		place = bytes.Index(meta, dateMember[1:]) - 1
	}
	// A quote inside of a text is escaped, so that this is a member of _meta.
	if place >= 0 && meta[place] == '"' {
		*dateAt = place
		s.at += place + len(dateMember) - 1
		var ok bool
		r.date, ok = s.value()
		return ok
	}
	s.at++
	for {
		key, more, _ := s.next()
		if !more {
			return false
		}
		raw, ok := s.value()
		if !ok {
			return false
		}
		if string(key) == "date" {
			r.date = raw
			return true
		}
	}
}

func (r *record) readRest(s *skimmer) {
	for {
		key, more, _ := s.next()
		if !more {
			return
		}
		raw, ok := s.value()
		if !ok {
			return
		}
		r.member(key, raw)
	}
}

// readWrapped reads the line inside a journal's or a container's JSON.
func (l *logReader) readWrapped(line []byte, outer *record, event *Event) (found, ok bool) {
	line = bytes.TrimRight(line, "\r\n")
	if len(line) == 0 {
		return false, true
	}
	if line[0] == '{' {
		found, ok = l.readJSON(line, event)
	} else {
		found, ok = l.readConsole(line, event), true
	}
	if found && event.At <= 0 {
		if at, timed := parseTime(unquoted(outer.time)); timed {
			event.At = at
		} else if micro := numberOf(outer.time); micro > 1e14 {
			event.At = micro / 1000
		}
	}
	return found, ok
}

// read collects the members of a structured call; the position is at its brace.
func (f *fields) read(s *skimmer) bool {
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
		if field := f.field(key); field != nil {
			*field = raw
		}
	}
}

// structured turns the members of a known event into an Event; false: the event
// is of a kind that a later release may have added.
func (l *logReader) structured(f *fields, event *Event) bool {
	l.common(f, event)
	switch string(unquoted(f.event)) {
	case "embedded_run_agent_end":
		event.Kind = EventAgentEnd
		event.Reason = l.string(f.failoverReason)
		l.failure(f, event)
		event.Status = statusIn(event.Detail, numberOf(f.httpCode))
	case "embedded_run_failover_decision":
		event.Kind, event.Code = EventFailover, l.string(f.decision)
		event.Reason = l.string(f.failoverReason)
		l.failure(f, event)
		if status := numberOf(f.status); status > 0 {
			event.Status, event.Class = int(status), true
		}
	case "auth_profile_failure_state_updated":
		event.Kind, event.Reason = EventWindow, l.string(f.reason)
		event.Window, event.Reused = WindowKind(l.string(f.windowType)), isTrue(f.windowReused)
		event.Until, event.ErrorCount = numberOf(f.cooldownUntil), int(numberOf(f.errorCount))
		if event.Window == WindowDisabled {
			event.Until = numberOf(f.disabledUntil)
		}
	case "model_fallback_decision":
		l.decision(f, event)
	case "model_fallback_chain_stopped":
		event.Kind, event.Reason = EventStopped, l.string(f.reason)
	case "auth_profile_bookkeeping_dropped":
		event.Kind, event.Reason = EventDropped, l.string(f.reason)
	default:
		return false
	}
	return event.Kind != EventNone
}

// common are the members that most events have.
func (l *logReader) common(f *fields, event *Event) {
	event.Run, event.Session = l.string(f.runID), l.string(f.sessionID)
	event.SessionKey, event.Agent = l.string(f.sessionKey), l.string(f.agentID)
	event.Ref = chain.Ref{Provider: l.string(f.provider), Model: l.string(f.model)}
	event.Profile = auth.MaskID(l.string(f.profileID))
}

func (l *logReader) failure(f *fields, event *Event) {
	event.Detail = l.quoted.keepString(f.rawErrorPreview)
	if event.Detail == "" {
		event.Detail = l.quoted.keepString(f.errorText)
	}
}

func (l *logReader) decision(f *fields, event *Event) {
	event.Kind = decisionKind(unquoted(f.decision))
	event.Ref = chain.Ref{Provider: l.string(f.candidateProvider), Model: l.string(f.candidateModel)}
	event.Requested = chain.Ref{Provider: l.string(f.requestedProvider), Model: l.string(f.requestedModel)}
	event.Next = chain.Ref{Provider: l.string(f.nextProvider), Model: l.string(f.nextModel)}
	event.Attempt, event.Total = int(numberOf(f.attempt)), int(numberOf(f.total))
	event.Profiles, event.Suppressed = int(numberOf(f.profileCount)), int(numberOf(f.suppressed))
	event.Detail = l.quoted.keepString(f.errorPreview)
	if event.Kind != EventCandidateOK {
		event.Reason = l.string(f.reason)
	}
	if status := numberOf(f.status); status > 0 {
		event.Status, event.Class = int(status), true
	}
}

func decisionKind(decision []byte) EventKind {
	switch string(decision) {
	case "skip_candidate":
		return EventSkip
	case "probe_cooldown_candidate":
		return EventProbe
	case "candidate_failed":
		return EventCandidateFailed
	case "candidate_succeeded":
		return EventCandidateOK
	}
	return EventNone
}

// unquote decodes a JSON string; the text is good until the next call.
func (l *logReader) unquote(raw []byte) []byte {
	text := unquotedInto(l.text[:0], raw)
	if len(text) > 0 && bytes.IndexByte(raw, '\\') >= 0 {
		l.text = text
	}
	return text
}

func (l *logReader) string(raw []byte) string { return l.texts.keep(unquoted(raw)) }

// statusIn finds the HTTP status at the head of an error text, "429 Rate limit…".
func statusIn(detail string, otherwise int64) int {
	if len(detail) >= 3 && (len(detail) == 3 || detail[3] == ' ' || detail[3] == ':') {
		if status := digits([]byte(detail[:3])); status >= 400 && status < 600 {
			return status
		}
	}
	if otherwise >= 400 && otherwise < 600 {
		return int(otherwise)
	}
	return 0
}
