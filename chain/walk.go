package chain

import (
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/chain/lines"
)

// WalkQuery is a run along a chain of candidates.
type WalkQuery struct {
	Request  Request
	Profiles *auth.Profiles // the agent's; nil: nothing is known about them
	Now      int64          // Unix ms, when the run starts
	Memory   *Memory        // of the process; nil: a fresh one

	Session string         // session id; the auth skip cache needs one
	SkipTTL string         // value of OPENCLAW_FALLBACK_SKIP_TTL_MS
	Locked  auth.ProfileID // profile that the user has pinned, "" without one

	// Run attempts a candidate and tells how it ended.
	Run func(Attempt) Outcome

	// Reread returns the profiles as they are when the chain is exhausted; nil:
	// as they were when the run started. The decisions of a run don't look at
	// them again.
	Reread func() *auth.Profiles

	candidates []Candidate // those of the request, where they are known
}

// Attempt is a call of a model.
type Attempt struct {
	Candidate
	Index    int  // place in the chain, from 0
	Probe    bool // the profiles are unavailable; the attempt may still use one
	Final    bool // no candidate is left after it (2026.6.11+)
	Decision Decision
}

// Record is what a run notes about a candidate that did not answer.
type Record struct {
	Ref
	Index      int
	Error      string
	Reason     auth.Reason // "unknown" where the error has no class
	Status     float64     // 0 without one
	Code       string
	Skipped    bool
	Classified bool // the error has a class, or the candidate was skipped
	Decision   Decision
}

// Step is a fallback step as OpenClaw reports it (2026.4.29+).
type Step struct {
	From     Ref
	To       *Ref        // nil: no candidate is left
	Reason   auth.Reason // "": the error has no class
	Position int         // of the candidate in the chain, from 1
	Outcome  StepOutcome
}

// StepOutcome is what a step led to.
type StepOutcome string

// The outcomes of a step.
const (
	StepNext      StepOutcome = "next_fallback"
	StepSucceeded StepOutcome = "succeeded"
	StepExhausted StepOutcome = "chain_exhausted"
)

// WalkResult is how a run ended: with a winner or with an error.
type WalkResult struct {
	Candidates []Candidate
	Winner     *Candidate
	Records    []Record
	Steps      []Step
	Err        *RunError
}

// walking is the state of a run.
type walking struct {
	models   *Models
	rules    *lines.WalkRules
	query    *WalkQuery
	profiles *auth.Profiles // with the expired windows cleared, as the run sees them
	memory   *Memory
	now      int64
	ttl      int64

	candidates []Candidate
	probed     []string // providers whose transient probe is used up
	excluded   []string // providers whose certificate is not trusted
	reached    []int    // candidates that were looked at
	last       *thrown  // the last error that was thrown
	lastOf     Candidate
	result     WalkResult
}

// Walk runs a request along its chain until a candidate answers or none is left.
func (m *Models) Walk(query WalkQuery) WalkResult {
	w := m.start(&query)
	for i := 0; i < len(w.candidates); i++ {
		next, done := w.visit(i)
		if done {
			return w.result
		}
		i = next - 1
	}
	w.exhaust()
	return w.result
}

func (m *Models) start(query *WalkQuery) *walking {
	w := &walking{
		models: m, rules: &lines.Of(m.Rules).Walk, query: query, memory: query.Memory, now: query.Now,
		candidates: query.candidates,
	}
	if w.candidates == nil {
		w.candidates = m.Candidates(query.Request)
	}
	if w.memory == nil {
		w.memory = &Memory{}
	}
	if w.rules.SkipCache && query.Session != "" {
		w.ttl = skipTTL(query.SkipTTL, w.rules.StrictTTL)
	}
	w.profiles = query.Profiles
	if w.profiles == nil {
		w.profiles = &auth.Profiles{Rules: m.Rules, Config: m.Config, Store: &auth.Store{}}
	}
	w.profiles = cleared(w.profiles, w.now)
	w.result.Candidates = w.candidates
	return w
}

// cleared returns the profiles without the windows that have passed, as the
// computation of an order leaves them.
func cleared(profiles *auth.Profiles, now int64) *auth.Profiles {
	store := *profiles.Store
	store.UsageStats, _ = profiles.Rules.Windows.ClearExpired(store.UsageStats, now)
	return profiles.WithStore(&store)
}

func (w *walking) order(candidate Candidate) auth.Ordering {
	return w.profiles.Order(auth.OrderQuery{Provider: candidate.Provider, Now: w.now, Model: candidate.Model})
}

