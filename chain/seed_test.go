package chain_test

import (
	"slices"
	"strings"
	"testing"

	"openclaw-auth/auth/document"
	"openclaw-auth/chain"
	"openclaw-auth/chain/lines"
)

// The statements of OpenClaw's own documentation about models and fallbacks,
// S-number by S-number: each under the release lines on which the program does
// what the page says, and under those where it does not.

// recordedLines are the lines whose chain is recorded.
var recordedLines = []string{
	"2026.3.13", "2026.3.31", "2026.4.9", "2026.4.29", "2026.5.12", "2026.5.28", "2026.6.11", "2026.7.1", "2026.8.2", "2026.9.6",
}

func from(line string) []string { return recordedLines[slices.Index(recordedLines, line):] }
func upTo(line string) []string { return recordedLines[:slices.Index(recordedLines, line)+1] }

// TestS1 two stages: the provider's profiles, then the next model.
func TestS1(t *testing.T) {
	for _, line := range recordedLines {
		m := models(t, line, chainOfThree)
		result := simulate(t, m, chain.SimulateQuery{
			Profiles: profiles(t, m, keys("a:x", "a:y", "b:x")), Patterns: patterns(t, "a/*=auth"),
		})
		same(t, line, uses(result), "a/one@x:next-profile a/one@y:no-profile-left b/two@x:answered")
	}
}

// TestS2 the order of a run: selection, chain, rotation, persisted override,
// rollback, summary.
func TestS2(t *testing.T) {
	for _, line := range []string{"2026.4.29", "2026.5.12", "2026.7.1"} {
		m := models(t, line, chainOfThree)
		result := simulate(t, m, chain.SimulateQuery{
			Session: session(t, `{sessionId: "s"}`), Profiles: profiles(t, m, keys("a:x", "b:x", "c:x")),
			Patterns: patterns(t, "*=billing"),
		})
		if len(result.Writes) != 2 || !result.Writes[0].RolledBack || !result.Writes[1].RolledBack {
			t.Errorf("%s: writes %+v", line, result.Writes)
		}
		if result.Entry.Has("modelOverride") {
			t.Errorf("%s: an override is left: %v", line, result.Entry.Keys())
		}
		if !strings.HasPrefix(result.Walk.Err.Message, "All models failed (3): a/one: ") {
			t.Errorf("%s: %s", line, result.Walk.Err.Message)
		}
	}
}

// TestS3 the configured primary ends the chain of a run that began with an
// override; later the override's list stands alone.
func TestS3(t *testing.T) {
	entry := `{providerOverride: "b", modelOverride: "two", modelOverrideSource: "auto"}`
	for _, line := range []string{"2026.3.31", "2026.4.9"} {
		m := models(t, line, chainOfThree)
		query := session(t, entry)
		selection := selected(t, m, query)
		same(t, line, names(selection.Candidates), "b/two c/three a/one")
	}
	m := models(t, "2026.4.29", chainOfThree)
	same(t, "2026.4.29", names(selected(t, m, session(t, entry)).Candidates), "b/two c/three")
}

// TestS4 the members that a fallback writes into the session.
func TestS4(t *testing.T) {
	for line, count := range map[string]int{
		"2026.3.31": 0, "2026.4.9": 5, "2026.4.29": 6, "2026.5.12": 8, "2026.5.28": 8, "2026.6.11": 8, "2026.7.1": 8, "2026.8.2": 0, "2026.9.6": 0,
	} {
		m := models(t, line, chainOfThree)
		result := simulate(t, m, chain.SimulateQuery{
			Session: session(t, `{sessionId: "s", authProfileOverrideCompactionCount: 3}`), Profiles: profiles(t, m, keys("a:x", "b:x")),
			Patterns: patterns(t, "a/one=auth"),
		})
		if count == 0 {
			if len(result.Writes) != 0 || result.Entry.Has("modelOverride") {
				t.Errorf("%s: %v", line, result.Writes)
			}
			continue
		}
		if len(result.Writes[0].Fields) != count {
			t.Errorf("%s: %v", line, result.Writes[0].Fields)
		}
		same(t, line, result.Entry.Text("providerOverride")+"/"+result.Entry.Text("modelOverride")+" "+result.Entry.Text("modelOverrideSource"), "b/two auto")
		if count == 8 {
			same(t, line, result.Entry.Text("modelOverrideFallbackOriginProvider")+"/"+result.Entry.Text("modelOverrideFallbackOriginModel"), "a/one")
		}
	}
}

