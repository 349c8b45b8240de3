package main

import (
	"fmt"
	"strings"

	"openclaw-auth/doctor"
	"openclaw-auth/doctor/words"
)

// markdownText writes a table for a place that renders Markdown, such as the
// summary of a job on a code host.
func (s *session) markdownText(d *diagnosis) {
	counts := map[doctor.Severity]int{}
	for _, f := range d.shown {
		counts[f.Severity]++
	}
	var found []string
	for _, severity := range []doctor.Severity{doctor.Error, doctor.Warning} {
		if n := counts[severity]; n > 0 {
			found = append(found, words.Count(n, string(severity)))
		}
	}
	if n := counts[doctor.Info]; n > 0 {
		found = append(found, words.Count(n, "note"))
	}
	if len(found) == 0 {
		found = []string{"nothing found"}
	}
	fmt.Fprintf(s.stdout, "### openclaw-auth doctor: %s\n\n", strings.Join(found, ", "))
	if len(d.shown) > 0 {
		fmt.Fprintln(s.stdout, "| severity | check | what | where | what to do |\n|---|---|---|---|---|")
	}
	for _, f := range d.shown {
		fmt.Fprintf(s.stdout, "| %s | `%s` | %s | %s | %s |\n", f.Severity, f.Check, markdown(oneLine(f.Message)), markdown(s.placeInCode(f)), markdown(oneLine(f.Fix)))
	}
	fmt.Fprintf(s.stdout, "\n%s, rules of OpenClaw %s\n", words.Count(d.Run, "check"), s.home.Rules.Line)
}

// placeInCode is where a finding is, as a code host names it.
func (s *session) placeInCode(f doctor.Finding) string {
	if f.Where.File == "" {
		return f.Agent
	}
	place := s.fromWorkDir(f.Where.File)
	if f.Line > 0 {
		place += fmt.Sprintf(":%d", f.Line)
	}
	return place
}
