package main

import (
	"fmt"
	"slices"
	"strings"

	"openclaw-auth/doctor"
	"openclaw-auth/doctor/repair"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// severityHead is the head of a part of the report.
func severityHead(severity doctor.Severity) words.Cell {
	switch severity {
	case doctor.Error:
		return words.In(words.Red, "errors")
	case doctor.Warning:
		return words.In(words.Yellow, "warnings")
	}
	return words.In(words.Cyan, "notes")
}

// doctorText writes the report: how much was found, then each finding, the worst
// first, and at the end what to do next.
func (s *session) doctorText(d *diagnosis, scope scope) {
	plan := s.planFor(d, scope)
	s.screen.Paragraph("", s.foundText(d))
	s.headerLine(d.agent)
	for _, severity := range slices.Backward(doctor.Severities) {
		if !severity.AtLeast(d.least) || d.Count(severity) == 0 {
			continue
		}
		fmt.Fprintln(s.stdout)
		s.screen.Line(severityHead(severity))
		for _, group := range grouped(d.shown, severity) {
			s.findingText(group, plan)
		}
	}
	fmt.Fprintln(s.stdout)
	s.screen.Paragraph("", s.summary(d))
	s.leftText(plan.Fixed)
	if s.evidence.Source != "none" {
		s.screen.Paragraph("", words.In(words.Faint, "rules "+s.home.Rules.Line+": "+s.evidence.Detail))
	}
	if next := s.nextStep(d, plan, scope); next != "" {
		s.screen.Line(words.In(words.Bold, "next: "), next) // not wrapped: it is to be pasted
	}
}

// nextStep is what to type next about the findings that are shown: the repair,
// or the first command that a finding names.
func (s *session) nextStep(d *diagnosis, plan *repair.Plan, scope scope) string {
	if count := len(plan.Repaired); count > 0 {
		line := []string{"doctor", "--fix"}
		for _, flag := range [][2]string{{"--agent", scope.Agent}, {"--to", scope.To}} {
			if flag[1] != "" {
				line = append(line, flag[0], flag[1])
			}
		}
		return fmt.Sprintf("%s (repairs %d of them, after a question)", s.command(line...), count)
	}
	for _, severity := range slices.Backward(doctor.Severities) {
		for _, f := range d.shown {
			if f.Severity == severity && len(f.Commands) > 0 {
				return f.Commands[0]
			}
		}
	}
	if len(d.shown) > 0 {
		return "openclaw-auth explain " + d.shown[0].Check
	}
	return ""
}

// planFor is what doctor --fix would do, so that no more is promised.
func (s *session) planFor(d *diagnosis, scope scope) *repair.Plan {
	if !slices.ContainsFunc(d.Findings, func(f doctor.Finding) bool { return f.Repair != nil }) {
		return &repair.Plan{}
	}
	return s.plan(d, scope, repair.NewMoment(state.SystemClock{}), state.WriteOptions{Why: "doctor", Clock: state.SystemClock{}})
}

// manualFix is what helps where doctor --fix does not.
func manualFix(f doctor.Finding) string {
	if check := doctor.CheckByID(f.Check); !strings.HasPrefix(f.Fix, "doctor --fix") && f.Fix != "" {
		return f.Fix
	} else if check != nil && f.Check == doctor.IDLegacyImport {
		return "openclaw doctor --fix makes the database that it needs"
	}
	return "see the notes below"
}

// grouped puts findings of a severity that say the same of several places
// together, in the order of the first of each.
func grouped(findings []doctor.Finding, severity doctor.Severity) [][]doctor.Finding {
	type same struct{ check, agent, message, treats, fix, commands string }
	var groups [][]doctor.Finding
	at := map[same]int{}
	for _, f := range findings {
		if f.Severity != severity {
			continue
		}
		key := same{f.Check, f.Agent, f.Message, f.Treats, f.Fix, strings.Join(f.Commands, "\n")}
		i, seen := at[key]
		if !seen {
			i = len(groups)
			at[key], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	return groups
}

// mostPlaces is how many places of equal findings are named.
const mostPlaces = 5

// findingText writes equal findings once, with their places.
func (s *session) findingText(group []doctor.Finding, plan *repair.Plan) {
	f := group[0]
	var about []string
	if place := s.place(f); place != "" {
		about = append(about, place)
	}
	if f.Agent != "" {
		about = append(about, "agent "+f.Agent)
	}
	if len(group) > 1 {
		about = append(about, fmt.Sprintf("%d places", len(group)))
	}
	s.screen.Paragraph(words.In(words.Bold, "  "+f.Check+"  "), strings.Join(about, ", "))
	for i, other := range group[1:] {
		if i == mostPlaces-1 && len(group) > mostPlaces {
			s.screen.Paragraph("      ", fmt.Sprintf("and %d more (--json lists them)", len(group)-mostPlaces))
			break
		}
		s.screen.Paragraph("      also ", s.place(other))
	}
	s.paragraph("      ", f.Message)
	if f.Treats != "" {
		s.paragraph("      OpenClaw: ", oneLine(f.Treats))
	}
	switch {
	case f.Repair != nil && !plan.Cures(f):
		s.paragraph("      fix: ", "doctor --fix can't repair it here; "+manualFix(f))
	case f.Fix != "":
		s.paragraph("      fix: ", f.Fix)
	}
	for _, command := range f.Commands {
		words.Printf(s.stdout, "      run: %s\n", command) // never wrapped: it is to be pasted
	}
}

// place is where a finding is: file, line and column, or the row and the
// pointer of a database.
func (s *session) place(f doctor.Finding) string {
	if f.Where.File == "" {
		return ""
	}
	text := s.short(f.Where.File)
	switch {
	case f.Where.File == s.home.StateDir:
		return f.Where.File
	case f.Line > 0:
		return fmt.Sprintf("%s:%d:%d", text, f.Line, f.Column)
	case f.Where.Table != "":
		return text + " (" + f.Where.Table + ") " + f.Where.Pointer
	case f.Where.Pointer != "":
		return text + " " + f.Where.Pointer
	}
	return text
}

// foundText counts what was found.
func (s *session) foundText(d *diagnosis) words.Cell {
	var found []string
	style := words.Green
	for _, severity := range slices.Backward(doctor.Severities) {
		count := d.Count(severity)
		if count == 0 {
			continue
		}
		head := severityHead(severity)
		found = append(found, words.Count(count, strings.TrimSuffix(head.Text, "s")))
		if len(found) == 1 {
			style = head.Style
		}
	}
	if len(found) == 0 {
		found = []string{"nothing found"}
	}
	return words.In(words.Bold|style, strings.Join(found, ", "))
}

// summary counts what was looked at, and what is not shown of the findings.
func (s *session) summary(d *diagnosis) string {
	text := fmt.Sprintf("%s, %s, %s", words.Count(d.Agents, "agent"), words.Count(d.Sessions, "session"), words.Count(d.Run, "check"))
	if hidden := len(d.Findings) - len(d.shown); hidden > 0 {
		text += fmt.Sprintf("; %s not shown (--severity-min info)", words.Count(hidden, "finding"))
	}
	return text
}

// lintText writes a line per finding, as OpenClaw's doctor --lint does.
func (s *session) lintText(d *diagnosis) {
	words.Printf(s.stdout, "doctor --lint: ran %d check(s), %d finding(s)\n", d.Run, len(d.shown))
	for _, f := range d.shown {
		place := f.Where.File
		if f.Line > 0 {
			place += fmt.Sprintf(":%d", f.Line)
		}
		words.Println(s.stdout, strings.TrimRight(fmt.Sprintf("  [%s] %s %s", f.Severity, f.Check, place), " ")+" - "+f.Message)
		if f.Fix != "" {
			words.Println(s.stdout, "    fix: "+f.Fix)
		}
		for _, command := range f.Commands {
			words.Println(s.stdout, "    run: "+command)
		}
	}
}
