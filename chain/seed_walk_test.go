package chain_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
)

// walked runs the chain with one answer to every attempt.
func walked(t *testing.T, m *chain.Models, query chain.WalkQuery, outcome func(chain.Attempt) chain.Outcome) (chain.WalkResult, string) {
	t.Helper()
	var calls []string
	query.Now = testNow
	query.Run = func(attempt chain.Attempt) chain.Outcome {
		call := attempt.String()
		if attempt.Probe {
			call += "!"
		}
		calls = append(calls, call)
		return outcome(attempt)
	}
	return m.Walk(query), strings.Join(calls, " ")
}

func fails(reason auth.Reason) func(chain.Attempt) chain.Outcome {
	return func(chain.Attempt) chain.Outcome {
		return chain.Outcome{Failure: &chain.Failure{Reason: reason, Message: "no: " + string(reason)}}
	}
}

// TestS44 one more profile after a rate limit or an overload, then the next
// model; auth.cooldowns may say how many up to 2026.7.1.
func TestS44(t *testing.T) {
	config := func(cooldowns string) string {
		return `{agents: {defaults: {model: {primary: "a/one", fallbacks: ["b/two"]}}}, auth: {cooldowns: ` + cooldowns + `}}`
	}
	run := func(line, cooldowns, reason string) string {
		m := models(t, line, config(cooldowns))
		return uses(simulate(t, m, chain.SimulateQuery{
			Profiles: profiles(t, m, keys("a:x", "a:y", "a:z", "b:x")), Patterns: patterns(t, "a/*="+reason),
		}))
	}
	capped := "a/one@x:next-profile a/one@y:rotation-cap b/two@x:answered"
	all := "a/one@x:next-profile a/one@y:next-profile a/one@z:no-profile-left b/two@x:answered"
	for _, line := range recordedLines {
		want := capped
		if line == "2026.3.13" {
			want = all
		}
		same(t, line+" overloaded", run(line, `{}`, "overloaded"), want)
		if line == "2026.3.31" {
			want = all
		}
		same(t, line+" rate_limit", run(line, `{}`, "rate_limit"), want)
		if slices.Contains(from("2026.4.9"), line) {
			if m := models(t, line, `{}`); m.Rules.Failures.Configurable {
				want = "a/one@x:next-profile a/one@y:next-profile a/one@z:rotation-cap b/two@x:answered"
			}
			same(t, line+" configured", run(line, `{rateLimitedProfileRotations: 2}`, "rate_limit"), want)
		}
	}
	m := models(t, "2026.5.12", `{agents: {defaults: {model: "a/one"}}}`)
	result := simulate(t, m, chain.SimulateQuery{Profiles: profiles(t, m, keys("a:x", "a:y", "a:z")), Patterns: patterns(t, "*=rate_limit")})
	same(t, "without fallbacks", uses(result), "a/one@x:next-profile a/one@y:next-profile a/one@z:no-profile-left")
	m = models(t, "2026.5.12", config(`{}`))
	result = simulate(t, m, chain.SimulateQuery{Profiles: profiles(t, m, keys("a:x", "a:y", "b:x")), Patterns: patterns(t, "*=rate_limit")})
	if record := result.Walk.Records[0]; record.Reason != "rate_limit" {
		t.Errorf("recorded %+v", record)
	}
}

// TestS45 the reasons that lead to the next model, with their labels.
func TestS45(t *testing.T) {
	for _, line := range recordedLines {
		m := models(t, line, chainOfThree)
		for _, reason := range []auth.Reason{"auth", "rate_limit", "timeout", "empty_response", "no_error_details", "unclassified"} {
			result, calls := walked(t, m, chain.WalkQuery{}, fails(reason))
			same(t, line, calls, "a/one b/two c/three")
			want := fmt.Sprintf("All models failed (3): a/one: no: %[1]s (%[1]s) | b/two: no: %[1]s (%[1]s) | c/three: no: %[1]s (%[1]s)", reason)
			if !strings.HasPrefix(result.Err.Message, want) {
				t.Errorf("%s: %s", line, result.Err.Message)
			}
		}
	}
}

// TestS46 a provider's "model not ready" is an overload and leads to the next model.
func TestS46(t *testing.T) {
	for _, line := range from("2026.4.29") {
		m := models(t, line, chainOfThree)
		result := simulate(t, m, chain.SimulateQuery{
			Profiles: profiles(t, m, keys("a:x", "b:x")), Patterns: patterns(t, "a/*=text:ModelNotReadyException: model is not ready for inference"),
		})
		same(t, line, string(result.Uses[0].Reason), "overloaded")
		same(t, line, result.Walk.Winner.String(), "b/two")
	}
}

