package failure

import (
	"regexp/syntax"
	"unicode/utf8"
)

// minLiteral is the length from which the one-pass finder looks for a literal;
// shorter ones would occur everywhere.
const minLiteral = 3

// maxClause bounds the alternatives of one clause; a longer list would hardly
// ever rule a text out.
const maxClause = 24

// requirements returns what a text must contain to match the expression: a
// list of clauses, of each of which at least one literal occurs in every match.
// An expression that requires nothing long enough gives none, so it always
// runs.
func requirements(re *syntax.Regexp) [][]string {
	switch re.Op {
	case syntax.OpLiteral:
		return literalClause(re)
	case syntax.OpCapture, syntax.OpPlus:
		return requirements(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return requirements(re.Sub[0])
		}
	case syntax.OpConcat:
		var clauses [][]string
		for _, sub := range re.Sub {
			clauses = append(clauses, requirements(sub)...)
		}
		return clauses
	case syntax.OpAlternate:
		return alternativeClause(re)
	}
	return nil
}

func literalClause(re *syntax.Regexp) [][]string {
	if re.Flags&syntax.FoldCase != 0 {
		return nil
	}
	var text []byte
	for _, r := range re.Rune {
		text = utf8.AppendRune(text, r)
	}
	if len(text) < minLiteral {
		return nil
	}
	return [][]string{{string(text)}}
}

// alternativeClause joins the best clause of every alternative: one of them
// must hold. An alternative without a clause leaves nothing required.
func alternativeClause(re *syntax.Regexp) [][]string {
	var joined []string
	for _, sub := range re.Sub {
		best := bestClause(requirements(sub))
		if best == nil {
			return nil
		}
		joined = append(joined, best...)
	}
	if len(joined) > maxClause {
		return nil
	}
	return [][]string{joined}
}

// bestClause picks the clause that rules out the most texts: the one whose
// shortest literal is longest.
func bestClause(clauses [][]string) []string {
	var best []string
	score := 0
	for _, clause := range clauses {
		if s := shortest(clause); s > score {
			best, score = clause, s
		}
	}
	return best
}

func shortest(literals []string) int {
	n := len(literals[0])
	for _, literal := range literals[1:] {
		n = min(n, len(literal))
	}
	return n
}
