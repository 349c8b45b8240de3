package history

import (
	"bytes"
	"io"
	"slices"
	"time"
)

// LogOptions say what a log's lines leave open.
type LogOptions struct {
	Source int            // index of the source, given to every event
	Zone   *time.Location // of times without one; nil is UTC
	Before int64          // Unix ms: the log was not written after this; dates without a year lie before it
}

// ReadLog finds events in a log: OpenClaw's file log of JSON lines, its console
// form with any prefix before the subsystem (journal, docker, colours), or both
// mixed. Lines that hold nothing of interest cost little more than a byte
// search. What the source's range, lines and gaps are is written to source.
// It returns the error of the reader; everything before it has been yielded.
func ReadLog(r io.Reader, source *Source, options LogOptions, yield func(*Event) bool) error {
	if options.Zone == nil {
		options.Zone = time.UTC
	}
	days := &dayClock{zone: options.Zone}
	before := time.UnixMilli(options.Before).In(options.Zone)
	days.day = time.Date(before.Year(), before.Month(), before.Day(), 0, 0, 0, 0, options.Zone)
	begun := false
	return scan(r, source, func() lineReader {
		return newLogReader(options)
	}, func(event *Event) bool {
		if !begun {
			begun = true
			if source.From != 0 && !yield(&Event{At: source.From, Code: logBegins, Source: options.Source}) {
				return false
			}
		}
		if event.At < 0 { // a time of day, to be dated in the order of lines
			event.At = days.at(-event.At - 1)
			source.See(event.At)
		}
		if gap := gapOf(event); gap != nil {
			source.Gaps = append(source.Gaps, *gap)
			return true
		}
		return yield(event)
	})
}

// gapOf turns an event about lost lines into a gap.
func gapOf(event *Event) *Gap {
	if event.Kind != EventNone {
		return nil
	}
	switch GapReason(event.Code) {
	case GapSizeCap:
		return &Gap{From: event.At, Why: GapSizeCap}
	case GapOverflow:
		return &Gap{From: event.At, To: event.At, Why: GapOverflow, Count: int64(event.Attempt)}
	}
	return nil
}

// logReader looks into the lines of a log.
type logReader struct {
	options LogOptions
	texts   texts
	details details
	quoted  details // of JSON strings
	plain   []byte  // a line without its colours
	text    []byte  // a decoded JSON string
	dateAt  int     // where the date stood in the last line's _meta
}

func newLogReader(options LogOptions) *logReader {
	return &logReader{options: options, details: details{}, quoted: details{}}
}

func (l *logReader) read(line []byte, number int64, events []Event) ([]Event, bool) {
	if number == 1 {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	if len(line) > 0 && line[0] != '{' {
		line = bytes.TrimLeft(line, " \x00")
	}
	if len(line) == 0 {
		return events, true
	}
	if line[0] == '{' && !mayMatter(line) {
		return events, line[len(line)-1] == '}'
	}
	events = append(events, Event{})
	event := &events[len(events)-1]
	event.Line, event.Source = number, l.options.Source
	var found, ok bool
	if line[0] == '{' {
		found, ok = l.readJSON(line, event)
	} else {
		found, ok = l.readConsole(line, event), true
	}
	if !found {
		events = events[:len(events)-1]
	}
	return events, ok
}

// when finds the time of any line.
func (l *logReader) when(line []byte) int64 {
	if len(line) == 0 {
		return 0
	}
	if line[0] == '{' {
		var r record
		if _, wrapped := r.read(line, &l.dateAt); wrapped != nil && r.time == nil {
			return l.when(wrapped)
		}
		at, ok := parseTime(unquoted(r.date))
		if !ok {
			at, _ = parseTime(unquoted(r.time))
		}
		return at
	}
	return max(l.timeOf(line[:min(len(line), 80)]), 0)
}

// needles are what a line that matters contains, whatever form it has.
var needles = [][]byte{
	[]byte(`"event":"`), []byte("embedded run"), []byte("model fallback decision"), []byte("auth profile failure"),
	[]byte("rotation cap reached"), []byte("probing cooldowned"), []byte("lane task error"), []byte("[model-fetch] response"),
	[]byte("ended with stopReason"), []byte("live session model switch"), []byte("Trying next account"),
	[]byte("size cap reached"), []byte("log queue overflow"),
}

// subsystems are the ones whose lines are of interest.
var subsystems = []string{
	"agent/embedded", "model-fallback/decision", "model-fallback", "diagnostic", "agents/agent-command", "provider-transport-fetch", "logging",
}

const jsonBegin = `{"0":"{\"subsystem\":\"`

// mayMatter is the test before parsing. Most lines name their subsystem first.
func mayMatter(line []byte) bool {
	if rest, ok := bytes.CutPrefix(line, []byte(jsonBegin)); ok {
		end := bytes.IndexByte(rest[:min(len(rest), 64)], '\\')
		if end < 0 {
			return contains(line)
		}
		for _, name := range subsystems {
			if string(rest[:end]) == name {
				return tellsSomething(rest[end:])
			}
		}
		return false
	}
	return contains(line)
}

// tellsSomething looks at the beginning of the first argument of a log call.
func tellsSomething(rest []byte) bool {
	const between = `\"}","1":`
	argument, ok := bytes.CutPrefix(rest, []byte(between))
	if !ok || len(argument) == 0 {
		return contains(rest)
	}
	if argument[0] == '{' {
		return bytes.HasPrefix(argument, []byte(`{"event":"`)) || contains(argument)
	}
	return argument[0] == '"' && mayBeForm(argument[1:])
}

// mayBeForm reports whether a text begins as one of the forms that matter.
func mayBeForm(text []byte) bool {
	for i := range textForms {
		if begin := textForms[i].begin; len(text) > len(begin) && text[0] == begin[0] && string(text[:len(begin)]) == begin {
			return true
		}
	}
	head := text[:min(len(text), 64)]
	return bytes.Contains(head, []byte("profile rotation cap")) || bytes.Contains(head, []byte("queue overflow"))
}

func contains(line []byte) bool {
	for _, needle := range needles {
		if bytes.Contains(line, needle) {
			return true
		}
	}
	return false
}

// steady are lines that OpenClaw writes of every call, or twice: they tell nothing.
var steady = [][]byte{[]byte("[model-fetch] start "), []byte("lane task error: lane="), []byte("[trace:embedded-run]")}

// ReadLine looks into one line of a log, of any form that ReadLog reads. known
// is false for a line that is not OpenClaw's or of no interest; a known line of
// the kind EventNone tells nothing. The event does not say where it stands.
func ReadLine(line []byte) (event Event, known bool) {
	reader := newLogReader(LogOptions{Zone: time.UTC})
	events, _ := reader.read(line, 1, nil)
	if len(events) == 0 || events[0].Kind == EventNone {
		known = slices.ContainsFunc(steady, func(text []byte) bool { return bytes.Contains(line, text) })
		return Event{}, known
	}
	return events[0], true
}
