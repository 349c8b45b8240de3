package chain_test

import (
	"slices"
	"strings"
	"testing"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
)

func noteOf(e *chain.Explanation, code chain.NoteCode) *chain.Note {
	for i := range e.Notes {
		if e.Notes[i].Code == code {
			return &e.Notes[i]
		}
	}
	return nil
}

// Issue 77766: a session on the only fallback has a chain of one, for a
// different reason when a user chose it and when a fallback did.
func TestSessionOnTheOnlyFallback(t *testing.T) {
	config := `{agents: {defaults: {model: {primary: "venice/claude-sonnet-4-6", fallbacks: ["openai/gpt-5.5"]}}}}`
	for _, line := range []string{"2026.4.29", "2026.5.12", "2026.7.1", "2026.9.6"} {
		m := models(t, line, config)
		for source, code := range map[string]chain.NoteCode{"user": chain.NoteSinglePinned, "auto": chain.NoteSingleDuplicate} {
			entry := `{providerOverride: "openai", modelOverride: "gpt-5.5", modelOverrideSource: "` + source + `",
				modelOverrideFallbackOriginProvider: "venice", modelOverrideFallbackOriginModel: "claude-sonnet-4-6"}`
			query := session(t, entry)
			query.LastPrimaryProbe = testNow - 1
			e := m.Explain(chain.ExplainQuery{Session: query, Now: testNow, Profiles: profiles(t, m, keys("openai:x"))})
			same(t, line+" "+source, names(e.Selection.Candidates), "openai/gpt-5.5")
			if noteOf(e, code) == nil {
				t.Errorf("%s %s: notes %+v", line, source, e.Notes)
			}
			if got := len(e.Selection.Fallbacks); got != map[string]int{"user": 0, "auto": 1}[source] {
				t.Errorf("%s %s: %d fallbacks", line, source, got)
			}
		}
	}
}

// Issue 79369: which forms of an agent's model inherit the default fallbacks.
func TestFormsOfAnAgentModel(t *testing.T) {
	config := `{agents: {defaults: {model: {primary: "openai/gpt-5.5", fallbacks: ["openai/gpt-5.4", "anthropic/claude-opus-4-6"]}}, list: [
		{id: "main", model: "openai/gpt-5.5"}, {id: "ops", model: {primary: "openai/gpt-5.5"}},
		{id: "docs", model: {primary: "openai/gpt-5.5", fallbacks: ["anthropic/claude-opus-4-6"]}}, {id: "plain"}]}}`
	for _, line := range recordedLines {
		strict := slices.Contains(from("2026.4.29"), line)
		for agent, want := range map[string]string{"main": "none", "ops": "none", "docs": "anthropic/claude-opus-4-6", "plain": "inherits"} {
			if !strict && want == "none" {
				want = "inherits"
			}
			m := models(t, line, config)
			m.Agent = agent
			got := "inherits"
			if list := m.AgentFallbacks(); list != nil {
				got = "none"
				if len(list) > 0 {
					got = list[0].Text
				}
			}
			same(t, line+" "+agent, got, want)
		}
		e := models(t, line, config).Explain(chain.ExplainQuery{Session: session(t, `{}`), Now: testNow})
		if note := noteOf(e, chain.NoteAgentStrict); (note != nil) != strict {
			t.Errorf("%s: notes %+v", line, e.Notes)
		} else if strict {
			same(t, line, note.Params["at"]+" "+note.Params["fallbacks"], "/agents/list/0/model 2")
		}
	}
}

// Issue 80953: agents.defaults.model as a text carries no fallbacks.
func TestDefaultModelAsText(t *testing.T) {
	for _, line := range recordedLines {
		e := models(t, line, `{agents: {defaults: {model: "a/one"}}}`).Explain(chain.ExplainQuery{Now: testNow})
		if noteOf(e, chain.NotePlainDefault) == nil || len(e.Candidates) != 1 {
			t.Errorf("%s: %+v", line, e.Notes)
		}
	}
}

// Issue 51251: the default is one model, the session uses another because a
// user chose it.
func TestOverrideHidesDefault(t *testing.T) {
	e := models(t, "2026.3.31", chainOfThree).Explain(chain.ExplainQuery{
		Session: session(t, `{providerOverride: "d", modelOverride: "four", modelOverrideSource: "user"}`), Now: testNow,
	})
	note := noteOf(e, chain.NoteOverrideHides)
	if note == nil {
		t.Fatalf("notes %+v", e.Notes)
	}
	same(t, "note", note.Params["model"]+" "+note.Params["default"]+" "+note.Params["source"], "d/four a/one user")
}