// TestS47 the requested model first, fallbacks once each, no allowlist.
func TestS47(t *testing.T) {
	config := `{agents: {defaults: {model: {primary: "a/one", fallbacks: ["a/two", "a/three", "a/two"]}, models: {"a/one": {}}}}}`
	for _, line := range recordedLines {
		candidates := models(t, line, config).Candidates(chain.Request{Provider: "a", Model: "three"})
		same(t, line, names(candidates), "a/three a/two a/one")
		if candidates[1].At != "/agents/defaults/model/fallbacks/0" || candidates[1].Role != chain.Fallback {
			t.Errorf("%s: %+v", line, candidates[1])
		}
	}
}

// TestS48 a run on a configured fallback has the whole chain.
func TestS48(t *testing.T) {
	for _, line := range recordedLines {
		same(t, line, names(models(t, line, chainOfThree).Candidates(chain.Request{Provider: "b", Model: "two"})), "b/two c/three a/one")
	}
}

// TestS49 and TestS50: a model of another provider, in no list, drops the
// configured fallbacks up to 2026.4.29; later they come before the primary.
func TestS49(t *testing.T) {
	for _, line := range upTo("2026.4.29") {
		same(t, line, names(models(t, line, chainOfThree).Candidates(chain.Request{Provider: "z", Model: "x"})), "z/x a/one")
	}
}

func TestS50(t *testing.T) {
	for _, line := range from("2026.5.12") {
		same(t, line, names(models(t, line, chainOfThree).Candidates(chain.Request{Provider: "z", Model: "x"})), "z/x b/two c/three a/one")
	}
}

// TestS51 a list given to the run is exact, an empty one ends the chain.
func TestS51(t *testing.T) {
	for _, line := range recordedLines {
		m := models(t, line, chainOfThree)
		given := chain.Request{Provider: "b", Model: "two", Fallbacks: []chain.Written{{Text: "d/four"}}}
		same(t, line, names(m.Candidates(given)), "b/two d/four")
		given.Fallbacks = []chain.Written{}
		same(t, line, names(m.Candidates(given)), "b/two")
	}
}

// TestS52 what goes on to the next candidate: every reason, errors without a
// class, and a model switch.
func TestS52(t *testing.T) {
	for _, line := range recordedLines {
		m := models(t, line, chainOfThree)
		for _, reason := range []auth.Reason{"auth", "rate_limit", "overloaded", "timeout", "billing", "unknown"} {
			_, calls := walked(t, m, chain.WalkQuery{}, fails(reason))
			same(t, line, calls, "a/one b/two c/three")
		}
		result, calls := walked(t, m, chain.WalkQuery{}, func(chain.Attempt) chain.Outcome {
			return chain.Outcome{Failure: &chain.Failure{Message: "kaboom in plugin"}}
		})
		same(t, line, calls, "a/one b/two c/three")
		same(t, line, result.Err.Message, "kaboom in plugin")
		result, _ = walked(t, m, chain.WalkQuery{}, func(attempt chain.Attempt) chain.Outcome {
			if attempt.Index == 1 {
				return chain.Outcome{Switch: &chain.Ref{Provider: "a", Model: "one"}}
			}
			return fails("timeout")(attempt)
		})
		if len(result.Records) != 3 {
			t.Errorf("%s: a switch back ends the run: %v", line, result.Err)
		}
	}
}

// TestS53 what ends a run although candidates are left.
func TestS53(t *testing.T) {
	for _, line := range recordedLines {
		m := models(t, line, chainOfThree)
		_, calls := walked(t, m, chain.WalkQuery{}, func(chain.Attempt) chain.Outcome {
			return chain.Outcome{Failure: &chain.Failure{Message: "prompt is too long: 210000 tokens > 200000 maximum"}}
		})
		same(t, line+" overflow", calls, "a/one")
		_, calls = walked(t, m, chain.WalkQuery{}, func(chain.Attempt) chain.Outcome {
			return chain.Outcome{Failure: &chain.Failure{Name: "AbortError", Message: "aborted by user"}}
		})
		want := "a/one"
		if slices.Contains(from("2026.7.1"), line) {
			want = "a/one b/two c/three"
		}
		same(t, line+" abort", calls, want)
	}
}

// TestS54 what is done with a candidate whose profiles all rest.
func TestS54(t *testing.T) {
	config := `{agents: {defaults: {model: {primary: "a/one", fallbacks: ["a/two", "a/three", "b/four"]}}}}`
	calls := func(line, stats string) string {
		m := models(t, line, config)
		_, calls := walked(t, m, chain.WalkQuery{Profiles: profiles(t, m, unavailable(stats, "a:x", "b:x"))}, fails("timeout"))
		return calls
	}
	const far, near = "1780003600000", "1780000119000"
	for _, line := range recordedLines {
		auth := `{disabledUntil: ` + far + `, disabledReason: "auth_permanent", failureCounts: {auth_permanent: 1}}`
		same(t, line+" auth skips the provider", calls(line, auth), "b/four")
		billing := `{disabledUntil: ` + far + `, disabledReason: "billing", failureCounts: {billing: 1}}`
		same(t, line+" billing skips", calls(line, billing), "b/four")
		billing = `{disabledUntil: ` + near + `, disabledReason: "billing", failureCounts: {billing: 1}}`
		same(t, line+" billing probes the primary", calls(line, billing), "a/one! b/four")
		limited := `{cooldownUntil: ` + far + `, failureCounts: {rate_limit: 1}, cooldownReason: "rate_limit"}`
		want := "a/two! b/four" // one transient probe of a sibling
		if slices.Contains(from("2026.5.28"), line) {
			want = "a/one! b/four" // the primary itself, and that was the probe
		}
		same(t, line+" rate limit", calls(line, limited), want)
		limited = `{cooldownUntil: ` + near + `, failureCounts: {overloaded: 1}, cooldownReason: "overloaded"}`
		same(t, line+" near recovery", calls(line, limited), "a/one! b/four")
	}
}

