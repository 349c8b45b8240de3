package main

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
	"openclaw-auth/doctor/words"
)

// A chain is drawn from top to bottom: a box for each candidate with its
// profiles as rows, coloured by their state, on each arrow what leads on, and
// the failed run at the end.

// drawing is a chain as both languages draw it.
type drawing struct {
	title string
	boxes []drawnBox
	ends  string // what the last arrow leads to
}

type drawnBox struct {
	model, about string
	action       chain.Action
	next         bool // it is tried first
	rows         []drawnRow
	leadsOn      string
}

type drawnRow struct {
	position, profile, about string
	state                    auth.ProfileState
}

// drawnColors are a dark and a light colour, for borders and for areas.
type drawnColors struct{ line, area string }

var (
	drawnGood    = drawnColors{"#1a7f37", "#dafbe1"}
	drawnWaiting = drawnColors{"#9a6700", "#fff8c5"}
	drawnBad     = drawnColors{"#cf222e", "#ffebe9"}
	drawnOut     = drawnColors{"#6e7781", "#f6f8fa"}
)

var drawnActions = map[chain.Action]drawnColors{chain.Try: drawnGood, chain.Probe: drawnWaiting, chain.Skip: drawnBad}

var drawnStates = map[auth.ProfileState]drawnColors{
	auth.StateReady: drawnGood, auth.StateBypassed: drawnGood, auth.StateCooling: drawnWaiting,
	auth.StateBlocked: drawnWaiting, auth.StateDisabled: drawnBad, auth.StateExcluded: drawnOut,
}

// drawn is the drawing of an explanation.
func (s *session) drawn(run *chainRun, e *chain.Explanation) drawing {
	d := drawing{ends: "the run fails"}
	for _, part := range []string{s.homeName(), run.Agent.ID, e.SessionKey, "rules " + s.home.Rules.Line, s.clock.Today()} {
		if part != "" {
			d.title += " · " + part
		}
	}
	d.title = strings.TrimPrefix(d.title, " · ")
	for i, c := range e.Candidates {
		box := drawnBox{
			model: c.Ref.String(), about: string(c.Decision.Action) + ": " + decisionText(c.Decision),
			action: c.Decision.Action, next: isNext(e, i), leadsOn: leadsOn(c),
		}
		for _, placement := range c.Profiles {
			box.rows = append(box.rows, s.drawnRow(placement))
		}
		d.boxes = append(d.boxes, box)
	}
	return d
}

func (s *session) drawnRow(placement auth.Placement) drawnRow {
	row := drawnRow{position: "-", profile: string(shownID(placement.ID)), state: placement.State}
	if placement.Position > 0 {
		row.position = strconv.Itoa(placement.Position)
	}
	switch {
	case placement.State == auth.StateExcluded:
		row.about = cmp.Or(string(placement.Code), placeText(placement, s.clock))
		if placement.Code == "ok" {
			row.about = placeText(placement, s.clock)
		}
	case placement.Window != nil && placement.State != auth.StateBypassed:
		row.about = windowText(*placement.Window, s.clock)
	}
	return row
}

// leadsOn says what leads from a candidate to the next.
func leadsOn(c chain.ExplainedCandidate) string {
	switch tried := len(c.Ordering.Order); {
	case c.Decision.Action == chain.Skip:
		return "skipped"
	case tried == 0:
		return "fails"
	case c.Limit > 0 && c.Limit < tried:
		return "fails; after " + words.Count(c.Limit, "profile") + " if rate limited"
	case tried == 1:
		return "fails with its profile"
	}
	return "fails with every profile"
}

