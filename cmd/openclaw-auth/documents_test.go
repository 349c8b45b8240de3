package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// projectRoot holds also for a test that works in another directory.
var projectRoot = filepath.Join(packageDir, "..", "..")

var update = flag.Bool("update", false, "rewrite what documents show of the demo home")

// documentText is a file of the project, with the newlines of Unix.
func documentText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(projectRoot, name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

// documents are the texts that tell people what to type.
func documents(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "skills/*/*.md", "scripts/*.md", "scripts/*/*.md"} {
		paths, err := filepath.Glob(filepath.Join(projectRoot, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			name, _ := filepath.Rel(projectRoot, path)
			names = append(names, name)
		}
	}
	return names
}

// TestDemoInDocuments runs what is shown of the demo home.
func TestDemoInDocuments(t *testing.T) {
	shown := map[string]int{}
	for _, name := range documents(t) {
		text := documentText(t, name)
		now := text
		for _, block := range regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(text, -1) {
			for example := range strings.SplitSeq(block[1], "$ openclaw-auth ") {
				line, want, _ := strings.Cut(example, "\n")
				if !strings.HasPrefix(line, "--demo ") {
					continue
				}
				shown[name]++
				stdout, stderr, _ := program(t, t.TempDir(), shellWords(line)...)
				got := strings.TrimSpace(stdout + stderr)
				if *update {
					now = strings.Replace(now, line+"\n"+strings.TrimRight(want, "\n"), line+"\n"+got, 1)
				} else if diff := cmp.Diff(strings.TrimSpace(want), got); diff != "" {
					t.Errorf("%s: openclaw-auth %s (-document +program; go test -update rewrites it)\n%s", name, line, diff)
				}
			}
		}
		if now != text {
			if err := os.WriteFile(filepath.Join(projectRoot, name), []byte(now), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if shown["README.md"] < 2 {
		t.Errorf("README shows %d commands on the demo home", shown["README.md"])
	}
}

// TestCommandsInDocuments parses every command line of openclaw-auth in a block
// of code: its command and flags exist, and it has no more arguments than are read.
func TestCommandsInDocuments(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```(sh|bash|console|yaml)\n(.*?)```")
	command := regexp.MustCompile(`(?:^|[\s(;&|!])openclaw-auth (.*)`)
	parsed := 0
	for _, name := range documents(t) {
		for _, block := range blocks.FindAllStringSubmatch(documentText(t, name), -1) {
			for line := range strings.SplitSeq(strings.ReplaceAll(block[2], "\\\n", " "), "\n") {
				if block[1] == "console" && !strings.HasPrefix(line, "$ ") {
					continue // what the program prints
				}
				if comment := strings.TrimSpace(line); strings.HasPrefix(comment, "#") {
					continue
				}
				for _, found := range command.FindAllStringSubmatch(line, -1) {
					parsed++
					if err := understood(shellWords(found[1])); err != nil {
						t.Errorf("%s: %s\n%v", name, strings.TrimSpace(line), err)
					}
				}
			}
		}
	}
	if parsed < 20 {
		t.Errorf("only %d commands found", parsed)
	}
}

// understood reports what is wrong with the words of a command line.
func understood(words []string) error {
	root := newRoot(world{}, nil)
	in, err := parse(root, words)
	if err != nil || in.command == nil {
		return err
	}
	if _, err := in.arranged(root, "openclaw-auth"); err != nil {
		return err
	}
	if most := mostArguments(in.command.ArgsUsage); most >= 0 && len(in.arguments) > most {
		return usage("%s takes at most %d arguments", in.name(root), most)
	}
	return nil
}

// shellWords splits a command at blanks outside of quotes, up to what a shell
// takes for its own: a pipe, a redirection, the end of the command, a comment.
func shellWords(line string) []string {
	var words []string
	var word strings.Builder
	inWord, quote := false, rune(0)
	end := func() {
		if inWord {
			words = append(words, word.String())
		}
		word.Reset()
		inWord = false
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, inWord = r, true
		case r == ' ' || r == '\t':
			end()
		case strings.ContainsRune("|<>;&)`", r) || r == '#' && !inWord:
			if r == '>' && strings.Trim(word.String(), "12") == "" {
				inWord = false // the number of a redirection
			}
			end()
			return words
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	end()
	return words
}

// TestLinksInDocuments finds the files that the documents link to.
func TestLinksInDocuments(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:\s]+)[^)]*\)`)
	for _, name := range documents(t) {
		for _, found := range link.FindAllStringSubmatch(documentText(t, name), -1) {
			if _, err := os.Stat(filepath.Join(projectRoot, filepath.Dir(name), found[1])); err != nil {
				t.Errorf("%s links to %s, which is missing", name, found[1])
			}
		}
	}
}
