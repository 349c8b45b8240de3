package history

import (
	"slices"

	"openclaw-auth/chain"
)

// fetches are the HTTP answers of a model that no failure has claimed yet. Their
// lines name no run.
type fetches struct {
	failed  int
	status  int
	from    int64
	last    int64
	mixed   bool // answers that are not failures lie between
	Answers map[int]int
	recent  [64]int64 // the times of the latest answers, of any status
	count   int
}

// fetch counts an HTTP answer.
func (s *Story) fetch(event *Event) {
	f := s.fetches[event.Ref]
	if f == nil {
		f = &fetches{Answers: map[int]int{}}
		s.fetches[event.Ref] = f
	}
	f.Answers[event.Status]++
	f.recent[f.count%len(f.recent)] = event.At
	f.count++
	if event.Status < 400 {
		f.failed, f.mixed = 0, true
		return
	}
	if f.failed == 0 || event.At-f.last > silence {
		f.failed, f.from = 0, event.At
	}
	f.failed, f.status, f.last = f.failed+1, event.Status, event.At
}

// hasFetched reports whether a model answered an HTTP request between two times,
// as far as the latest answers tell.
func (s *Story) hasFetched(ref chain.Ref, from, to int64) bool {
	f := s.fetches[ref]
	return f != nil && slices.ContainsFunc(f.recent[:min(f.count, len(f.recent))], func(at int64) bool { return at >= from && at <= to })
}

// countRequests gives a failed call the requests that were made for it. Where
// several runs call the model at once it can't be said whose they were.
func (s *Story) countRequests(t *turn, event *Event) {
	f := s.fetches[event.Ref]
	if f == nil || f.failed == 0 {
		return
	}
	last := &t.events[len(t.events)-1]
	if !s.isAlone(t, event.Ref, f.from) {
		f.failed = 0
		return
	}
	last.Requests = f.failed
	if last.Status == 0 {
		last.Status = f.status
	}
	f.failed = 0
}

func (s *Story) isAlone(t *turn, ref chain.Ref, since int64) bool {
	for _, other := range s.talks {
		if other.turn == nil || other.turn == t || other.turn.over || other.turn.lastAt < since {
			continue
		}
		for i := range other.turn.events {
			if other.turn.events[i].Ref == ref {
				return false
			}
		}
	}
	return true
}

// Requests returns the HTTP answers per model by status, as far as the log has them.
func (s *Story) Requests() map[chain.Ref]map[int]int {
	requests := make(map[chain.Ref]map[int]int, len(s.fetches))
	for ref, f := range s.fetches {
		requests[ref] = f.Answers
	}
	return requests
}
