package main

import (
	"fmt"
	"strings"

	"openclaw-auth/chain"
	"openclaw-auth/doctor/words"
)

// drawMermaid draws the chain as a Mermaid flowchart.
func (s *session) drawMermaid(e *chain.Explanation) {
	fmt.Fprintln(s.stdout, "flowchart TD")
	for i, c := range e.Candidates {
		words.Printf(s.stdout, "  c%d[\"%s\"]:::%s\n", i, mermaidText(drawnLabel(c)), c.Decision.Action)
		if i > 0 {
			words.Printf(s.stdout, "  c%d -->|fails| c%d\n", i-1, i)
		}
	}
	fmt.Fprintln(s.stdout, "  classDef attempt stroke:#2a2\n  classDef probe stroke:#c90\n  classDef skip stroke:#c33,stroke-dasharray: 4")
}

// drawDot draws the chain for Graphviz.
func (s *session) drawDot(e *chain.Explanation) {
	fmt.Fprintln(s.stdout, "digraph chain {\n  rankdir=LR; node [shape=box];")
	colors := map[chain.Action]string{chain.Try: "darkgreen", chain.Probe: "orange", chain.Skip: "red"}
	for i, c := range e.Candidates {
		style := "solid"
		if c.Decision.Action == chain.Skip {
			style = "dashed"
		}
		words.Printf(s.stdout, "  c%d [label=%q, color=%s, style=%s];\n", i, drawnLabel(c), colors[c.Decision.Action], style)
		if i > 0 {
			words.Printf(s.stdout, "  c%d -> c%d [label=fails];\n", i-1, i)
		}
	}
	fmt.Fprintln(s.stdout, "}")
}

// mermaidText replaces the characters that mean something in a label of Mermaid.
func mermaidText(text string) string {
	return strings.NewReplacer("#", "#35;", "\"", "#quot;", "<", "#lt;", ">", "#gt;", "&", "#amp;", "`", "#96;", ";", "#59;").Replace(words.Escape(text))
}

func drawnLabel(c chain.ExplainedCandidate) string {
	label := c.Ref.String() + " " + string(c.Decision.Action)
	if c.Decision.Reason != "" {
		label += " (" + string(c.Decision.Reason) + ")"
	}
	return label
}
