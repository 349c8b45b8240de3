package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// headerText is the line that says what an answer is about: which home, whose
// profiles, under which rules, and when.
func (s *session) headerText(agent state.Agent) {
	s.headerLine(agent.ID)
	if s.blocked != nil {
		s.screen.Paragraph(words.In(words.Red, "blocked: "), s.blocked.Error())
	}
}

func (s *session) headerLine(agent string) {
	rules := "rules " + s.home.Rules.Line
	if s.evidence.Source == "none" {
		rules += " (a guess: " + s.evidence.Detail + ")"
	}
	if chain := s.chainRules(); chain != "" {
		rules += " (models as of " + chain + ")"
	}
	var parts []any
	for i, part := range []string{s.homeName(), agent, rules, s.clock.Today()} {
		if part == "" {
			continue
		}
		if i > 0 {
			part = " · " + part
		}
		parts = append(parts, words.In(words.Faint, part))
	}
	s.screen.Paragraph("", parts...)
}

// homeName is the state directory as people write it.
func (s *session) homeName() string {
	if s.flags.Bool("demo") {
		return "demo home"
	}
	if below, err := filepath.Rel(s.home.HomeDir, s.home.StateDir); err == nil && filepath.IsLocal(below) {
		return filepath.Join("~", below)
	}
	return s.home.StateDir
}

// evidenceText ends a screen with how the release was found.
func (s *session) evidenceText() {
	if s.evidence.Source != "none" {
		fmt.Fprintln(s.stdout)
		s.screen.Paragraph(words.In(words.Faint, "rules "+s.home.Rules.Line+": "), words.In(words.Faint, s.evidence.Detail))
	}
}

// noteText writes a note.
func (s *session) noteText(text string) {
	s.screen.Paragraph(words.In(words.Faint, "  note: "), text)
}

// noteTexts writes notes, each once on a screen.
func (s *session) noteTexts(texts []string) {
	for _, text := range texts {
		if !s.told[text] {
			s.noteText(text)
		}
		if s.told == nil {
			s.told = map[string]bool{}
		}
		s.told[text] = true
	}
}

// orDash stands in for nothing.
func orDash(text string) string { return cmp.Or(text, "-") }

func oneLine(text string) string { return strings.ReplaceAll(strings.TrimSpace(text), "\n", " ") }
