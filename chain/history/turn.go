package history

import (
	"cmp"

	"openclaw-auth/chain"
)

// talk is a conversation: a session, or a run whose session is not known.
type talk struct {
	name     string
	session  string
	key      string
	agent    string
	recorded bool // a transcript tells where its turns begin
	turn     *turn
	state    *SessionState

	away     chain.Ref // the selected model, while a fallback answers in its place
	winner   chain.Ref // of the run before
	switched bool      // the user switched models since
	lastRun  *Run      // waits for what happened until the next one began
}

// turn collects the events of one turn.
type turn struct {
	run     string
	at      int64
	lastAt  int64
	sent    int64 // time that the user's message itself tells
	hash    uint64
	user    bool // a user message began it
	known   bool // a transcript or trajectory shows it
	byTime  bool
	failed  bool // the last thing heard of was a failure
	over    bool // answered or exhausted
	answer  chain.Ref
	part    bool // continued from a turn that grew too large
	chained int  // the last place in the chain that a decision named
	decided EventKind
	events  []Event
}

// mostEvents bounds a turn: a retry loop can go on for ever.
const mostEvents = 4096

func compareTalks(a, b *talk) int {
	return cmp.Or(cmp.Compare(a.startedAt(), b.startedAt()), cmp.Compare(a.name, b.name))
}

func (t *talk) startedAt() int64 {
	if t.turn != nil {
		return t.turn.at
	}
	if t.lastRun != nil {
		return t.lastRun.StartedAt
	}
	return 0
}

func (t *talk) lastAt() int64 {
	if t.turn != nil {
		return t.turn.lastAt
	}
	if t.lastRun != nil {
		return t.lastRun.EndedAt
	}
	return 0
}

// add gives an event to the turn that it belongs to, a new one if need be.
func (t *talk) add(s *Story, event *Event) {
	if event.SessionKey != "" {
		t.key = event.SessionKey
	}
	if event.Agent != "" {
		t.agent = event.Agent
	}
	switch event.Kind {
	case EventTurn:
		t.recorded = true
		if t.turn != nil && t.turn.repeats(event) {
			t.turn.sent = event.Until
			return
		}
	case EventModelChange, EventSwitch:
		if t.turn == nil || t.turn.over && event.Kind == EventModelChange {
			t.switched = true
			if t.lastRun != nil {
				t.lastRun.Steps = append(t.lastRun.Steps, switchStep(event))
			}
			return
		}
	}
	if t.turn != nil && t.turn.isBefore(event, t.recorded) {
		t.end(s, event.At)
	}
	if t.turn != nil && event.Kind == EventFailover && !t.turn.user && t.turn.hasRotatedFrom(event) {
		call := t.turn.takeLast(event)
		t.end(s, event.At)
		t.open(s, event)
		if call != nil {
			t.turn.add(call)
		}
	}
	if t.turn != nil && len(t.turn.events) >= mostEvents {
		run := t.turn.run
		t.end(s, event.At)
		t.open(s, event)
		t.turn.part, t.turn.run = true, run
	}
	if t.turn == nil {
		if !opens(event.Kind) {
			return
		}
		t.open(s, event)
	}
	t.turn.add(event)
	if event.Kind == EventAgentEnd {
		s.countRequests(t.turn, event)
	}
}

func (t *talk) open(s *Story, event *Event) {
	t.turn = &turn{at: event.At, lastAt: event.At}
	if n := len(s.spare); n > 0 {
		t.turn.events, s.spare = s.spare[n-1], s.spare[:n-1]
	}
}

// mostSpare bounds the memory that is kept for the events of later turns.
const mostSpare = 32

// reuse keeps the memory of a turn that is over.
func (s *Story) reuse(events []Event) {
	if len(s.spare) < mostSpare && cap(events) <= mostSpare {
		s.spare = append(s.spare, events[:0])
	}
}

// opens reports whether an event can be the first one of a turn.
func opens(kind EventKind) bool {
	switch kind {
	case EventRunEnd, EventCap, EventProbing, EventDropped:
		return false
	}
	return true
}

// repeats reports whether a user message is the one of this turn once more: it
// is written again after a rotation of profiles.
func (t *turn) repeats(event *Event) bool {
	if !t.user {
		return false
	}
	if event.Until != 0 && event.Until == t.sent {
		return true
	}
	return event.Hash == t.hash && t.failed && !t.over && event.At-t.lastAt < silence
}

// isBefore reports whether the event begins another turn than this one.
func (t *turn) isBefore(event *Event, recorded bool) bool {
	switch event.Kind {
	case EventTurn:
		return t.user || t.over
	case EventWindow, EventFailover, EventRunEnd, EventAuditEnd, EventLaneError, EventDropped, EventStopped, EventCandidateOK, EventModelChange:
		return t.otherRun(event)
	case EventAnswer, EventAttemptEnd:
		return t.otherRun(event)
	case EventStep:
		if event.Code == "succeeded" || event.Code == "chain_exhausted" {
			return t.otherRun(event)
		}
	case EventCron:
		return false
	}
	if t.otherRun(event) {
		return true
	}
	if t.over && (!recorded || !t.user || event.At-t.lastAt > 1000) && begins(event.Kind) {
		return !t.hasAsked(event)
	}
	if decides(event.Kind) && event.Attempt > 0 && event.Kind != EventStep {
		if event.Attempt < t.chained || event.Attempt == t.chained && !(t.decided == EventProbe && event.Kind == EventCandidateFailed) {
			return !t.hasAsked(event)
		}
	}
	return !recorded && event.At-t.lastAt > silence && event.At != 0
}

