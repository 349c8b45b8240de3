package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"openclaw-auth/chain/history"
	"openclaw-auth/doctor/words"
)

// totalsJSON is what the document says after its runs.
func (p *past) totalsJSON(statistics *history.Statistics, story *history.Story) pastTotalsJSON {
	totals := pastTotalsJSON{
		Statistics: outcomesJSON{statistics.Turns, statistics.Runs, statistics.Decisions},
		Profiles:   map[string]profilePastJSON{}, Models: map[string]modelPastJSON{}, Away: []awayJSON{}, Sources: []pastSourceJSON{},
		Notes: append([]string{}, p.notes...), Warnings: append([]string{}, p.errors...),
	}
	for key, profile := range p.windows(story) {
		totals.Profiles[p.profileName(story, key)] = p.profileJSON(key, profile)
	}
	requests := story.Requests()
	for ref, count := range statistics.Models {
		totals.Models[ref.String()] = modelPastJSON{count.Asked, count.Answered, count.Failed, count.Skipped, count.NotSent, requests[ref]}
	}
	for _, begin := range slices.Sorted(maps.Keys(statistics.Periods)) {
		_, text := timeJSON(float64(begin))
		period := statistics.Periods[begin]
		totals.Periods = append(totals.Periods, periodJSON{begin, text, period.Outcomes, period.Failures})
	}
	for _, away := range statistics.Away {
		document := awayJSON{Session: away.Session, Open: away.Open, Selected: refOf(away.Selected), Fallback: refOf(away.Fallback), Turns: away.Turns}
		document.From, document.FromTime = timeJSON(float64(away.From))
		document.To, document.ToTime = timeJSON(float64(away.To))
		totals.Away = append(totals.Away, document)
	}
	for _, source := range p.sources {
		document := pastSourceJSON{Kind: source.Kind, Path: source.Path, Offset: source.Offset, Lines: source.Lines, Unreadable: source.Unreadable, Gaps: []gapJSON{}}
		document.From, document.FromTime = timeJSON(float64(source.From))
		document.To, document.ToTime = timeJSON(float64(source.To))
		for _, gap := range source.Gaps {
			from, _ := timeJSON(float64(gap.From))
			to, _ := timeJSON(float64(gap.To))
			document.Gaps = append(document.Gaps, gapJSON{from, to, gap.Why, gap.Count})
		}
		totals.Sources = append(totals.Sources, document)
	}
	return totals
}

// profileName is a profile's id, with the agent where several have one of that name.
func (p *past) profileName(story *history.Story, key history.ProfileKey) string {
	if key.Store == "" {
		return key.ID
	}
	for other := range story.Windows() {
		if other.ID == key.ID && other.Store != key.Store {
			return key.ID + " (" + key.Store + ")"
		}
	}
	return key.ID
}

func (p *past) profileJSON(key history.ProfileKey, profile *history.ProfileHistory) profilePastJSON {
	text, _ := p.stateText(profile)
	document := profilePastJSON{
		Agent: key.Store, Provider: profile.Provider, Failures: profile.Failures, Windows: []pastWindowJSON{},
		MoreWindows: profile.MoreBefore, CoolingMs: profile.Cooling, State: text,
	}
	document.LastUsed, _ = timeJSON(float64(profile.LastUsed))
	for _, window := range profile.Windows {
		w := pastWindowJSON{Kind: cmp.Or(string(window.Kind), "cooldown"), Reason: nullable(window.Reason), Computed: window.Computed}
		w.From, w.FromTime = timeJSON(float64(window.From))
		w.Until, w.UntilTime = timeJSON(float64(window.Until))
		document.Windows = append(document.Windows, w)
	}
	return document
}

// historyPlain writes a line per step: time, session, kind, certainty, model,
// profile, reason, until, detail. Runs come as they end.
func (s *session) historyPlain(p *past) error {
	var failed error
	p.tell(func(run *history.Run) {
		line := func(at int64, kind, certainty, model, profile, reason string, until int64, detail string) {
			fields := []string{plainTime(at), cmp.Or(run.SessionKey, run.Session, run.ID), kind, certainty, model, profile, reason, plainTime(until), detail}
			for i := range fields {
				fields[i] = orDash(strings.ReplaceAll(fields[i], "\t", " "))
			}
			if _, err := fmt.Fprintln(s.stdout, strings.Join(fields, "\t")); err != nil {
				failed = err
			}
		}
		requested := ""
		if !run.Requested.IsZero() {
			requested = run.Requested.String()
		}
		line(run.StartedAt, "run", "", requested, "", string(run.Outcome), 0, "")
		for i := range run.Steps {
			step := &run.Steps[i]
			line(step.At, string(step.Kind), string(step.Certainty), step.Ref.String(), step.Profile, step.Reason, step.Until, step.Detail)
		}
	})
	for _, text := range p.errors {
		words.Printf(s.stderr, "openclaw-auth: warning: %s\n", text)
	}
	return failed
}

// plainTime is a time for scripts.
func plainTime(at int64) string {
	if _, text := timeJSON(float64(at)); text != nil {
		return fmt.Sprint(text)
	}
	return ""
}
