package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// explainedText shows an explanation, the answer first.
func (s *session) explainedText(run *chainRun, e *chain.Explanation) {
	s.screen.Paragraph(words.In(words.Bold, "next: "), s.nextAnswer(run, e)...)
	if why := s.whyAnswer(run, e); why != "" {
		s.screen.Paragraph("why:  ", why)
	}
	s.headerText(run.Agent)
	fmt.Fprintln(s.stdout)
	if e.Selection.Ref.IsZero() { // nothing was selected, so nothing follows
		s.screen.Paragraph(words.In(words.Red, "  error: "), e.Err.Error())
		return
	}
	s.selectedText(run, e)
	var shown []chain.ExplainedCandidate
	for i, candidate := range e.Candidates {
		s.candidateText(i+1, candidate, shown, isNext(e, i))
		shown = append(shown, candidate)
	}
	fmt.Fprintln(s.stdout)
	if recovery := soonest(e); recovery != nil {
		s.screen.Paragraph("next recovery: ", string(shownID(recovery.ID))+" "+s.clock.When(recovery.Window.Until))
	}
	if e.Err != nil {
		s.screen.Paragraph(words.In(words.Red, "  error: "), e.Err.Error())
	}
	s.noteTexts(chainNoteTexts(e.Notes))
	s.pendingText(unread(run.Pending))
	s.windowOriginsText(run.loaded)
	s.evidenceText()
}

// selectedText shows what is selected, and who chose it.
func (s *session) selectedText(run *chainRun, e *chain.Explanation) {
	var rows words.Table
	if e.SessionKey != "" {
		rows.Add("session", e.SessionKey, "written "+s.clock.Distance(run.session.UpdatedAt()))
	}
	rows.Add("model", e.Selection.Ref.String(), s.sourceText(run, &e.Selection))
	if pin := e.Pin; pin != nil {
		rows.Add("profile", orDash(string(shownID(pin.Next))), pinText(pin))
	}
	rows.Add("chain", words.Count(len(e.Candidates), "candidate"), fallbackWords[e.Selection.Why])
	s.screen.Table("", &rows)
}

// nextOf is the candidate that is tried first, -1 for none.
func nextOf(e *chain.Explanation) int {
	if e.Err != nil {
		return -1
	}
	return slices.IndexFunc(e.Candidates, func(c chain.ExplainedCandidate) bool { return c.Decision.Action != chain.Skip })
}

func isNext(e *chain.Explanation, i int) bool { return nextOf(e) == i }

// nextAnswer says which model runs next with which profile.
func (s *session) nextAnswer(run *chainRun, e *chain.Explanation) []any {
	i := nextOf(e)
	if i < 0 {
		answer := []any{words.In(words.Bold|words.Red, "nothing can run now")}
		if recovery := soonest(e); recovery != nil {
			answer = append(answer, "; "+string(shownID(recovery.ID))+" is back "+s.clock.When(recovery.Window.Until))
		}
		return answer
	}
	next := e.Candidates[i]
	answer := []any{words.In(words.Bold|words.Green, next.Ref.String())}
	if profile := nextProfile(e, i); profile != "" {
		answer = append(answer, " with ", words.In(words.Bold|words.Green, profile))
	} else {
		answer = append(answer, " with credentials from the environment or models.providers")
	}
	if next.Decision.Action == chain.Probe {
		answer = append(answer, ", as a probe")
	}
	return answer
}

// nextProfile is the profile that a candidate is tried with first, "" for
// credentials from elsewhere.
func nextProfile(e *chain.Explanation, candidate int) string {
	if candidate == 0 && e.Pin != nil && e.Pin.Next != "" {
		return string(shownID(e.Pin.Next))
	}
	if order := e.Candidates[candidate].Ordering.Order; len(order) > 0 {
		return string(shownID(order[0]))
	}
	return ""
}

// whyAnswer says what lies between the configured model or profile and the
// one that runs next: the session's override, skipped candidates, and profiles
// in a window; "" where nothing does.
func (s *session) whyAnswer(run *chainRun, e *chain.Explanation) string {
	var parts []string
	expected := []chain.Source{chain.SourceDefault, chain.SourceAgent, chain.SourceOneRun}
	if source := s.sourceText(run, &e.Selection); source != "" && !slices.Contains(expected, e.Selection.Source) {
		parts = append(parts, "the model is "+source)
	}
	for i, candidate := range e.Candidates {
		if candidate.Decision.Action != chain.Skip || isNext(e, i) {
			if isNext(e, i) {
				parts = append(parts, s.keptBack(candidate)...)
			}
			break
		}
		parts = append(parts, candidate.Ref.String()+" is skipped ("+decisionText(candidate.Decision)+")")
	}
	return strings.Join(parts, "; ")
}

