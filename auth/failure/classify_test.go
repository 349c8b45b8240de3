package failure_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"openclaw-auth/auth/failure"
	"openclaw-auth/auth/release"
)

func ExampleClassify() {
	rules := failure.RulesFor("2026.5.12")
	signal := failure.Signal{Message: "403 Key limit exceeded", Provider: "openrouter"}
	verdict := failure.Classify(signal, rules)
	follows := rules.Follows(signal, &verdict)
	fmt.Println(verdict.Reason, "by", verdict.Match.Group)
	fmt.Println("lane:", follows.Lane, "rotate:", follows.Rotate, "next:", follows.Next)
	// Output:
	// billing by openrouter_key_limit
	// lane:  rotate: yes next: model
}

func TestRulesFor(t *testing.T) {
	for _, name := range release.Names() {
		if rules := failure.RulesFor(name); rules.ReleaseLine != name || rules != failure.RulesFor(name) {
			t.Errorf("RulesFor(%q) = %v", name, rules)
		}
	}
	if failure.RulesFor("2026.5.13") != failure.RulesFor("2026.5.12") {
		t.Error("a release between two lines is not of the older one")
	}
}

// TestLinesStayApart shows that no line's change reaches into an older one.
func TestLinesStayApart(t *testing.T) {
	old := failure.RulesFor("2026.3.13")
	if old.Codes["RATE_LIMITED"] != "" || old.Status[410].Reason != "" || len(old.Plugins) > 0 || old.Types["server_error"] != "" {
		t.Error("2026.3.13 knows what came later")
	}
	if !slices.Contains(old.Checks, failure.Check("leading_status")) {
		t.Error("2026.3.13 reads no leading status")
	}
	if slices.Contains(failure.RulesFor("2026.9.6").Checks, failure.Check("leading_status")) {
		t.Error("2026.9.6 still asks for a leading status")
	}
}

// TestMatch names the rule behind a reason.
func TestMatch(t *testing.T) {
	for _, test := range []struct {
		line   string
		signal failure.Signal
		want   failure.Match
	}{
		{"2026.9.6", message("Too Many Requests"), failure.Match{Group: "rate_limit", Pattern: "lit too many requests"}},
		{"2026.9.6", status(503, ""), failure.Match{Group: "status", Pattern: "503"}},
		{"2026.9.6", status(503, "overloaded"), failure.Match{Group: "overloaded", Pattern: "lit overloaded"}},
		{"2026.9.6", failure.Signal{Code: "etimedout"}, failure.Match{Group: "code", Pattern: "ETIMEDOUT"}},
		{"2026.9.6", failure.Signal{Type: "overloaded_error"}, failure.Match{Group: "type", Pattern: "overloaded_error"}},
		{"2026.9.6", failure.Signal{Code: "UNAVAILABLE", Provider: "google"}, failure.Match{Group: "plugin google: code", Pattern: "UNAVAILABLE"}},
		{"2026.7.1", message("503 x"), failure.Match{Group: "status", Pattern: "503"}},
		{"2026.3.13", message("503 x"), failure.Match{Group: "leading_status", Pattern: "503"}},
		{"2026.9.6", message("nothing known"), failure.Match{}},
		{"2026.5.12", message("402 monthly spend limit"), failure.Match{
			Group: "m402_temporary", Pattern: "re daily|weekly|monthly && re usage limit|spend limit|spending limit",
		}},
	} {
		verdict := failure.Classify(test.signal, failure.RulesFor(test.line))
		if verdict.Match != test.want {
			t.Errorf("%s: %+v matched %+v, want %+v", test.line, test.signal, verdict.Match, test.want)
		}
	}
}

// TestConsequence has the cornerstones of the table.
func TestConsequence(t *testing.T) {
	for _, test := range []struct {
		line   string
		reason failure.Reason
		want   failure.Consequence
	}{
		{oldest, failure.RateLimit, failure.Consequence{Mark: failure.MarkAlways, Lane: failure.LaneCooldown, Rotate: failure.RotateYes, Next: failure.NextModel}},
		{"2026.4.29", failure.RateLimit, failure.Consequence{Mark: failure.MarkAlways, Lane: failure.LaneCooldown, ModelScoped: true, Rotate: failure.RotateOnce, Next: failure.NextModel}},
		{"2026.2.26", failure.AuthPermanent, failure.Consequence{Mark: failure.MarkAlways, Lane: failure.LaneDisabled, Rotate: failure.RotateYes, Next: failure.NextModel}},
		{newest, failure.TLSCertificate, failure.Consequence{Mark: failure.MarkNever, Rotate: failure.RotateNo, Next: failure.NextProvider}},
		{newest, failure.Overloaded, failure.Consequence{Mark: failure.MarkNever, Rotate: failure.RotateOnce, Next: failure.NextModel}},
		{oldest, failure.NoReason, failure.Consequence{Mark: failure.MarkNever, Rotate: failure.RotateNo, Next: failure.NextNone}},
		{newest, failure.NoReason, failure.Consequence{Mark: failure.MarkNever, Rotate: failure.RotateNo, Next: failure.NextUnlessLast}},
		{newest, "a reason of tomorrow", failure.Consequence{Mark: failure.MarkNever, Rotate: failure.RotateNo, Next: failure.NextUnlessLast}},
	} {
		if got := failure.RulesFor(test.line).Consequence(test.reason); got != test.want {
			t.Errorf("%s: %q leads to %+v, want %+v", test.line, test.reason, got, test.want)
		}
	}
}

// TestEveryReasonHasAConsequence covers what a line's own classification can
// give.
func TestEveryReasonHasAConsequence(t *testing.T) {
	for _, line := range release.Names() {
		rules := failure.RulesFor(line)
		for reason := range rules.ReasonStatus {
			if _, ok := rules.Consequences[reason]; !ok {
				t.Errorf("%s: nothing is said of %q", line, reason)
			}
		}
	}
}

// TestUnmarkedProvider: nothing is recorded for a provider that shares one
// credential among many models' owners.
func TestUnmarkedProvider(t *testing.T) {
	signal := failure.Signal{Message: "payment required", Provider: " OpenRouter"}
	rules := failure.RulesFor(newest)
	verdict := failure.Classify(signal, rules)
	if got := rules.Follows(signal, &verdict); got.Mark != failure.MarkNever || got.Lane != failure.LaneNone || got.Next != failure.NextModel {
		t.Errorf("got %+v", got)
	}
}

// TestConcurrent classifies from many goroutines at the first use of a line.
func TestConcurrent(t *testing.T) {
	var group sync.WaitGroup
	for _, line := range release.Names() {
		for range 8 {
			group.Go(func() {
				if got := failure.Classify(status(429, "x"), failure.RulesFor(line)).Reason; got != failure.RateLimit {
					t.Errorf("%s: %q", line, got)
				}
			})
		}
	}
	group.Wait()
}
