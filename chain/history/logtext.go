package history

import (
	"bytes"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
)

// readConsole reads a line of text: "PREFIX TIME [SUBSYSTEM] TEXT".
func (l *logReader) readConsole(line []byte, event *Event) bool {
	if !contains(line) && !bytes.Contains(line, []byte("] Profile ")) {
		return false
	}
	if bytes.IndexByte(line, 0x1b) >= 0 {
		l.plain = withoutColours(l.plain[:0], line)
		line = l.plain
	}
	start, text := subsystemIn(line)
	if text == nil {
		return false
	}
	if !l.readText(text, event) {
		return false
	}
	event.At = l.timeOf(line[:start])
	return true
}

// withoutColours appends the line without its ANSI sequences.
func withoutColours(out, line []byte) []byte {
	for i := 0; i < len(line); i++ {
		if line[i] != 0x1b {
			out = append(out, line[i])
			continue
		}
		if i+1 < len(line) && line[i+1] == '[' {
			for i += 2; i < len(line) && (line[i] < 0x40 || line[i] > 0x7e); i++ {
			}
		}
	}
	return out
}

// longestPrefix bounds the text before a subsystem.
const longestPrefix = 400

// subsystemIn finds the "[subsystem] " of a line and the text behind it.
func subsystemIn(line []byte) (start int, text []byte) {
	for at := 0; at < min(len(line), longestPrefix); at++ {
		next := bytes.IndexByte(line[at:min(len(line), longestPrefix)], '[')
		if next < 0 {
			return 0, nil
		}
		at += next
		for _, name := range subsystems {
			rest := line[at+1:]
			if len(rest) > len(name)+1 && string(rest[:len(name)]) == name && rest[len(name)] == ']' {
				return at, bytes.TrimLeft(rest[len(name)+1:], " ")
			}
		}
	}
	return 0, nil
}

// timeOf finds the time of a line in what precedes its subsystem: the innermost
// ISO time, then a time of day (returned as -1 minus its ms), then syslog's.
func (l *logReader) timeOf(prefix []byte) int64 {
	words := bytes.Fields(prefix)
	for i := len(words) - 1; i >= 0; i-- {
		if at, ok := parseTime(bytes.Trim(words[i], "[]()|")); ok {
			return at
		}
	}
	if at, ok := syslogTime(bytes.TrimLeft(prefix, " "), l.options.Before, l.options.Zone); ok {
		return at
	}
	if len(words) > 0 {
		if ofDay, ok := clock(bytes.Trim(words[len(words)-1], "[]()|")); ok {
			return -1 - ofDay
		}
	}
	return 0
}

// textForms are the texts that matter, by how they begin.
var textForms = []struct {
	begin string
	read  func(*logReader, []byte, *Event) bool
}{
	{"[model-fetch] response ", (*logReader).fetchText},
	{"lane task error: lane=", (*logReader).laneText},
	{"embedded run agent end: ", (*logReader).agentEndText},
	{"embedded run failover decision: ", (*logReader).failoverText},
	{"auth profile failure state updated: ", (*logReader).windowText},
	{"model fallback decision: ", (*logReader).decisionText},
	{"[agent] run ", (*logReader).runEndText},
	{"embedded run start: ", (*logReader).runStartText},
	{"embedded run done: ", (*logReader).runDoneText},
	{"probing cooldowned auth profile for ", (*logReader).probingText},
	{"Profile ", (*logReader).oldTimeoutText},
	{"live session model switch requested during active attempt for ", (*logReader).switchText},
	{"log file size cap reached", (*logReader).sizeCapText},
}

// readText reads the text of a log call.
func (l *logReader) readText(text []byte, event *Event) bool {
	for i := range textForms {
		if rest, ok := bytes.CutPrefix(text, []byte(textForms[i].begin)); ok {
			return textForms[i].read(l, rest, event)
		}
	}
	if bytes.Contains(text[:min(len(text), 100)], []byte("profile rotation cap reached for ")) {
		return l.capText(text, event)
	}
	if _, rest, ok := bytes.Cut(text[:min(len(text), 200)], []byte("log queue overflow; dropped ")); ok {
		count, _, _ := bytes.Cut(rest, []byte(" "))
		event.Code, event.Attempt = string(GapOverflow), int(numberOf(count))
		return true
	}
	return false
}

