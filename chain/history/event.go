package history

import "openclaw-auth/chain"

// Event is one piece of evidence, as a source holds it. Members that the source
// does not tell are zero.
type Event struct {
	At     int64 // Unix ms; 0 where the source writes no time
	Line   int64 // 1-based line of the file, or the seq of a row
	Source int   // index of the source
	Kind   EventKind

	Run        string // run id
	Session    string // session id
	SessionKey string
	Agent      string

	Ref       chain.Ref // the model the event is about
	Requested chain.Ref // the model that the run asked for
	Next      chain.Ref // the candidate that follows
	Profile   string    // an id, or its hash as the log writes it

	Reason string
	Code   string // what the record says in a word: a stage, a decision, a stop reason
	Detail string // error text: one line, masked, cut
	Status int    // 0: not told
	Class  bool   // Status belongs to the reason's class; it is not what HTTP said

	Attempt, Total int // place in the chain, 1-based
	Profiles       int // of the candidate's provider, for skips and probes
	Suppressed     int // equal records that were left out before this one

	Until      int64 // end of a window, Unix ms; 0: not told
	Window     WindowKind
	Reused     bool   // an active window was kept
	ErrorCount int    // of the profile, after the failure
	Requests   int    // HTTP requests that were counted for a failed call
	Hash       uint64 // of a user message's content, to recognise a repeated one
	Failed     bool   // of an ended attempt or run
}

// EventKind is what an Event says.
type EventKind uint8

// The kinds of events. Those of the log first.
const (
	EventNone            EventKind = iota
	EventAgentEnd                  // a model call failed (embedded_run_agent_end)
	EventFailover                  // what follows for the profile (embedded_run_failover_decision)
	EventWindow                    // a failure was stored (auth_profile_failure_state_updated)
	EventSkip                      // model_fallback_decision skip_candidate
	EventProbe                     // … probe_cooldown_candidate
	EventCandidateFailed           // … candidate_failed
	EventCandidateOK               // … candidate_succeeded
	EventCap                       // the limit of profile rotations was reached
	EventProbing                   // a call is made during a window
	EventLaneError                 // a lane's task failed: ties a session key to a time
	EventRunStart                  // debug level: ties a run to its session
	EventRunEnd                    // the run is over
	EventFetch                     // an HTTP answer, with its status
	EventSwitch                    // the user switched models during a run
	EventStopped                   // the chain was left early (abort, timeout)
	EventDropped                   // a failure that was not stored
	EventOldTimeout                // the only rotation line of the oldest releases
	EventTurn                      // transcript: a user message
	EventAnswer                    // transcript: an answer
	EventAnswerFailed              // transcript: a failed attempt
	EventSnapshot                  // transcript: another model is being tried
	EventModelChange               // transcript: the session's model was changed
	EventAttempt                   // trajectory: an attempt begins
	EventAttemptEnd                // trajectory: it ended
	EventStep                      // trajectory: a step of the fallback chain
	EventCron                      // a finished run of a cron job
	EventAuditStart                // the audit of a gateway: a run begins
	EventAuditEnd                  // … and ended
)

// WindowKind is the kind of window that a failure opened.
type WindowKind string

// The kinds of windows that OpenClaw's log names.
const (
	WindowCooldown WindowKind = "cooldown"
	WindowDisabled WindowKind = "disabled"
)

// SourceKind is a kind of evidence.
type SourceKind string

// The kinds of sources.
const (
	SourceLog        SourceKind = "log"
	SourceTranscript SourceKind = "transcript"
	SourceTrajectory SourceKind = "trajectory"
	SourceCron       SourceKind = "cron"
	SourceAudit      SourceKind = "audit"
	SourceState      SourceKind = "auth-state"
	SourceSession    SourceKind = "session"
)

// Source is a place that evidence was read from.
type Source struct {
	Kind       SourceKind
	Path       string
	Rows       bool  // of a database: its evidence is counted in rows, not in lines
	From, To   int64 // Unix ms of the first and the last line with a time
	Offset     int64 // bytes that were passed over: lines are counted behind them
	Lines      int64
	Unreadable int64 // lines that hold no readable record
	Untimed    int64 // events without a time
	Events     int64 // of a record: those that were taken
	Gaps       []Gap
}

// Gap is a time of which a source can tell nothing.
type Gap struct {
	From, To int64 // Unix ms; 0: open
	Why      GapReason
	Count    int64 // of lost records, where known
}

// GapReason says why a source has a gap.
type GapReason string

// The reasons for gaps.
const (
	GapSizeCap  GapReason = "size-cap" // the log reached its size limit and stopped
	GapOverflow GapReason = "overflow" // the log's queue overflowed
)

// See widens the source's range to hold a time.
func (s *Source) See(at int64) {
	if at == 0 {
		return
	}
	if s.From == 0 || at < s.From {
		s.From = at
	}
	s.To = max(s.To, at)
}
