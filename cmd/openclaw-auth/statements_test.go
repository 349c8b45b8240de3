package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestStatementsHaveScripts reads the table of statements in testdata/README.md:
// each of the 58 statements of OpenClaw's documentation has a script that
// exists and runs the command of its row, and every such script has a row.
func TestStatementsHaveScripts(t *testing.T) {
	testdata := filepath.Join("..", "..", "testdata")
	readme, err := os.ReadFile(filepath.Join(testdata, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| ([SX][\\w-]+) \\| .+ \\| .+ \\| `(.+)` \\| `(script/seed-[^`]+)`")
	rows := map[string]bool{}
	scripts := map[string]bool{}
	for _, match := range row.FindAllStringSubmatch(string(readme), -1) {
		id, command, name := match[1], strings.ReplaceAll(match[2], `\|`, "|"), match[3]
		rows[id], scripts[filepath.Base(name)] = true, true
		script, err := os.ReadFile(filepath.Join(testdata, filepath.FromSlash(name)))
		if err != nil {
			t.Errorf("%s: %v", id, err)
			continue
		}
		if !strings.HasPrefix(filepath.Base(name), "seed-"+id+"-") {
			t.Errorf("%s: %s is the script of another statement", id, name)
		}
		if !strings.Contains(string(script), "openclaw-auth "+command+"\n") {
			t.Errorf("%s: %s does not run %q", id, name, command)
		}
	}
	for i := 1; i <= 58; i++ {
		if id := fmt.Sprintf("S%02d", i); !rows[id] {
			t.Errorf("statement %s has no script", id)
		}
	}
	files, err := filepath.Glob(filepath.Join(testdata, "script", "seed-*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !scripts[filepath.Base(file)] {
			t.Errorf("%s has no row", file)
		}
	}
}
