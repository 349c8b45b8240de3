package chain

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/chain/lines"
)

// RunError is the error that a run ends with, as OpenClaw throws it.
type RunError struct {
	Name     string      // class of the error
	Message  string      // OpenClaw's words
	Reason   auth.Reason // "" where the error has none
	Summary  bool        // the chain is exhausted; the error sums its attempts up
	Overflow bool        // the context window is full, which no other model solves
	// Soonest is when the first provider of the chain recovers, Unix ms, 0 if
	// none has a window. Only a summary has it (2026.3.31+).
	Soonest float64
}

// Error returns OpenClaw's words.
func (e *RunError) Error() string { return e.Message }

func (t *thrown) err() *RunError {
	err := &RunError{Name: t.Name, Message: t.Message, Overflow: t.overflow}
	if t.classified {
		err.Name, err.Reason = "FailoverError", t.Reason
	}
	if t.Shown != "" && !t.overflow {
		err.Message = t.Shown
	}
	return err
}

// exhaust ends a run that has no candidate left.
func (w *walking) exhaust() {
	records := w.result.Records
	if len(records) <= 1 && w.last != nil {
		w.result.Err = w.last.err()
		return
	}
	e := &RunError{Name: string(w.rules.Exhausted), Message: w.summary(), Summary: true}
	if w.rules.Exhausted == lines.ExhaustedFailover && len(records) > 0 {
		e.Reason = records[len(records)-1].Reason
	}
	e.Soonest = w.soonest()
	w.result.Err = e
}

// summary sums the attempts up.
func (w *walking) summary() string {
	records := w.result.Records
	texts := make([]string, len(records))
	for i, record := range records {
		texts[i] = fmt.Sprintf("%s: %s (%s)", record.Ref, record.Error, record.Reason)
	}
	count, text := len(records), strings.Join(texts, " | ")
	if count == 0 {
		count, text = len(w.candidates), "unknown"
	}
	text = fmt.Sprintf("All models failed (%d): %s", count, text)
	if w.rules.Reauth && w.last != nil && (w.last.Reason == reasonAuth || w.last.Reason == reasonAuthPermanent) {
		hint, ok := w.rules.LoginHints[auth.ProviderID(w.lastOf.Provider)]
		if !ok {
			hint = "Re-authenticate with: " + loginCommand(w.lastOf.Provider)
		}
		text += ". " + hint
	}
	return text
}

// loginCommand is the command that OpenClaw suggests, quoted for a POSIX shell.
func loginCommand(provider string) string {
	return "openclaw models auth login --provider '" + strings.ReplaceAll(provider, "'", `'\''`) + "' --force"
}

// soonest returns when the first provider of the chain recovers, 0 if none has a window.
func (w *walking) soonest() float64 {
	reread := w.query.Profiles
	if w.query.Reread != nil {
		reread = w.query.Reread()
	}
	if reread == nil {
		return 0
	}
	ordered := cleared(reread, w.now)
	if !w.rules.SoonestKeeps {
		reread = ordered
	}
	earliest := math.Inf(1)
	for i, candidate := range w.candidates {
		if w.rules.SoonestKeeps && (!slices.Contains(w.reached, i) || w.isBackend(candidate)) {
			continue
		}
		ids := ordered.Order(auth.OrderQuery{Provider: candidate.Provider, Now: w.now, Model: candidate.Model}).Order
		if until, ok := reread.SoonestExpiry(ids, candidate.Model, w.now); ok {
			earliest = min(earliest, until)
		}
	}
	if math.IsInf(earliest, 1) {
		return 0
	}
	return earliest
}
