package history

import "openclaw-auth/chain"

// Certainty says how a step is known.
type Certainty string

// The certainties, the best first.
const (
	Logged   Certainty = "logged"   // an event of OpenClaw's log
	Recorded Certainty = "recorded" // a transcript, a trajectory, a cron row or stored state
	Inferred Certainty = "inferred" // concluded from evidence that does not say it
)

// Evidence is a line that a step is known by.
type Evidence struct {
	Source int
	Line   int64 // or the seq of a row
}

// StepKind is what happened in a step of a run.
type StepKind string

// The kinds of steps.
const (
	StepAttemptFailed  StepKind = "attempt-failed"
	StepProfileRotated StepKind = "profile-rotated" // the provider's next profile is tried
	StepProfileWindow  StepKind = "profile-window"  // the failure was stored and a window opened
	StepSkip           StepKind = "skip"            // a model, or a profile, was passed over
	StepProbe          StepKind = "probe"           // tried during a window all the same
	StepNotSent        StepKind = "not-sent"        // the candidate failed without a request
	StepFallback       StepKind = "fallback"        // the next model is tried, or is stayed on
	StepAnswered       StepKind = "answered"
	StepExhausted      StepKind = "exhausted"    // no candidate was left
	StepCap            StepKind = "rotation-cap" // the provider's further profiles were not tried
	StepModelChanged   StepKind = "model-changed"
	StepUserSwitch     StepKind = "user-switch"
	StepRecovered      StepKind = "recovered" // back on the selected model
	StepFree           StepKind = "free"      // a profile's window ended
	StepStopped        StepKind = "stopped"   // the chain was left early
	StepNotStored      StepKind = "not-stored"
)

// Step is something that happened in a run.
type Step struct {
	At         int64 // Unix ms; 0 where no source has a time
	Kind       StepKind
	Ref        chain.Ref
	Next       chain.Ref // of a fallback: the model that is tried next
	Profile    string    // an id, or its hash where no store names it
	Reason     string
	Status     int
	Class      bool   // Status belongs to the reason's class; HTTP's is not known
	Detail     string // error text: one line, masked
	Requests   int    // HTTP requests of the attempt; 0: not known
	Window     WindowKind
	Until      int64 // end of the window; 0: not known
	Computed   bool  // Until is computed: the source does not tell it
	Reused     bool  // the window was open before
	Attempt    int   // place in the chain, 1-based
	Total      int
	Profiles   int // profiles of the provider that a skip or probe found cooling
	Suppressed int // equal records that the log left out
	Blocked    []Blocked
	Why        Why
	Certainty  Certainty
	Evidence   []Evidence

	seq int // place among the events of the turn, for those without a time
}

// Blocked is a profile that kept a model from being tried.
type Blocked struct {
	Profile   string
	Until     int64
	FromState bool // from the state as it is now
}

// Why names the conclusion behind an inferred step.
type Why string

// The conclusions.
const (
	WhyStays       Why = "stays"         // the session went on with the fallback; nothing is logged
	WhyPassedOver  Why = "passed-over"   // the profile was cooling when another one of its provider was used
	WhyWindowEnd   Why = "window-end"    // the end that was told when it opened
	WhySnapshot    Why = "snapshot"      // the model was begun with and another one answered
	WhyUnexplained Why = "unexplained"   // the model changed, and no source says why
	WhyNextInChain Why = "next-in-chain" // … but to the next one of the configured chain
	WhyNoRequest   Why = "no-request"    // no model call of the candidate is in any source
	WhyCooling     Why = "cooling"       // … and the provider's profiles were cooling
	WhyRunEnded    Why = "run-ended"     // how the run ended is told, not who answered or why nobody did
)

// Outcome says who answered a run.
type Outcome string

// The outcomes.
const (
	OutcomeSelected Outcome = "selected" // the model that the run asked for
	OutcomeFallback Outcome = "fallback"
	OutcomeFailed   Outcome = "failed" // none
	OutcomeUnknown  Outcome = "unknown"
)

// Run is a turn of a session, or what a log tells under one run id.
type Run struct {
	ID            string // run id
	Session       string
	SessionKey    string
	Agent         string
	StartedAt     int64
	EndedAt       int64
	Requested     chain.Ref
	Winner        chain.Ref
	WinnerProfile string // concluded; empty where it can't be
	Outcome       Outcome
	Steps         []Step
	Turn          bool // a transcript or trajectory shows that this is one turn
	Continued     bool // a part of a run that has too many steps for one
	SessionByTime bool // the session was concluded from the time alone
	Cron          bool
}

// Failures counts the failed attempts of the run.
func (r *Run) Failures() int {
	count := 0
	for i := range r.Steps {
		if r.Steps[i].Kind == StepAttemptFailed {
			count++
		}
	}
	return count
}

// IsQuiet reports whether nothing went wrong.
func (r *Run) IsQuiet() bool {
	for i := range r.Steps {
		switch r.Steps[i].Kind {
		case StepAnswered, StepFree:
		default:
			return false
		}
	}
	return r.Outcome != OutcomeFailed
}
