package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"openclaw-auth/chain/history"
	"openclaw-auth/doctor/words"
)

// mostRuns bounds the runs of a session that are shown: the youngest ones are.
const mostRuns = 5000

// sessionText shows a session's history.
func (s *session) sessionText(p *past) error {
	var runs []*history.Run
	dropped := 0
	story := p.tell(func(run *history.Run) {
		if runs = append(runs, run); len(runs) >= 2*mostRuns {
			dropped += mostRuns
			runs = slices.Delete(runs, 0, mostRuns)
		}
	})
	slices.SortStableFunc(runs, func(a, b *history.Run) int { return cmp.Compare(a.StartedAt, b.StartedAt) })
	screen := &s.screen
	s.sessionHead(p, screen, runs)
	s.sourcesText(p, screen)
	if dropped > 0 {
		screen.Line(words.In(words.Faint, fmt.Sprintf("— %d older turns are not shown: narrow it with --since —", dropped)))
	}
	day := ""
	for _, run := range runs {
		var rows words.Table
		if d := p.query.dayText(run.StartedAt); d != day {
			fmt.Fprintln(s.stdout)
			screen.Line(words.In(words.Faint, d))
			day = d
		} else {
			fmt.Fprintln(s.stdout)
		}
		for i, line := range p.query.runLines(run) {
			if i == 0 {
				screen.Line(p.query.clockText(line.at), "  ", words.In(line.style, line.text))
				continue
			}
			mark := " "
			if line.inferred {
				mark = "?"
			}
			rows.Add(mark+" "+p.query.clockText(line.at), line.subject, words.In(line.style, line.text))
		}
		screen.Table("", &rows)
	}
	s.nowText(p, screen, story, runs)
	s.pastNotes(p, screen)
	return nil
}

// sessionHead says which session it is and how its turns ended.
func (s *session) sessionHead(p *past, screen *words.Screen, runs []*history.Run) {
	name := cmp.Or(p.session.Key, p.query.session)
	var turns history.Outcomes
	unit := "turn"
	for _, run := range runs {
		if !run.Turn {
			unit = "run"
		}
		countOutcome(&turns, run)
	}
	id := ""
	if p.session.ID != "" {
		id = "   session " + p.session.ID
	}
	screen.Line(words.In(words.Bold, name), id)
	if len(runs) == 0 {
		screen.Line("nothing is known about this session in that range")
		return
	}
	screen.Line(words.Count(len(runs), unit), outcomesText(turns), ", times in ", p.query.zoneText(runs[0].StartedAt))
}

func countOutcome(o *history.Outcomes, run *history.Run) {
	switch run.Outcome {
	case history.OutcomeSelected:
		o.Selected++
	case history.OutcomeFallback:
		o.Fallback++
	case history.OutcomeFailed:
		o.Failed++
	default:
		o.Unknown++
	}
}

// outcomesText is who answered: ": 5 by the selected model, 7 by a fallback, 1 failed".
func outcomesText(o history.Outcomes) string {
	var parts []string
	add := func(count int, text string) {
		if count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count, text))
		}
	}
	add(o.Selected, "by the selected model")
	add(o.Fallback, "by a fallback")
	add(o.Failed, "failed")
	add(o.Unknown, "with an end that is not told")
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

// sourcesText says what the answer is made of, and its gaps.
func (s *session) sourcesText(p *past, screen *words.Screen) {
	kinds := map[history.SourceKind]int{}
	for _, source := range p.sources {
		if source.Kind != history.SourceLog {
			if source.Events > 0 {
				kinds[source.Kind]++
			}
			continue
		}
		text := fmt.Sprintf("log %s: %s", source.Path, words.Count(int(source.Lines), "line"))
		if source.From != 0 {
			text += ", " + p.query.rangeText(source.From, source.To)
		}
		screen.Line(words.In(words.Faint, text))
	}
	for _, kind := range []history.SourceKind{history.SourceTranscript, history.SourceTrajectory, history.SourceCron, history.SourceAudit} {
		if kinds[kind] > 0 {
			screen.Line(words.In(words.Faint, words.Count(kinds[kind], kindWords[kind])))
		}
	}
	for _, gap := range p.gaps() {
		screen.Line(words.In(words.Yellow, "— "+gap+" —"))
	}
}

// kindWords are the sources in words.
var kindWords = map[history.SourceKind]string{
	history.SourceTranscript: "transcript", history.SourceTrajectory: "trajectory", history.SourceCron: "cron run log",
	history.SourceAudit: "run audit",
}

