package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"
)

var update = flag.Bool("update", false, "rewrite what README and docs show from the program")

// TestReadmeIsTrue runs what README shows of the demo home, and finds every
// command and every flag for all commands in it.
func TestReadmeIsTrue(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	readme := strings.ReplaceAll(string(text), "\r\n", "\n")
	shown := 0
	for _, block := range regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(readme, -1) {
		for example := range strings.SplitSeq(block[1], "$ openclaw-auth ") {
			line, want, _ := strings.Cut(example, "\n")
			if !strings.HasPrefix(line, "--demo ") {
				continue
			}
			shown++
			stdout, stderr, _ := program(t, t.TempDir(), strings.Fields(line)...)
			got := strings.TrimSpace(stdout + stderr)
			if *update {
				readme = strings.Replace(readme, line+"\n"+strings.TrimRight(want, "\n"), line+"\n"+got, 1)
			} else if diff := cmp.Diff(strings.TrimSpace(want), got); diff != "" {
				t.Errorf("openclaw-auth %s (-README +program; go test -update rewrites it)\n%s", line, diff)
			}
		}
	}
	if *update {
		if err := os.WriteFile(filepath.Join("..", "..", "README.md"), []byte(readme), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if shown < 2 {
		t.Errorf("README shows %d commands on the demo home", shown)
	}

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

// TestReadmeHistory runs what README shows of the past, on the real run that it
// names.
func TestReadmeHistory(t *testing.T) {
	past := t.TempDir()
	if err := unpackPast("2026.7.1", past); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(packageDir, "..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	readme := strings.ReplaceAll(string(text), "\r\n", "\n")
	t.Chdir(filepath.Join(past, "tmp-openclaw"))
	shown := 0
	for _, match := range regexp.MustCompile("(?s)```console\n\\$ openclaw-auth (chain history [^\n]*)\n(.*?)```").FindAllStringSubmatch(readme, -1) {
		shown++
		args := append(strings.Fields(match[1]), "--log", "openclaw-2026-11-30.log", "--state-dir", filepath.Join(past, "home", ".openclaw"), "--now", "2026-11-30T21:20:00Z", "--utc")
		stdout, stderr, _ := program(t, past, args...)
		if *update {
			readme = strings.Replace(readme, match[1]+"\n"+match[2], match[1]+"\n"+stdout, 1)
		} else if diff := cmp.Diff(match[2], stdout+stderr); diff != "" {
			t.Errorf("openclaw-auth %s (-README +program; go test -update rewrites it)\n%s", match[1], diff)
		}
	}
	if shown < 4 {
		t.Errorf("README shows %d commands on the past", shown)
	}
	if *update {
		if err := os.WriteFile(filepath.Join(packageDir, "..", "..", "README.md"), []byte(readme), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
