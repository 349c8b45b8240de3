package chain_test

import (
	"strings"
	"testing"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
)

func start(t *testing.T, line, store string) *chain.Run {
	t.Helper()
	m := models(t, line, chainOfThree)
	run, err := m.Start(chain.RunQuery{Profiles: profiles(t, m, store), Now: testNow})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// drive answers the calls of a run by profile id; without an answer they succeed.
func drive(run *chain.Run, answers map[auth.ProfileID]func(*chain.Call)) string {
	var calls []string
	for call := range run.Calls() {
		calls = append(calls, call.String()+"@"+string(call.Profile))
		if answer := answers[call.Profile]; answer != nil {
			answer(call)
		} else {
			call.Succeed(testNow)
		}
	}
	return strings.Join(calls, " ")
}

// A profile whose credential can't be had is passed over: the next one follows,
// nothing is stored.
func TestPassOver(t *testing.T) {
	expired := func(call *chain.Call) { call.PassOver("its login has expired", testNow) }
	run := start(t, "2026.5.12", keys("a:x", "a:y", "b:x"))
	same(t, "calls", drive(run, map[auth.ProfileID]func(*chain.Call){"a:x": expired}), "a/one@a:x a/one@a:y")
	if run.Result().Store.UsageStats.Has("a:x") {
		t.Error("a profile that was passed over has a usage entry")
	}

	run = start(t, "2026.5.12", keys("a:x", "a:y", "b:x"))
	same(t, "none left", drive(run, map[auth.ProfileID]func(*chain.Call){"a:x": expired, "a:y": expired}), "a/one@a:x a/one@a:y b/two@b:x")
	record := run.Result().Walk.Records[0]
	same(t, "why", string(record.Reason)+" "+record.Error, "auth its login has expired")

	run = start(t, "2026.5.12", keys("a:x", "a:y", "b:x"))
	limited := func(call *chain.Call) { call.Fail(chain.Failure{Reason: "rate_limit", Message: "slow down"}, testNow) }
	drive(run, map[auth.ProfileID]func(*chain.Call){"a:x": limited, "a:y": expired})
	same(t, "the call that was made tells why", string(run.Result().Walk.Records[0].Reason), "rate_limit")
}

// A driver that stops, or forgets to answer, ends the run without a verdict.
func TestStop(t *testing.T) {
	for name, stop := range map[string]func(*chain.Run){
		"break": func(run *chain.Run) {
			for range run.Calls() {
				break
			}
		},
		"no answer": func(run *chain.Run) {
			for call := range run.Calls() {
				same(t, "only one call", string(call.Profile), "a:x")
			}
		},
	} {
		run := start(t, "2026.5.12", keys("a:x", "a:y", "b:x"))
		stop(run)
		if walk := run.Result().Walk; walk.Winner != nil || walk.Err != nil || len(walk.Records) > 0 {
			t.Errorf("%s: %+v", name, walk)
		}
	}
}

// Time passes while calls run: a window is counted from the end of its call.
func TestRunTakesTime(t *testing.T) {
	run := start(t, "2026.5.12", keys("a:x", "b:x"))
	now := int64(testNow)
	for call := range run.Calls() {
		now += 10_000
		if use := call.Fail(chain.Failure{Reason: "rate_limit"}, now); use.Recorded != (call.Profile != "") {
			t.Errorf("%q: recorded is %v", use.Profile, use.Recorded)
		}
	}
	for id, after := range map[string]int64{"a:x": 10_000, "b:x": 20_000} {
		until, _ := run.Result().Store.UsageStats.Object(id).Number("cooldownUntil")
		if want := float64(testNow + after + 30_000); until != want {
			t.Errorf("%s cools until %v, want %v", id, until, want)
		}
	}
}

// What others have stored meanwhile counts for the rest of the run.
func TestReload(t *testing.T) {
	m := models(t, "2026.5.12", chainOfThree)
	run, err := m.Start(chain.RunQuery{Profiles: profiles(t, m, keys("a:x", "b:x", "b:y")), Now: testNow})
	if err != nil {
		t.Fatal(err)
	}
	reloaded := profiles(t, m, unavailable(`{cooldownUntil: 1780000600000}`, "b:x", "b:y", "a:x"))
	var calls []string
	for call := range run.Calls() {
		calls = append(calls, string(call.Profile))
		if call.Profile == "a:x" {
			call.Fail(chain.Failure{Reason: "rate_limit"}, testNow)
			run.Reload(reloaded)
			continue
		}
		call.Succeed(testNow)
	}
	same(t, "calls", strings.Join(calls, " "), "a:x b:y")
}