// gaps are the times of which the sources can't tell.
func (p *past) gaps() []string {
	var gaps []string
	var first int64
	for _, source := range p.sources {
		if source.Kind == history.SourceLog && source.From != 0 && (first == 0 || source.From < first) {
			first = source.From
		}
	}
	if first != 0 && (p.query.since != 0 && p.query.since < first || p.query.since == 0 && p.first != 0 && p.first < first-60_000) {
		gaps = append(gaps, fmt.Sprintf("no log before %s %s (OpenClaw deletes default logs after 24 h)", p.query.dayText(first), p.query.clockText(first)))
	}
	for _, source := range p.sources {
		for _, gap := range source.Gaps {
			switch gap.Why {
			case history.GapSizeCap:
				gaps = append(gaps, fmt.Sprintf("%s stopped at its size limit, %s %s", source.Path, p.query.dayText(gap.From), p.query.clockText(gap.From)))
			case history.GapOverflow:
				gaps = append(gaps, fmt.Sprintf("%s lost %s, %s %s", source.Path, words.Count(int(gap.Count), "record"), p.query.dayText(gap.From), p.query.clockText(gap.From)))
			}
		}
		if source.Unreadable > 0 {
			gaps = append(gaps, fmt.Sprintf("%s unreadable in %s", words.Count(int(source.Unreadable), "line"), source.Path))
		}
		if source.Kind == history.SourceLog && source.Untimed > 0 && source.From == 0 {
			gaps = append(gaps, source.Path+" has no times: its lines can't be joined with other sources")
		}
	}
	return gaps
}

// nowText describes the session's present profiles and overrides.
func (s *session) nowText(p *past, screen *words.Screen, story *history.Story, runs []*history.Run) {
	var rows words.Table
	seen := map[string]bool{}
	profiles := story.Windows()
	for _, run := range runs {
		for i := range run.Steps {
			id := run.Steps[i].Profile
			if id == "" || seen[id] {
				continue
			}
			seen[id] = true
			key := history.ProfileKey{ID: id}
			if p.options.StoreOf != nil && !history.IsHash(id) {
				key.Store = p.options.StoreOf(run.Agent, id)
			}
			if profile := profiles[key]; profile != nil {
				text, style := p.stateText(profile)
				rows.Add("now", id, words.In(style, text))
			}
		}
	}
	if p.session.Override.Model != "" {
		who := "set by a fallback"
		if p.session.OverrideUser {
			who = "set by the user"
		} else if !p.session.Origin.IsZero() {
			who += " in place of " + p.session.Origin.String()
		}
		rows.Add("now", p.session.Override.String(), "the session's model, "+who)
	}
	if p.session.Profile != "" {
		who := "rotation"
		if p.session.ProfileUser {
			who = "the user"
		}
		rows.Add("now", p.session.Profile, "the session's profile, set by "+who)
	}
	if rows.Len() > 0 {
		fmt.Fprintln(s.stdout)
		screen.Table("", &rows)
	}
}

// stateText describes a profile's present state.
func (p *past) stateText(profile *history.ProfileHistory) (string, words.Style) {
	now := p.options.Now
	if state := profile.State; state != nil {
		switch {
		case state.Until > now && state.Window == history.WindowDisabled:
			return "disabled (" + cmp.Or(state.Reason, "no reason") + ") until " + p.query.timeText(state.Until, now), words.Red
		case state.Until > now:
			return "cooling (" + cmp.Or(state.Reason, "no reason") + ") until " + p.query.timeText(state.Until, now), words.Yellow
		case state.Until != 0:
			return fmt.Sprintf("free since %s (errorCount %d)", p.query.timeText(state.Until, now), state.ErrorCount), words.Green
		case state.LastUsed != 0 && state.LastUsed > state.LastFailureAt && state.LastFailureAt != 0:
			return "recovered, last used " + p.query.timeText(state.LastUsed, now), words.Green
		case state.LastUsed != 0:
			return "free, last used " + p.query.timeText(state.LastUsed, now), words.Green
		}
		return "free", words.Green
	}
	if n := len(profile.Windows); n > 0 {
		last := profile.Windows[n-1]
		switch {
		case last.Until == 0:
			return "not known: the end of its window is not told", 0
		case last.Until > now:
			return "unavailable until " + p.query.timeText(last.Until, now) + " as the log told", words.Yellow
		}
		return "free since " + p.query.timeText(last.Until, now) + " as the log told", words.Green
	}
	return "not known", 0
}

func (s *session) pastNotes(p *past, screen *words.Screen) {
	for _, note := range p.notes {
		screen.Paragraph("note: ", note)
	}
	for _, text := range p.errors {
		words.Printf(s.stderr, "openclaw-auth: warning: %s\n", text)
	}
}
