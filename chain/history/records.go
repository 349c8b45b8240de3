package history

import (
	"cmp"
	"slices"
)

// records gives a story what was recorded beside the logs, in the order of time.
type records struct {
	story  *Story
	unread []Stream // by their begin, the first one last
	open   []*puller
	errs   []error
	queue  []Event // in order, up to a minute ahead of what the story has
	head   int
}

func newRecords(story *Story, rows []Event, streams []Stream) *records {
	r := &records{story: story, unread: slices.Clone(streams), errs: make([]error, 0, len(streams)+1)}
	if len(rows) > 0 {
		r.unread = append(r.unread, Stream{Begin: rows[0].At, Read: func(yield func(*Event) bool) error {
			for i := range rows {
				if !yield(&rows[i]) {
					break
				}
			}
			return nil
		}})
	}
	slices.SortStableFunc(r.unread, func(a, b Stream) int { return cmp.Compare(b.Begin, a.Begin) })
	return r
}

// give adds what was recorded until a time to the story. Sessions of runs are made
// known a minute ahead: a log may name a run before its trajectory does.
func (r *records) give(until int64) {
	for {
		r.look(until)
		if r.head == len(r.queue) || r.queue[r.head].At > until {
			return
		}
		for r.head < len(r.queue) && r.queue[r.head].At <= until && r.head < mostEvents {
			r.story.Add(&r.queue[r.head])
			r.head++
		}
		r.queue = r.queue[:copy(r.queue, r.queue[r.head:])]
		r.head = 0
	}
}

// look fills the queue with what lies before a time and a minute after it.
func (r *records) look(until int64) {
	ahead := until
	if ahead < lastTime-disorder {
		ahead += disorder
	}
	for len(r.queue)-r.head < 2*mostEvents {
		for n := len(r.unread); n > 0 && (r.unread[n-1].Begin <= ahead && (len(r.open) == 0 || r.unread[n-1].Begin <= r.first().at+disorder)); n = len(r.unread) {
			r.errs = append(r.errs, nil)
			if p := pull(r.unread[n-1], &r.errs[len(r.errs)-1]); p != nil {
				r.open = append(r.open, p)
			}
			r.unread = r.unread[:n-1]
		}
		if len(r.open) == 0 {
			return
		}
		first := r.first()
		if first.at > ahead {
			return
		}
		r.put(first.event)
		if !first.advance() {
			r.open = slices.DeleteFunc(r.open, func(p *puller) bool { return p == first })
		}
	}
}

// first is the open record whose next event is the earliest.
func (r *records) first() *puller {
	return slices.MinFunc(r.open, func(a, b *puller) int { return cmp.Compare(a.at, b.at) })
}

// put sorts an event into the queue.
func (r *records) put(event *Event) {
	r.story.Know(event)
	place := len(r.queue)
	for place > r.head && r.queue[place-1].At > event.At {
		place--
	}
	r.queue = slices.Insert(r.queue, place, *event)
}

// stop ends what is still open.
func (r *records) stop() {
	for _, p := range r.open {
		p.stop()
	}
}
