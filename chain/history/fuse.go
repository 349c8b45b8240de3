package history

import (
	"cmp"
	"slices"

	"openclaw-auth/chain"
)

// attempt is one failed call of a model with a profile, put together from all
// sources that mention it.
type attempt struct {
	step    Step
	seen    uint32 // the kinds of events that mention it
	last    int64
	rotated bool
	turned  int // place of the event that showed the rotation
	source  int // of the first log line about it; -1: none
	window  *Step
	decided int // how many decisions of its run came before it
}

// fuser builds one run out of the events of a turn.
type fuser struct {
	story     *Story
	talk      *talk
	run       *Run
	attempts  []*attempt
	steps     []Step
	windows   []Step
	decisions int
	decidedAt int64             // of the decision before; the begin of the run until there is one
	asked     map[chain.Ref]int // decisions per model
	snapshots []Event
	started   []Event
	answers   []Event
	ended     *Event
	places    []int // of steps, while they are sorted
	exhausted bool
	seq       int  // of the event being taken
	given     bool // the log says who answered
}

// end makes a run of the open turn. at is when the next one begins, 0: there is none.
func (t *talk) end(s *Story, at int64) {
	if t.turn == nil {
		return
	}
	turn := t.turn
	t.turn = nil
	run := &Run{
		ID: turn.run, Session: t.session, SessionKey: t.key, Agent: t.agent, StartedAt: turn.at, EndedAt: turn.lastAt,
		Turn: turn.known, Continued: turn.part, SessionByTime: turn.byTime,
	}
	if key, ok := s.keys[t.session]; ok && t.session != "" {
		run.SessionKey = key
	}
	if run.SessionKey != "" && run.Agent == "" {
		run.Agent = agentOf(run.SessionKey)
	}
	f := s.fuserOf(t, run)
	f.fuse(turn.events)
	defer s.reuse(turn.events)
	if len(run.Steps) == 0 && !turn.known && run.Outcome == OutcomeUnknown {
		return // nothing but lines that tie ids together
	}
	t.flush(s, cmp.Or(run.StartedAt, at))
	t.lastRun = run
	s.windows.run(run)
}

// fuserOf returns the story's fuser for another run, with the memory of the last one.
func (s *Story) fuserOf(t *talk, run *Run) *fuser {
	f := &s.fuser
	if f.asked == nil {
		f.asked = map[chain.Ref]int{}
	}
	clear(f.asked)
	*f = fuser{
		story: s, talk: t, run: run, asked: f.asked, attempts: f.attempts[:0], steps: f.steps[:0],
		windows: f.windows[:0], snapshots: f.snapshots[:0], started: f.started[:0], answers: f.answers[:0], places: f.places, decidedAt: run.StartedAt,
	}
	return f
}

// flush gives the last run out, with the windows that ended until a time.
func (t *talk) flush(s *Story, until int64) {
	if t.lastRun == nil {
		return
	}
	run := t.lastRun
	t.lastRun = nil
	run.Steps = append(run.Steps, s.windows.freed(t.name, run, until)...)
	slices.SortStableFunc(run.Steps, func(a, b Step) int { return cmp.Compare(a.At, b.At) })
	s.emit(run)
}

// agentOf is the agent that a session key names.
func agentOf(key string) string {
	const begin = "agent:"
	if len(key) <= len(begin) || key[:len(begin)] != begin {
		return ""
	}
	for i := len(begin); i < len(key); i++ {
		if key[i] == ':' {
			return key[len(begin):i]
		}
	}
	return ""
}