// drawDot draws for Graphviz, whose labels between < and > are tables.
func (s *session) drawDot(d drawing) {
	line := func(format string, args ...any) { fmt.Fprintf(s.stdout, format+"\n", args...) }
	line("digraph chain {")
	line("  graph [rankdir=TB, labelloc=t, fontname=\"Helvetica,Arial,sans-serif\", fontsize=11, fontcolor=\"%s\", label=<%s<br/> >]", drawnOut.line, dotText(d.title))
	line("  node [shape=plain, fontname=\"Helvetica,Arial,sans-serif\", fontsize=12]")
	line("  edge [fontname=\"Helvetica,Arial,sans-serif\", fontsize=10, color=\"#57606a\", fontcolor=\"#57606a\"]")
	for i, box := range d.boxes {
		colors, border := drawnActions[box.action], 1
		if box.next {
			border = 3
		}
		line("  c%d [label=<", i)
		line("    <table border=\"%d\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"5\" color=\"%s\" bgcolor=\"white\">", border, colors.line)
		line("      <tr><td colspan=\"4\" align=\"left\" bgcolor=\"%s\"><b>%s</b><br align=\"left\"/><font point-size=\"10\" color=\"%s\">%s</font><br align=\"left\"/></td></tr>",
			colors.area, dotText(box.model), colors.line, dotText(box.about))
		for _, row := range box.rows {
			of := drawnStates[row.state]
			line("      <tr><td align=\"right\"><font color=\"%s\">%s</font></td><td align=\"left\">%s</td><td align=\"left\" bgcolor=\"%s\"><font color=\"%s\">%s</font></td><td align=\"left\"><font point-size=\"10\" color=\"#57606a\">%s</font></td></tr>",
				drawnOut.line, row.position, dotText(row.profile), of.area, of.line, row.state, dotText(row.about))
		}
		line("    </table>>]")
	}
	line("  ends [shape=box, style=\"rounded,dashed\", color=\"%s\", fontcolor=\"%s\", label=<%s>]", drawnBad.line, drawnBad.line, dotText(d.ends))
	for i, box := range d.boxes {
		style := "solid"
		if box.action == chain.Skip {
			style = "dashed"
		}
		line("  c%d -> %s [style=%s, label=<  %s>]", i, after(d, i), style, dotText(box.leadsOn))
	}
	line("}")
}

// after names the node that follows a box.
func after(d drawing, i int) string {
	if i+1 < len(d.boxes) {
		return "c" + strconv.Itoa(i+1)
	}
	return "ends"
}

// dotText quotes a text for a label of Graphviz between < and >, which is XML.
func dotText(text string) string {
	if text == "" {
		return " " // Graphviz refuses a font around nothing
	}
	var b strings.Builder
	xml.EscapeText(&b, []byte(words.Escape(text)))
	return b.String()
}

// drawMermaid draws a Mermaid flowchart. A node's label is HTML with few tags:
// where a host strips the colours, the words still say it all. A statement ends
// with ; because Mermaid drops the last one of a line that has a style in it,
// even that of an entity.
func (s *session) drawMermaid(d drawing) {
	line := func(format string, args ...any) { fmt.Fprintf(s.stdout, format+"\n", args...) }
	line("---\ntitle: \"%s\"\nconfig:\n  flowchart:\n    wrappingWidth: 800\n---\nflowchart TB", mermaidTitle(d.title))
	for i, box := range d.boxes {
		label := fmt.Sprintf("<b>%s</b><br/><span style='color:%s'>%s</span>", mermaidText(box.model), drawnActions[box.action].line, mermaidText(box.about))
		for _, row := range box.rows {
			of := drawnStates[row.state]
			label += fmt.Sprintf("<br/>%s #nbsp;%s #nbsp;<span style='color:%s;background:%s'>#nbsp;%s#nbsp;</span>", row.position, mermaidText(row.profile), of.line, of.area, row.state)
			if row.about != "" {
				label += " #nbsp;<small>" + mermaidText(row.about) + "</small>"
			}
		}
		line("  c%d[\"%s\"];", i, label)
	}
	line("  ends([\"%s\"]);", mermaidText(d.ends)) // end is a word of the language
	for i, box := range d.boxes {
		arrow := "-->"
		if box.action == chain.Skip {
			arrow = "-.->"
		}
		line("  c%d %s|\"%s\"| %s;", i, arrow, mermaidText(box.leadsOn), after(d, i))
	}
	for i, box := range d.boxes {
		width := 1
		if box.next {
			width = 3
		}
		line("  style c%d fill:#ffffff,stroke:%s,stroke-width:%dpx,color:#24292f,text-align:left", i, drawnActions[box.action].line, width)
	}
	line("  style ends fill:#ffffff,stroke:%s,color:%s,stroke-dasharray:4", drawnBad.line, drawnBad.line)
}

// mermaidText quotes a text for a double-quoted label of Mermaid, where signs may
// begin an entity, a tag, Markdown, a comment or a directive: all but the harmless
// ones become entities.
func mermaidText(text string) string {
	var b strings.Builder
	for _, r := range words.Escape(text) {
		if r <= '~' && !strings.ContainsRune(" .,:()@/-", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			fmt.Fprintf(&b, "#%d;", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// mermaidTitle quotes a text for the title, which is a string of YAML.
func mermaidTitle(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", `\x25`).Replace(words.Escape(text))
}
