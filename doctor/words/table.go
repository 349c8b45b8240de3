package words

import (
	"fmt"
	"slices"
	"strings"
)

// Table is rows of aligned cells. The last column is the one that explains: it
// takes the room that the others leave, and wraps in it.
type Table struct{ rows [][]Cell }

// Add adds a row of texts, Cells, or anything that fmt can print.
func (t *Table) Add(cells ...any) { t.AddIn(0, cells...) }

// AddIn adds a row in a style; Cells with a style of their own keep it.
func (t *Table) AddIn(style Style, cells ...any) {
	row := make([]Cell, len(cells))
	for i, value := range cells {
		row[i] = cellOf(value)
		if row[i].Style == 0 {
			row[i].Style = style
		}
		row[i].Text = Escape(row[i].Text)
	}
	t.rows = append(t.rows, row)
}

// Len is the number of rows.
func (t *Table) Len() int { return len(t.rows) }

// Texts returns the texts of the rows, escaped, for a form other than a screen.
func (t *Table) Texts() [][]string {
	texts := make([][]string, len(t.rows))
	for i, row := range t.rows {
		for _, cell := range row {
			texts[i] = append(texts[i], cell.Text)
		}
	}
	return texts
}

// DropIf removes a column that holds one of the given texts in every row: it
// tells nothing there.
func (t *Table) DropIf(column int, texts ...string) {
	for _, row := range t.rows {
		if column >= len(row) || row[column].Text != t.rows[0][column].Text || !slices.Contains(texts, row[column].Text) {
			return
		}
	}
	for i := range t.rows {
		t.rows[i] = slices.Delete(t.rows[i], column, column+1)
	}
}

// roomToExplain is the room that the last column needs beside the others; with
// less it goes below them.
const roomToExplain = 22

// Table writes a table behind an indent. Where the terminal is too narrow for
// the columns side by side the last one goes below the others, and where that
// does not help the rows are wrapped like text.
func (s *Screen) Table(indent string, t *Table) {
	widths := t.widths()
	margin := Width(indent)
	fixed, longest := margin, 0
	for i, width := range widths {
		if i < len(widths)-1 {
			fixed += width + gap
		} else {
			longest = width
		}
	}
	switch room := s.Width - fixed; {
	case s.Width == 0 || room >= min(longest, roomToExplain):
		for _, row := range t.rows {
			s.row(indent, widths, row)
		}
	case fixed-gap <= s.Width:
		s.below(indent, widths, t.rows)
	default:
		for _, row := range t.rows {
			s.hang(indent, margin, margin+2*gap, spread(row))
		}
	}
}

// gap is the space between columns.
const gap = 2

func (t *Table) widths() []int {
	var widths []int
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], Width(cell.Text))
		}
	}
	return widths
}

// row writes a row with its last cell wrapped in the last column.
func (s *Screen) row(indent string, widths []int, row []Cell) {
	head, at := s.head(indent, widths, row)
	if len(row) == 0 {
		return
	}
	s.hang(head, at, at, []any{row[len(row)-1]})
}

// head is all of a row but its last cell, padded.
func (s *Screen) head(indent string, widths []int, row []Cell) (string, int) {
	head, at := indent, Width(indent)
	for i := range len(row) - 1 {
		head += s.Paint(row[i]) + strings.Repeat(" ", widths[i]-Width(row[i].Text)+gap)
		at += widths[i] + gap
	}
	return head, at
}

// below writes rows with the last cell on a line of its own.
func (s *Screen) below(indent string, widths []int, rows [][]Cell) {
	under := indent + "  "
	if len(widths) > 1 && widths[0] <= 3 { // behind a number
		under = indent + strings.Repeat(" ", widths[0]+gap)
	}
	for _, row := range rows {
		if len(row) < len(widths) || row[len(row)-1].Text == "" {
			s.row(indent, widths, row)
			continue
		}
		head, _ := s.head(indent, widths, row)
		fmt.Fprintln(s.W, strings.TrimRight(head, " "))
		s.hang(under, Width(under), Width(under), []any{row[len(row)-1]})
	}
}

// spread is a row as the parts of a paragraph.
func spread(row []Cell) []any {
	var parts []any
	for _, cell := range row {
		if cell.Text != "" {
			parts = append(parts, cell, " ")
		}
	}
	return parts
}