// A session stays on its fallback although the primary is usable again, until
// the next probe on lines that probe.
func TestKeepsFallback(t *testing.T) {
	entry := `{providerOverride: "b", modelOverride: "two", modelOverrideSource: "auto",
		modelOverrideFallbackOriginProvider: "a", modelOverrideFallbackOriginModel: "one"}`
	for _, line := range from("2026.5.12") {
		m := models(t, line, chainOfThree)
		query := session(t, entry)
		query.LastPrimaryProbe = testNow - minute
		e := m.Explain(chain.ExplainQuery{Session: query, Now: testNow, Profiles: profiles(t, m, keys("a:x", "b:x"))})
		note := noteOf(e, chain.NoteKeepsFallback)
		if note == nil {
			t.Fatalf("%s: notes %+v", line, e.Notes)
		}
		same(t, line, note.Params["model"]+" "+note.Params["primary"]+" "+note.Params["usable"], "b/two a/one true")
	}
	m := models(t, "2026.7.1", chainOfThree)
	e := m.Explain(chain.ExplainQuery{Session: session(t, entry), Now: testNow, Profiles: profiles(t, m, keys("a:x", "b:x"))})
	if noteOf(e, chain.NoteReprobeDue) == nil || e.Candidates[0].String() != "a/one" {
		t.Errorf("probe: %+v %s", e.Notes, names(e.Selection.Candidates))
	}
}

// Two profiles are tried, and the third is not, before the next model.
func TestRotationCapNote(t *testing.T) {
	m := models(t, "2026.5.12", chainOfThree)
	e := m.Explain(chain.ExplainQuery{Now: testNow, Profiles: profiles(t, m, keys("a:x", "a:y", "a:z", "b:x"))})
	note := noteOf(e, chain.NoteRotationCap)
	if note == nil {
		t.Fatalf("notes %+v", e.Notes)
	}
	same(t, "note", note.Params["provider"]+" "+note.Params["tried"]+" of "+note.Params["profiles"]+" "+note.Params["key"],
		"a 2 of 3 auth.cooldowns.rateLimitedProfileRotations")
	if noteOf(e, chain.NoteNoProfiles).Params["provider"] != "c" {
		t.Errorf("notes %+v", e.Notes)
	}
}

// Each candidate of an explanation says what would be done with it now, and
// when its provider recovers.
func TestExplainDecisions(t *testing.T) {
	m := models(t, "2026.5.12", `{agents: {defaults: {model: {primary: "a/one", fallbacks: ["a/two", "b/three"]}}}}`)
	stats := `{cooldownUntil: 1780003600000, failureCounts: {rate_limit: 1}, cooldownReason: "rate_limit"}`
	e := m.Explain(chain.ExplainQuery{Now: testNow, Profiles: profiles(t, m, unavailable(stats, "a:x", "b:x"))})
	var got []string
	for _, candidate := range e.Candidates {
		got = append(got, strings.Join([]string{candidate.String(), string(candidate.Role), string(candidate.Decision.Action), string(candidate.Decision.Why)}, " "))
	}
	same(t, "decisions", strings.Join(got, " | "),
		"a/one requested skip recovers-later | a/two fallback probe transient-sibling | b/three fallback attempt profile-usable")
	if e.Soonest != testNow+hour {
		t.Errorf("soonest %v", e.Soonest)
	}
	if e.Candidates[0].Decision.Reason != "rate_limit" || len(e.Candidates[0].Profiles) != 1 {
		t.Errorf("%+v", e.Candidates[0])
	}
}

// A session's auth pin, and what the next run makes of it.
func TestExplainPin(t *testing.T) {
	m := models(t, "2026.4.29", `{agents: {defaults: {model: "a/one"}}, auth: {order: {a: ["a:x", "a:y", "a:z"]}}}`)
	query := chain.ExplainQuery{
		Session: session(t, `{authProfileOverride: "a:y", authProfileOverrideSource: "auto", authProfileOverrideCompactionCount: 0, compactionCount: 1}`),
		Now:     testNow, Profiles: profiles(t, m, keys("a:x", "a:y", "a:z")),
	}
	pin := m.Explain(query).Pin
	if pin.Stored != "a:y" || pin.Next != "a:z" || pin.Why != auth.PinCompaction {
		t.Errorf("%+v", pin)
	}
}

// An allowlist without an allowed model is told with OpenClaw's words.
func TestNothingAllowed(t *testing.T) {
	m := models(t, "2026.9.6", `{agents: {defaults: {model: "a/one", modelPolicy: {allow: ["z/*"]}}}}`)
	e := m.Explain(chain.ExplainQuery{Session: session(t, `{}`), Now: testNow})
	if e.Err == nil || !strings.Contains(e.Err.Error(), `"a/one" is not allowed by agents.defaults.modelPolicy.allow`) || len(e.Candidates) != 1 {
		t.Errorf("%v %s", e.Err, names(e.Selection.Candidates))
	}
}
