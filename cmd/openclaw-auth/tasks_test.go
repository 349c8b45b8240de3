package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"openclaw-auth/testdata"
)

// demoOnDisk is a home like the built-in one, with the modes that OpenClaw gives.
func demoOnDisk(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	source, err := fs.Sub(testdata.Demo(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	err = fs.WalkDir(source, ".", func(path string, entry fs.DirEntry, err error) error {
		target := filepath.Join(home, filepath.FromSlash(path))
		if err != nil || entry.IsDir() {
			return os.MkdirAll(target, 0o700)
		}
		text, err := fs.ReadFile(source, path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, text, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	return home
}

// TestTasksPage runs the transcripts of docs/tasks.md, each section on a home of
// its own, at the time of the demo home. -update writes what the program says.
func TestTasksPage(t *testing.T) {
	if filepath.Separator != '/' {
		t.Skip("paths look otherwise there")
	}
	page := documentText(t, "docs/tasks.md")
	blocks := regexp.MustCompile("(?s)```console\n(.*?)```")
	backup := regexp.MustCompile(`\b\d{8}T\d{6}\.\d{3}Z`)
	sections := strings.SplitAfter(page, "\n## ")
	ran := 0
	for i, section := range sections {
		home := demoOnDisk(t)
		sections[i] = blocks.ReplaceAllStringFunc(section, func(block string) string {
			var b strings.Builder
			b.WriteString("```console\n")
			for line := range strings.SplitSeq(block, "\n") {
				command, isCommand := strings.CutPrefix(line, "$ openclaw-auth ")
				if !isCommand {
					continue
				}
				ran++
				stdout, stderr, _ := program(t, home, append(shellWords(command), "--now", "2026-05-20T14:00:00Z", "--utc")...)
				text := strings.ReplaceAll(stdout+stderr, home, "~")
				b.WriteString(line + "\n" + backup.ReplaceAllString(text, "20260520T140000.000Z"))
			}
			return b.String() + "```"
		})
	}
	now := strings.Join(sections, "")
	if *update {
		if err := os.WriteFile(filepath.Join(projectRoot, "docs", "tasks.md"), []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(page, now); diff != "" {
		t.Errorf("docs/tasks.md (-page +program; go test -run TasksPage -update rewrites it)\n%s", diff)
	}
	if ran < 5 {
		t.Errorf("only %d commands ran", ran)
	}
}
