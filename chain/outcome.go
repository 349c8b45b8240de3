package chain

import (
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/auth/failure"
)

// Outcome is how an attempt ended. The zero Outcome is a success.
type Outcome struct {
	Failure *Failure
	Switch  *Ref  // the user switched the session to another model meanwhile
	Stopped bool  // the driver gave up: the run ends here, with neither winner nor error
	Now     int64 // Unix ms, when it ended; 0: no time has passed
}

// Failure is why an attempt failed.
type Failure struct {
	Reason  auth.Reason // what OpenClaw's own code found; "": the error's text has to tell
	Message string
	Raw     *string        // the provider's own text, nil where it is the message
	Shown   string         // what the error says in place of the message if it ends the run, "" for the message
	Name    string         // name of the thrown error; "": Error
	Status  float64        // HTTP status, 0 without one
	Code    string         // symbolic code
	Aborted bool           // the caller gave the run up, which ends it on every line
	Profile auth.ProfileID // profile that failed, "" if it is not known
}

// thrown is a failure as the run sees it: classified, or with an error that
// ends the run whatever is left.
type thrown struct {
	Failure
	classified bool // a failover error
	ends       bool // an abort or a full context window
	overflow   bool // a full context window
}

// throw classifies what a candidate threw.
func (w *walking) throw(candidate Candidate, f Failure) thrown {
	if f.Reason != "" {
		full := w.overflows(f.Message)
		return thrown{Failure: f, classified: true, ends: full, overflow: full}
	}
	t := thrown{Failure: f}
	if t.Name == "" {
		t.Name = "Error"
	}
	if f.Aborted {
		t.ends = true
		return t
	}
	if t.Name == laneTimeout && w.rules.LaneTimeoutEnds {
		t.ends = true
		return t
	}
	rules := w.models.Rules.Failover()
	verdict := failure.Classify(signal(candidate, f), rules)
	if verdict.AbortRethrow && rules.AbortEndsRun {
		t.ends = true
		return t
	}
	text := t.Message
	if coerced := verdict.Coerced; coerced != nil {
		t.classified, t.Reason, t.Code = true, auth.Reason(coerced.Reason), coerced.Code
		if coerced.Status != nil {
			t.Status = *coerced.Status
		}
		if t.Message == "" {
			t.Message = t.Name
		}
		if w.rules.CauseCode && f.Code != "" {
			text += " | " + f.Code // the error that is wrapped tells its code as well
		}
	}
	t.overflow = w.overflows(text) && !verdict.OverCeiling
	t.ends = t.overflow
	return t
}

// laneTimeout is the name of the error with which a task of a command lane
// times out. It is no sign about a provider.
const laneTimeout = "CommandLaneTaskTimeoutError"

// overflows reports whether a message reports a full context window, which no
// other model solves.
func (w *walking) overflows(message string) bool {
	rules := w.models.Rules.Failover()
	verdict := failure.Classify(failure.Signal{Message: message}, rules)
	return verdict.OverflowLikely && rules.OverflowEndsRun && !verdict.OverCeiling
}

// signal is the failure as a thrown error.
func signal(candidate Candidate, f Failure) failure.Signal {
	properties := map[string]any{"name": "Error", "message": f.Message}
	if f.Name != "" {
		properties["name"] = f.Name
	}
	if f.Status != 0 {
		properties["status"] = f.Status
	}
	if f.Code != "" {
		properties["code"] = f.Code
	}
	return failure.Signal{Message: f.Message, Thrown: properties, Context: failure.Context{Provider: candidate.Provider}}
}

// keepsSlot reports whether a failure says nothing about the provider's
// capacity, so that a sibling may still be probed.
func keepsSlot(reason auth.Reason) bool {
	return slices.Contains([]auth.Reason{"model_not_found", "format", "auth", "auth_permanent", "session_expired"}, reason)
}