// after returns the word behind a name in "name=word name=word".
func after(text []byte, name string) []byte {
	rest := text
	for {
		at := bytes.Index(rest, []byte(name))
		if at < 0 {
			return nil
		}
		if at == 0 || rest[at-1] == ' ' {
			word, _, _ := bytes.Cut(rest[at+len(name):], []byte(" "))
			return word
		}
		rest = rest[at+len(name):]
	}
}

// ref reads provider/model. The provider ends at the first slash.
func (l *logReader) ref(text []byte) chain.Ref {
	provider, model, ok := bytes.Cut(text, []byte("/"))
	if !ok {
		return chain.Ref{}
	}
	return chain.Ref{Provider: l.texts.keep(provider), Model: l.texts.keep(model)}
}

func (l *logReader) word(text []byte, name string) string { return l.texts.keep(after(text, name)) }

// reasonWord leaves out the word that stands for an unclassified error.
func (l *logReader) reasonWord(text []byte) string {
	reason := after(text, "reason=")
	if string(reason) == "unknown" || string(reason) == "none" || string(reason) == "null" {
		return ""
	}
	return l.texts.keep(reason)
}

func (l *logReader) agentEndText(text []byte, event *Event) bool {
	head, detail := text, []byte(nil)
	if at := bytes.Index(text, []byte(" error=")); at >= 0 {
		head, detail = text[:at], text[at+len(" error="):]
	}
	if !bytes.Contains(head, []byte("isError=true")) {
		return false
	}
	if _, raw, ok := bytes.Cut(detail, []byte(" rawError=")); ok {
		detail = raw
	}
	event.Kind, event.Run = EventAgentEnd, l.word(head, "runId=")
	event.Ref = chain.Ref{Provider: l.word(head, "provider="), Model: l.word(head, "model=")}
	event.Detail = l.details.keep(detail)
	event.Status = statusIn(event.Detail, 0)
	return true
}

func (l *logReader) failoverText(text []byte, event *Event) bool {
	head, detail, _ := bytes.Cut(text, []byte(" rawError="))
	event.Kind, event.Run, event.Code = EventFailover, l.word(head, "runId="), l.word(head, "decision=")
	event.Reason, event.Profile = l.reasonWord(head), auth.MaskID(l.word(head, "profile="))
	if event.Profile == "-" {
		event.Profile = ""
	}
	event.Ref = l.ref(after(head, "from="))
	if event.Ref.IsZero() {
		event.Ref = l.ref(after(head, "provider="))
	}
	event.Detail = l.details.keep(detail)
	event.Status = statusIn(event.Detail, 0)
	return true
}

func (l *logReader) windowText(text []byte, event *Event) bool {
	event.Kind, event.Run = EventWindow, l.word(text, "runId=")
	if event.Run == "-" {
		event.Run = ""
	}
	event.Profile, event.Ref.Provider = auth.MaskID(l.word(text, "profile=")), l.word(text, "provider=")
	event.Reason, event.Window = l.reasonWord(text), WindowKind(l.word(text, "window="))
	event.Reused = string(after(text, "reused=")) == "true"
	return true
}

func (l *logReader) decisionText(text []byte, event *Event) bool {
	head, detail, _ := bytes.Cut(text, []byte(" detail="))
	event.Kind = decisionKind(after(head, "decision="))
	event.Requested, event.Ref = l.ref(after(head, "requested=")), l.ref(after(head, "candidate="))
	event.Next = l.ref(after(head, "next="))
	if event.Kind != EventCandidateOK {
		event.Reason = l.reasonWord(head)
	}
	if at := bytes.LastIndex(text, []byte(" duplicates suppressed in last ")); at >= 0 {
		if open := bytes.LastIndexByte(text[:at], '('); open >= 0 {
			event.Suppressed = int(numberOf(text[open+1 : at]))
			detail = bytes.TrimSuffix(detail, text[open:])
		}
	}
	event.Detail = l.details.keep(bytes.TrimRight(detail, " "))
	event.Status = statusIn(event.Detail, 0)
	return event.Kind != EventNone
}

