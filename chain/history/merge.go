package history

import (
	"cmp"
	"iter"
	"slices"
)

// Stream is a source whose events come in the order of its lines, such as a log
// with its rotated files, or a transcript. An event is the receiver's until it
// returns.
type Stream struct {
	// Begin is the time of the first line, Unix ms; 0: not known. A record is not
	// read before its time has come.
	Begin int64

	Read func(yield func(*Event) bool) error
}

// disorder is how far apart in time lines of a log may be swapped: several
// processes write to it, and lines can come late.
const disorder = 60_000

// Tell gives a story all events in the order of time: rows are those that are in
// memory in any order, records transcripts, trajectories and the like, of which
// only those are open that overlap in time. It closes the story and returns the
// errors of the sources.
func Tell(story *Story, rows []Event, records, logs []Stream) []error {
	slices.SortStableFunc(rows, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
	for i := range rows {
		story.Know(&rows[i])
	}
	ahead := newRecords(story, rows, records)
	m := &merger{story: story, records: ahead}
	errs := make([]error, len(logs))
	if len(logs) == 1 {
		errs[0] = logs[0].Read(func(event *Event) bool { m.take(event); return true })
	} else {
		m.several(logs, errs)
	}
	m.flush()
	ahead.give(lastTime)
	ahead.stop()
	story.Close()
	errs = append(errs, ahead.errs...)
	return slices.DeleteFunc(errs, func(err error) bool { return err == nil })
}

// lastTime is behind all times.
const lastTime = 1<<63 - 1

// merger puts the events of logs into the order of time.
type merger struct {
	story   *Story
	records *records
	waiting []Event // in order
	head    int     // of waiting
	latest  int64
}

// take takes the next event of the log. It waits until later lines can't come
// before it any more.
func (m *merger) take(event *Event) {
	if event.At == 0 { // it has its place in the order of lines only
		m.flush()
		m.give(event)
		return
	}
	if event.At < m.latest-disorder { // another log begins
		m.flush()
		m.latest = event.At
	}
	m.latest = max(m.latest, event.At)
	place := len(m.waiting)
	for place > m.head && m.waiting[place-1].At > event.At {
		place--
	}
	if place == len(m.waiting) {
		m.waiting = append(m.waiting, *event)
	} else {
		m.waiting = slices.Insert(m.waiting, place, *event)
	}
	for m.head < len(m.waiting) && (m.waiting[m.head].At <= m.latest-disorder || len(m.waiting)-m.head > mostEvents) {
		m.give(&m.waiting[m.head])
		m.head++
	}
	if m.head > mostEvents {
		m.waiting = m.waiting[:copy(m.waiting, m.waiting[m.head:])]
		m.head = 0
	}
}

func (m *merger) flush() {
	for ; m.head < len(m.waiting); m.head++ {
		m.give(&m.waiting[m.head])
	}
	m.waiting, m.head = m.waiting[:0], 0
}

// give adds an event to the story, after what was recorded before it.
func (m *merger) give(event *Event) {
	if event.At != 0 {
		m.records.give(event.At)
	}
	m.story.Add(event)
}

// several merges logs by the times of their lines.
func (m *merger) several(logs []Stream, errs []error) {
	heads := make([]*puller, 0, len(logs))
	for i, log := range logs {
		if p := pull(log, &errs[i]); p != nil {
			defer p.stop()
			heads = append(heads, p)
		}
	}
	for len(heads) > 0 {
		first := slices.MinFunc(heads, func(a, b *puller) int { return cmp.Compare(a.at, b.at) })
		m.take(first.event)
		if !first.advance() {
			heads = slices.DeleteFunc(heads, func(h *puller) bool { return h == first })
		}
	}
}

// puller is a stream that is read event by event.
type puller struct {
	event *Event
	at    int64 // of the event, or of the last one before it that has a time
	next  func() (*Event, bool)
	stop  func()
}

// pull opens a stream at its first event; nil: it has none.
func pull(stream Stream, err *error) *puller {
	next, stop := iter.Pull(func(yield func(*Event) bool) { *err = stream.Read(yield) })
	p := &puller{next: next, stop: stop}
	if !p.advance() {
		return nil
	}
	return p
}

// advance goes to the next event; false: there is none.
func (p *puller) advance() bool {
	event, ok := p.next()
	if ok {
		p.event, p.at = event, max(p.at, event.At)
	}
	return ok
}
