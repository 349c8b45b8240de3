package chain_test

import (
	"strings"
	"testing"

	"openclaw-auth/auth/release"
	"openclaw-auth/chain"
)

// recorded names the profiles on which a run has stored a failure.
func recorded(result *chain.RunResult) string {
	var ids []string
	for _, use := range result.Uses {
		if use.Failure != nil && use.Recorded {
			ids = append(ids, string(use.Profile))
		}
	}
	return strings.Join(ids, " ")
}

// From 2026.5.12 on a rate limit that reaches the cap is thrown before the
// profile is marked; an overload is marked. Asked of 2026.5.12, 7.1 and 9.6.
func TestCapIsNotRecorded(t *testing.T) {
	for _, line := range recordedLines {
		m := models(t, line, `{agents: {defaults: {model: {primary: "a/one", fallbacks: ["b/two"]}}}}`)
		run := func(reason string, ids ...string) string {
			return recorded(simulate(t, m, chain.SimulateQuery{
				Profiles: profiles(t, m, keys(append(ids, "b:x")...)), Patterns: patterns(t, "a/*="+reason),
			}))
		}
		rateLimited, lastIsCapped := "a:x a:y", "a:x a:y"
		if m.Rules.Rotation.CapUnrecorded {
			rateLimited, lastIsCapped = "a:x", "a:x"
		}
		if !m.Rules.Rotation.RateLimitCap {
			rateLimited = "a:x a:y a:z"
		}
		same(t, line+" rate_limit", run("rate_limit", "a:x", "a:y", "a:z"), rateLimited)
		same(t, line+" rate_limit on the last profile", run("rate_limit", "a:x", "a:y"), lastIsCapped)
		overloaded := "a:x a:y"
		if line >= "2026.8.2" {
			continue // an overload is not recorded at all
		}
		if !m.Rules.Rotation.OverloadCap {
			overloaded = "a:x a:y a:z"
		}
		same(t, line+" overloaded", run("overloaded", "a:x", "a:y", "a:z"), overloaded)
	}
}

// Up to 2026.5.12 the cap asks whether the configuration has fallbacks, even in
// a session whose user's choice has none.
func TestCapOfAUsersModel(t *testing.T) {
	for _, line := range from("2026.4.29") {
		m := models(t, line, `{agents: {defaults: {model: {primary: "a/one", fallbacks: ["b/two"]}}}}`)
		result := simulate(t, m, chain.SimulateQuery{
			Session: chain.SessionQuery{Key: "agent:main:main", Sessions: parse(t,
				`{"agent:main:main": {providerOverride: "a", modelOverride: "other", modelOverrideSource: "user"}}`)},
			Profiles: profiles(t, m, keys("a:x", "a:y", "a:z", "b:x")), Patterns: patterns(t, "a/*=rate_limit"),
		})
		want := "a/other@x:next-profile a/other@y:next-profile a/other@z:no-profile-left"
		if !m.Rules.Rotation.CapAsksRun {
			want = "a/other@x:next-profile a/other@y:rotation-cap"
		}
		same(t, line, uses(result), want)
	}
}

// A candidate whose profiles all cool down for a reason that is not transient
// is let through near the end of its windows, but no request is made.
func TestProbeThatSendsNothing(t *testing.T) {
	for _, line := range from("2026.5.12") {
		m := models(t, line, `{agents: {defaults: {model: {primary: "a/one", fallbacks: ["b/two"]}}}}`)
		p := profiles(t, m, keys("a:x", "b:x"))
		p.Store.UsageStats = parse(t, `{"a:x": {cooldownUntil: 1780000030000, cooldownReason: "model_not_found", failureCounts: {model_not_found: 1}}}`)
		result := simulate(t, m, chain.SimulateQuery{Profiles: p})
		same(t, line, uses(result), "b/two@x:answered")
		if len(result.Walk.Records) != 1 || result.Walk.Records[0].Skipped {
			t.Fatalf("%s: records %+v", line, result.Walk.Records)
		}
		want := map[bool]string{true: "a can't find the model you're using right now.", false: "No available auth profile for a (all in cooldown or unavailable)."}[release.Place(line) >= release.Place("2026.6.11")]
		if release.Place(line) >= release.Place("2026.9.6") {
			want = `Auth profile "a:x" is temporarily unavailable for a/one.`
		}
		same(t, line, result.Walk.Records[0].Error, want)
	}
}
