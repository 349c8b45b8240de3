package failure

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// matcher holds the compiled patterns of one line.
type matcher struct {
	finder *finder
	leaves []leaf
	groups map[string]*group
	size   int // of a text's outcome list
}

// group is a named list of patterns.
type group struct {
	name  string
	index int
	rows  []row
}

// row is a pattern: all its conditions must hold.
type row struct {
	text  string
	terms []condition
}

type condition struct {
	leaf int
	not  bool
}

// leaf is one literal or expression; rows share equal ones.
type leaf struct {
	kind, value string
	literal     int     // in the finder; -1 when it isn't there
	clauses     [][]int // literals in the finder, one of each list is required
	compile     func() *regexp.Regexp
}

// newMatcher compiles rows, all but their regular expressions: those wait for
// a text that has their literals.
func newMatcher(rows []patternRow) *matcher {
	m := &matcher{finder: newFinder(), groups: map[string]*group{}}
	leaves := map[[2]string]int{}
	for _, r := range rows {
		g := m.groups[r.group]
		if g == nil {
			g = &group{name: r.group, index: len(m.groups)}
			m.groups[r.group] = g
		}
		compiled := row{text: r.text}
		for _, t := range r.terms {
			key := [2]string{t.kind, t.value}
			if _, ok := leaves[key]; !ok {
				leaves[key] = len(m.leaves)
				m.leaves = append(m.leaves, m.newLeaf(t))
			}
			compiled.terms = append(compiled.terms, condition{leaves[key], t.not})
		}
		g.rows = append(g.rows, compiled)
	}
	m.size = len(m.leaves) + len(m.groups)
	return m
}

func (m *matcher) newLeaf(t term) leaf {
	l := leaf{kind: t.kind, value: t.value, literal: -1}
	switch t.kind {
	case "lit", "word":
		if len(t.value) >= minLiteral {
			l.literal = m.finder.add(t.value, t.kind == "word")
		}
	case "re":
		// White space and the dot mean other characters here than when the
		// expression runs, but they require no literal either way.
		tree, err := syntax.Parse(t.value, syntax.Perl)
		if err != nil {
			panic(err) // the patterns are part of the program
		}
		for _, clause := range requirements(tree) {
			ids := make([]int, len(clause))
			for i, literal := range clause {
				ids[i] = m.finder.add(literal, false)
			}
			l.clauses = append(l.clauses, ids)
		}
		l.compile = sync.OnceValue(func() *regexp.Regexp { return compile(t.value) })
	}
	return l
}

// holds decides a leaf on a text in which found marks the finder's literals.
func (l *leaf) holds(text string, found []uint64) bool {
	switch {
	case l.literal >= 0:
		return has(found, l.literal)
	case l.kind == "exact":
		return text == l.value
	case l.kind == "lit":
		return strings.Contains(text, l.value)
	}
	for _, clause := range l.clauses {
		if !hasAny(found, clause) {
			return false
		}
	}
	return l.compile().MatchString(text)
}

func has(found []uint64, id int) bool { return found[id>>6]&(1<<(id&63)) != 0 }

func hasAny(found []uint64, ids []int) bool {
	for _, id := range ids {
		if has(found, id) {
			return true
		}
	}
	return false
}
