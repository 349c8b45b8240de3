package failure

import "openclaw-auth/auth/document"

// text is a message under examination. What was found out about it is kept, so
// each pattern is decided at most once however many rules ask.
type text struct {
	matcher *matcher
	raw     string
	lower   string // trimmed and in lower case
	found   []uint64
	known   []outcome // of leaves, then of groups
	payload *payload
	answers []answered
}

// outcome is 0 for "not yet asked", 1 for no, and 2 or more for yes; a group's
// yes tells which row.
type outcome uint16

const (
	outcomeNo  outcome = 1
	outcomeYes outcome = 2
)

func (m *matcher) newText(raw string) *text {
	t := &text{
		matcher: m,
		raw:     raw,
		lower:   document.Lower(document.Trim(raw)),
		found:   make([]uint64, (len(m.finder.entries)+63)/64),
		known:   make([]outcome, m.size),
	}
	m.finder.scan(t.lower, t.found)
	return t
}

// has reports whether a pattern of the group matches. A nil or empty text
// matches nothing, nor does a group without patterns on the line.
func (t *text) has(name string) bool {
	_, ok := t.match(name)
	return ok
}

// match returns the group's first pattern that matches.
func (t *text) match(name string) (Match, bool) {
	if t == nil || t.lower == "" {
		return Match{}, false
	}
	g := t.matcher.groups[name]
	if g == nil {
		return Match{}, false
	}
	known := &t.known[len(t.matcher.leaves)+g.index]
	if *known == 0 {
		*known = t.decide(g)
	}
	if *known == outcomeNo {
		return Match{}, false
	}
	return Match{name, g.rows[*known-outcomeYes].text}, true
}

func (t *text) decide(g *group) outcome {
	for i := range g.rows {
		if t.rowHolds(&g.rows[i]) {
			return outcomeYes + outcome(i)
		}
	}
	return outcomeNo
}

func (t *text) rowHolds(r *row) bool {
	for _, c := range r.terms {
		if t.leafHolds(c.leaf) == c.not {
			return false
		}
	}
	return true
}

func (t *text) leafHolds(i int) bool {
	known := &t.known[i]
	if *known == 0 {
		*known = outcomeNo
		if t.matcher.leaves[i].holds(t.lower, t.found) {
			*known = outcomeYes
		}
	}
	return *known == outcomeYes
}

// findAll returns where the expression of a group's first pattern matches, n
// times at most.
func (t *text) findAll(name string, n int) [][]int {
	for _, c := range t.matcher.groups[name].rows[0].terms {
		if l := &t.matcher.leaves[c.leaf]; l.kind == "re" {
			return l.compile().FindAllStringIndex(t.lower, n)
		}
	}
	return nil
}

// isEmpty reports whether there is nothing to match.
func (t *text) isEmpty() bool { return t == nil || t.lower == "" }

// rawText is the text as it came, "" when there is none.
func (t *text) rawText() string {
	if t == nil {
		return ""
	}
	return t.raw
}
