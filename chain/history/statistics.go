package history

import (
	"cmp"
	"slices"
	"time"

	"openclaw-auth/chain"
)

// Statistics counts runs. It keeps no run: its size depends on how many
// profiles, models, reasons and periods there are.
type Statistics struct {
	From, To  int64 // Unix ms of the first and the last run
	Turns     Outcomes
	Runs      Outcomes // run ids that no transcript or trajectory shows as turns
	Decisions int      // records of the fallback loop
	Models    map[chain.Ref]*ModelCount
	Periods   map[int64]*Period // by their begin, Unix ms
	Away      []Away            // the longest times of a session on a fallback
	Marks     *Marks

	period func(at int64) int64
	away   map[string]Away
}

// Outcomes counts runs by who answered.
type Outcomes struct {
	Selected int `json:"selected"`
	Fallback int `json:"fallback"`
	Failed   int `json:"failed"`
	Unknown  int `json:"unknown"`
}

// Total is the number of runs.
func (o Outcomes) Total() int { return o.Selected + o.Fallback + o.Failed + o.Unknown }

func (o *Outcomes) add(outcome Outcome) {
	switch outcome {
	case OutcomeSelected:
		o.Selected++
	case OutcomeFallback:
		o.Fallback++
	case OutcomeFailed:
		o.Failed++
	default:
		o.Unknown++
	}
}

// ModelCount counts what became of a model.
type ModelCount struct {
	Asked    int // runs that asked for it
	Answered int
	Failed   int // runs in which it was tried and given up
	Skipped  int
	NotSent  int // of the failed ones, those in which no request was sent
}

// Period is an hour or a day.
type Period struct {
	Outcomes Outcomes
	Failures map[string]int // failed attempts by reason
}

// Away is a time that a session spent on a fallback.
type Away struct {
	Session  string // its key, or its id where that is not known
	From, To int64
	Open     bool // it has not come back
	Selected chain.Ref
	Fallback chain.Ref
	Turns    int
}

// mostAway is how many of the longest times on a fallback are kept.
const mostAway = 50

// NewStatistics returns empty statistics. By is how runs are put together: "hour",
// "day" or nothing; days begin at midnight of the zone.
func NewStatistics(by string, zone *time.Location) *Statistics {
	s := &Statistics{Models: map[chain.Ref]*ModelCount{}, Periods: map[int64]*Period{}, Marks: newMarks(), away: map[string]Away{}}
	if zone == nil {
		zone = time.UTC
	}
	switch by {
	case "hour":
		s.period = func(at int64) int64 {
			t := time.UnixMilli(at).In(zone)
			return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), 0, 0, 0, zone).UnixMilli()
		}
	case "day":
		s.period = func(at int64) int64 {
			t := time.UnixMilli(at).In(zone)
			return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, zone).UnixMilli()
		}
	}
	return s
}

// Add counts a run.
func (s *Statistics) Add(run *Run) {
	if run.StartedAt != 0 && (s.From == 0 || run.StartedAt < s.From) {
		s.From = run.StartedAt
	}
	s.To = max(s.To, run.EndedAt)
	if !run.Continued {
		if run.Turn {
			s.Turns.add(run.Outcome)
		} else {
			s.Runs.add(run.Outcome)
		}
		if !run.Requested.IsZero() {
			s.model(run.Requested).Asked++
		}
	}
	if !run.Winner.IsZero() {
		s.model(run.Winner).Answered++
	}
	s.countModels(run)
	s.countPeriod(run)
	s.follow(run)
}

func (s *Statistics) model(ref chain.Ref) *ModelCount {
	count, ok := s.Models[ref]
	if !ok {
		count = &ModelCount{}
		s.Models[ref] = count
	}
	return count
}

func (s *Statistics) countModels(run *Run) {
	var failed []chain.Ref
	fail := func(ref chain.Ref) {
		if ref != run.Winner && !slices.Contains(failed, ref) && run.gaveUp(ref) {
			failed = append(failed, ref)
		}
	}
	for i := range run.Steps {
		step := &run.Steps[i]
		switch step.Kind {
		case StepAttemptFailed:
			fail(step.Ref)
			s.Marks.add(step.At, step.Profile, step.Ref, step.Reason)
		case StepNotSent:
			fail(step.Ref)
			s.model(step.Ref).NotSent++
		case StepSkip:
			if step.Profile == "" {
				s.model(step.Ref).Skipped++
				s.Decisions++
			}
		case StepProbe, StepExhausted:
			s.Decisions++
		case StepFallback:
			if step.Why == "" {
				s.Decisions++
			}
		case StepAnswered:
			if step.Certainty == Logged {
				s.Decisions++
			}
		}
	}
	for _, ref := range failed {
		s.model(ref).Failed++
	}
}

