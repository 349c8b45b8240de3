package main

import (
	"fmt"
	"strings"

	"openclaw-auth/doctor/words"
)

// help shows a command's page.
func (p *page) help(s *words.Screen) {
	title := func(text string) { fmt.Fprintln(s.W); s.Line(words.In(words.Bold, text)) }
	s.Paragraph(words.In(words.Bold, p.name+": "), p.usage)
	title("USAGE")
	s.Paragraph("  ", p.synopsis)
	for _, paragraph := range p.about {
		fmt.Fprintln(s.W)
		s.Paragraph("  ", paragraph)
	}
	if len(p.commands) > 0 {
		title("COMMANDS")
		var rows words.Table
		for _, command := range p.commands {
			rows.Add(command.name, command.usage)
		}
		s.Table("  ", &rows)
	}
	if len(p.examples) > 0 {
		title("EXAMPLES")
		for _, example := range p.examples {
			s.Line("  " + example)
		}
	}
	if len(p.flags) > 0 {
		title("FLAGS")
		flagsHelp(s, p.flags)
	}
	title("GLOBAL FLAGS")
	flagsHelp(s, p.shared)
	if p.exits != "" {
		title("EXIT CODES")
		s.Paragraph("  ", p.exits)
	}
}

func flagsHelp(s *words.Screen, flags []flagDoc) {
	var rows words.Table
	for _, flag := range flags {
		rows.Add(strings.TrimSpace("--"+flag.name+" "+flag.value), flag.text())
	}
	s.Table("  ", &rows)
}

// text is what is said about a flag, with its variable.
func (f flagDoc) text() string {
	text := f.about
	if f.fallback != "" {
		text += " (default " + f.fallback + ")"
	}
	if f.variable != "" {
		text += " [$" + f.variable + "]"
	}
	return text
}
