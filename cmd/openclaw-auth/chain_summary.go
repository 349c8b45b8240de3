package main

import (
	"regexp"
	"strings"
	"sync"

	"openclaw-auth/auth"
	"openclaw-auth/auth/failure"
	"openclaw-auth/doctor/words"
)

// summaryAttempt is an attempt in OpenClaw's "All models failed (…)" text.
type summaryAttempt struct {
	Model    string         `json:"model"`
	Error    string         `json:"error"`
	Recorded string         `json:"recordedReason"`
	Reason   failure.Reason `json:"reason"` // what the error's text gives under the chosen line
}

var (
	summaryHead = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`All (?:image )?models failed \(\d+\): `)
	})
	summaryPart = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)^([^\s:]+/[^\s:]*(?::[^\s:]+)?): (.*?)(?: \(([a-z_]+)\))?$`)
	})
)

// attemptsOf takes a summary text apart; nil for any other text.
func attemptsOf(message string, rules *auth.Rules) []summaryAttempt {
	head := summaryHead().FindStringIndex(message)
	if head == nil {
		return nil
	}
	body, _, _ := strings.Cut(message[head[1]:], ". Re-authenticate with: ")
	var attempts []summaryAttempt
	for part := range strings.SplitSeq(strings.TrimSpace(body), " | ") {
		fields := summaryPart().FindStringSubmatch(part)
		switch {
		case fields == nil && len(attempts) > 0: // an error that holds the separator itself
			attempts[len(attempts)-1].Error += " | " + part
		case fields != nil:
			attempts = append(attempts, summaryAttempt{Model: fields[1], Error: fields[2], Recorded: fields[3]})
		}
	}
	for i := range attempts {
		provider, _, _ := strings.Cut(attempts[i].Model, "/")
		c := classify(failure.Signal{Message: attempts[i].Error, Provider: provider}, rules)
		attempts[i].Reason = c.reason()
		attempts[i].Error = shownText(attempts[i].Error)
	}
	return attempts
}

func (s *session) attemptsText(attempts []summaryAttempt) {
	if len(attempts) == 0 {
		return
	}
	words.Printf(s.stdout, "\nthe walk that the text tells, %d %s:\n", len(attempts), words.Plural(len(attempts), "attempt", "attempts"))
	var rows words.Table
	for i, attempt := range attempts {
		recorded := attempt.Recorded
		if recorded == "" {
			recorded = reasonText(attempt.Reason)
		}
		rows.Add(i+1, attempt.Model, recorded, attempt.Error)
	}
	s.screen.Table("  ", &rows)
}

// longestShown bounds how much of a text from a log is shown.
const longestShown = 160

var keyLike = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z0-9_\-.]{20,}`) })

// shownText is a text from a log as it may be shown: one line, not too long,
// and without anything that may be a key.
func shownText(text string) string {
	text = keyLike().ReplaceAllStringFunc(oneLine(text), func(run string) string {
		if strings.ContainsAny(run, "0123456789") {
			return run[:min(strings.IndexAny(run, "0123456789"), 6)] + "****"
		}
		return run
	})
	if runes := []rune(text); len(runes) > longestShown {
		return string(runes[:longestShown]) + "…"
	}
	return text
}
