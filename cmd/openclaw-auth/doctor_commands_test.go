package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// commandHomes are homes whose findings name commands, with the release that they
// are of.
func commandHomes(t *testing.T) map[string]string {
	t.Helper()
	homes := map[string]string{}
	for _, pattern := range []string{"*.txtar", "repair/*.txtar"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "doctor", filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			release := "auto"
			for line := range strings.Lines(string(archive.Comment)) {
				if words := strings.Fields(line); len(words) == 2 && words[0] == "release" {
					release = words[1]
				}
			}
			hasDatabases := slices.ContainsFunc(archive.Files, func(f txtar.File) bool { return f.Name == "databases.json" })
			if !hasDatabases {
				homes[file] = release
			}
		}
	}
	if len(homes) < 25 {
		t.Fatal(len(homes), "homes")
	}
	for _, sample := range []string{"2026.4.29", "2026.5.12", "2026.7.1", "2026.9.6"} {
		homes[sample] = sample // the last two keep profiles in databases
	}
	return homes
}

// unpackHome makes the home of an archive, or of a release's sample.
func unpackHome(t *testing.T, file string) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "it's a home") // every command must quote it
	if filepath.Ext(file) != ".txtar" {
		if err := copyHome(file, filepath.Join(root, "home")); err != nil {
			t.Fatal(err)
		}
		return filepath.Join(root, "home")
	}
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		path := filepath.Join(root, filepath.FromSlash(f.Name))
		if f.Name == "want" {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(root, "home")
}

// lint are the findings of doctor on a home, with the state directory as a flag.
func lint(t *testing.T, home, release string) []findingJSON {
	t.Helper()
	stdout, _, _ := program(t, home, "doctor", "--json", "--severity-min", "info", "--rules", release, "--state-dir", filepath.Join(home, ".openclaw"))
	var document lintDocument
	if err := json.Unmarshal([]byte(stdout), &document); err != nil {
		return nil
	}
	return document.Findings
}

// pastedWords are those of a command line as a shell reads it.
func pastedWords(t *testing.T, line string) []string {
	t.Helper()
	out, err := exec.Command("sh", "-c", `printf '%s\0' `+line).Output()
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

// TestPrintedCommands pastes every command of ours that doctor prints on the
// sample homes: it succeeds, what it is about is no longer found or is changed,
// and no other agent's files change.
func TestPrintedCommands(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("needs sh")
	}
	ran, ofAgents := 0, 0
	for file, release := range commandHomes(t) {
		for _, found := range lint(t, unpackHome(t, file), release) {
			for i, line := range found.Commands {
				if !strings.HasPrefix(line, "openclaw-auth ") {
					continue
				}
				ran++
				t.Run(filepath.Base(file)+" "+line, func(t *testing.T) {
					home := unpackHome(t, file)
					now := lint(t, home, release)
					at := slices.IndexFunc(now, func(f findingJSON) bool {
						return f.CheckID == found.CheckID && f.Requirement == found.Requirement && f.Agent == found.Agent && f.Target == found.Target && f.Pointer == found.Pointer && f.Message == found.Message
					})
					if at < 0 || len(now[at].Commands) <= i {
						t.Fatal("not found again")
					}
					words := pastedWords(t, now[at].Commands[i])
					before := homeFiles(t, home)
					stdout, stderr, code := program(t, home, append(words[1:], "--rules", release)...)
					if code != 0 {
						t.Fatalf("exit code %d: %s%s", code, stdout, stderr)
					}
					after := homeFiles(t, home)
					if cmp.Equal(before, after) && slices.ContainsFunc(lint(t, home, release), func(f findingJSON) bool {
						return f.CheckID == found.CheckID && f.Agent == found.Agent && f.Target == found.Target && f.Pointer == found.Pointer
					}) {
						t.Errorf("nothing has changed and it is still found: %s", stdout)
					}
					if found.Agent != "" && strings.Contains(line, "--agent") {
						ofAgents++
					}
					for name := range after {
						other := found.Agent != "" && strings.Contains(name, "/agents/") && !strings.Contains(name, "/agents/"+found.Agent+"/")
						if other && after[name] != before[name] {
							t.Errorf("%s of another agent has changed", name)
						}
					}
				})
			}
		}
	}
	if ran < 6 || ofAgents == 0 {
		t.Errorf("%d commands, %d of them with --agent", ran, ofAgents)
	}
}

// homeFiles are the files of a home, without what openclaw-auth itself keeps there.
func homeFiles(t *testing.T, home string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(home, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() == "openclaw-auth" {
			return filepath.SkipDir
		}
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[filepath.ToSlash(path)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
