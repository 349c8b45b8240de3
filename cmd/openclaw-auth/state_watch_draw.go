package main

import (
	"bytes"
	"io"
	"os"

	"github.com/mattn/go-isatty"

	"openclaw-auth/auth"
	"openclaw-auth/doctor/words"
)

// frame is what the screen shows now, in the width that it has.
func (w *watching) frame() string {
	columns, lines := w.screen.Size()
	var out bytes.Buffer
	screen := words.Screen{W: &out, Width: columns, Color: w.session.screen.Color}
	screen.Line(words.In(words.Bold, "openclaw-auth state watch"), "  rules "+w.home.Rules.Line+"  "+w.at(w.now)+"  q: quit")
	for _, view := range w.views {
		w.drawAgent(&screen, view)
	}
	used := bytes.Count(out.Bytes(), []byte("\n"))
	if room := lines - used - 3; room > 0 && len(w.recent) > 0 {
		screen.Line("")
		screen.Line(words.In(words.Bold, "changes"))
		for _, c := range w.recent[max(0, len(w.recent)-room):] {
			screen.Line(w.changeText(c))
		}
	}
	return out.String()
}

func (w *watching) drawAgent(screen *words.Screen, view *agentView) {
	screen.Line("")
	screen.Line(words.In(words.Bold, "agent "+view.agent.ID))
	if view.problem != nil {
		screen.Paragraph("  ", words.In(words.Red, words.Line(view.problem.Error())))
	}
	var rows words.Table
	for _, id := range view.order {
		p := view.profiles[id]
		rows.Add(auth.MaskID(id), stateCell(p.State), w.profileText(p))
	}
	screen.Table("  ", &rows)
	for _, key := range sortedKeys(view.sessions) {
		screen.Line("  session "+key+" on fallback ", words.In(words.Yellow, view.sessions[key]))
	}
}

// profileText is why a profile can't be used, and for how long.
func (w *watching) profileText(p profileView) string {
	text := p.Reason
	if p.Model != "" {
		text += " on " + p.Model
	}
	switch {
	case p.Until > lastWaited:
		text += ", for ever"
	case p.Until > 0:
		text += ", " + w.clock.When(p.Until)
	}
	return text
}

func isTerminal(file *os.File) bool {
	return isatty.IsTerminal(file.Fd()) || isatty.IsCygwinTerminal(file.Fd())
}

// flush writes what a buffered writer holds.
func flush(w io.Writer) error {
	if buffered, ok := w.(interface{ Flush() error }); ok {
		return buffered.Flush()
	}
	return nil
}
