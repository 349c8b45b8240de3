package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"openclaw-auth/auth/document"
)

// plants are texts that must never reach a screen as they are. Each is put into
// every string and every name of a home in turn.
var plants = []string{
	"\x1b[38;5;201mESC\x1b]0;title\x07", "\nforged line", "\r\nforged: return", "\rforged", "\u202egpj.exe", "\u200b\u2066hidden", "\u0085\u009b31m", "\u2028forged", "\x7f\x00",
	"\n::error file=x::forged", "\"] --> x\nforged",
	" sk-ant-api03-MARKER00MARKER00MARKER00MARKER00", "/sk-proj-MARKER11MARKER11MARKER11MARKER", " ghp_MARKER22MARKER22MARKER22MARKER22MAR",
}

// planter puts plants into documents.
type planter struct{ next int }

func (p *planter) text() string {
	p.next++
	return plants[p.next%len(plants)]
}

// value is a value with a plant in every string in it, and a second member of a
// planted name beside every member. kept names are what a document is known by.
func (p *planter) value(value document.Value, depth int) document.Value {
	switch v := value.(type) {
	case string:
		return v + p.text()
	case document.Secret:
		return document.NewSecret(v.Reveal() + p.text())
	case []any:
		var items []any
		for _, item := range v {
			items = append(items, item, p.value(item, depth+1))
		}
		return items
	case *document.Object:
		planted := document.NewObject()
		for name, member := range v.All() {
			planted.Set(name, member)
			if name == "type" || name == "provider" || depth == 0 {
				planted.Set(name, p.inside(member, depth+1))
			} else {
				planted.Set(name, p.value(member, depth+1))
			}
			planted.Set(name+p.text(), p.value(member, depth+1))
			if depth > 0 {
				planted.Set(name+p.text(), []any{p.value(member, depth+1)}) // of a wrong type
			}
		}
		return planted
	}
	return value
}

// inside plants below a value, and leaves it alone if it is a string.
func (p *planter) inside(value document.Value, depth int) document.Value {
	if _, ok := value.(string); ok {
		return value
	}
	return p.value(value, depth)
}

// plantHome plants into every JSON document of a home.
func plantHome(t *testing.T, home string, seed int) {
	t.Helper()
	p := &planter{next: seed}
	planted := 0
	err := filepath.WalkDir(home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		value, err := document.Parse(path, data)
		if err != nil {
			return nil // a broken file stays one
		}
		planted++
		return os.WriteFile(path, document.Encode(p.value(value, 0)), 0o600)
	})
	if err != nil || planted < 4 {
		t.Fatalf("%d documents: %v", planted, err)
	}
}

// ownColors are the colours that the program itself writes.
var ownColors = regexp.MustCompile(`\x1b\[(0|1|2|22|3[1236]|[12];3[1236]|3[1236];[12])(;22|;0)*m`)

// TestHostileHome prints homes with hostile texts in every place: nothing that a
// terminal or a build log would obey, and no key, comes out of any command.
func TestHostileHome(t *testing.T) {
	seeds := 3
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		home := sampleHome(t, "2026.4.29")
		plantHome(t, home, seed*5)
		for _, output := range outputs(t, home) {
			text := ownColors.ReplaceAllString(output.text, "")
			for line := range strings.SplitSeq(text, "\n") {
				if i := strings.IndexFunc(line, func(r rune) bool { return r != '\t' && !unicode.IsPrint(r) }); i >= 0 {
					t.Errorf("%s prints a character that does not print: %q", output.command, cut(line[max(0, i-40):]))
				}
				if strings.HasPrefix(line, "forged") || strings.HasPrefix(line, "::error file=x") {
					t.Errorf("%s prints a forged line: %q", output.command, cut(line))
				}
				if i := strings.Index(line, "MARKER"); i >= 0 {
					t.Errorf("%s prints a key: %q", output.command, cut(line[max(0, i-60):]))
				}
			}
			if t.Failed() {
				break
			}
		}
	}
}
