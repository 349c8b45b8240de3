package history

import (
	"slices"
	"strconv"
	"strings"

	"openclaw-auth/chain"
)

// Options are what the story knows from elsewhere.
type Options struct {
	Now      int64 // Unix ms
	Names    Names
	Sessions []SessionState
	Profiles map[ProfileKey]ProfileState

	// StoreOf names the store in which an agent finds a profile: an agent's id,
	// or nothing for the shared one. Nil: there is one store.
	StoreOf func(agent, profile string) string

	// Ladder tells how long the window of a profile's nth failure in a row is, in
	// ms, for logs that don't tell it; 0: no window. Nil: windows stay unknown.
	Ladder func(reason, provider string, nth int) (WindowKind, int64)

	// Follows reports whether a model comes next to another in the configured
	// chain. Nil: it is not known.
	Follows func(agent string, from, to chain.Ref) bool
}

// SessionState is what a session's entry says now.
type SessionState struct {
	ID, Key, Agent string
	Override       chain.Ref // zero: none
	OverrideUser   bool      // the user set it; else a fallback did
	Origin         chain.Ref // the model that a fallback's override replaced
	Profile        string    // the profile that the session is tied to
	ProfileUser    bool
	Notice         string // reason of the last announced fallback
	UpdatedAt      int64
}

// ProfileState is what the auth state says of a profile now.
type ProfileState struct {
	Provider      string
	LastUsed      int64
	LastFailureAt int64
	ErrorCount    int
	Until         int64 // end of the latest window; 0: none
	Window        WindowKind
	Reason        string
}

// Story puts events together into runs. Events are added in the order of time;
// runs come out when they are over, so that a story of any length needs memory
// only for what is open.
type Story struct {
	options  Options
	emit     func(*Run)
	talks    map[string]*talk
	sessions map[string]*mapped // run id → session
	keys     map[string]string  // session id → key
	ids      map[string]string  // key → session id
	fetches  map[chain.Ref]*fetches
	windows  *windows
	at       int64 // the latest time seen
	added    int
	nameless int
	spare    [][]Event
	fuser    fuser // of the run that is being put together
	logFrom  int64 // the first time of the log
	cronRow  Event // the last row of a cron job's run, while another may follow
}

// mapped is the session of a run.
type mapped struct {
	session  string
	at       int64
	recorded bool
	byTime   bool
}

// logBegins is the code of an event that tells where a log begins.
const logBegins = "begin"

// silence is how long a run that no transcript shows may be silent.
const silence = 5 * 60_000

// NewStory returns a story whose runs are given to emit, in the order in which they end.
func NewStory(options Options, emit func(*Run)) *Story {
	if options.Names == nil {
		options.Names = Names{}
	}
	s := &Story{
		options: options, emit: emit, talks: map[string]*talk{}, sessions: map[string]*mapped{},
		keys: map[string]string{}, ids: map[string]string{}, fetches: map[chain.Ref]*fetches{},
		windows: newWindows(options),
	}
	for _, session := range options.Sessions {
		s.keys[session.ID] = session.Key
		s.ids[session.Key] = session.ID
	}
	return s
}

// Add adds the next event.
func (s *Story) Add(event *Event) {
	s.at = max(s.at, event.At)
	if s.cronRow.Kind != EventNone && event.At > s.cronRow.At+sameMoment {
		s.flushCron()
	}
	if s.added++; s.added%4096 == 0 {
		s.sweep()
	}
	if event.Profile != "" {
		event.Profile = s.options.Names.Of(event.Profile)
	}
	if event.Session != "" && event.SessionKey != "" && event.Kind != EventLaneError {
		s.keys[event.Session] = event.SessionKey
	}
	switch event.Kind {
	case EventNone:
		if event.Code == logBegins && (s.logFrom == 0 || event.At < s.logFrom) {
			s.logFrom = event.At
		}
		return
	case EventFetch:
		s.fetch(event)
		return
	case EventLaneError:
		s.lane(event)
		return
	case EventCron:
		s.cron(event)
		return
	}
	t := s.talkOf(event)
	if t == nil {
		return
	}
	t.add(s, event)
}

// Know tells the story of a run's session before the run's own events come, as
// trajectories do.
func (s *Story) Know(event *Event) {
	if event.Run != "" && event.Session != "" && event.Run != event.Session {
		s.sessions[event.Run] = &mapped{session: event.Session, at: event.At, recorded: true}
	}
	if event.Session != "" && event.SessionKey != "" {
		s.keys[event.Session] = event.SessionKey
	}
}

// Close ends the story: what is open is over as far as the sources tell.
func (s *Story) Close() {
	s.flushCron()
	open := make([]*talk, 0, len(s.talks))
	for _, t := range s.talks {
		open = append(open, t)
	}
	slices.SortFunc(open, func(a, b *talk) int { return compareTalks(a, b) })
	for _, t := range open {
		t.end(s, 0)
		t.flush(s, s.until())
	}
	clear(s.talks)
}

