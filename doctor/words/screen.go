package words

import (
	"fmt"
	"io"
	"strings"

	"github.com/fatih/color"
	"github.com/mattn/go-runewidth"
)

// Style is how a text looks: a colour, Bold and Faint, combined with |. What a
// style says is always in the words too.
type Style uint8

// The styles.
const (
	Green Style = 1 + iota
	Yellow
	Red
	Cyan

	Bold  Style = 0x10
	Faint Style = 0x20
)

var colors = []color.Attribute{0, color.FgGreen, color.FgYellow, color.FgRed, color.FgCyan}

// Cell is a text in a style.
type Cell struct {
	Text  string
	Style Style
}

// In gives a text a style.
func In(style Style, text string) Cell { return Cell{text, style} }

// cellOf takes what the methods of a Screen and a Table take: a Cell, a text,
// or anything that fmt can print.
func cellOf(value any) Cell {
	switch v := value.(type) {
	case Cell:
		return v
	case string:
		return Cell{Text: v}
	}
	return Cell{Text: fmt.Sprint(value)}
}

// Width is the number of columns that a text takes on a terminal.
func Width(text string) int {
	if isPlain(text) {
		return len(text)
	}
	return runewidth.StringWidth(text)
}

// Screen is where an answer is shown.
type Screen struct {
	W     io.Writer
	Width int  // columns of the terminal; 0 for a pipe or a file, where lines stay whole for scripts
	Color bool // whether styles are shown
}

// Paint returns a text with the escapes of its style. The text is made safe.
func (s *Screen) Paint(cell Cell) string {
	text := Escape(cell.Text)
	if !s.Color || cell.Style == 0 || strings.TrimSpace(text) == "" {
		return text
	}
	var attributes []color.Attribute
	if c := colors[cell.Style&0x0f]; c != 0 {
		attributes = append(attributes, c)
	}
	if cell.Style&Bold != 0 {
		attributes = append(attributes, color.Bold)
	}
	if cell.Style&Faint != 0 {
		attributes = append(attributes, color.Faint)
	}
	paint := color.New(attributes...)
	paint.EnableColor() // the Screen decides, not NO_COLOR
	painted := paint.Sprint(text)
	if guard, ok := s.W.(*Guarded); ok {
		return strings.ReplaceAll(painted, "\x1b", guard.mark)
	}
	return painted
}

// Line writes texts and Cells one after the other, as they are, on one line.
func (s *Screen) Line(parts ...any) {
	var b strings.Builder
	for _, part := range parts {
		b.WriteString(s.Paint(cellOf(part)))
	}
	fmt.Fprintln(s.W, b.String())
}

// Paragraph writes texts and Cells behind a prefix. On a terminal it is broken
// between words, and further lines are indented like the text.
func (s *Screen) Paragraph(prefix any, parts ...any) {
	head := cellOf(prefix)
	width := Width(Escape(head.Text))
	indent := width
	if indent > widestPrefix {
		indent = 4
	}
	s.hang(s.Paint(head), width, indent, parts)
}

// widestPrefix is the longest prefix that text is aligned behind.
const widestPrefix = 16

// narrowest is the room that wrapped text needs at the least; with less, it is
// indented less.
const narrowest = 24

// hang writes parts behind a head of a width; further lines are indented.
func (s *Screen) hang(head string, at, indent int, parts []any) {
	if s.Width == 0 {
		s.whole(head, parts)
		return
	}
	if s.Width-indent < narrowest {
		indent = min(indent, 4)
	}
	var line strings.Builder
	line.WriteString(head)
	first := true // on its line
	for _, word := range s.pieces(parts) {
		width := Width(word.plain)
		helps := at > indent && indent+width <= s.Width // behind a long head, even the first word
		if !first && word.spaced && at+1+width > s.Width || first && helps && at+width > s.Width {
			fmt.Fprintln(s.W, strings.TrimRight(line.String(), " "))
			line.Reset()
			line.WriteString(strings.Repeat(" ", indent))
			at, first = indent, true
		}
		if !first && word.spaced {
			line.WriteByte(' ')
			at++
		}
		line.WriteString(word.painted)
		at, first = at+width, false
	}
	fmt.Fprintln(s.W, strings.TrimRight(line.String(), " "))
}

// whole writes parts on one line.
func (s *Screen) whole(head string, parts []any) {
	var line strings.Builder
	line.WriteString(head)
	for _, part := range parts {
		line.WriteString(s.Paint(cellOf(part)))
	}
	fmt.Fprintln(s.W, strings.TrimRight(line.String(), " "))
}

// piece is what is not broken: a word, in pieces if its styles differ.
type piece struct {
	plain, painted string
	spaced         bool // a space stands before it
}

// pieces takes parts apart into words.
func (s *Screen) pieces(parts []any) []piece {
	var pieces []piece
	for i, part := range parts {
		cell := cellOf(part)
		text := Escape(cell.Text)
		for j, word := range strings.Fields(text) {
			glued := j == 0 && i > 0 && len(pieces) > 0 && !strings.HasPrefix(text, " ") && !strings.HasSuffix(cellOf(parts[i-1]).Text, " ")
			painted := s.Paint(Cell{word, cell.Style})
			if glued {
				last := &pieces[len(pieces)-1]
				last.plain, last.painted = last.plain+word, last.painted+painted
				continue
			}
			pieces = append(pieces, piece{word, painted, true})
		}
	}
	return pieces
}
