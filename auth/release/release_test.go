package release

import (
	"slices"
	"testing"
)

func TestFor(t *testing.T) {
	for release, want := range map[string]string{
		"2026.5.12": "2026.5.12", "5.12": "2026.5.12", "v2026.8.2-beta.1": "2026.8.2", "2026.9": "2026.9.6", "2027.1.1": "2026.9.6",
		"2025.12.1": "2026.1.29", " 2026.4.29 ": "2026.4.29", "7.1-2": "2026.7.1-2", "2026.7.1-3": "2026.7.1-2", "2026.2.6-3": "2026.2.6-3",
	} {
		if line, err := For(release); err != nil || line.Name != want {
			t.Errorf("%s is of line %s (%v), want %s", release, line.Name, err, want)
		}
	}
	for _, text := range []string{"", "x", "2026", "1999.1.1", "2026.1.2.3", "2026.-1.2"} {
		if line, err := For(text); err == nil {
			t.Errorf("%q is of line %s", text, line.Name)
		}
	}
	if !Newer("2099.1.1") || Newer(Newest()) || Newer("x") {
		t.Error("wrong about what is newer than every line")
	}
}

func TestLinesAreInOrder(t *testing.T) {
	if !slices.IsSortedFunc(lines, func(a, b Line) int {
		x, _ := parse(a.Name)
		y, _ := parse(b.Name)
		return slices.Compare(x[:], y[:])
	}) {
		t.Error("the list of lines is not sorted")
	}
}

// TestTableInherits adds a line without a step: it behaves as the one before.
func TestTableInherits(t *testing.T) {
	type rules struct {
		name  string
		n     int
		names map[string]bool
	}
	steps := []Step[rules]{
		{lines[0].Name, func(r *rules) { r.n, r.names = 1, map[string]bool{"a": true} }},
		{lines[2].Name, func(r *rules) { r.n = 2; r.names["b"] = true }},
	}
	defer func(before []Line) { lines = before }(lines)
	lines = append(slices.Clone(lines), Line{Name: "2099.1.1"})
	table := NewTable(func(line string, r *rules) { r.name = line }, steps...)
	for place, line := range lines {
		r := table.At(line.Name)
		if r.name != line.Name || r.n != 1+min(place/2, 1) || len(r.names) != r.n || r != table.At(line.Name) {
			t.Errorf("%s: %+v", line.Name, r)
		}
	}
	if table.At("2026.1.31") != table.At(lines[1].Name) {
		t.Error("a release between two lines is not of the older one")
	}
	defer func() {
		if recover() == nil {
			t.Error("a step at no line is accepted")
		}
	}()
	NewTable(nil, Step[rules]{"2026.1.31", func(*rules) {}}).At(lines[0].Name)
}
