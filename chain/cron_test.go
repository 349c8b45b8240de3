package chain_test

import (
	"regexp"
	"testing"

	"openclaw-auth/chain"
)

// A scheduled job has a selection of its own. Asked of 2026.5.12 and 7.1, the
// others read.
func TestCronSelection(t *testing.T) {
	const config = `{
		agents: {
			defaults: {
				model: {primary: "a/one", fallbacks: ["b/two"]},
				models: {"a/one": {}, "b/two": {}, "c/three": {}, "d/four": {}},
				subagents: {model: "c/three"},
			},
			list: [{id: "main"}, {id: "own", model: "d/four"}],
			entries: {main: {}, own: {model: "d/four"}},
		},
		hooks: {gmail: {model: "d/four"}},
	}`
	override := parse(t, `{"agent:main:cron:x": {providerOverride: "b", modelOverride: "two", modelOverrideSource: "user"}}`)
	for _, line := range from("2026.4.29") {
		m := models(t, line, config)
		for _, c := range []struct {
			what, agent, session, want string
			cron                       chain.CronPayload
		}{
			{"payload", "main", "agent:main:cron:x", "b/two cron", chain.CronPayload{Model: "b/two"}},
			{"hook before the session", "main", "agent:main:cron:x", "d/four hook", chain.CronPayload{Gmail: true}},
			{"session", "main", "agent:main:cron:x", "b/two session", chain.CronPayload{}},
			{"defaults' sub-agents", "main", "", "c/three subagent", chain.CronPayload{}},
		} {
			m.Agent = c.agent
			selection, err := m.Select(chain.SessionQuery{Key: c.session, Sessions: override, Cron: &c.cron})
			if err != nil {
				t.Fatal(line, c.what, err)
			}
			same(t, line+" "+c.what, selection.Ref.String()+" "+string(selection.Source), c.want)
		}
		_, err := m.Select(chain.SessionQuery{Cron: &chain.CronPayload{Model: "google/gemini-3-pro"}})
		want := "cron payload.model 'google/gemini-3-pro' rejected by agents.defaults.models allowlist: google/gemini-3-pro"
		switch {
		case line == "2026.9.6":
			want = "automation model override 'google/gemini-3-pro' rejected by agents.defaults.models: google/gemini-3-pro"
		case line == "2026.8.2":
			want = "cron payload.model 'google/gemini-3-pro' rejected by agents.defaults.models: google/gemini-3-pro"
		}
		if line != "2026.4.29" {
			want += " is not in [a/one, b/two, c/three, d/four]"
		}
		if err == nil || !sameModel(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", line, err, want)
		}
	}
}

var regexpGemini = regexp.MustCompile(`google/gemini-3[.0-9]*-pro(-preview)?`)

// sameModel compares errors apart from the spelling of gemini-3-pro, which
// the lines normalise differently.
func sameModel(got, want string) bool {
	spelled := regexpGemini.ReplaceAllString(got, "google/gemini-3-pro")
	return spelled == want
}

// The profile that the primary's reference names goes first from 2026.8.2 on,
// whatever its windows; one that is missing ends the run.
func TestProfileOfThePrimary(t *testing.T) {
	for _, line := range from("2026.7.1") {
		m := models(t, line, `{agents: {defaults: {model: "a/one@a:y"}}}`)
		run := func(ids ...string) *chain.RunResult {
			return simulate(t, m, chain.SimulateQuery{
				Session:  chain.SessionQuery{Key: "agent:main:main", Sessions: parse(t, `{"agent:main:main": {}}`)},
				Profiles: profiles(t, m, keys(ids...)),
			})
		}
		want := "a/one@x:answered"
		if m.Rules.Pins.ReferenceProfile {
			want = "a/one@y:answered"
		}
		same(t, line, uses(run("a:x", "a:y")), want)
		missing := run("a:x")
		if m.Rules.Pins.ReferenceProfile {
			same(t, line, uses(missing), "")
			same(t, line, missing.Walk.Err.Message, `Selected auth profile "a:y" is unavailable.`)
		}
	}
}

// --model REF@PROFILE is the user's choice on every line.
func TestProfileOfOneRun(t *testing.T) {
	for _, line := range from("2026.4.29") {
		m := models(t, line, `{}`)
		result := simulate(t, m, chain.SimulateQuery{
			Session: chain.SessionQuery{OneRun: "a/one@a:y"}, Profiles: profiles(t, m, keys("a:x", "a:y")),
		})
		same(t, line, uses(result), "a/one@y:answered")
	}
}

// OpenClaw's agent command keeps a user's pin whatever its windows and writes
// nothing into the session.
func TestAgentCommand(t *testing.T) {
	for _, line := range from("2026.5.12") {
		m := models(t, line, `{agents: {defaults: {model: {primary: "a/one", fallbacks: ["b/two"]}}}}`)
		p := profiles(t, m, keys("a:x", "a:y", "b:z"))
		p.Store.UsageStats = parse(t, `{"a:y": {disabledUntil: 1780003600000, disabledReason: "billing"}}`)
		result := simulate(t, m, chain.SimulateQuery{
			Session: chain.SessionQuery{Key: "agent:main:main", Command: true, Sessions: parse(t,
				`{"agent:main:main": {authProfileOverride: "a:y", authProfileOverrideSource: "user"}}`)},
			Profiles: p, Patterns: patterns(t, "a/*=rate_limit"),
		})
		want := "a/one@y:pinned b/two@z:answered"
		if m.Rules.Rotation.BesidePin {
			want = "a/one@x:no-profile-left b/two@z:answered"
		}
		same(t, line, uses(result), want)
		if len(result.Changed) > 0 || len(result.Writes) > 0 || result.Notice != nil {
			t.Errorf("%s: changed %v, writes %v, notice %v", line, result.Changed, result.Writes, result.Notice)
		}
	}
}
