package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestImportingPage compiles and runs the program of docs/importing.md in a
// module of its own, with the replacement that the page names, on the demo home.
func TestImportingPage(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	page := documentText(t, "docs/importing.md")
	code := regexp.MustCompile("(?s)```go\n(package main.*?)```").FindStringSubmatch(page)
	replacement := regexp.MustCompile(`(?m)^require openclaw-auth v0\.0\.0\nreplace openclaw-auth => \.\./openclaw-auth$`).FindString(page)
	if code == nil || replacement == "" {
		t.Fatal("docs/importing.md has no program, or no replacement")
	}
	root, err := filepath.Abs(projectRoot)
	if err != nil {
		t.Fatal(err)
	}
	// The modules that this one needs are those that its go.mod names.
	module := regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(documentText(t, "go.mod"), "module example.org/importing")
	module += strings.Replace(replacement, "../openclaw-auth", root, 1) + "\n"
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": module, "go.sum": documentText(t, "go.sum"), "main.go": code[1]} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command("go", "run", "-mod=mod", ".")
	run.Dir = dir
	run.Env = append(os.Environ(), "OPENCLAW_STATE_DIR="+filepath.Join(root, "testdata", "demo", ".openclaw"))
	output, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if !regexp.MustCompile(`^(anthropic:\S+\n){3}\d+ findings\n$`).Match(output) {
		t.Errorf("the program prints\n%s", output)
	}
}
