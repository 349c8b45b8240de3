package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"
)

// TestReadmeIsTrue finds every command and every flag for all commands in README.
func TestReadmeIsTrue(t *testing.T) {
	readme := documentText(t, "README.md")
	var walk func(path string, commands []*cli.Command)
	walk = func(path string, commands []*cli.Command) {
		for _, command := range commands {
			name := strings.TrimSpace(path + " " + command.Name)
			if command.Action != nil && !strings.Contains(readme, "`"+name) {
				t.Errorf("README says nothing of %s", name)
			}
			walk(name, command.Subcommands)
		}
	}
	walk("", newRoot(world{}, nil).Commands)
	for _, flag := range sharedFlags() {
		if name := "--" + flag.Names()[0]; !strings.Contains(readme, "`"+name) {
			t.Errorf("README says nothing of %s", name)
		}
	}
}

// TestHistoryPage runs what docs/history.md shows, on the real run that it names.
func TestHistoryPage(t *testing.T) {
	past := t.TempDir()
	if err := unpackPast("2026.7.1", past); err != nil {
		t.Fatal(err)
	}
	page := documentText(t, "docs/history.md")
	t.Chdir(filepath.Join(past, "tmp-openclaw"))
	shown := 0
	for _, match := range regexp.MustCompile("(?s)```console\n\\$ openclaw-auth (chain history [^\n]*)\n(.*?)```").FindAllStringSubmatch(page, -1) {
		shown++
		args := append(strings.Fields(match[1]), "--log", "openclaw-2026-11-30.log", "--state-dir", filepath.Join(past, "home", ".openclaw"), "--now", "2026-11-30T21:20:00Z", "--utc")
		stdout, stderr, _ := program(t, past, args...)
		if *update {
			page = strings.Replace(page, match[1]+"\n"+match[2], match[1]+"\n"+stdout, 1)
		} else if diff := cmp.Diff(match[2], stdout+stderr); diff != "" {
			t.Errorf("openclaw-auth %s (-page +program; go test -update rewrites it)\n%s", match[1], diff)
		}
	}
	if shown < 4 {
		t.Errorf("docs/history.md shows %d commands on the past", shown)
	}
	if *update {
		if err := os.WriteFile(filepath.Join(projectRoot, "docs", "history.md"), []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
