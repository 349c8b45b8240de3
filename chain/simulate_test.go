package chain_test

import (
	"strings"
	"testing"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
)

func TestPattern(t *testing.T) {
	for text, want := range map[string]string{
		"a/one=rate_limit":          "a/one@ rate_limit",
		" openai/* = billing ":      "openai/*@ billing",
		"a/one@a:x=auth":            "a/one@a:x auth",
		"*@*:work=timeout":          "*@*:work timeout",
		"a/one=ok":                  "a/one@ ok",
		"a/one=text:HTTP 429 = bad": "a/one@ text HTTP 429 = bad",
	} {
		pattern, err := chain.ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		got := pattern.Ref + "@" + pattern.Profile + " "
		switch {
		case pattern.Failure == nil:
			got += "ok"
		case pattern.Failure.Reason == "":
			got += "text " + pattern.Failure.Message
		default:
			got += string(pattern.Failure.Reason)
		}
		same(t, text, got, want)
	}
	for _, text := range []string{"", "a/one", "a/one=", "=auth", "a/one=nonsense"} {
		if _, err := chain.ParsePattern(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

// A failure opens a window on its profile; the next call's entry shows it.
func TestSimulateRecords(t *testing.T) {
	m := models(t, "2026.5.12", chainOfThree)
	p := profiles(t, m, keys("a:x", "b:x"))
	result := simulate(t, m, chain.SimulateQuery{Profiles: p, Patterns: patterns(t, "a/*=rate_limit")})
	failed, won := result.Uses[0], result.Uses[1]
	if until, _ := failed.After.Number("cooldownUntil"); failed.Before != nil || until != testNow+30_000 {
		t.Errorf("failed: %v", failed.After.Keys())
	}
	same(t, "model", failed.After.Text("cooldownModel"), "one")
	if used, _ := won.After.Number("lastUsed"); used != testNow || result.Store.LastGood.Text("b") != "b:x" {
		t.Errorf("won: %v", won.After.Keys())
	}
	if p.Store.UsageStats.Len() != 0 {
		t.Error("the given store was changed")
	}
}

// An error text is classified as the line does it.
func TestSimulateText(t *testing.T) {
	m := models(t, "2026.5.12", chainOfThree)
	result := simulate(t, m, chain.SimulateQuery{
		Profiles: profiles(t, m, keys("a:x", "a:y", "b:x")), Patterns: patterns(t, "a/one@a:x=text:401 invalid api key", "a/*=text:something odd happened"),
	})
	same(t, "calls", uses(result), "a/one@x:next-profile a/one@y:not-rotatable b/two@x:answered")
	same(t, "reasons", string(result.Uses[0].Reason)+","+string(result.Uses[1].Reason), "auth,")
}

// A user's profile is the only one up to 2026.7.1 and goes first from 2026.8.2 on.
func TestSimulatePin(t *testing.T) {
	entry := `{sessionId: "s", authProfileOverride: "a:y", authProfileOverrideSource: "user"}`
	for line, want := range map[string]string{
		"2026.4.29": "a/one@y:pinned b/two@x:answered",
		"2026.7.1":  "a/one@y:pinned b/two@x:answered",
		"2026.8.2":  "a/one@y:next-profile a/one@x:no-profile-left b/two@x:answered",
		"2026.9.6":  "a/one@y:next-profile a/one@x:no-profile-left b/two@x:answered",
	} {
		m := models(t, line, chainOfThree)
		result := simulate(t, m, chain.SimulateQuery{
			Session: session(t, entry), Profiles: profiles(t, m, keys("a:x", "a:y", "b:x")), Patterns: patterns(t, "a/*=auth"),
		})
		same(t, line, uses(result), want)
	}
}

// A provider whose profiles all rest gets one call as a probe.
func TestSimulateProbe(t *testing.T) {
	m := models(t, "2026.7.1", chainOfThree)
	stats := `{cooldownUntil: 1780003600000, failureCounts: {rate_limit: 1}, cooldownReason: "rate_limit"}`
	result := simulate(t, m, chain.SimulateQuery{
		Profiles: profiles(t, m, unavailable(stats, "a:x", "b:x")), Patterns: patterns(t, "a/*=rate_limit"),
	})
	same(t, "calls", uses(result), "a/one@x:no-profile-left b/two@x:answered")
	var kinds []string
	for _, decision := range result.Decisions {
		kinds = append(kinds, string(decision.Decision))
	}
	same(t, "records", strings.Join(kinds, " "), "probe_cooldown_candidate candidate_failed candidate_succeeded")
}

// The reason in a notice: the provider's words for a passing fault, cut to 80
// characters, and how many more attempts there were.
func TestFallbackReasonText(t *testing.T) {
	long := "429 too many requests " + strings.Repeat("x", 100)
	for _, test := range []struct {
		records []chain.Record
		want    string
	}{
		{nil, "selected model unavailable"},
		{[]chain.Record{{Error: "no credit", Reason: "billing"}}, "billing"},
		{[]chain.Record{{Error: "slow", Reason: "rate_limit"}, {}}, "rate limit (+1 more attempts)"},
		{[]chain.Record{{Error: "try again in\n5 minutes", Reason: "rate_limit"}}, "try again in 5 minutes"},
		{[]chain.Record{{Error: long, Reason: "rate_limit"}}, long[:79] + "…"},
	} {
		same(t, "reason", chain.FallbackReasonText(test.records), test.want)
	}
}

// Simulating takes nothing from the session that was given.
func TestSimulateCopies(t *testing.T) {
	m := models(t, "2026.5.12", chainOfThree)
	query := session(t, `{sessionId: "s"}`)
	result := simulate(t, m, chain.SimulateQuery{Session: query, Profiles: profiles(t, m, keys("a:x", "b:x")), Patterns: patterns(t, "a/*=auth")})
	if query.Sessions.Object("agent:main:main").Len() != 1 {
		t.Error("the given session was changed")
	}
	if len(result.Changed) == 0 {
		t.Error("no change is told")
	}
}

// What the user reads when every model was rate limited: when to try again.
func TestReply(t *testing.T) {
	m := models(t, "2026.5.12", chainOfThree)
	run := func(reason string) *chain.WalkResult {
		result := simulate(t, m, chain.SimulateQuery{Profiles: profiles(t, m, keys("a:x", "b:x", "c:x")), Patterns: patterns(t, "*="+reason)})
		return &result.Walk
	}
	same(t, "30 s", run("rate_limit").Reply(testNow), "⚠️ Rate-limited — ready in ~30s. Please wait a moment.")
	same(t, "61 s", run("rate_limit").Reply(testNow-31_000), "⚠️ Rate-limited — ready in ~2 min. Please try again shortly.")
	same(t, "past", run("overloaded").Reply(testNow+hour), "⚠️ All models are temporarily rate-limited. Please try again in a few minutes.")
	same(t, "billing", run("billing").Reply(testNow), "")
}

// Before 2026.9.4 the agent command looks for a session's profile in the main
// agent's store, whichever agent runs.
func TestCommandPinInMain(t *testing.T) {
	for line, want := range map[string]string{
		"2026.4.29": "a/one@x:answered", "2026.5.12": "a/one@x:answered", "2026.7.1": "a/one@x:answered", "2026.8.2": "a/one@x:answered", "2026.9.6": "a/one@y:answered",
	} {
		m := models(t, line, `{agents: {defaults: {model: "a/one"}}, auth: {order: {a: ["a:x", "a:y"]}}}`)
		p := profiles(t, m, keys("a:x", "a:y"))
		p.InMain = func(id auth.ProfileID) bool { return id == "a:x" }
		query := chain.SimulateQuery{Profiles: p, Session: session(t, `{sessionId: "s", authProfileOverride: "a:y", authProfileOverrideSource: "user"}`)}
		query.Session.Command = true
		same(t, line, uses(simulate(t, m, query)), want)
		query.Session.Command = false
		same(t, line+" of a channel", uses(simulate(t, m, query)), "a/one@y:answered")
	}
}

// The error of a candidate without a request tells how to log in again, where
// the reason does not pass by itself.
func TestLoginHint(t *testing.T) {
	for _, test := range []struct{ line, provider, reason, want string }{
		{"2026.7.1", "own", "auth_permanent", "own isn't accepting your saved login anymore. `openclaw configure`."},
		{"2026.7.1", "anthropic", "auth_permanent",
			"anthropic isn't accepting your saved login anymore. Run `openclaw models auth login --provider anthropic` or `openclaw configure`."},
		{"2026.6.11", "meta", "auth_permanent", "meta isn't accepting your saved login anymore. `openclaw configure`."},
		{"2026.7.1", "meta", "auth_permanent", "meta isn't accepting your saved login anymore. Run `openclaw models auth login --provider meta` or `openclaw configure`."},
		{"2026.7.1", "own", "overloaded", "own is overloaded right now. Please wait a moment before trying again."},
	} {
		m := models(t, test.line, `{agents: {defaults: {model: {primary: "`+test.provider+`/one", fallbacks: ["`+test.provider+`/two"]}}}}`)
		p := profiles(t, m, keys(test.provider+":x"))
		result := simulate(t, m, chain.SimulateQuery{Profiles: p, Patterns: patterns(t, "*="+test.reason)})
		if want := "/two: " + test.want + " (" + test.reason + ")"; !strings.Contains(result.Walk.Err.Message, want) {
			t.Errorf("%s %s: %q, want %q in it", test.line, test.provider, result.Walk.Err.Message, want)
		}
	}
}
