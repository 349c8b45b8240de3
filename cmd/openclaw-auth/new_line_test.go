package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"openclaw-auth/auth/release"
	"openclaw-auth/testdata"
)

// TestNewLine adds an imaginary release to the one list of lines, with no step
// in any table, and builds the program: every command answers under it as under
// the line before.
func TestNewLine(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	const added = "2027.1.1"
	program := buildWithLine(t, added)
	if out, err := exec.Command(program, "rules", "diff", release.Newest(), added).CombinedOutput(); err != nil {
		t.Errorf("rules differ: %v\n%s", err, out)
	}
	home := t.TempDir()
	demo, err := fs.Sub(testdata.Demo(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(home, demo); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"auth", "list"}, {"auth", "order"}, {"auth", "order", "anthropic", "--json"}, {"auth", "reset", "--all", "--dry-run"},
		{"auth", "record", "anthropic:default", "--reason", "billing", "--dry-run"},
		{"chain", "explain"}, {"chain", "explain", "--json"}, {"chain", "simulate", "--fail", "anthropic/*=rate_limit"},
		{"chain", "classify", "HTTP 402 payment required"}, {"chain", "classify", "--status", "529", "overloaded", "--json"},
		{"state", "paths"}, {"state", "show"}, {"state", "sessions"}, {"state", "locks"},
		{"doctor"}, {"doctor", "--lint", "--json"}, {"doctor", "--fix", "--dry-run"}, {"rules", "show", "--json"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			under := func(line string) string {
				command := exec.Command(program, append(args, "--rules", line, "--now", "2026-05-20T14:00:00Z")...)
				command.Env = append(os.Environ(), "HOME="+home, "OPENCLAW_STATE_DIR="+filepath.Join(home, ".openclaw"), "NO_COLOR=1")
				out, err := command.CombinedOutput()
				if exit, ok := err.(*exec.ExitError); ok {
					out = append(out, exit.String()...)
				} else if err != nil {
					t.Fatal(err)
				}
				return regexp.MustCompile(regexp.QuoteMeta(line)+`\b *`).ReplaceAllString(string(out), "LINE ")
			}
			if before, after := under(release.Newest()), under(added); before != after {
				t.Errorf("under %s:\n%s\nunder the new line:\n%s", release.Newest(), before, after)
			}
		})
	}
}

// buildWithLine builds the program with one more row at the end of the list of lines.
func buildWithLine(t *testing.T, name string) string {
	t.Helper()
	list, err := filepath.Abs("../../auth/release/lines.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\t\{Name: "` + regexp.QuoteMeta(release.Newest()) + `".*\n`).FindString(string(text))
	if rows == "" {
		t.Fatalf("%s has no row of %s", list, release.Newest())
	}
	dir := t.TempDir()
	changed := strings.Replace(string(text), rows, rows+strings.Replace(rows, release.Newest(), name, 1), 1)
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {list: filepath.Join(dir, "lines.go")}})
	if err != nil {
		t.Fatal(err)
	}
	for file, data := range map[string][]byte{"lines.go": []byte(changed), "overlay.json": overlay} {
		if err := os.WriteFile(filepath.Join(dir, file), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(dir, "openclaw-auth")
	build := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}
