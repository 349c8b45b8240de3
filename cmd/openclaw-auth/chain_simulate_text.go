package main

import (
	"fmt"
	"slices"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
	"openclaw-auth/chain/lines"
	"openclaw-auth/doctor/words"
)

func (s *session) simulatedText(run *chainRun, result *chain.RunResult) {
	s.screen.Paragraph("", outcomeText(result)...)
	s.headerText(run.Agent)
	fmt.Fprintln(s.stdout)
	var rows words.Table
	if run.session.Key != "" {
		rows.Add("session", run.session.Key, "")
	}
	rows.Add("model", result.Selection.Ref.String(), s.sourceText(run, &result.Selection))
	s.screen.Table("", &rows)
	fmt.Fprintln(s.stdout)
	s.stepsText(run.models, result)
	fmt.Fprintln(s.stdout)
	if err := result.Walk.Err; err != nil && result.Walk.Winner == nil {
		s.screen.Paragraph(err.Name+": ", oneLine(err.Message))
		if recovery := s.recoveryAfter(run, result); recovery != nil {
			s.screen.Paragraph("next recovery: ", string(shownID(recovery.ID))+" "+s.clock.When(recovery.Window.Until))
		}
		if reply := result.Walk.Reply(s.now); reply != "" {
			s.screen.Paragraph("the user reads: ", reply)
		}
	}
	if notice := result.Notice; notice != nil {
		shown := "shown to the user"
		if !notice.Visible {
			shown = noticeWords[notice.Hidden]
		}
		s.screen.Paragraph("notice: ", notice.Text+" ("+shown+")")
	}
	s.entryText(result)
	s.noteTexts(labelTexts(result))
	s.evidenceText()
}

// recoveryAfter is the profile that comes back first once the run has failed,
// nil if none is kept back.
func (s *session) recoveryAfter(run *chainRun, result *chain.RunResult) *auth.Placement {
	return soonest(run.models.Explain(chain.ExplainQuery{
		Session: run.query, Profiles: run.engine.WithStore(result.Store), Now: s.now, SkipTTL: s.env.Getenv("OPENCLAW_FALLBACK_SKIP_TTL_MS"),
	}))
}

// outcomeText is the end of the run: what answers, or that nothing does.
func outcomeText(result *chain.RunResult) []any {
	calls := words.Count(len(result.Uses), "call")
	winner := result.Walk.Winner
	if winner == nil {
		return []any{words.In(words.Bold|words.Red, "the run fails"), " after " + calls}
	}
	answer := []any{words.In(words.Bold, "answered by "), words.In(words.Bold|words.Green, winner.Ref.String())}
	if last := len(result.Uses) - 1; last >= 0 && result.Uses[last].Profile != "" {
		answer = append(answer, " with ", words.In(words.Bold|words.Green, string(shownID(result.Uses[last].Profile))))
	}
	return append(answer, " after "+calls)
}

// entryText says what the run leaves in the session's entry; writes that end
// alike are shown together.
func (s *session) entryText(result *chain.RunResult) {
	var order []string
	models := map[string][]string{}
	for _, write := range result.Writes {
		end := "and kept"
		if write.RolledBack {
			end = "and reverted when it failed"
		}
		text := words.Count(len(write.Fields), "override field") + " written for %s, " + end
		if models[text] == nil {
			order = append(order, text)
		}
		models[text] = append(models[text], write.Ref.String())
	}
	for _, text := range order {
		s.screen.Paragraph("session entry: ", fmt.Sprintf(text, strings.Join(models[text], ", ")))
	}
	if len(result.Changed) > 0 {
		s.screen.Paragraph("session entry afterwards: ", "changed "+strings.Join(result.Changed, ", "))
	}
}

var noticeWords = map[chain.Hidden]string{
	chain.HiddenQuiet: "only verbose sessions see it on this release",
	chain.HiddenGroup: "not shown in groups and channels",
}

