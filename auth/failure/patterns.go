package failure

import (
	"embed"
	"strings"

	"openclaw-auth/auth/release"
)

// The pattern files hold what OpenClaw looks for in a text. A file has groups,
// "[name]", and a row per pattern:
//
//	2026.4.29+              word 404 && re not[-_\s]?found
//	2026.3.13..2026.7.1     lit  session expired
//
// The first column says since which line a row holds, or from which to which.
// Then come terms, all of which must hold, separated by &&; one after a "!"
// must not:
//
//	lit    the text contains it
//	word   the text contains it between word boundaries
//	exact  it is the whole text
//	re     a regular expression with JavaScript's meaning
//
// Texts are trimmed and in lower case.
//
//go:embed patterns/*.txt
var patternFiles embed.FS

// term is one condition of a row.
type term struct {
	kind, value string
	not         bool
}

// patternRow is one row of a pattern file.
type patternRow struct {
	group string
	text  string // the terms as they are written, for explanations
	terms []term
}

// Patterns lists the patterns of a line, each as "[group] terms", in the order of
// the files. It panics for a text that is no release.
func Patterns(line string) []string {
	rows := patternsOf(release.Place(RulesFor(line).ReleaseLine))
	patterns := make([]string, len(rows))
	for i, row := range rows {
		patterns[i] = "[" + row.group + "] " + row.text
	}
	return patterns
}

// WithPatterns returns these rules with other patterns, in the form of [Patterns].
// The recorder tries mixes of two lines with it.
func (r Rules) WithPatterns(patterns []string) *Rules {
	rows := make([]patternRow, len(patterns))
	for i, pattern := range patterns {
		group, terms, _ := strings.Cut(strings.TrimPrefix(pattern, "["), "] ")
		rows[i] = patternRow{group, terms, parseTerms(terms)}
	}
	r.compiled = &compiled{rows: func() []patternRow { return rows }}
	return &r
}

// patternsOf returns the rows that hold on the line with this place in the
// table of lines, in the order of the files.
func patternsOf(place int) []patternRow {
	entries, err := patternFiles.ReadDir("patterns")
	if err != nil {
		panic(err) // the files are part of the program
	}
	var rows []patternRow
	for _, entry := range entries {
		data, err := patternFiles.ReadFile("patterns/" + entry.Name())
		if err != nil {
			panic(err)
		}
		rows = appendRows(rows, string(data), place)
	}
	return rows
}

func appendRows(rows []patternRow, file string, place int) []patternRow {
	group := ""
	for line := range strings.Lines(file) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			group = strings.Trim(line, "[]")
		default:
			span, terms, _ := strings.Cut(line, " ")
			if spanHolds(span, place) {
				terms = strings.TrimLeft(terms, " ")
				rows = append(rows, patternRow{group, terms, parseTerms(terms)})
			}
		}
	}
	return rows
}

// spanHolds reports whether "FIRST+" or "FIRST..LAST" covers the line.
func spanHolds(span string, place int) bool {
	if first, ok := strings.CutSuffix(span, "+"); ok {
		return place >= release.Place(first)
	}
	first, last, _ := strings.Cut(span, "..")
	return place >= release.Place(first) && place <= release.Place(last)
}

func parseTerms(text string) []term {
	parts := strings.Split(text, " && ")
	terms := make([]term, len(parts))
	for i, part := range parts {
		part, not := strings.CutPrefix(part, "!")
		kind, value, _ := strings.Cut(part, " ")
		terms[i] = term{kind, value, not}
	}
	return terms
}