// keptBack names the profiles of a candidate that a window keeps back.
func (s *session) keptBack(candidate chain.ExplainedCandidate) []string {
	var texts []string
	for _, placement := range candidate.Profiles {
		if placement.Position > 0 && !isUsable(placement) && placement.Window != nil {
			texts = append(texts, string(shownID(placement.ID))+" is "+string(placement.State)+" ("+windowText(*placement.Window, s.clock)+")")
		}
	}
	return texts
}

// soonest is the profile of the chain that comes back first, nil if none is away.
func soonest(e *chain.Explanation) *auth.Placement {
	var all []auth.Placement
	for _, candidate := range e.Candidates {
		all = append(all, candidate.Profiles...)
	}
	return firstRecovery(all)
}

func (s *session) sourceText(run *chainRun, selection *chain.Selection) string {
	about := sourceOfModel[selection.Source]
	if selection.Source == chain.SourceParent {
		about += " " + selection.Parent
	}
	if s.flags.Bool("origin") {
		if origin := s.selectionOrigin(run, selection); origin != nil {
			about += " (" + s.originText(*origin) + ")"
		}
	}
	return about
}

// originText is a file, a line where there is one, and a JSON pointer.
func (s *session) originText(origin state.Origin) string {
	file := s.short(origin.File)
	if origin.Line > 0 {
		file += ":" + strconv.Itoa(origin.Line)
	}
	return file + " " + origin.Pointer
}

func pinText(pin *chain.ExplainedPin) string {
	about := pinWords[pin.Why]
	if pin.Stored != "" && pin.Stored != pin.Next {
		about += "; pinned was " + string(shownID(pin.Stored))
	}
	if pin.Source != "" && pin.Stored != "" {
		about += " (" + pin.Source + " pin)"
	}
	return about
}

func decisionText(decision chain.Decision) string {
	about := whyWords[decision.Why]
	if decision.Reason != "" && decision.Action != chain.Try {
		about = string(decision.Reason) + ": " + about
	}
	return about
}

// candidateText shows a candidate with its profiles, or with those of an
// earlier one that they equal.
func (s *session) candidateText(position int, c chain.ExplainedCandidate, before []chain.ExplainedCandidate, next bool) {
	style := words.Style(0)
	if next {
		style = words.Bold
	}
	action := actionCell(c.Decision.Action)
	action.Style |= style
	fmt.Fprintln(s.stdout)
	s.screen.Paragraph(strconv.Itoa(position)+"  ", words.In(style, c.Ref.String()), ": ", action, ", "+decisionText(c.Decision))
	if s.flags.Bool("origin") && c.At != "" {
		s.screen.Paragraph("   ", roleWords[c.Role]+", in "+s.originText(s.config.Where(c.At)))
	}
	if same := sameProfiles(c, before); same != "" {
		s.screen.Paragraph("     ", words.In(words.Faint, same))
		return
	}
	s.placementsText("     ", c.Profiles)
}

// sameProfiles says that a candidate has the profiles of an earlier one, or
// has them without some; "" if a list tells it better.
func sameProfiles(c chain.ExplainedCandidate, before []chain.ExplainedCandidate) string {
	if len(c.Profiles) < 2 {
		return ""
	}
	for i, earlier := range before {
		rest := c.Profiles
		var without []string
		for _, placement := range earlier.Profiles {
			if len(rest) > 0 && isSamePlacement(rest[0], placement) {
				rest = rest[1:]
			} else {
				without = append(without, string(shownID(placement.ID)))
			}
		}
		switch {
		case len(rest) > 0 || len(without) >= len(c.Profiles):
		case len(without) == 0:
			return fmt.Sprintf("the profiles of %d", i+1)
		default:
			return fmt.Sprintf("the profiles of %d, without %s", i+1, strings.Join(without, ", "))
		}
	}
	return ""
}

// isSamePlacement reports whether two places read the same but for their numbers.
func isSamePlacement(a, b auth.Placement) bool {
	sameWindow := a.Window == nil && b.Window == nil || a.Window != nil && b.Window != nil && *a.Window == *b.Window
	return a.ID == b.ID && a.State == b.State && a.Place == b.Place && a.Code == b.Code && sameWindow && (a.Position > 0) == (b.Position > 0)
}