// TestS5 the configured default has the defaults' fallbacks.
func TestS5(t *testing.T) {
	for _, line := range recordedLines {
		selection := selected(t, models(t, line, chainOfThree), session(t, `{}`))
		same(t, line, names(selection.Candidates), "a/one b/two c/three")
		if selection.Source != chain.SourceDefault || selection.Why != chain.FallbacksConfigured || selection.Strict() {
			t.Errorf("%s: %s %s", line, selection.Source, selection.Why)
		}
		same(t, line, selection.At, "/agents/defaults/model/primary")
	}
}

// TestS6 an agent's own model is strict unless it has a list (2026.4.29+).
func TestS6(t *testing.T) {
	config := func(model string) string {
		return `{agents: {defaults: {model: {primary: "a/one", fallbacks: ["b/two"]}}, list: [{id: "main", model: ` + model + `}]}}`
	}
	for _, test := range []struct{ model, old, strict string }{
		{`"d/own"`, "d/own a/one", "d/own"},
		{`{primary: "a/own"}`, "a/own b/two a/one", "a/own"},
		{`{primary: "a/own", fallbacks: []}`, "a/own", "a/own"},
		{`{primary: "a/own", fallbacks: ["e/five"]}`, "a/own e/five", "a/own e/five"},
	} {
		for _, line := range upTo("2026.4.9") {
			same(t, line+test.model, names(selected(t, models(t, line, config(test.model)), session(t, `{}`)).Candidates), test.old)
		}
		for _, line := range from("2026.4.29") {
			same(t, line+test.model, names(selected(t, models(t, line, config(test.model)), session(t, `{}`)).Candidates), test.strict)
		}
	}
}

// TestS7 an automatic override walks on; a heartbeat ends one whose origin is
// no longer the default (2026.5.12+).
func TestS7(t *testing.T) {
	entry := `{providerOverride: "b", modelOverride: "two", modelOverrideSource: "auto",
		modelOverrideFallbackOriginProvider: "z", modelOverrideFallbackOriginModel: "old"}`
	for _, line := range from("2026.4.29") {
		m := models(t, line, chainOfThree)
		same(t, line, names(selected(t, m, session(t, entry)).Candidates), "b/two c/three")
		query := session(t, entry)
		query.Heartbeat = true
		selection := selected(t, m, query)
		if ended := line != "2026.4.29"; selection.Reset != ended || selection.ResetStale != ended {
			t.Errorf("%s: reset %t", line, selection.Reset)
		}
	}
}

// TestS8 a session on a fallback tries its primary again every five minutes,
// and leaves the fallback when it answers (2026.5.28+).
func TestS8(t *testing.T) {
	entry := `{sessionId: "s", providerOverride: "b", modelOverride: "two", modelOverrideSource: "auto",
		modelOverrideFallbackOriginProvider: "a", modelOverrideFallbackOriginModel: "one", authProfileOverride: "a:x", authProfileOverrideSource: "auto"}`
	for _, line := range recordedLines {
		m := models(t, line, chainOfThree)
		query := session(t, entry)
		probes := slices.Contains(from("2026.5.28"), line)
		if got := selected(t, m, query).Probe != nil; got != probes {
			t.Errorf("%s: probe %t", line, got)
		}
		query.LastPrimaryProbe = testNow - 5*minute + 1
		if selected(t, m, query).Probe != nil {
			t.Errorf("%s: probed too early", line)
		}
		query.LastPrimaryProbe = testNow - 5*minute
		if !probes {
			continue
		}
		result := simulate(t, m, chain.SimulateQuery{Session: query, Profiles: profiles(t, m, keys("a:x", "b:x"))})
		if result.Entry.Has("modelOverride") || result.Entry.Has("modelOverrideFallbackOriginModel") || result.Entry.Has("authProfileOverride") {
			t.Errorf("%s: %v is left", line, result.Entry.Keys())
		}
		same(t, line, result.Walk.Winner.String(), "a/one")
	}
}

// TestS9 a user's choice is exact (2026.4.29+).
func TestS9(t *testing.T) {
	entry := `{providerOverride: "a", modelOverride: "mine", modelOverrideSource: "user"}`
	for _, line := range from("2026.4.29") {
		selection := selected(t, models(t, line, chainOfThree), session(t, entry))
		same(t, line, names(selection.Candidates), "a/mine")
		if selection.Source != chain.SourceUser || !selection.Strict() || selection.Why != chain.FallbacksUserStrict {
			t.Errorf("%s: %s %s", line, selection.Source, selection.Why)
		}
	}
	for _, line := range upTo("2026.4.9") {
		same(t, line, names(selected(t, models(t, line, chainOfThree), session(t, entry)).Candidates), "a/mine b/two c/three a/one")
	}
}