// gaveUp reports whether a model was given up: another one answered or was
// tried next, or none was left.
func (r *Run) gaveUp(ref chain.Ref) bool {
	return !r.Winner.IsZero() || slices.ContainsFunc(r.Steps, func(step Step) bool {
		return step.Ref == ref && (step.Kind == StepFallback || step.Kind == StepExhausted)
	}) || r.Outcome == OutcomeFailed
}

func (s *Statistics) countPeriod(run *Run) {
	if s.period == nil || run.StartedAt == 0 {
		return
	}
	begin := s.period(run.StartedAt)
	period, ok := s.Periods[begin]
	if !ok {
		period = &Period{Failures: map[string]int{}}
		s.Periods[begin] = period
	}
	period.Outcomes.add(run.Outcome)
	for i := range run.Steps {
		if run.Steps[i].Kind == StepAttemptFailed {
			period.Failures[run.Steps[i].Reason]++
		}
	}
}

// follow keeps track of sessions that a fallback answers.
func (s *Statistics) follow(run *Run) {
	session := cmp.Or(run.SessionKey, run.Session)
	if session == "" || run.StartedAt == 0 {
		return
	}
	away, ok := s.away[session]
	switch {
	case run.Outcome == OutcomeFallback:
		if !ok || away.Selected != run.Requested || away.Fallback != run.Winner {
			s.back(session, run.StartedAt)
			away = Away{Session: session, From: run.StartedAt, Selected: run.Requested, Fallback: run.Winner}
		}
		away.To, away.Open = run.EndedAt, true
		away.Turns++
		s.away[session] = away
	case ok && run.Outcome == OutcomeSelected:
		s.back(session, run.EndedAt)
	}
}

// back ends a session's time on a fallback.
func (s *Statistics) back(session string, at int64) {
	away, ok := s.away[session]
	if !ok {
		return
	}
	delete(s.away, session)
	away.To, away.Open = at, false
	s.keep(away)
}

func (s *Statistics) keep(away Away) {
	s.Away = append(s.Away, away)
	if len(s.Away) > 2*mostAway {
		s.sortAway()
	}
}

func (s *Statistics) sortAway() {
	slices.SortStableFunc(s.Away, func(a, b Away) int {
		return cmp.Or(cmp.Compare(b.To-b.From, a.To-a.From), cmp.Compare(a.From, b.From), cmp.Compare(a.Session, b.Session))
	})
	s.Away = s.Away[:min(len(s.Away), mostAway)]
}

// Close puts in the sessions that are still on a fallback.
func (s *Statistics) Close() {
	for _, away := range s.away {
		s.keep(away)
	}
	clear(s.away)
	s.sortAway()
}

// Marks counts failures by time, coarsely enough to be bounded.
type Marks struct {
	Width  int64 // ms of time that one mark stands for
	counts map[markKey]int
}

type markKey struct {
	profile string
	ref     chain.Ref
	reason  string
	at      int64
}

// Mark is a number of failures at a time.
type Mark struct {
	At      int64
	Profile string
	Ref     chain.Ref
	Reason  string
	Count   int
}

const mostMarks = 4000

func newMarks() *Marks { return &Marks{Width: 1000, counts: map[markKey]int{}} }

func (m *Marks) add(at int64, profile string, ref chain.Ref, reason string) {
	if at == 0 {
		return
	}
	m.counts[markKey{profile, ref, reason, at - at%m.Width}]++
	for len(m.counts) > mostMarks && m.Width < 1<<40 {
		m.Width *= 2
		coarser := make(map[markKey]int, len(m.counts)/2)
		for key, count := range m.counts {
			key.at -= key.at % m.Width
			coarser[key] += count
		}
		m.counts = coarser
	}
}

// All returns the marks in the order of time.
func (m *Marks) All() []Mark {
	marks := make([]Mark, 0, len(m.counts))
	for key, count := range m.counts {
		marks = append(marks, Mark{key.at, key.profile, key.ref, key.reason, count})
	}
	slices.SortFunc(marks, func(a, b Mark) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Profile, b.Profile), cmp.Compare(a.Ref.String(), b.Ref.String()), cmp.Compare(a.Reason, b.Reason))
	})
	return marks
}