// until is the time up to which windows are seen to end.
func (s *Story) until() int64 {
	if s.options.Now != 0 {
		return s.options.Now
	}
	return s.at
}

// Windows returns what is known of the profiles at the end of the story.
func (s *Story) Windows() map[ProfileKey]*ProfileHistory { return s.windows.profiles }

// talkOf finds the conversation that an event belongs to.
func (s *Story) talkOf(event *Event) *talk {
	session := event.Session
	if session == "" && event.Run != "" {
		if m, ok := s.sessions[event.Run]; ok {
			session, m.at = m.session, event.At
		} else if _, known := s.keys[event.Run]; known || s.talks[event.Run] != nil {
			session = event.Run
		}
	}
	if session != "" {
		if event.Run != "" {
			s.join(event.Run, session, event, false)
		}
		return s.adopting(s.talk(session, session), event)
	}
	if event.Run != "" {
		return s.adopting(s.talk("run "+event.Run, ""), event)
	}
	return s.unnamed(event)
}

// join makes a run's session known, and moves what the run had before that.
func (s *Story) join(run, session string, event *Event, byTime bool) {
	if _, ok := s.sessions[run]; ok {
		return
	}
	s.sessions[run] = &mapped{session: session, at: event.At, recorded: event.Kind >= EventTurn, byTime: byTime}
	before, ok := s.talks["run "+run]
	if !ok {
		return
	}
	delete(s.talks, "run "+run)
	t := s.talk(session, session)
	if before.turn == nil {
		return
	}
	if t.turn == nil {
		t.turn = before.turn
		return
	}
	t.turn.merge(before.turn)
}

func (s *Story) talk(name, session string) *talk {
	t, ok := s.talks[name]
	if !ok {
		t = &talk{name: name, session: session}
		for i := range s.options.Sessions {
			if session != "" && s.options.Sessions[i].ID == session {
				t.state = &s.options.Sessions[i]
			}
		}
		s.talks[name] = t
	}
	return t
}

// adopting gives a conversation the decisions that went before this event
// without a run id, as the console form writes them: a probe of the model, or
// the step that led to it.
func (s *Story) adopting(t *talk, event *Event) *talk {
	if s.nameless == 0 || event.Kind != EventAgentEnd && event.Kind != EventRunStart || t.turn != nil && !t.turn.over {
		return t
	}
	for name, other := range s.talks {
		if !strings.HasPrefix(name, namelessBegin) || other.turn == nil || other.turn.over || len(other.turn.events) == 0 {
			continue
		}
		last := &other.turn.events[len(other.turn.events)-1]
		if last.Next != event.Ref && !(last.Ref == event.Ref && (last.Kind == EventProbe || last.Kind == EventProbing)) {
			continue
		}
		t.end(s, other.turn.at)
		t.turn = other.turn
		delete(s.talks, name)
		return t
	}
	return t
}

// namelessBegin begins the names of conversations whose run is not known.
const namelessBegin = "nameless "

// unnamed finds the run of an event that names none: those of the console form,
// and the plain lines.
func (s *Story) unnamed(event *Event) *talk {
	var best *talk
	for _, t := range s.talks {
		if t.turn != nil && t.turn.awaits(event) && (best == nil || t.turn.lastAt > best.turn.lastAt || t.turn.lastAt == best.turn.lastAt && t.name < best.name) {
			best = t
		}
	}
	if best != nil {
		return best
	}
	switch event.Kind {
	case EventSkip, EventProbe, EventCandidateFailed, EventCandidateOK, EventOldTimeout, EventWindow:
		s.nameless++
		return s.talk(namelessBegin+strconv.Itoa(s.nameless), "")
	}
	return nil // a plain line that belongs to nothing that is open
}

// lane uses a failed lane's session key for the one run that has no session yet
// and was heard of at that moment.
func (s *Story) lane(event *Event) {
	session, ok := s.ids[event.SessionKey]
	var match *talk
	for _, t := range s.talks {
		if t.turn == nil || t.session != "" || event.At-t.turn.lastAt > 1000 || t.turn.lastAt-event.At > 1000 {
			continue
		}
		if match != nil {
			return // more than one: it can't be said
		}
		match = t
	}
	if match == nil || match.turn.run == "" {
		return
	}
	if !ok {
		match.key, match.turn.byTime = event.SessionKey, true
		return
	}
	s.join(match.turn.run, session, event, true)
	if t := s.talks[session]; t != nil && t.turn != nil {
		t.turn.byTime = true
	}
}

// sweep ends what has been silent for long, so that nothing piles up.
func (s *Story) sweep() {
	var quiet []*talk
	for name, t := range s.talks {
		if t.recorded || s.at-t.lastAt() < 3*silence {
			continue
		}
		quiet = append(quiet, t)
		delete(s.talks, name)
	}
	slices.SortFunc(quiet, compareTalks)
	for _, t := range quiet {
		t.end(s, 0)
		t.flush(s, s.at)
	}
	for run, m := range s.sessions {
		if !m.recorded && s.at-m.at > 3*silence {
			delete(s.sessions, run)
		}
	}
}
