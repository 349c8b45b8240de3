package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"openclaw-auth/auth"
	"openclaw-auth/doctor"
	"openclaw-auth/doctor/words"
)

// entry is a word that the program prints.
type entry struct {
	name    string
	kind    string // what it says something about
	meaning string
	known   func(*auth.Rules) bool // whether a release knows it; nil: all do, or see knows
	next    string                 // what to type next, without the program's name
}

func explainTermCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name: "explain", ArgsUsage: "[TERM]", Category: homeless,
		Description: `Any word that openclaw-auth prints: states, reasons, codes, checks, rules and
settings. Says what it means, which releases know it, and what to type next.
Without TERM the words are listed.

Examples:
  openclaw-auth explain profile_missing
  openclaw-auth explain order/unknown-id
  openclaw-auth explain auth.cooldowns.rateLimitedProfileRotations

Exit codes: 0 explained, 2 unknown word or usage.`,
	}, explainTerm)
}

// termDocument is the answer of explain.
type termDocument struct {
	Schema   string     `json:"schema"`
	Meanings []termJSON `json:"meanings"`
}

type termJSON struct {
	Term     string `json:"term"`
	Kind     string `json:"kind"`
	Meaning  string `json:"meaning"`
	Releases any    `json:"releases"`
	Next     string `json:"next"`
}

// allTerms are all words with a meaning.
func allTerms() []entry {
	all := slices.Concat(terms, pastTerms)
	for _, check := range doctor.Checks() {
		all = append(all, entry{check.ID, "check of doctor", check.Title + ". " + upperFirst(check.Why) + ". Fix: " + check.Fix, nil, "doctor --only " + check.ID})
	}
	for _, field := range fieldsOf(auth.Newest()) {
		all = append(all, entry{field.name, "rule of a release", field.about + "; " + auth.Newest().Line + ": " + field.value, nil, "rules show"})
	}
	return all
}

func upperFirst(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

func explainTerm(s *session) error {
	all := allTerms()
	word := s.flags.Args().First()
	if word == "" {
		return s.listTerms(all)
	}
	var found []entry
	var names []string
	for _, t := range all {
		if strings.EqualFold(t.name, word) {
			found = append(found, t)
		}
		names = append(names, t.name)
	}
	if len(found) == 0 {
		return usage("no term %q%s", word, cmp.Or(nearTerm(word, names), " (openclaw-auth explain lists them)"))
	}
	if s.json {
		return s.writeJSON(termsDocument(found))
	}
	for i, t := range found {
		if i > 0 {
			fmt.Fprintln(s.stdout)
		}
		s.screen.Line(words.In(words.Bold, t.name), " ", words.In(words.Faint, "("+t.kind+")"))
		s.screen.Paragraph("  ", t.meaning)
		if releases := releasesOf(t); releases != "" {
			s.screen.Paragraph("  releases: ", releases)
		}
		s.screen.Paragraph("  next: ", "openclaw-auth "+t.next)
	}
	return nil
}

func nearTerm(word string, names []string) string {
	if near := nearest(word, names); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

func termsDocument(found []entry) termDocument {
	document := termDocument{Schema: "openclaw-auth/explain/v1", Meanings: []termJSON{}}
	for _, t := range found {
		document.Meanings = append(document.Meanings, termJSON{t.name, t.kind, t.meaning, nullable(releasesOf(t)), "openclaw-auth " + t.next})
	}
	return document
}

// listTerms lists the words by what they say something about.
func (s *session) listTerms(all []entry) error {
	if s.json {
		return s.writeJSON(termsDocument(all))
	}
	var kinds []string
	names := map[string][]string{}
	for _, t := range all {
		if names[t.kind] == nil {
			kinds = append(kinds, t.kind)
		}
		names[t.kind] = append(names[t.kind], t.name)
	}
	for _, kind := range kinds {
		s.screen.Line(words.In(words.Bold, kind))
		s.screen.Paragraph("  ", strings.Join(names[kind], ", "))
	}
	return nil
}

func termValues() []value {
	var values []value
	for _, t := range allTerms() {
		values = append(values, value{t.name, t.kind})
	}
	return values
}