// TestS10 an override without source is a user's; with its origin it is
// automatic (2026.5.28+).
func TestS10(t *testing.T) {
	bare := `{providerOverride: "b", modelOverride: "two"}`
	origin := `{providerOverride: "b", modelOverride: "two", modelOverrideFallbackOriginProvider: "a", modelOverrideFallbackOriginModel: "one"}`
	for _, line := range from("2026.4.29") {
		m := models(t, line, chainOfThree)
		selection := selected(t, m, session(t, bare))
		if selection.Source != chain.SourceLegacy || !selection.Strict() {
			t.Errorf("%s: %s", line, selection.Source)
		}
		want := chain.SourceLegacy
		if slices.Contains(from("2026.5.28"), line) {
			want = chain.SourceAuto
		}
		if got := selected(t, m, session(t, origin)).Source; got != want {
			t.Errorf("%s: with origin %s", line, got)
		}
	}
}

// TestS11 a scheduled job's model and fallbacks.
func TestS11(t *testing.T) {
	for _, line := range from("2026.4.29") {
		m := models(t, line, chainOfThree)
		for _, test := range []struct {
			cron chain.CronPayload
			want string
		}{
			{chain.CronPayload{Model: "d/job"}, "d/job b/two c/three"},
			{chain.CronPayload{Model: "d/job", Fallbacks: []string{}}, "d/job"},
			{chain.CronPayload{Model: "d/job", Fallbacks: []string{"e/five"}}, "d/job e/five"},
			{chain.CronPayload{}, "a/one b/two c/three"},
		} {
			query := session(t, `{}`)
			query.Cron = &test.cron
			same(t, line, names(selected(t, m, query).Candidates), test.want)
		}
	}
}

// TestS12 a fallback that failed to authenticate is left alone for the
// session's next runs; the primary never is (2026.6.11+).
func TestS12(t *testing.T) {
	for _, line := range recordedLines {
		m := models(t, line, chainOfThree)
		memory := &chain.Memory{}
		calls := func(ttl string, now int64) string {
			var texts []string
			m.Walk(chain.WalkQuery{
				Now: now, Memory: memory, Session: "s", SkipTTL: ttl, Profiles: profiles(t, m, keys("b:x")),
				Run: func(attempt chain.Attempt) chain.Outcome {
					texts = append(texts, attempt.String())
					return chain.Outcome{Failure: &chain.Failure{Reason: "auth", Message: "401"}}
				},
			})
			return strings.Join(texts, " ")
		}
		all := "a/one b/two c/three"
		same(t, line, calls("1000", testNow), all)
		want := all
		if slices.Contains(from("2026.6.11"), line) {
			want = "a/one"
		}
		same(t, line, calls("1000", testNow+999), want)
		same(t, line, calls("0", testNow+999), all)
	}
}

// TestS13 the notices of a fallback and of its end, once per change.
func TestS13(t *testing.T) {
	for _, line := range from("2026.4.29") {
		m := models(t, line, chainOfThree)
		query := chain.SimulateQuery{
			Session: session(t, `{sessionId: "s"}`), Profiles: profiles(t, m, keys("a:x", "b:x")), Patterns: patterns(t, "a/one=billing"),
		}
		result := simulate(t, m, query)
		if result.Notice == nil {
			t.Fatalf("%s: no notice", line)
		}
		same(t, line, result.Notice.Text, "↪️ Model Fallback: b/two (selected a/one; billing)")
		if visible := slices.Contains(from("2026.5.28"), line); result.Notice.Visible != visible {
			t.Errorf("%s: visible %t", line, result.Notice.Visible)
		}
		entry := result.Entry
		query.Session.Sessions = document.NewObject()
		query.Session.Sessions.Set("agent:main:main", entry)
		query.Session.LastPrimaryProbe = testNow
		if again := simulate(t, m, query); again.Notice != nil && len(lines.Of(m.Rules).Persist.Fields) == 0 {
			t.Errorf("%s: told twice: %s", line, again.Notice.Text)
		}
		query.Patterns, query.Session.LastPrimaryProbe = nil, 0
		back := simulate(t, m, query)
		if slices.Contains(from("2026.5.28"), line) {
			if back.Notice == nil {
				t.Fatalf("%s: no end told", line)
			}
			same(t, line, back.Notice.Text, "↪️ Model Fallback cleared: a/one (was b/two)")
		}
	}
	m := models(t, "2026.8.2", chainOfThree)
	result := simulate(t, m, chain.SimulateQuery{
		Session:  chain.SessionQuery{Key: "agent:main:discord:channel:5", Sessions: parse(t, `{"agent:main:discord:channel:5": {}}`)},
		Patterns: patterns(t, "a/one=billing"),
	})
	if result.Notice.Visible || result.Notice.Hidden != chain.HiddenGroup {
		t.Errorf("a group sees %+v", result.Notice)
	}
}
