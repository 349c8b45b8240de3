package history

import (
	"cmp"
	"iter"
	"slices"
)

// Stream is a sequence of events in the order of its lines, such as a log and
// its rotated files. The event is the receiver's until it returns.
type Stream func(yield func(*Event) bool) error

// disorder is how far apart in time lines of a log may be swapped: several
// processes write to it, and records can come late.
const disorder = 60_000

// Tell gives a story all events in the order of time: those of transcripts,
// trajectories and the like, which are in memory, and those of logs, which are
// not. It closes the story and returns the errors of the streams.
func Tell(story *Story, recorded []Event, streams ...Stream) []error {
	slices.SortStableFunc(recorded, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
	for i := range recorded {
		story.Know(&recorded[i])
	}
	m := &merger{story: story, recorded: recorded}
	errs := make([]error, len(streams))
	if len(streams) == 1 {
		errs[0] = streams[0](func(event *Event) bool { m.take(event); return true })
	} else {
		m.several(streams, errs)
	}
	m.flush()
	for i := range m.recorded {
		story.Add(&m.recorded[i])
	}
	story.Close()
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	return errs
}

// merger puts the events of logs into the order of time.
type merger struct {
	story    *Story
	recorded []Event
	waiting  []Event // in order
	head     int     // of waiting
	latest   int64
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
	for len(m.recorded) > 0 && event.At != 0 && m.recorded[0].At <= event.At {
		m.story.Add(&m.recorded[0])
		m.recorded = m.recorded[1:]
	}
	m.story.Add(event)
}

// several merges streams by the times of their lines.
func (m *merger) several(streams []Stream, errs []error) {
	type head struct {
		event *Event
		at    int64 // of the event, or of the last one before it that has a time
		next  func() (*Event, bool)
	}
	heads := make([]*head, 0, len(streams))
	for i, stream := range streams {
		next, stop := iter.Pull(func(yield func(*Event) bool) { errs[i] = stream(yield) })
		defer stop()
		if event, ok := next(); ok {
			heads = append(heads, &head{event, event.At, next})
		}
	}
	for len(heads) > 0 {
		first := slices.MinFunc(heads, func(a, b *head) int { return cmp.Compare(a.at, b.at) })
		m.take(first.event)
		event, ok := first.next()
		if !ok {
			heads = slices.DeleteFunc(heads, func(h *head) bool { return h == first })
			continue
		}
		first.event, first.at = event, max(first.at, event.At)
	}
}
