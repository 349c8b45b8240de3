package doctor

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"openclaw-auth/doctor/internal/doctortest"
)

var update = flag.Bool("update", false, "write the findings into testdata/doctor")

// TestCases examines the homes of testdata/doctor. The lines before the first
// file may say:
//
//	release R        the rules; otherwise the home tells
//	only GROUP       the checks; may come several times
//	unix             the case needs modes and links
//	mode M FILE      the file's mode (0600 otherwise, directories 0700)
//	symlink F NAME, hardlink F NAME
//	unpack ARCHIVE DIR
func TestCases(t *testing.T) {
	found := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(doctortest.CasesDir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { runCase(t, file, found) })
	}
	for _, check := range Checks() {
		if !found[check.ID] {
			t.Errorf("no case has a finding of %s", check.ID)
		}
	}
}

func runCase(t *testing.T, file string, found map[string]bool) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	want := &txtar.File{Name: "want"}
	for i, f := range archive.Files {
		if f.Name == "want" {
			want = &archive.Files[i]
			continue
		}
		doctortest.Write(t, root, f.Name, string(bytes.TrimSuffix(f.Data, []byte("\n"))))
	}
	release, only := "auto", []string(nil)
	for line := range strings.Lines(string(archive.Comment)) {
		words := strings.Fields(line)
		switch {
		case len(words) == 2 && words[0] == "release":
			release = words[1]
		case len(words) == 2 && words[0] == "only":
			only = append(only, words[1:]...)
		case len(words) == 1 && words[0] == "unix" && runtime.GOOS == "windows":
			t.Skip("needs modes and links")
		case len(words) == 3:
			prepare(t, root, words)
		}
	}
	checks, _ := Select(only, nil)
	report := Examine(query(t, root, release, checks))
	for _, f := range report.Findings {
		found[f.Check] = true
	}
	got := text(root, report)
	if *update {
		if want.Data = []byte(got); !slices.ContainsFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want" }) {
			archive.Files = append(archive.Files, *want)
		}
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(want.Data), got); diff != "" {
		t.Errorf("(-want +got; go test ./doctor -update writes it)\n%s", diff)
	}
}

func prepare(t *testing.T, root string, words []string) {
	t.Helper()
	var err error
	switch path := filepath.Join(root, words[2]); words[0] {
	case "unpack":
		doctortest.Unpack(t, words[1], func(file string, content []byte) { doctortest.Write(t, path, file, string(content)) })
	case "mode":
		mode, _ := strconv.ParseUint(words[1], 8, 32)
		err = os.Chmod(path, os.FileMode(mode))
	case "symlink":
		err = os.Symlink(filepath.Join(root, words[1]), path)
	case "hardlink":
		err = os.Link(filepath.Join(root, words[1]), path)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func query(tb testing.TB, root, release string, checks []*Check) Query {
	tb.Helper()
	home, config, evidence, err := doctortest.OpenHome(tb, root, release)
	return Query{Home: home, Config: config, Evidence: evidence, Problem: err, Checks: checks, Now: doctortest.Now}
}

func commandLines(f Finding) (lines [][2]string) {
	for _, command := range f.Commands {
		lines = append(lines, [2]string{"run", command})
	}
	return lines
}

// text is a report as the cases have it: a paragraph per finding.
func text(root string, report *Report) string {
	var b strings.Builder
	for _, f := range report.Findings {
		place := strings.TrimPrefix(filepath.ToSlash(f.Where.File), filepath.ToSlash(root)+"/home/")
		if f.Line > 0 {
			place += fmt.Sprintf(":%d:%d", f.Line, f.Column)
		}
		fmt.Fprintf(&b, "%s %s %s", f.Severity, f.Check, f.Code)
		for _, about := range []string{f.Agent, f.Profile, place, f.Where.Table, f.Where.Pointer} {
			if about != "" {
				fmt.Fprintf(&b, " | %s", about)
			}
		}
		fmt.Fprintf(&b, "\n  %s\n", f.Message)
		for _, line := range append([][2]string{{"treats", f.Treats}, {"fix", f.Fix}}, commandLines(f)...) {
			if line[1] != "" {
				fmt.Fprintf(&b, "  %s: %s\n", line[0], line[1])
			}
		}
	}
	return strings.ReplaceAll(filepath.ToSlash(b.String()), filepath.ToSlash(root), "ROOT")
}