func (f *fuser) fuse(events []Event) {
	slices.SortStableFunc(events, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
	for i := range events {
		event := &events[i]
		f.seq = i
		if f.isDouble(events[:i], event) {
			continue
		}
		f.take(event)
	}
	f.request(events)
	f.joinWindows()
	f.infer()
	f.conclude()
	f.order()
}

// isDouble reports whether another source told this record already. The step of
// the first one gets the second line as evidence.
func (f *fuser) isDouble(before []Event, event *Event) bool {
	if event.Kind >= EventTurn {
		return false
	}
	for i := len(before) - 1; i >= max(0, len(before)-64); i-- {
		past := &before[i]
		if event.At-past.At > 2000 {
			break
		}
		if sameRecord(past, event) {
			f.addEvidence(past, event)
			return true
		}
	}
	return false
}

func (f *fuser) addEvidence(past, event *Event) {
	was, is := Evidence{past.Source, past.Line}, Evidence{event.Source, event.Line}
	add := func(step *Step) {
		if slices.Contains(step.Evidence, was) && !slices.Contains(step.Evidence, is) {
			step.Evidence = append(step.Evidence, is)
		}
	}
	for _, a := range f.attempts {
		add(&a.step)
	}
	for i := range f.steps {
		add(&f.steps[i])
	}
	for i := range f.windows {
		add(&f.windows[i])
		if f.windows[i].Until == 0 {
			f.windows[i].Until = event.Until
		}
	}
}

func (f *fuser) take(event *Event) {
	switch event.Kind {
	case EventAgentEnd, EventFailover, EventAnswerFailed:
		f.failure(event)
	case EventAttemptEnd:
		if event.Failed && event.Code == "error" || event.Detail != "" {
			f.failure(event)
		} else if !event.Failed {
			f.answers = append(f.answers, *event)
		}
	case EventWindow:
		step := f.step(event, StepProfileWindow)
		step.Window, step.Until, step.Reused = event.Window, event.Until, event.Reused
		f.windows = append(f.windows, step)
	case EventSkip, EventProbe, EventCandidateFailed:
		f.decision(event)
	case EventCandidateOK:
		f.given = true
		f.win(event)
	case EventCap:
		f.steps = append(f.steps, f.step(event, StepCap))
	case EventStep:
		f.chainStep(event)
	case EventSwitch:
		f.steps = append(f.steps, switchStep(event))
	case EventStopped:
		f.steps = append(f.steps, f.step(event, StepStopped))
	case EventDropped:
		f.steps = append(f.steps, f.step(event, StepNotStored))
	case EventOldTimeout:
		step := f.step(event, StepAttemptFailed)
		f.attempts = append(f.attempts, &attempt{step: step, last: event.At, rotated: true, source: event.Source})
	case EventSnapshot:
		f.snapshots = append(f.snapshots, *event)
	case EventAttempt, EventRunStart:
		f.started = append(f.started, *event)
	case EventAnswer:
		if !event.Failed {
			f.answers = append(f.answers, *event)
		}
	case EventRunEnd, EventAuditEnd:
		f.ended = event
	case EventCron:
		f.run.Cron = true
		f.cron(event)
	}
}

func (f *fuser) step(event *Event, kind StepKind) Step {
	return Step{
		At: event.At, Kind: kind, Ref: event.Ref, Next: event.Next, Profile: event.Profile, Reason: event.Reason,
		Status: event.Status, Class: event.Class, Detail: event.Detail, Attempt: event.Attempt, Total: event.Total,
		Profiles: event.Profiles, Suppressed: event.Suppressed, Certainty: certaintyOf(event),
		Evidence: []Evidence{{event.Source, event.Line}}, seq: f.seq,
	}
}

// nearby is how far apart two sources' times of one failure may lie.
const nearby = 20_000

// failure takes a piece of evidence for a failed attempt: a new one, or another
// source's word for one that is known.
func (f *fuser) failure(event *Event) {
	bit := uint32(1) << event.Kind
	var best *attempt
	for _, a := range f.attempts {
		if a.step.Ref != event.Ref || a.seen&bit != 0 || event.At-a.last > nearby {
			continue
		}
		if event.Profile != "" && a.step.Profile != "" && a.step.Profile != event.Profile {
			continue
		}
		if best == nil || event.At-a.last < event.At-best.last {
			best = a
		}
	}
	if best == nil {
		best = &attempt{step: f.step(event, StepAttemptFailed), last: event.At, source: -1, decided: f.asked[event.Ref]}
		best.step.Next, best.step.Attempt, best.step.Total = chain.Ref{}, 0, 0
		f.attempts = append(f.attempts, best)
	} else {
		best.step.Evidence = append(best.step.Evidence, Evidence{event.Source, event.Line})
		best.know(event)
	}
	best.seen |= bit
	best.last = max(best.last, event.At)
	if event.Kind < EventTurn && best.source < 0 {
		best.source = event.Source
	}
	if event.Kind == EventFailover {
		best.rotated, best.turned = event.Code == "rotate_profile", f.seq
	}
	best.step.Requests = max(best.step.Requests, event.Requests)
}

// know adds what an event tells beyond what is known of the attempt.
func (a *attempt) know(event *Event) {
	step := &a.step
	if step.Certainty != Logged {
		step.Certainty = certaintyOf(event)
	}
	if step.Profile == "" {
		step.Profile = event.Profile
	}
	if step.Reason == "" {
		step.Reason = event.Reason
	}
	if step.Detail == "" || step.Status == 0 && event.Status != 0 && !event.Class {
		if event.Detail != "" {
			step.Detail = event.Detail
		}
	}
	if event.Status != 0 && (step.Status == 0 || step.Class && !event.Class) {
		step.Status, step.Class = event.Status, event.Class
	}
}

// decision takes one of the fallback loop's records.
func (f *fuser) decision(event *Event) {
	f.decisions++
	kind := StepProbe
	switch event.Kind {
	case EventSkip:
		kind = StepSkip
	case EventCandidateFailed:
		kind = StepFallback
		f.candidateFailed(event)
	}
	step := f.step(event, kind)
	switch kind {
	case StepSkip, StepProbe:
		step.Blocked = f.story.windows.blocking(f.run.Agent, event.Ref.Provider, event.At)
		f.steps = append(f.steps, step)
	case StepFallback:
		if !event.Next.IsZero() {
			f.steps = append(f.steps, step)
		}
	}
	f.decidedAt = event.At
	if event.Kind != EventProbe {
		f.asked[event.Ref]++
	}
	if event.Kind != EventProbe && event.Next.IsZero() {
		f.exhaust(event)
	}
}

// candidateFailed looks for the failed call behind a failed candidate. Where
// there is none, nothing was sent.
func (f *fuser) candidateFailed(event *Event) {
	called := false
	for _, a := range f.attempts {
		if a.step.Ref == event.Ref && a.decided >= f.asked[event.Ref] {
			called = true
			a.step.Attempt, a.step.Total = event.Attempt, event.Total
			if a.step.Reason == "" && a.last > 0 {
				a.step.Reason = event.Reason
			}
		}
	}
	if called {
		return
	}
	if f.story.hasFetched(event.Ref, f.decidedAt, event.At) {
		step := f.step(event, StepAttemptFailed) // it answered, with nothing of use
		step.Next = chain.Ref{}
		f.steps = append(f.steps, step)
		return
	}
	step := f.step(event, StepNotSent)
	step.Next, step.Why = chain.Ref{}, WhyNoRequest
	step.Blocked = f.story.windows.blocking(f.run.Agent, event.Ref.Provider, event.At)
	if len(step.Blocked) > 0 {
		step.Why = WhyCooling
	}
	// A log that begins in the middle of a run may lack the call.
	if f.decisions == 1 && f.story.logFrom != 0 && event.At-f.story.logFrom < 60_000 && event.At == f.run.StartedAt {
		step.Kind, step.Why, step.Certainty = StepAttemptFailed, "", Inferred
	}
	f.steps = append(f.steps, step)
}

func (f *fuser) exhaust(event *Event) {
	f.exhausted = true
	step := f.step(event, StepExhausted)
	step.Detail, step.Reason, step.Status = "", "", 0
	f.steps = append(f.steps, step)
}

// win takes the log's word for who answered.
func (f *fuser) win(event *Event) {
	step := f.step(event, StepAnswered)
	step.Detail, step.Status, step.Reason, step.Next = "", 0, "", chain.Ref{}
	f.run.Winner = event.Ref
	f.steps = append(f.steps, step)
}
