//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"

	"openclaw-auth/doctor/words"
)

// onTerminal runs the program on a terminal of a width and returns what it wrote.
func onTerminal(t *testing.T, program string, columns int, args ...string) string {
	t.Helper()
	command := exec.Command(program, args...)
	command.Env = []string{"HOME=" + t.TempDir(), "TERM=xterm", "NO_COLOR=1", "PATH=/usr/bin:/bin"}
	terminal, err := pty.StartWithSize(command, &pty.Winsize{Rows: 60, Cols: uint16(columns)})
	if err != nil {
		t.Skipf("no pseudo terminal: %v", err)
	}
	defer terminal.Close()
	var shown bytes.Buffer
	shown.ReadFrom(terminal)
	command.Wait()
	return strings.ReplaceAll(shown.String(), "\r\n", "\n")
}

// TestScreensFitTheTerminal shows the main screens at three widths, also with
// ids in wide characters: no line is wider than the terminal unless it is one
// word, and every word is there whatever the width.
func TestScreensFitTheTerminal(t *testing.T) {
	program := filepath.Join(installed(t), "openclaw-auth")
	wide := t.TempDir()
	write(t, wide, map[string]string{
		conf:  `{"agents":{"defaults":{"model":{"primary":"anthropic/claude-opus-4-6"}}}}`,
		store: `{"version":1,"profiles":{"anthropic:日本語プロファイル":{"type":"api_key","provider":"anthropic","key":"k"},"anthropic:🙂":{"type":"api_key","provider":"anthropic","key":"k"}}}`,
	})
	wideHome := []string{"--state-dir", filepath.Join(wide, ".openclaw"), "--rules", "2026.5.12"}
	screens := map[string][]string{
		"status":         {"--demo", "status"},
		"chain explain":  {"--demo", "chain", "explain"},
		"auth order":     {"--demo", "auth", "order"},
		"auth list":      {"--demo", "auth", "list"},
		"chain simulate": {"--demo", "chain", "simulate", "--fail", "*=rate_limit"},
		"doctor":         {"--demo", "doctor"},
		"state show":     {"--demo", "state", "show"},
		"state sessions": {"--demo", "state", "sessions"},
		"help":           {"auth", "order", "--help"},
		"wide status":    append([]string{"status"}, wideHome...),
		"wide list":      append([]string{"auth", "list"}, wideHome...),
		"wide doctor":    append([]string{"doctor", "--severity-min", "info"}, wideHome...),
		"wide simulate":  append([]string{"chain", "simulate", "--fail", "*=billing"}, wideHome...),
		"wide order":     append([]string{"auth", "order"}, wideHome...),
		"wide explain":   append([]string{"chain", "explain", "--default"}, wideHome...),
	}
	for name, args := range screens {
		var before string
		for _, columns := range []int{200, 80, 40} {
			text := onTerminal(t, program, columns, args...)
			for line := range strings.SplitSeq(text, "\n") {
				if width := words.Width(line); width > columns && !isExample(line) && !isUnbreakable(line, columns) {
					t.Errorf("%s at %d columns: a line of %d: %q", name, columns, width, line)
				}
			}
			// Layouts differ in their spaces, never in their words.
			said := fmt.Sprint(strings.Fields(text))
			if before != "" && said != before {
				t.Errorf("%s at %d columns says other words:\n%s\n%s", name, columns, said, before)
			}
			before = said
		}
		if len(before) < 40 {
			t.Errorf("%s shows nothing: %q", name, before)
		}
	}
}

// isExample reports whether a line is a command to copy, which is never wrapped.
func isExample(line string) bool {
	line = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(line), "run: "), "next: ")
	return strings.HasPrefix(line, "openclaw-auth ") || strings.HasPrefix(line, "openclaw ")
}

// isUnbreakable reports whether a line is too wide because of a word that has no
// room behind a head and an indent.
func isUnbreakable(line string, columns int) bool {
	const head = 20
	for word := range strings.FieldsSeq(line) {
		if words.Width(word) > columns-head {
			return true
		}
	}
	return false
}