// stepsText shows the run call by call below the model that is called: skips
// come where the walk made them.
func (s *session) stepsText(models *chain.Models, result *chain.RunResult) {
	uses := result.Uses
	step := 0
	for _, candidate := range result.Walk.Candidates {
		var rows words.Table
		add := func(profile string, cell words.Cell, text string) {
			step++
			rows.Add(step, profile, cell, text)
		}
		for _, record := range result.Walk.Records {
			if record.Skipped && record.Ref == candidate.Ref {
				add("-", words.In(words.Red, "skip"), record.Error)
			}
		}
		for _, record := range result.Walk.Records {
			if !record.Skipped && record.Ref == candidate.Ref && (len(uses) == 0 || uses[0].Ref != candidate.Ref) {
				add("-", words.In(words.Red, string(record.Reason)), record.Error)
			}
		}
		for len(uses) > 0 && uses[0].Ref == candidate.Ref {
			add(orDash(string(shownID(uses[0].Profile))), useCell(uses[0]), s.useText(uses[0], models.Retries(uses[0].Reason)))
			uses = uses[1:]
		}
		if rows.Len() > 0 {
			s.screen.Paragraph("", candidate.Ref.String())
			s.screen.Table("  ", &rows)
		}
	}
}

func useCell(use chain.Use) words.Cell {
	if use.Failure == nil && use.Target == nil {
		return words.In(actionStyles[chain.Try], "ok")
	}
	return words.In(actionStyles[chain.Skip], resultText(use))
}

// useText says what a call changed and what followed from it. A failed call is
// repeated as retry says; its zero value is one request.
func (s *session) useText(use chain.Use, retry lines.Retry) string {
	var parts []string
	switch {
	case use.Failure == nil:
	case use.Ignored != "":
		parts = append(parts, "not recorded ("+string(use.Ignored)+")")
	default:
		rules := s.home.Rules
		for _, window := range rules.Windows.List(use.After, s.now) {
			if window.Active && (use.Before == nil || !sameWindow(rules.Windows.List(use.Before, s.now), window)) {
				parts = append(parts, windowNames[window.Kind]+" "+windowText(window, s.clock))
			}
		}
		if len(parts) == 0 && use.After != nil && use.Profile != "" {
			parts = append(parts, "no new window")
		}
	}
	if use.Failure != nil && retry.Requests > 1 {
		parts = append(parts, retryText(retry))
	}
	if about := followWords[use.Why]; about != "" {
		parts = append(parts, about)
	}
	return strings.Join(parts, "; ")
}

// retryText says how often a failing call is made, and for how long.
func retryText(retry lines.Retry) string {
	text := words.Count(retry.Requests, "request")
	switch {
	case retry.Within:
		return fmt.Sprintf("up to %s within %d s", text, retry.Seconds)
	case retry.Seconds > 0:
		text += fmt.Sprintf(" over %d s", retry.Seconds)
	}
	return text
}

// labelWords are what OpenClaw means by the labels that it gives to errors
// without enough details.
var labelWords = map[auth.Reason]string{
	"empty_response":   "the provider returned no usable message or status",
	"no_error_details": "the provider itself returned \"Unknown error (no error details in response)\"",
	"unclassified":     "OpenClaw kept a preview of the error, and none of its rules matches it",
}

// labelTexts explain the labels that the failed calls have, each once.
func labelTexts(result *chain.RunResult) []string {
	var texts []string
	for _, use := range result.Uses {
		text := labelWords[use.Reason]
		if text == "" {
			continue
		}
		if text = string(use.Reason) + ": " + text; !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

func sameWindow(windows []auth.Window, window auth.Window) bool {
	for _, other := range windows {
		if other == window {
			return true
		}
	}
	return false
}

// followWords say what follows from the end of a call.
var followWords = map[chain.UseReason]string{
	chain.UseRotates:   "next profile",
	chain.UseLast:      "no profile is left",
	chain.UseCapped:    "the rotation limit is reached, next model",
	chain.UsePinned:    "the user's profile is the only one",
	chain.UseNoRotate:  "not the profile's fault, next model",
	chain.UseEndsChain: "ends the run",
	chain.UseAborted:   "aborted by the caller, which ends the run",
	chain.UseSwitched:  "the user changes the session's model",
}