// hasAsked reports whether an equal decision of another source is here already.
func (t *turn) hasAsked(event *Event) bool {
	for i := len(t.events) - 1; i >= max(0, len(t.events)-64); i-- {
		if sameRecord(&t.events[i], event) {
			return true
		}
	}
	return false
}

func (t *turn) otherRun(event *Event) bool {
	return event.Run != "" && t.run != "" && event.Run != t.run
}

// hasRotatedFrom reports whether this turn has left the profile already: a run
// never comes back to one, so this is the run id's next turn.
func (t *turn) hasRotatedFrom(event *Event) bool {
	for i := range t.events {
		past := &t.events[i]
		if past.Kind == EventFailover && past.Code == "rotate_profile" && past.Ref == event.Ref && past.Profile == event.Profile && event.Profile != "" && !sameRecord(past, event) {
			return true
		}
	}
	return false
}

// takeLast removes the failed call that a decision is about from the turn.
func (t *turn) takeLast(event *Event) *Event {
	n := len(t.events) - 1
	if n < 0 || t.events[n].Kind != EventAgentEnd || t.events[n].Ref != event.Ref {
		return nil
	}
	call := t.events[n]
	t.events = t.events[:n]
	return &call
}

// begins reports whether an event can only belong to a turn that is not over.
func begins(kind EventKind) bool {
	switch kind {
	case EventAgentEnd, EventSkip, EventProbe, EventCandidateFailed, EventRunStart, EventAuditStart, EventAttempt, EventStep, EventAnswerFailed, EventSnapshot:
		return true
	}
	return false
}

func decides(kind EventKind) bool {
	return kind == EventSkip || kind == EventProbe || kind == EventCandidateFailed
}

// add takes an event in.
func (t *turn) add(event *Event) {
	if t.run == "" {
		t.run = event.Run
	}
	t.lastAt = max(t.lastAt, event.At)
	if event.At != 0 && (t.at == 0 || event.At < t.at) {
		t.at = event.At
	}
	switch event.Kind {
	case EventTurn:
		t.user, t.known, t.sent, t.hash = true, true, event.Until, event.Hash
		t.at = event.At
		return
	case EventAttempt, EventAnswer, EventAnswerFailed, EventSnapshot, EventAttemptEnd, EventStep:
		t.known = true
	}
	t.follow(event)
	t.events = append(t.events, *event)
}

// follow keeps track of whether the turn is over.
func (t *turn) follow(event *Event) {
	switch event.Kind {
	case EventAgentEnd, EventFailover, EventAnswerFailed:
		t.failed, t.over = true, t.over && event.Kind == EventFailover
	case EventAttemptEnd:
		t.failed = event.Failed
		t.over = t.over || !event.Failed
	case EventAnswer:
		t.failed = false
		t.over = event.Code != "toolUse" && event.Code != ""
		t.answer = event.Ref
	case EventCandidateOK:
		t.failed, t.over, t.answer = false, true, event.Ref
	case EventRunEnd, EventAuditEnd:
		t.over = true
	case EventSkip, EventProbe, EventCandidateFailed:
		t.chained, t.decided = max(t.chained, event.Attempt), event.Kind
		t.over = event.Kind != EventProbe && event.Next.IsZero() && event.Attempt == event.Total
	case EventStep:
		t.over = event.Code != "next_fallback"
	case EventAttempt, EventRunStart, EventAuditStart:
		t.over = false
	}
}

// awaits reports whether an event without a run id can belong to this turn.
func (t *turn) awaits(event *Event) bool {
	if event.At != 0 && event.At-t.lastAt > silence {
		return false
	}
	for i := len(t.events) - 1; i >= max(0, len(t.events)-24); i-- {
		past := &t.events[i]
		switch event.Kind {
		case EventCap, EventProbing:
			if past.Ref == event.Ref && !t.over {
				return true
			}
		case EventWindow:
			if past.Profile == event.Profile && past.Profile != "" {
				return true
			}
		case EventCandidateFailed, EventProbe, EventSkip, EventCandidateOK:
			if t.over && !sameRecord(past, event) {
				return false
			}
			if sameRecord(past, event) || !past.Next.IsZero() && past.Next == event.Ref && past.Requested == event.Requested && decides(past.Kind) {
				return true
			}
			if event.Kind == EventCandidateFailed && past.Ref == event.Ref &&
				(past.Kind == EventAgentEnd || past.Kind == EventFailover || past.Kind == EventProbe || past.Kind == EventProbing) {
				return true
			}
		}
	}
	return false
}

// merge takes in the events of a run whose session has become known.
func (t *turn) merge(other *turn) {
	for i := range other.events {
		t.add(&other.events[i])
	}
}

// switchStep is the user's own change of the model.
func switchStep(event *Event) Step {
	return Step{
		At: event.At, Kind: StepUserSwitch, Ref: event.Ref, Certainty: certaintyOf(event),
		Evidence: []Evidence{{event.Source, event.Line}},
	}
}

func certaintyOf(event *Event) Certainty {
	if event.Kind < EventTurn {
		return Logged
	}
	return Recorded
}

// sameRecord reports whether two events of different sources are one record.
func sameRecord(a, b *Event) bool {
	if a.Kind != b.Kind || a.Source == b.Source || a.Ref != b.Ref || a.Profile != b.Profile {
		return false
	}
	if a.Run != "" && b.Run != "" && a.Run != b.Run || a.Reason != "" && b.Reason != "" && a.Reason != b.Reason || a.Code != b.Code {
		return false
	}
	return a.At-b.At <= 2000 && b.At-a.At <= 2000
}
