package chain

import (
	"fmt"

	"openclaw-auth/auth"
)

// SimulateQuery is a run whose calls end as patterns say.
type SimulateQuery struct {
	Session  SessionQuery // the session; an empty key simulates a run of the agent's default
	Profiles *auth.Profiles
	Now      int64     // Unix ms; the whole run takes place at this time
	Patterns []Pattern // the first that matches decides; a call that none matches succeeds
	Memory   *Memory   // of the process; nil: just started
	SkipTTL  string    // OPENCLAW_FALLBACK_SKIP_TTL_MS
	Verbose  bool      // the session is verbose

	// PromptStage is that of RunQuery.
	PromptStage bool
}

// Simulate runs a session's next request under failures given beforehand: the
// selection, the candidates, for each the profiles of its provider, and what
// all of it writes. The error is that of Select.
func (m *Models) Simulate(query SimulateQuery) (*RunResult, error) {
	run, err := m.Start(RunQuery{
		Session: query.Session, Profiles: query.Profiles, Now: query.Now, Memory: query.Memory,
		SkipTTL: query.SkipTTL, Verbose: query.Verbose, PromptStage: query.PromptStage,
	})
	if err != nil {
		return nil, err
	}
	for call := range run.Calls() {
		switch pattern := patternOf(query.Patterns, call.Ref, call.Profile); {
		case pattern == nil || pattern.Failure == nil && pattern.Switch == "":
			call.Succeed(query.Now)
		case pattern.Switch != "":
			target, _, ok := m.Resolve(pattern.Switch, m.Default().Provider)
			if !ok {
				return nil, fmt.Errorf("%q names no model", pattern.Switch)
			}
			call.Switch(target, query.Now)
		default:
			call.Fail(*pattern.Failure, query.Now)
		}
	}
	return run.Result(), nil
}

// patternOf returns the first pattern that matches a call, nil if none does.
func patternOf(patterns []Pattern, ref Ref, profile auth.ProfileID) *Pattern {
	for i := range patterns {
		if patterns[i].Matches(ref, profile) {
			return &patterns[i]
		}
	}
	return nil
}