// visit handles the candidate at i. It returns where the run goes on, or that
// it is over.
func (w *walking) visit(i int) (next int, done bool) {
	candidate := w.candidates[i]
	w.reached = append(w.reached, i)
	decision := w.decision(i)
	if decision.Action == Skip {
		w.skip(i, decision)
		return i + 1, false
	}
	attempt := Attempt{
		Candidate: candidate, Index: i, Decision: decision,
		Probe: decision.Action == Probe && (decision.transient || decision.Reason == reasonBilling),
		Final: w.rules.FinalFlag && w.isFinal(i),
	}
	outcome := w.query.Run(attempt)
	w.now = max(w.now, outcome.Now)
	switch {
	case outcome.Stopped:
		return i, true
	case outcome.Switch != nil:
		return w.switched(i, decision, *outcome.Switch)
	case outcome.Failure != nil:
		return i + 1, w.failed(i, decision, *outcome.Failure)
	}
	w.succeed(i)
	return i + 1, true
}

// decision decides about the candidate at i, the run's own state included.
func (w *walking) decision(i int) Decision {
	candidate := w.candidates[i]
	if slices.Contains(w.excluded, candidate.Provider) {
		return Decision{Action: Skip, Why: WhyExcluded}
	}
	if decision, ok := w.cached(i); ok {
		return decision
	}
	decision := w.decide(candidate, position{i, len(w.candidates), w.isRespelled()})
	if decision.transient && decision.Action == Probe && slices.Contains(w.probed, candidate.Provider) {
		decision.Action, decision.Why = Skip, WhySlot
		w.phrase(&decision, candidate)
	}
	return decision
}

func (w *walking) isRespelled() bool {
	request, first := w.query.Request, w.candidates[0]
	return request.Provider != "" && request.Provider != first.Provider || request.Model != "" && request.Model != first.Model
}

// following returns the place of the next candidate that is not excluded, -1
// without one.
func (w *walking) following(i int) int {
	at := slices.IndexFunc(w.candidates[i+1:], func(c Candidate) bool { return !slices.Contains(w.excluded, c.Provider) })
	if at < 0 {
		return -1
	}
	return i + 1 + at
}

// isFinal reports whether no candidate that could be attempted follows.
func (w *walking) isFinal(i int) bool { return w.following(i) < 0 }

func (w *walking) skip(i int, decision Decision) {
	if decision.Why == WhyExcluded {
		return
	}
	w.record(Record{
		Ref: w.candidates[i].Ref, Index: i, Error: decision.Text, Reason: decision.Reason,
		Code: w.rules.SkipCode, Skipped: true, Classified: true, Decision: decision,
	})
}

// failed records a failure, or ends the run with it.
func (w *walking) failed(i int, decision Decision, f Failure) (done bool) {
	candidate := w.candidates[i]
	t := w.throw(candidate, f)
	w.useSlot(candidate, decision, t.Reason)
	if t.ends || !t.classified && w.isFinal(i) {
		w.result.Err = t.err()
		return true
	}
	if w.rules.TLSExcludes && t.Reason == reasonTLS {
		w.excluded = append(w.excluded, candidate.Provider)
	}
	w.remember(i, t)
	w.last, w.lastOf = &t, candidate
	record := Record{
		Ref: candidate.Ref, Index: i, Error: t.Message, Reason: t.Reason, Status: t.Status, Code: t.Code,
		Classified: t.classified, Decision: decision,
	}
	if record.Error == "" && !t.classified {
		record.Error = t.Name
	}
	if w.rules.RawFirst && t.Raw != nil && (*t.Raw != "" || w.rules.RawEmpty) {
		record.Error = *t.Raw
	}
	if record.Reason == "" {
		record.Reason = reasonUnknown
	}
	w.record(record)
	return false
}

// useSlot takes the provider's one transient probe of the run.
func (w *walking) useSlot(candidate Candidate, decision Decision, reason auth.Reason) {
	if decision.Action == Probe && decision.transient && !keepsSlot(reason) {
		w.probed = append(w.probed, candidate.Provider)
	}
}

func (w *walking) record(record Record) {
	w.result.Records = append(w.result.Records, record)
	step := Step{From: record.Ref, Reason: record.Reason, Position: record.Index + 1, Outcome: StepExhausted}
	if !record.Classified {
		step.Reason = ""
	}
	if i := w.following(record.Index); i >= 0 {
		step.To, step.Outcome = &w.candidates[i].Ref, StepNext
	}
	w.step(step)
}

func (w *walking) step(step Step) {
	if w.rules.Steps {
		w.result.Steps = append(w.result.Steps, step)
	}
}

func (w *walking) succeed(i int) {
	w.result.Winner = &w.candidates[i]
	if n := len(w.result.Records); n > 0 {
		last := w.result.Records[n-1]
		w.step(Step{From: last.Ref, To: &w.candidates[i].Ref, Reason: last.Reason, Position: i + 1, Outcome: StepSucceeded})
	}
}
