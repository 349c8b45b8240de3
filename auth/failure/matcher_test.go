package failure

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"openclaw-auth/auth/release"
)

// brute returns a way to decide a leaf without the finder.
func brute(l *leaf) func(text string) bool {
	switch l.kind {
	case "exact":
		return func(text string) bool { return text == l.value }
	case "lit":
		return func(text string) bool { return strings.Contains(text, l.value) }
	case "word":
		return regexp.MustCompile(`\b` + regexp.QuoteMeta(l.value) + `\b`).MatchString
	}
	return l.compile().MatchString
}

// samples are texts near every literal of a line: the literal alone, glued to
// letters, and cut short.
func samples(m *matcher) []string {
	texts := []string{"", "nothing of the sort", "402 429 500 error: {}"}
	for _, entry := range m.finder.entries {
		texts = append(texts, entry.text, "x"+entry.text, entry.text+"9", "- "+entry.text+" -", entry.text[1:])
	}
	for i := 0; i+7 < len(m.finder.entries); i += 7 {
		var joined []string
		for _, entry := range m.finder.entries[i : i+7] {
			joined = append(joined, entry.text)
		}
		texts = append(texts, strings.Join(joined, " "))
	}
	return texts
}

// TestFinderRulesOutNothing shows that looking for required literals first
// never changes an answer.
func TestFinderRulesOutNothing(t *testing.T) {
	for _, name := range []string{"2026.3.13", "2026.7.1", "2026.9.6"} {
		m := RulesFor(name).matcher()
		texts := make([]*text, 0, 1000)
		for _, sample := range samples(m) {
			texts = append(texts, m.newText(sample))
		}
		for i := range m.leaves {
			l := &m.leaves[i]
			decide := brute(l)
			for _, text := range texts {
				if got, want := l.holds(text.lower, text.found), decide(text.lower); got != want {
					t.Errorf("%s: %s %q on %q: %v, want %v", name, l.kind, l.value, text.lower, got, want)
				}
			}
		}
	}
}

// TestFewPatternsAlwaysRun keeps an eye on speed: a pattern without a required
// literal runs on every text.
func TestFewPatternsAlwaysRun(t *testing.T) {
	m := RulesFor("2026.9.6").matcher()
	for _, g := range m.groups {
		for _, r := range g.rows {
			guarded := false
			for _, c := range r.terms {
				l := m.leaves[c.leaf]
				guarded = guarded || l.kind != "re" || len(l.clauses) > 0
			}
			if !guarded {
				t.Errorf("[%s] %s needs no literal", g.name, r.text)
			}
		}
	}
}

func TestRequirements(t *testing.T) {
	for _, test := range []struct {
		pattern string
		want    [][]string
	}{
		{`\bhttp\s*402\b`, [][]string{{"http"}, {"402"}}},
		{`rate[ _]limit`, [][]string{{"rate"}, {"limit"}}},
		{`(?:daily|weekly)s?`, [][]string{{"daily", "weekly"}}},
		{`(?:daily|a)`, nil},
		{`(?:daily)?`, nil},
		{`(daily)+`, [][]string{{"daily"}}},
		{`(?:daily){2,3}`, [][]string{{"daily"}}},
		{`(?i)daily`, nil},
	} {
		tree, err := syntax.Parse(test.pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		got := requirements(tree)
		if !slices.EqualFunc(got, test.want, slices.Equal) {
			t.Errorf("%s: %q, want %q", test.pattern, got, test.want)
		}
	}
}

func TestTranslate(t *testing.T) {
	for _, test := range []struct {
		pattern, text string
		want          bool
	}{
		{`a\sb`, "a\u00a0b", true},
		{`a\sb`, "a\u0085b", false},
		{`a[\s:]b`, "a\ufeffb", true},
		{`a\Sb`, "a\u2003b", false},
		{`a.b`, "a\u2028b", false},
		{`a.b`, "a\rb", false},
		{`(?s)a.b`, "a\nb", true},
		{`a[.]b`, "axb", false},
		{`a\.b`, "a.b", true},
	} {
		if got := compile(test.pattern).MatchString(test.text); got != test.want {
			t.Errorf("%s on %q: %v, want %v", test.pattern, test.text, got, test.want)
		}
	}
}

// TestPatternFiles reads every row on every line and compiles its expressions.
func TestPatternFiles(t *testing.T) {
	for place, name := range release.Names() {
		rows := patternsOf(place)
		if len(rows) < 50 {
			t.Errorf("%s has %d patterns", name, len(rows))
		}
		for _, row := range rows {
			for _, term := range row.terms {
				if !slices.Contains([]string{"lit", "word", "exact", "re"}, term.kind) || term.value == "" {
					t.Errorf("%s [%s] %s: unknown term %+v", name, row.group, row.text, term)
				}
				if term.kind == "re" {
					compile(term.value)
				}
			}
		}
	}
}

// TestSpansNameLines shows that the first column of every row is made of
// release lines.
func TestSpansNameLines(t *testing.T) {
	for _, span := range []string{"2026.1.30+", "2026.3.13..2026.7.1"} {
		if !spanHolds(span, release.Place("2026.4.9")) {
			t.Errorf("%s doesn't hold on 2026.4.9", span)
		}
	}
	entries, err := patternFiles.ReadDir("patterns")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		data, err := patternFiles.ReadFile("patterns/" + entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			span, _, ok := strings.Cut(line, " ")
			if !ok || line[0] == '#' || line[0] == '[' {
				continue
			}
			for _, name := range strings.Split(strings.TrimSuffix(span, "+"), "..") {
				if release.Place(name) < 0 {
					t.Errorf("%s: %q is no release line", entry.Name(), name)
				}
			}
		}
	}
}

// BenchmarkFirstUse is what the first classification under a line costs more
// than the others.
func BenchmarkFirstUse(b *testing.B) {
	for _, name := range []string{"2026.3.13", "2026.9.6"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				newMatcher(patternsOf(release.Place(name)))
			}
		})
	}
}
