package main

import (
	"fmt"
	"strings"

	"openclaw-auth/chain"
	"openclaw-auth/doctor/words"
)

// Lists of the status screen are cut so that all of it fits 24 lines.
const (
	shownAgents    = 6
	shownProfiles  = 5
	shownFallbacks = 3
)

// statusText shows the status, the answer first.
func (s *session) statusText(d *statusDocument) {
	s.screen.Paragraph("", s.statusAnswer(d)...)
	agent := ""
	if s.flags.String("agent") != "" {
		agent = d.Agents[0].ID
	}
	s.headerLine(agent)
	fmt.Fprintln(s.stdout)
	s.agentsText(d)
	s.unavailableText(d)
	s.fallbacksText(d)
	s.doctorLine(d)
}

// statusAnswer says whether every agent can run.
func (s *session) statusAnswer(d *statusDocument) []any {
	var stuck []string
	for _, agent := range d.Agents {
		if !agent.Usable {
			stuck = append(stuck, agent.ID)
		}
	}
	switch {
	case len(stuck) == 0 && len(d.Agents) == 1:
		return []any{words.In(words.Bold|words.Green, "agent "+d.Agents[0].ID+" can run")}
	case len(stuck) == 0:
		return []any{words.In(words.Bold|words.Green, "all "+words.Count(len(d.Agents), "agent")+" can run")}
	}
	return []any{words.In(words.Bold|words.Red, "nothing usable for "+words.Plural(len(stuck), "agent ", "agents ")+words.List(stuck, shownAgents))}
}

func (s *session) agentsText(d *statusDocument) {
	var rows words.Table
	for _, agent := range d.Agents[:min(len(d.Agents), shownAgents)] {
		if !agent.Usable {
			text := "nothing usable"
			if agent.Problem != nil {
				text += ": " + fmt.Sprint(agent.Problem)
			}
			if agent.recovery != nil {
				text += "; " + string(shownID(agent.recovery.ID)) + " is back " + s.clock.When(agent.recovery.Window.Until)
			}
			rows.Add(agent.ID, words.In(words.Red, "-"), words.In(words.Red, text))
			continue
		}
		text := orDash(fmt.Sprint(orNothing(agent.Profile)))
		if agent.Decision == chain.Probe {
			text += ", as a probe"
		}
		if agent.Model != agent.Default {
			text += ", because " + agent.Default + " is skipped"
		}
		rows.Add(agent.ID, words.In(words.Green, fmt.Sprint(agent.Model)), text)
	}
	s.screen.Table("  ", &rows)
	s.moreText(len(d.Agents)-shownAgents, "agent", "status --json")
}

func orNothing(value any) any {
	if value == nil {
		return ""
	}
	return value
}

func (s *session) unavailableText(d *statusDocument) {
	if len(d.Unavailable) == 0 {
		return
	}
	fmt.Fprintln(s.stdout)
	s.screen.Line(words.In(words.Bold, "unavailable"))
	var rows words.Table
	for _, u := range d.Unavailable[:min(len(d.Unavailable), shownProfiles)] {
		text := windowText(u.window, s.clock)
		if len(u.Agents) < len(d.Agents) {
			text += "; " + words.List(u.Agents, 3)
		}
		rows.Add(u.Profile, stateCell(u.State), text)
	}
	s.screen.Table("  ", &rows)
	s.moreText(len(d.Unavailable)-shownProfiles, "profile", "state show")
}

func (s *session) fallbacksText(d *statusDocument) {
	fmt.Fprintln(s.stdout)
	if len(d.OnFallback) == 0 {
		s.screen.Paragraph("", words.In(words.Bold, "sessions: "), fmt.Sprintf("none of %d on a fallback", d.Sessions))
		return
	}
	s.screen.Paragraph("", words.In(words.Bold, "sessions: "), fmt.Sprintf("%d of %d on a fallback", len(d.OnFallback), d.Sessions))
	var rows words.Table
	for _, f := range d.OnFallback[:min(len(d.OnFallback), shownFallbacks)] {
		rows.Add(f.Key, f.Model+", "+s.clock.Distance(f.updatedAt))
	}
	s.screen.Table("  ", &rows)
	s.moreText(len(d.OnFallback)-shownFallbacks, "session", "state sessions --source auto")
}

func (s *session) doctorLine(d *statusDocument) {
	var found []string
	for _, part := range []struct {
		count int
		noun  string
	}{{d.Doctor.Errors, "error"}, {d.Doctor.Warnings, "warning"}, {d.Doctor.Notes, "note"}} {
		if part.count > 0 {
			found = append(found, words.Count(part.count, part.noun))
		}
	}
	style := words.Green
	switch {
	case d.Doctor.Errors > 0:
		style = words.Red
	case d.Doctor.Warnings > 0:
		style = words.Yellow
	}
	text := "nothing found"
	if len(found) > 0 {
		text = strings.Join(found, ", ")
	}
	line := []any{words.In(words.Bold, "doctor: "), words.In(style, text)}
	if d.Doctor.Errors+d.Doctor.Warnings > 0 {
		line = append(line, " ("+s.command("doctor")+")")
	}
	s.screen.Paragraph("", line...)
}

// moreText says how many rows are left out, and what shows them.
func (s *session) moreText(more int, noun, command string) {
	if more > 0 {
		s.screen.Paragraph("  ", words.In(words.Faint, fmt.Sprintf("and %s more (%s)", words.Count(more, noun), s.command(strings.Fields(command)...))))
	}
}
