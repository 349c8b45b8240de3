package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// The exit codes are OpenClaw's own: 0 nothing, 1 findings, 2 usage or unreadable.
func TestDoctorExitCodes(t *testing.T) {
	sound := map[string]string{conf: "{}", store: `{"profiles": {"p:1": {"type": "api_key", "provider": "p", "keyRef": {"source": "env", "provider": "default", "id": "K"}}}}`}
	with := func(file, content string) map[string]string {
		files := map[string]string{}
		for name, text := range sound {
			files[name] = text
		}
		files[file] = content
		return files
	}
	for _, c := range []struct {
		files map[string]string
		args  []string
		code  int
	}{
		{sound, nil, exitYes},
		{with(conf, `{"auth": {"order": {"p": ["p:gone", "p:1"]}}}`), nil, exitNo},
		{with(conf, `{"auth": {"order": {"p": ["p:gone", "p:1"]}}}`), []string{"--severity-min", "error"}, exitYes},
		{with(conf, `{"auth": {"order": {"p": ["p:gone", "p:1"]}}}`), []string{"--skip", "order"}, exitYes},
		{with(store, "{"), nil, exitNo},
		{with(conf, "{"), nil, exitUsage},
		{sound, []string{"--only", "nothing"}, exitUsage},
		{nil, nil, exitUsage},
	} {
		for _, format := range [][]string{nil, {"--lint"}, {"--json"}, {"--format", "github"}, {"--format", "sarif"}, {"--format", "markdown"}} {
			home := t.TempDir()
			write(t, home, c.files)
			args := slices.Concat([]string{"doctor", "--rules", "2026.5.12"}, c.args, format)
			if stdout, stderr, code := program(t, home, args...); code != c.code {
				t.Errorf("%v: exit code %d, want %d\n%s%s", args, code, c.code, stdout, stderr)
			}
		}
	}
}

// Every format tells the same findings, and each result of SARIF its rule.
func TestDoctorFormats(t *testing.T) {
	home := seededHome(t)
	var lint lintDocument
	stdout, _, _ := program(t, home, "doctor", "--json", "--severity-min", "info")
	if err := json.Unmarshal([]byte(stdout), &lint); err != nil || strings.Count(stdout, "\n") != 1 {
		t.Fatalf("%v: not one line of JSON", err)
	}
	if len(lint.Findings) < 20 || lint.OK || lint.SchemaVersion != 1 || lint.ChecksSkipped != 0 {
		t.Errorf("%d findings, %+v", len(lint.Findings), lint.OK)
	}
	var sarif sarifDocument
	stdout, _, _ = program(t, home, "doctor", "--format", "sarif", "--severity-min", "info")
	if err := json.Unmarshal([]byte(stdout), &sarif); err != nil {
		t.Fatal(err)
	}
	run := sarif.Runs[0]
	for i, result := range run.Results {
		if run.Tool.Driver.Rules[result.RuleIndex].ID != result.RuleID || result.RuleID != lint.Findings[i].CheckID {
			t.Errorf("result %d is of rule %s, the rule is %s, the finding of %s", i, result.RuleID, run.Tool.Driver.Rules[result.RuleIndex].ID, lint.Findings[i].CheckID)
		}
	}
	github, _, _ := program(t, home, "doctor", "--format", "github", "--severity-min", "info")
	text, _, _ := program(t, home, "doctor", "--lint", "--severity-min", "info")
	markdown, _, _ := program(t, home, "doctor", "--format", "markdown", "--severity-min", "info")
	if rows := strings.Count(markdown, "\n| ") - 1; rows != len(lint.Findings) {
		t.Errorf("%d findings: the Markdown has %d rows:\n%s", len(lint.Findings), rows, markdown)
	}
	if len(run.Results) != len(lint.Findings) || strings.Count(github, "\n") != len(lint.Findings) || strings.Count(text, "\n  [") != len(lint.Findings) {
		t.Errorf("%d findings: SARIF has %d, GitHub %d, the text %d", len(lint.Findings), len(run.Results), strings.Count(github, "\n"), strings.Count(text, "\n  ["))
	}
}
