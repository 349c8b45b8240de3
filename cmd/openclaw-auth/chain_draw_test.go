package main

import (
	"encoding/xml"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// hostileDrawn are ids with the signs that mean something to one of the languages.
var hostileDrawn = []string{
	`q:<i>&amp;"'#35; style:#x; end\\l%%{init}%%]`, `q:|"| --> x`, "q:日本語 `c` *a* _b_", `q:</td></tr></table>>]`,
}

func drawnHome(t *testing.T) []string {
	t.Helper()
	home := t.TempDir()
	var profiles []string
	for _, id := range hostileDrawn {
		profiles = append(profiles, strings.ReplaceAll(`"ID":{"type":"api_key","provider":"q","key":"k"}`, "ID", strings.ReplaceAll(id, `"`, `\"`)))
	}
	write(t, home, map[string]string{
		conf:   `{"agents":{"defaults":{"model":{"primary":"p/m","fallbacks":["q/<b>n&m\"x\" #1","r/x"]}}}}`,
		store:  `{"version":1,"profiles":{"p:1":{"type":"api_key","provider":"p","key":"k"},` + strings.Join(profiles, ",") + `}}`,
		states: `{"version":1,"usageStats":{"p:1":{"disabledUntil":1795000000000,"disabledReason":"auth_permanent"}}}`,
	})
	return []string{"chain", "explain", "--state-dir", filepath.Join(home, ".openclaw"), "--rules", "2026.5.12", "--now", "2026-05-20T14:00:00Z", "--utc"}
}

// drawnIDs are the hostile ids as the program keeps them.
func drawnIDs() []string {
	var ids []string
	for _, id := range hostileDrawn {
		ids = append(ids, strings.ReplaceAll(id, `\\`, `\`))
	}
	return ids
}

// TestDotIsDrawn lets Graphviz read the drawing: every text arrives as it is.
func TestDotIsDrawn(t *testing.T) {
	dot, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("graphviz is not installed")
	}
	drawing, stderr, _ := program(t, t.TempDir(), append(drawnHome(t), "--format", "dot")...)
	command := exec.Command(dot, "-Tsvg")
	command.Stdin = strings.NewReader(drawing)
	svg, err := command.Output()
	if err != nil {
		t.Fatalf("dot: %v\n%s%s", err, drawing, stderr)
	}
	var shown strings.Builder
	decoder := xml.NewDecoder(strings.NewReader(string(svg)))
	decoder.Strict = false
	for {
		token, err := decoder.Token()
		if err != nil {
			break
		}
		if text, ok := token.(xml.CharData); ok {
			shown.Write(text)
			shown.WriteByte('\n')
		}
	}
	seen := strings.ReplaceAll(shown.String(), "\u00a0", " ")
	for _, want := range append(drawnIDs(), `q/<b>n&m"x" #1`, "disabled", "auth_permanent, ends in 181d (2026-11-18 11:06Z)", "skipped", "the run fails") {
		if !strings.Contains(seen, want) {
			t.Errorf("%q is not in the picture:\n%s", want, seen)
		}
	}
}

// TestMermaidIsQuoted undoes Mermaid's entities: the ids come back, and none of
// them holds a sign that means something to Mermaid.
func TestMermaidIsQuoted(t *testing.T) {
	drawing, _, _ := program(t, t.TempDir(), append(drawnHome(t), "--format", "mermaid")...)
	entity := regexp.MustCompile(`#(\d+);`)
	for _, id := range drawnIDs() {
		quoted := mermaidText(id)
		if strings.ContainsAny(entity.ReplaceAllString(quoted, ""), "<>&#\"'`*_%{}[]|\\;") {
			t.Errorf("%s is quoted as %s", id, quoted)
		}
		if !strings.Contains(drawing, quoted) {
			t.Errorf("%s is not in the drawing:\n%s", quoted, drawing)
		}
	}
	if nodes := regexp.MustCompile(`(?m)^  c\d\[".*"\];$`).FindAllString(drawing, -1); len(nodes) != 3 {
		t.Errorf("%d nodes:\n%s", len(nodes), drawing)
	}
}
