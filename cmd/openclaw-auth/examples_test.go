package main

import (
	"os"
	"path/filepath"
	"regexp"
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
		for _, example := range page.examples {
			_, command, ours := strings.Cut("| "+example, "| openclaw-auth ") // behind what feeds it
			if !ours {
				t.Errorf("%s: %q does not run openclaw-auth", page.name, example)
				continue
			}
			if runExample(t, home, page.name, command) {
				ran++
			}
		}
	}
	if ran < 60 {
		t.Errorf("only %d examples ran", ran)
	}
}

// TestReadmeCommandsRun does the same with every command that README names: in
// its tables and in its blocks.
func TestReadmeCommandsRun(t *testing.T) {
	text := documentText(t, "README.md")
	home := demoOnDisk(t)
	t.Chdir(home)
	ran := 0
	for _, found := range regexp.MustCompile("(?m)(?:^|`|\\$ |; )openclaw-auth ([^`\\n]+)").FindAllStringSubmatch(text, -1) {
		if strings.HasPrefix(found[1], "COMMAND") {
			continue
		}
		if runExample(t, home, "README.md", strings.ReplaceAll(found[1], "--session KEY", "--session discord")) {
			ran++
		}
	}
	if ran < 12 {
		t.Errorf("only %d commands ran", ran)
	}
}

// runExample runs what stands behind openclaw-auth in an example, unless that
// needs what a test does not have.
func runExample(t *testing.T, home, page, command string) bool {
	t.Helper()
	for start := range notRun {
		if strings.HasPrefix(command, start) {
			return false
		}
	}
	args := shellWords(command)
	if in, err := parse(newRoot(world{}, nil), args); err == nil && in.command != nil && in.command.Category != homeless && !strings.Contains(command, "--fix") {
		args = append(args, "--now", "2026-05-20T14:00:00Z")
	}
	if _, stderr, code := program(t, home, args...); code == exitUsage {
		t.Errorf("%s: %s\n%s", page, command, stderr)
	}
	return true
}
