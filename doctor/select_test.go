package doctor

import (
	"strings"
	"testing"

	"openclaw-auth/doctor/internal/doctortest"
	"openclaw-auth/doctor/internal/mask"
)

func TestSelect(t *testing.T) {
	for _, c := range []struct {
		only, skip []string
		count      func(all int) int
		unknown    string
	}{
		{nil, nil, func(all int) int { return all }, ""},
		{[]string{"order"}, nil, func(int) int { return 3 }, ""},
		{[]string{"order", "files/locks"}, []string{"order/effect"}, func(int) int { return 3 }, ""},
		{nil, []string{"order"}, func(all int) int { return all - 3 }, ""},
		{[]string{"order/unknown-id"}, []string{"order"}, func(int) int { return 0 }, ""},
		{[]string{"ord"}, nil, func(int) int { return 0 }, "ord"},
		{nil, []string{"order/none"}, func(int) int { return 0 }, "order/none"},
	} {
		checks, unknown := Select(c.only, c.skip)
		if want := c.count(len(Checks())); len(checks) != want || unknown != c.unknown {
			t.Errorf("only %v, skip %v: %d checks, want %d; unknown %q", c.only, c.skip, len(checks), want, unknown)
		}
	}
}

// Every check says what it looks at, why, and what is done; ids are unique and
// in two parts.
func TestRegistry(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Checks() {
		if c.Title == "" || c.Why == "" || c.Fix == "" || !c.Severity.AtLeast(Info) {
			t.Errorf("%s is not described", c.ID)
		}
		if seen[c.ID] || strings.Count(c.ID, "/") != 1 {
			t.Errorf("%s is no id, or one twice", c.ID)
		}
		seen[c.ID] = true
		if CheckByID(c.ID) != c {
			t.Errorf("%s is not found", c.ID)
		}
		if c.home == nil && c.agent == nil && c.session == nil && c.after == nil {
			t.Errorf("%s does nothing", c.ID)
		}
	}
	if CheckByID("none") != nil {
		t.Error("there is a check none")
	}
}

func TestAtLeast(t *testing.T) {
	report := Report{Findings: []Finding{{Severity: Error}, {Severity: Warning}, {Severity: Warning}, {Severity: Info}}}
	for severity, want := range map[Severity]int{Info: 4, Warning: 3, Error: 1} {
		if got := len(report.AtLeast(severity)); got != want {
			t.Errorf("%s: %d, want %d", severity, got, want)
		}
	}
	if report.Count(Warning) != 2 || !Error.AtLeast(Info) || Info.AtLeast(Warning) {
		t.Error("severities are counted or compared wrongly")
	}
}

// What may be a key is masked in messages and pointers; what only is long is not.
func TestShown(t *testing.T) {
	const key = "anthropic:sk0123456789abcdef0123456789"
	for text, want := range map[string]string{
		"usageStats." + key + " is a string, expected an object": "**** is a string, expected an object",
		"billingBackoffHoursByProvider is no member":             "billingBackoffHoursByProvider is no member",
		"/home/user0123456789abcdef0123456789/x is a directory":  "/home/user0123456789abcdef0123456789/x is a directory",
	} {
		if got := mask.Text(text); strings.Contains(got, "0123456789abcdef") != strings.Contains(want, "0123456789abcdef") || !strings.HasSuffix(got, want[strings.Index(want, " "):]) {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
	for pointer, want := range map[string]string{
		"/profiles/" + key + "/key":                      "/profiles/anthropic:****/key",
		"/auth/cooldowns/billingBackoffHoursByProvider":  "/auth/cooldowns/billingBackoffHoursByProvider",
		"/agent:main:telegram:direct:1001/modelOverride": "/agent:main:telegram:direct:1001/modelOverride",
		"": "",
	} {
		if got := mask.Pointer(pointer); got != want {
			t.Errorf("%q is shown as %q, want %q", pointer, got, want)
		}
	}
}

// Progress is told from the first agent to the last, and one agent alone can be looked at.
func TestProgress(t *testing.T) {
	root := t.TempDir()
	doctortest.Write(t, root, "home/.openclaw/openclaw.json", doctortest.Object("agents", doctortest.Object("list", []any{doctortest.Object("id", "main"), doctortest.Object("id", "work"), doctortest.Object("id", "ops")})))
	q := query(t, root, "2026.5.12", nil)
	var told []int
	q.Progress = func(done, total int) {
		if told = append(told, done); total != 3 {
			t.Errorf("%d agents", total)
		}
	}
	report := Examine(q)
	if len(told) != 4 || told[0] != 0 || told[3] != 3 || report.Agents != 3 || report.Run != len(Checks()) || report.Skipped != 0 {
		t.Error(told, report)
	}
	doctortest.Write(t, root, "home/.openclaw/agents/work/agent/auth-profiles.json", "{")
	if q.Agent = "ops"; Examine(q).Count(Error) != 0 {
		t.Error("another agent's file is looked at")
	}
	if q.Agent = "work"; Examine(q).Count(Error) != 1 {
		t.Error("the agent's own file is not looked at")
	}
}
