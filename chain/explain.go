package chain

import (
	"math"

	"openclaw-auth/auth"
)

// ExplainQuery asks what a session's next run would do.
type ExplainQuery struct {
	Session  SessionQuery   // an empty key asks for the agent without a session
	Profiles *auth.Profiles // the agent's; nil: nothing is known about them
	Now      int64          // Unix ms
	Memory   *Memory        // of the process, as far as it is known; nil: just started

	SkipTTL    string // value of OPENCLAW_FALLBACK_SKIP_TTL_MS
	NewSession bool   // the session is new, which moves an automatic pin on
	Gateway    int    // process of a gateway that started before the profiles were last written; 0: none is known
}

// Explanation is the answer to "which model, which profile, and why".
type Explanation struct {
	Agent      string
	SessionKey string
	Selection  Selection
	Err        error // why the run ends before a model is tried; the rest then describes what would follow

	Candidates []ExplainedCandidate
	Pin        *ExplainedPin // nil without a session, unless the model's reference names a profile
	Soonest    float64       // when the first provider of the chain recovers, Unix ms; 0 if none has a window
	Notes      []Note
}

// ExplainedCandidate is a candidate with what would be done with it now.
type ExplainedCandidate struct {
	Candidate
	Decision Decision
	Runtime  Runtime
	Ordering auth.Ordering    // its provider's profiles, in the order of their turn
	Profiles []auth.Placement // the same with the reason of each place, and those left out
	Limit    int              // how many profiles are tried before the next model after rate limits; 0: all
}

// ExplainedPin is the profile that the session is on.
type ExplainedPin struct {
	Stored  auth.ProfileID // as the entry has it, "" without one
	Source  string         // user or auto
	Next    auth.ProfileID // what the next run uses, "" where rotation decides
	Why     auth.PinReason
	Err     error    // the run ends with it: the profile is unavailable
	Changed []string // members of the entry that the next run changes for it
}

// Explain tells what the session's next run would do: the model and who chose
// it, the chain, for each candidate whether it is attempted now and with which
// profiles, the auth pin, and what a user should know about all that.
func (m *Models) Explain(query ExplainQuery) *Explanation {
	query.Session.Now = query.Now
	e := &Explanation{Agent: m.Agent, SessionKey: query.Session.Key}
	e.Selection, e.Err = m.Select(query.Session)
	if e.Err != nil && query.Session.Cron != nil {
		return e // the job does not run
	}
	if e.Err != nil {
		e.Selection.Ref = e.Selection.Default
		e.Selection.Candidates = m.Candidates(Request{Provider: e.Selection.Provider, Model: e.Selection.Model})
	}
	start := e.Selection.Ref
	if e.Selection.Probe != nil {
		start = e.Selection.Probe.Primary
	}
	if query.Profiles != nil {
		e.Pin = m.explainPin(e, start, query)
	}
	if e.Pin != nil && e.Pin.Err != nil {
		e.Err = e.Pin.Err
	}
	m.explainCandidates(e, start, query)
	e.Notes = m.notes(e, query)
	return e
}

// explainCandidates asks for each candidate what a run would do with it if all
// before it failed for reasons of their own.
func (m *Models) explainCandidates(e *Explanation, start Ref, query ExplainQuery) {
	var prefer auth.ProfileID
	if e.Pin != nil {
		prefer = e.Pin.Next
	}
	memory := Memory{}
	if query.Memory != nil {
		memory = query.Memory.clone()
	}
	request := Request{
		Provider: start.Provider, Model: start.Model,
		Fallbacks: e.Selection.Fallbacks, Resolved: e.Selection.Resolved, At: e.Selection.At,
	}
	walk := &WalkQuery{Request: request, Profiles: query.Profiles, Now: query.Now, Memory: &memory}
	if e.Err == nil && e.Selection.Probe == nil {
		walk.candidates = e.Selection.Candidates // of this very request
	}
	w := m.start(walk)
	earliest := math.Inf(1)
	e.Candidates = make([]ExplainedCandidate, 0, len(w.candidates))
	for i, candidate := range w.candidates {
		explained := ExplainedCandidate{Candidate: candidate, Decision: w.decision(i)}
		w.useSlot(candidate, explained.Decision, explained.Decision.Reason) // a second probe of its provider would be skipped
		explained.Runtime = m.Runtime(candidate.Ref, e.Selection.Entry)
		m.explainProfiles(&explained, w.profiles, prefer, query.Now)
		explained.Limit = m.profileLimit(e.Selection.Fallbacks)
		if soonest := explained.Decision.Soonest; soonest != 0 {
			earliest = min(earliest, soonest)
		}
		e.Candidates = append(e.Candidates, explained)
	}
	if !math.IsInf(earliest, 1) {
		e.Soonest = earliest
	}
}

// explainProfiles lists the profiles that the candidate's runtime gets. What is
// decided about the candidate still goes by its own provider's.
func (m *Models) explainProfiles(explained *ExplainedCandidate, profiles *auth.Profiles, prefer auth.ProfileID, now int64) {
	runtime := explained.Runtime
	if runtime.OwnLogin {
		return
	}
	order := auth.OrderQuery{Provider: runtime.Auth, Now: now, Model: explained.Model, Prefer: prefer}
	explained.Ordering = explained.Decision.Ordering.Preferring(prefer)
	if runtime.Auth != explained.Provider || explained.Ordering.Provider == "" {
		explained.Ordering = profiles.Order(order)
	}
	explained.Profiles = profiles.Explain(order, explained.Ordering)
}

// profileLimit is how many profiles of a provider rate limits may use up
// before the next model comes, 0 for all of them.
func (m *Models) profileLimit(fallbacks []Written) int {
	limit, ok := m.RotationLimit(reasonRateLimit)
	if !ok || !m.hasFallbacks(fallbacks) {
		return 0
	}
	return limit + 1
}

func (m *Models) explainPin(e *Explanation, start Ref, query ExplainQuery) *ExplainedPin {
	entry := e.Selection.Entry
	pin := m.pin(query.Profiles, &e.Selection, start, query.Session, auth.PinQuery{
		Entry: entry, NewSession: query.NewSession, Now: query.Now,
	})
	if query.Session.Key == "" && pin.Profile == "" {
		return nil
	}
	explained := &ExplainedPin{
		Stored: auth.ProfileID(text(entry, pinProfile)), Source: text(entry, pinSourceField),
		Next: pin.Profile, Why: pin.Why, Err: pin.Err,
	}
	if query.Session.Key != "" {
		explained.Changed = changedFields(entry, pin.Entry)
	}
	return explained
}
