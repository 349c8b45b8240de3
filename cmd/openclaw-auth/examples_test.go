package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// notRun are examples that need what a test does not have, with what that is.
// TestCommandsInDocuments reads them all the same.
var notRun = map[string]string{
	"chain exec":                       "a program of the user's; TestScripts/chain-exec runs one",
	"state watch":                      "an end; TestWatch runs it",
	"metrics --serve":                  "a port and an end",
	"metrics --output /var/lib":        "a directory of another program",
	"auth import ~/":                   "a backup of the user's",
	"chain pin":                        "a release that locks its sessions; TestDocumentsHaveTheirSchema runs it",
	"auth wait anthropic openai --any": "an end",
	"auth record openai-codex:me@example.com --reason rate_limit --until": "a time that is ahead",
}

// TestHelpExamplesRun runs the examples of every help page, one after the other,
// on a home like the demo: none of them is misused.
func TestHelpExamplesRun(t *testing.T) {
	home := demoOnDisk(t)
	t.Chdir(home)
	if err := os.WriteFile(filepath.Join(home, "gateway.log"), []byte("HTTP 429 too many requests\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, page := range allPages() {
	examples:
		for _, example := range page.examples {
			_, command, ours := strings.Cut("| "+example, "| openclaw-auth ") // behind what feeds it
			if !ours {
				t.Errorf("%s: %q does not run openclaw-auth", page.name, example)
				continue
			}
			for start := range notRun {
				if strings.HasPrefix(command, start) {
					continue examples
				}
			}
			ran++
			args := shellWords(command)
			if in, err := parse(newRoot(world{}, nil), args); err == nil && in.command != nil && in.command.Category != homeless && !strings.Contains(command, "--fix") {
				args = append(args, "--now", "2026-05-20T14:00:00Z")
			}
			if _, stderr, code := program(t, home, args...); code == exitUsage {
				t.Errorf("%s: %s\n%s", page.name, example, stderr)
			}
		}
	}
	if ran < 60 {
		t.Errorf("only %d examples ran", ran)
	}
}