func (l *logReader) capText(text []byte, event *Event) bool {
	kind, rest, _ := bytes.Cut(text, []byte(" profile rotation cap reached for "))
	ref, _, _ := bytes.Cut(rest, []byte(" "))
	event.Kind, event.Ref = EventCap, l.ref(ref)
	event.Reason = strings.ReplaceAll(l.texts.keep(kind), "-", "_")
	if event.Reason == "overload" {
		event.Reason = "overloaded"
	}
	if _, count, ok := bytes.Cut(rest, []byte(" after ")); ok {
		number, _, _ := bytes.Cut(count, []byte(" "))
		event.Attempt = int(numberOf(number))
	}
	return true
}

func (l *logReader) probingText(text []byte, event *Event) bool {
	ref, rest, _ := bytes.Cut(text, []byte(" due to "))
	reason, _, _ := bytes.Cut(rest, []byte(" "))
	event.Kind, event.Ref, event.Reason = EventProbing, l.ref(ref), l.texts.keep(reason)
	return true
}

func (l *logReader) laneText(text []byte, event *Event) bool {
	lane, rest, _ := bytes.Cut(text, []byte(" durationMs="))
	key, ok := bytes.CutPrefix(lane, []byte("session:"))
	if !ok {
		return false
	}
	event.Kind, event.SessionKey = EventLaneError, l.texts.keep(key)
	if _, detail, ok := bytes.Cut(rest, []byte(` error="`)); ok {
		detail, _, _ = bytes.Cut(detail, []byte(`" errorName=`))
		event.Detail = l.details.keep(bytes.TrimPrefix(bytes.TrimSuffix(detail, []byte(`"`)), []byte("FailoverError: ")))
	}
	return true
}

func (l *logReader) fetchText(text []byte, event *Event) bool {
	event.Kind = EventFetch
	event.Ref = chain.Ref{Provider: l.word(text, "provider="), Model: l.word(text, "model=")}
	event.Status = int(numberOf(after(text, "status=")))
	return event.Status > 0
}

func (l *logReader) runStartText(text []byte, event *Event) bool {
	event.Kind, event.Run, event.Session = EventRunStart, l.word(text, "runId="), l.word(text, "sessionId=")
	event.Ref = chain.Ref{Provider: l.word(text, "provider="), Model: l.word(text, "model=")}
	return true
}

func (l *logReader) runDoneText(text []byte, event *Event) bool {
	event.Kind, event.Run, event.Session = EventRunEnd, l.word(text, "runId="), l.word(text, "sessionId=")
	event.Failed, event.Code = string(after(text, "aborted=")) != "false", "done"
	return true
}

func (l *logReader) runEndText(text []byte, event *Event) bool {
	run, rest, ok := bytes.Cut(text, []byte(" ended with stopReason="))
	event.Kind, event.Run = EventRunEnd, l.texts.keep(run)
	code, _, _ := bytes.Cut(rest, []byte(" "))
	event.Code = l.texts.keep(code)
	event.Failed = event.Code == "error" || event.Code == "aborted"
	return ok
}

func (l *logReader) oldTimeoutText(text []byte, event *Event) bool {
	id, rest, ok := bytes.Cut(text, []byte(" timed out"))
	if !ok || !bytes.Contains(rest, []byte("Trying next account")) {
		return false
	}
	event.Kind, event.Profile, event.Reason = EventOldTimeout, auth.MaskID(l.texts.keep(id)), "timeout"
	event.Ref.Provider, _, _ = strings.Cut(event.Profile, ":")
	return true
}

func (l *logReader) switchText(text []byte, event *Event) bool {
	session, rest, ok := bytes.Cut(text, []byte(": "))
	from, to, both := bytes.Cut(rest, []byte(" -> "))
	to, _, _ = bytes.Cut(to, []byte(" "))
	event.Kind, event.Session, event.Requested, event.Ref = EventSwitch, l.texts.keep(session), l.ref(from), l.ref(to)
	return ok && both
}

func (l *logReader) sizeCapText(_ []byte, event *Event) bool {
	event.Code = string(GapSizeCap)
	return true
}