// TestS55 a switch to a later candidate jumps there (2026.4.29+); a rollback
// leaves what somebody else has written.
func TestS55(t *testing.T) {
	for _, line := range recordedLines {
		m := models(t, line, chainOfThree)
		result, calls := walked(t, m, chain.WalkQuery{}, func(attempt chain.Attempt) chain.Outcome {
			if attempt.Index == 0 {
				return chain.Outcome{Switch: &chain.Ref{Provider: "c", Model: "three"}}
			}
			return chain.Outcome{}
		})
		want, records := "a/one b/two", 1
		if slices.Contains(from("2026.4.29"), line) {
			want, records = "a/one c/three", 0
		}
		same(t, line, calls, want)
		if len(result.Records) != records {
			t.Errorf("%s: %d records", line, len(result.Records))
		}
	}
}

// TestS56 the records of a run, with their flat step fields (2026.4.29+).
func TestS56(t *testing.T) {
	for _, line := range recordedLines {
		m := models(t, line, chainOfThree)
		result, _ := walked(t, m, chain.WalkQuery{}, func(attempt chain.Attempt) chain.Outcome {
			if attempt.Index == 1 {
				return chain.Outcome{}
			}
			return chain.Outcome{Failure: &chain.Failure{Reason: "rate_limit", Message: "slow down", Status: 429}}
		})
		decisions := result.Decisions(m.Rules)
		if len(decisions) != 2 {
			t.Fatalf("%s: %d records", line, len(decisions))
		}
		failed, won := decisions[0], decisions[1]
		if failed.Event != "model_fallback_decision" || failed.Decision != chain.DecisionFailed || failed.Status != 429 || failed.Reason != "rate_limit" ||
			failed.Attempt != 1 || failed.Total != 3 || won.Decision != chain.DecisionSuccess || won.CandidateModel != "two" {
			t.Errorf("%s: %+v %+v", line, failed, won)
		}
		if !slices.Contains(from("2026.4.29"), line) {
			continue
		}
		if failed.StepFrom != "a/one" || failed.StepTo != "b/two" || failed.StepReason != "rate_limit" || failed.StepDetail != "slow down" ||
			failed.StepFinal != chain.StepNext || won.StepFinal != chain.StepSucceeded || won.StepFrom != "a/one" || won.StepTo != "b/two" {
			t.Errorf("%s: %+v %+v", line, failed, won)
		}
	}
}

// TestS57 the summary tells when the first provider is back, for its model.
func TestS57(t *testing.T) {
	stats := `{cooldownUntil: 1780000600000, failureCounts: {rate_limit: 1}, cooldownReason: "rate_limit", cooldownModel: "other"}`
	for _, line := range from("2026.3.31") {
		m := models(t, line, chainOfThree)
		query := chain.WalkQuery{Profiles: profiles(t, m, unavailable(stats, "a:x", "b:x"))}
		result, _ := walked(t, m, query, fails("timeout"))
		if result.Err.Soonest != 0 {
			t.Errorf("%s: a window of another model counts: %v", line, result.Err.Soonest)
		}
		query.Profiles = profiles(t, m, unavailable(strings.Replace(stats, "other", "one", 1), "a:x", "b:x"))
		result, _ = walked(t, m, query, fails("timeout"))
		if result.Err.Soonest != testNow+10*minute {
			t.Errorf("%s: soonest %v", line, result.Err.Soonest)
		}
	}
}

// TestS58 image models have a chain of their own.
func TestS58(t *testing.T) {
	config := `{agents: {defaults: {model: {primary: "a/one", fallbacks: ["b/two"]}, imageModel: {primary: "i/pic", fallbacks: ["j/pic", "i/pic"]}}}}`
	for _, line := range recordedLines {
		m := models(t, line, config)
		candidates := m.ImageCandidates("")
		same(t, line, names(candidates), "i/pic j/pic")
		same(t, line, candidates[0].At+" "+candidates[1].At, "/agents/defaults/imageModel/primary /agents/defaults/imageModel/fallbacks/0")
		same(t, line, names(m.ImageCandidates("k/pic")), "k/pic j/pic i/pic")
		if len(models(t, line, chainOfThree).ImageCandidates("")) != 0 {
			t.Errorf("%s: an image chain out of nothing", line)
		}
	}
}
