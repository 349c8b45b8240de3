package main

import (
	"fmt"
	"strconv"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
	"openclaw-auth/doctor/words"
)

// The chain is drawn from top to bottom: a box for each candidate with its
// profiles as rows, and on each edge what leads to the next.

var drawnColors = map[chain.Action]string{chain.Try: "#2a7d2a", chain.Probe: "#b8860b", chain.Skip: "#b22222"}

// drawMermaid draws the chain as a Mermaid flowchart.
func (s *session) drawMermaid(e *chain.Explanation) {
	fmt.Fprintln(s.stdout, "flowchart TD")
	for i, c := range e.Candidates {
		fmt.Fprintf(s.stdout, "  c%d[\"%s\"]:::%s\n", i, mermaidText(s.drawnRows(c)), c.Decision.Action)
		if i > 0 {
			fmt.Fprintf(s.stdout, "  c%d -->|\"%s\"| c%d\n", i-1, mermaidText([]string{leadsOn(e.Candidates[i-1])}), i)
		}
	}
	for _, action := range []chain.Action{chain.Try, chain.Probe, chain.Skip} {
		fmt.Fprintf(s.stdout, "  classDef %s stroke:%s,text-align:left\n", action, drawnColors[action])
	}
}

// drawDot draws the chain for Graphviz.
func (s *session) drawDot(e *chain.Explanation) {
	fmt.Fprintln(s.stdout, "digraph chain {\n  rankdir=TB; node [shape=box, fontname=\"sans-serif\"]; edge [fontname=\"sans-serif\", fontsize=10];")
	for i, c := range e.Candidates {
		style := "solid"
		if c.Decision.Action == chain.Skip {
			style = "dashed"
		}
		fmt.Fprintf(s.stdout, "  c%d [label=\"%s\", color=\"%s\", style=%s];\n", i, dotText(s.drawnRows(c)), drawnColors[c.Decision.Action], style)
		if i > 0 {
			fmt.Fprintf(s.stdout, "  c%d -> c%d [label=\"%s\"];\n", i-1, i, dotText([]string{leadsOn(e.Candidates[i-1])}))
		}
	}
	fmt.Fprintln(s.stdout, "}")
}

// drawnRows are the lines in a candidate's box.
func (s *session) drawnRows(c chain.ExplainedCandidate) []string {
	rows := []string{c.Ref.String(), string(c.Decision.Action) + ": " + decisionText(c.Decision)}
	for _, placement := range c.Profiles {
		position := "-"
		if placement.Position > 0 {
			position = strconv.Itoa(placement.Position)
		}
		row := position + "  " + string(shownID(placement.ID)) + "  " + string(placement.State)
		if placement.Window != nil && placement.State != auth.StateBypassed {
			row += ", " + endText(placement.Window.Until, s.clock)
		}
		rows = append(rows, row)
	}
	return rows
}

// leadsOn says what leads from a candidate to the next.
func leadsOn(c chain.ExplainedCandidate) string {
	if c.Decision.Action == chain.Skip {
		return "is skipped"
	}
	if c.Limit > 0 && c.Limit < len(c.Ordering.Order) {
		return "fails; " + words.Count(c.Limit, "profile") + " after rate limits"
	}
	return "fails with every profile"
}

// dotText quotes lines for a double-quoted string of Graphviz, aligned to the left.
func dotText(rows []string) string {
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(words.Escape(row)))
		if len(rows) > 1 {
			b.WriteString(`\l`)
		}
	}
	return b.String()
}

// mermaidText quotes lines for a double-quoted text of Mermaid, where # begins
// an entity and < a tag.
func mermaidText(rows []string) string {
	quoted := make([]string, len(rows))
	for i, row := range rows {
		quoted[i] = strings.NewReplacer("#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "`", "#96;").Replace(words.Escape(row))
	}
	return strings.Join(quoted, "<br/>")
}
