package chain

import (
	"slices"

	"openclaw-auth/chain/lines"
)

// switched handles a model switch of the session in the middle of the run: a
// later candidate is jumped to, any other switch is a failure of the attempt.
func (w *walking) switched(i int, decision Decision, target Ref) (next int, done bool) {
	candidate := w.candidates[i]
	message := "Live session model switch requested: " + target.String()
	reason := reasonUnknown
	switch w.rules.LiveSwitch {
	case lines.SwitchNone:
		return i + 1, w.failed(i, decision, Failure{Message: message})
	case lines.SwitchRecord:
		reason = reasonOverloaded
	default:
		at := slices.IndexFunc(w.candidates, func(c Candidate) bool { return c.Ref == target })
		if at > i {
			w.useSlot(candidate, decision, reasonUnknown)
			return at, false
		}
		if at < 0 && w.rules.LiveSwitch == lines.SwitchInside {
			w.result.Err = &RunError{Name: switchError, Message: message}
			return i + 1, true
		}
	}
	w.useSlot(candidate, decision, reason)
	w.last, w.lastOf = &thrown{Failure: Failure{Reason: reason, Message: message}, classified: true}, candidate
	w.record(Record{
		Ref: candidate.Ref, Index: i, Error: message, Reason: reason, Classified: true, Decision: decision,
	})
	return i + 1, false
}

// switchError is the name of the error that carries a switch.
const switchError = "LiveSessionModelSwitchError"
