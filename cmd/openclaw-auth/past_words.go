package main

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"openclaw-auth/chain/history"
	"openclaw-auth/doctor/words"
)

// pastLine is a line of a session's story.
type pastLine struct {
	at       int64
	subject  string // a profile or a model
	text     string
	style    words.Style
	inferred bool
}

// runLines describes a run: when it began, what happened, how it ended.
func (q *pastQuery) runLines(run *history.Run) []pastLine {
	lines := []pastLine{{at: run.StartedAt, text: runBegin(run), style: words.Bold}}
	fallback := -1 // the last step to another model
	for i := range run.Steps {
		step := &run.Steps[i]
		line := pastLine{at: step.At, subject: subjectOf(step), inferred: step.Certainty == history.Inferred && step.Why != history.WhyWindowEnd}
		switch step.Kind {
		case history.StepAttemptFailed:
			line.text, line.style = q.failureText(run, i), words.Yellow
		case history.StepProfileRotated, history.StepRecovered:
			continue // told with the attempt, and with the answer
		case history.StepProfileWindow:
			if q.attemptOf(run, i) >= 0 {
				continue
			}
			line.text = "a failure was stored: " + cmp.Or(step.Reason, "no reason") + ", " + q.windowText(step)
		case history.StepFallback:
			if step.Why != history.WhyStays {
				fallback = i
				continue
			}
			line.subject, line.text = step.Next.String(), "stays on the fallback in place of "+step.Ref.String()+" (nothing is logged of that)"
		case history.StepAnswered:
			line.subject, line.text, line.style = step.Ref.String(), answerText(run, fallback), words.Green
			if run.Outcome == history.OutcomeFallback {
				line.style = words.Cyan
			}
		default:
			line.text, line.style = q.stepText(run, step)
		}
		lines = append(lines, line)
	}
	return lines
}

func runBegin(run *history.Run) string {
	what := "run"
	switch {
	case run.Cron:
		what = "cron run"
	case run.Turn:
		what = "turn"
	case run.ID != "":
		what = "run " + run.ID
	}
	if run.Continued {
		what += ", continued"
	}
	if !run.Requested.IsZero() {
		what += ", model " + run.Requested.String()
	}
	return what
}

// subjectOf names what a step is about.
func subjectOf(step *history.Step) string {
	if step.Profile != "" {
		return step.Profile
	}
	if step.Ref.Model == "" {
		return step.Ref.Provider
	}
	return step.Ref.String()
}

// failureText describes a failed attempt with what followed for its profile.
func (q *pastQuery) failureText(run *history.Run, index int) string {
	step := &run.Steps[index]
	var b strings.Builder
	if step.Profile != "" {
		b.WriteString(step.Ref.String() + ": ")
	}
	b.WriteString(cmp.Or(step.Detail, statusText(step), "failed"))
	if step.Requests > 1 {
		fmt.Fprintf(&b, " (%s)", words.Count(step.Requests, "request"))
	}
	b.WriteString(" → " + cmp.Or(step.Reason, reasonUnknown(step)))
	if step.Status != 0 && step.Class && !strings.HasPrefix(step.Detail, strconv.Itoa(step.Status)) {
		fmt.Fprintf(&b, " (%d is the number of this reason, not HTTP's)", step.Status)
	}
	for i := index + 1; i < len(run.Steps); i++ {
		next := &run.Steps[i]
		if next.Profile != step.Profile || next.Ref != step.Ref || step.Profile == "" {
			continue
		}
		if next.Kind == history.StepAttemptFailed {
			break
		}
		switch next.Kind {
		case history.StepProfileWindow:
			b.WriteString(", " + q.windowText(next))
		case history.StepProfileRotated:
			b.WriteString(", next profile")
		}
	}
	return b.String()
}

func reasonUnknown(step *history.Step) string {
	if step.Why == history.WhySnapshot {
		return "the reason is not recorded; another model answered"
	}
	if step.Certainty == history.Recorded {
		return "the reason is only in the log"
	}
	return "unclassified"
}

func statusText(step *history.Step) string {
	if step.Status == 0 || step.Class {
		return ""
	}
	return "HTTP " + strconv.Itoa(step.Status)
}

// attemptOf finds the failed attempt that a window belongs to, -1 for none.
func (q *pastQuery) attemptOf(run *history.Run, index int) int {
	window := &run.Steps[index]
	for i := index - 1; i >= 0; i-- {
		if step := &run.Steps[i]; step.Kind == history.StepAttemptFailed && step.Profile == window.Profile && step.Ref == window.Ref {
			return i
		}
	}
	return -1
}

// windowText describes the window that a failure opened.
func (q *pastQuery) windowText(step *history.Step) string {
	word := "cooling"
	if step.Window == history.WindowDisabled {
		word = "disabled"
	}
	if step.Until == 0 {
		return word + " (the end is not told)"
	}
	if step.Reused {
		word = "still " + word
	}
	text := word + " until " + q.timeText(step.Until, step.At)
	if step.Computed {
		text += " (computed)"
	}
	return text
}

// answerText says who answered, and after what.
func answerText(run *history.Run, fallback int) string {
	text := "answered"
	if run.WinnerProfile != "" {
		text += " (profile " + run.WinnerProfile + ", inferred)"
	}
	for i := range run.Steps {
		if run.Steps[i].Kind == history.StepRecovered {
			return text + ": back on the selected model"
		}
		if step := &run.Steps[i]; step.Kind == history.StepAnswered && step.Why == history.WhyRunEnded {
			text += ": the run ended well"
		}
	}
	if run.Outcome != history.OutcomeFallback {
		return text
	}
	text += ": a fallback"
	if fallback >= 0 {
		step := &run.Steps[fallback]
		if step.Attempt > 0 && step.Total > 1 {
			text = fmt.Sprintf("%s, %d of %d", text, step.Attempt, step.Total-1)
		}
		text += ", after " + step.Ref.String()
		if step.Reason != "" {
			text += " " + step.Reason
		}
	}
	return text
}

// stepText describes the steps that have a text of their own.
func (q *pastQuery) stepText(run *history.Run, step *history.Step) (string, words.Style) {
	switch step.Kind {
	case history.StepSkip:
		if step.Why == history.WhyPassedOver {
			return "passed over: its window is open until " + q.timeText(step.Until, step.At), 0
		}
		return "not tried: " + q.blockedText(step), words.Yellow
	case history.StepProbe:
		return "tried all the same (a probe): " + q.blockedText(step), 0
	case history.StepNotSent:
		text := "failed without a request: "
		if step.Why == history.WhyCooling {
			text += q.blockedText(step)
		} else {
			text += "no call of it is in any source"
		}
		if step.Detail != "" {
			text += " (" + step.Detail + ")"
		}
		return text, words.Yellow
	case history.StepCap:
		return "given up: the limit of profile rotations (" + capKey(step.Reason) + ")", 0
	case history.StepExhausted:
		if run.Cron && step.Detail != "" {
			return "the run failed: " + step.Detail, words.Red
		}
		return "no candidate left: the " + turnWord(run) + " failed", words.Red
	case history.StepModelChanged:
		text := "the model changed from " + step.Ref.String() + " to " + step.Next.String()
		if step.Why == history.WhyNextInChain {
			return text + ", the next one of the chain: perhaps a fallback, no cause is recorded", 0
		}
		return text + ": no cause is recorded", 0
	case history.StepUserSwitch:
		return "the user switched to " + step.Ref.String(), 0
	case history.StepFree:
		text := "free again (nothing is logged at that moment)"
		if step.Computed {
			text = "free again by now (computed)"
		}
		return text, words.Faint
	case history.StepStopped:
		if step.Why == history.WhyRunEnded {
			return "the run ended: " + strings.TrimSpace(step.Reason+" "+step.Detail) + "; no source says why", words.Red
		}
		return "the chain was left: " + cmp.Or(step.Reason, "no reason told"), words.Yellow
	case history.StepNotStored:
		return "a failure of this profile was not stored", words.Yellow
	}
	return string(step.Kind), 0
}

func turnWord(run *history.Run) string {
	if run.Turn {
		return "turn"
	}
	return "run"
}

func capKey(reason string) string {
	switch reason {
	case "overloaded":
		return "auth.cooldowns.overloadedProfileRotations"
	case "rate_limit":
		return "auth.cooldowns.rateLimitedProfileRotations"
	}
	return reason
}

// blockedText says which profiles kept a model from being tried.
func (q *pastQuery) blockedText(step *history.Step) string {
	reason := cmp.Or(step.Reason, "no reason")
	text := "its profiles are unavailable (" + reason + ")"
	if step.Profiles > 0 {
		text = fmt.Sprintf("%s unavailable (%s)", words.Count(step.Profiles, "profile"), reason)
	}
	for _, blocked := range step.Blocked {
		text += ", " + blocked.Profile + " until " + q.timeText(blocked.Until, step.At)
		if blocked.FromState {
			text += " (from the state as it is now)"
		}
	}
	return text
}
