package chain

import (
	"openclaw-auth/auth"
	"openclaw-auth/auth/failure"
)

// SimulateQuery is a run whose attempts end as patterns say.
type SimulateQuery struct {
	Session  SessionQuery // the session; an empty key simulates a run of the agent's default
	Profiles *auth.Profiles
	Now      int64     // Unix ms; the whole run takes place at this time
	Patterns []Pattern // the first that matches decides; an attempt that none matches succeeds
	Memory   *Memory   // of the process; nil: just started
	SkipTTL  string    // OPENCLAW_FALLBACK_SKIP_TTL_MS
	Verbose  bool      // the session is verbose

	// PromptStage tells that the failures come before the provider begins to
	// answer. Lines that record or rotate on a time-out only for an answer that
	// broke off then do neither.
	PromptStage bool
}

// SimulateResult is what a run did, call by call.
type SimulateResult struct {
	Selection Selection
	Walk      WalkResult
	Uses      []Use
	Decisions []DecisionRecord
	Pin       auth.Pin
	Notice    *Notice

	Entry   *auth.Object // the session's entry after the run, nil without a session
	Changed []string     // its members that the run changed
	Writes  []EntryWrite // what fallbacks wrote into the entry, and took back
	Store   *auth.Store  // the profiles' state after the run
	Probed  bool         // the run tried the primary of a session on a fallback again
}

// EntryWrite is a fallback's write into the session entry.
type EntryWrite struct {
	Ref
	Fields     []string
	RolledBack bool // the candidate failed, so that the fields were restored
}

// simulation is the state of a simulated run.
type simulation struct {
	models       *Models
	query        SimulateQuery
	profiles     *auth.Profiles
	entry        *auth.Object
	pin          auth.Pin
	start        Ref // the model that the run starts with
	hasFallbacks bool
	result       SimulateResult
}

// Simulate runs a session's next request under failures given beforehand: the
// selection, the candidates, for each the profiles of its provider, and what
// all of it writes. Nothing is written anywhere; the result holds copies. The
// error is that of Select.
func (m *Models) Simulate(query SimulateQuery) (*SimulateResult, error) {
	query.Session.Now = query.Now
	selection, err := m.Select(query.Session)
	if err != nil {
		return nil, err
	}
	s := &simulation{models: m, query: query, entry: selection.Entry.Clone()}
	s.result.Selection = selection
	s.start = selection.Ref
	if selection.Probe != nil {
		s.start, s.result.Probed = selection.Probe.Primary, true
	}
	s.profiles = copied(query.Profiles, m)
	s.pin = s.resolvePin()
	s.run()
	s.finish()
	return &s.result, nil
}

func copied(profiles *auth.Profiles, m *Models) *auth.Profiles {
	if profiles == nil {
		return &auth.Profiles{Rules: m.Rules, Config: m.Config, Store: &auth.Store{}}
	}
	store := *profiles.Store
	return &auth.Profiles{Rules: profiles.Rules, Config: profiles.Config, Store: &store}
}

func (s *simulation) resolvePin() auth.Pin {
	if s.query.Session.Key == "" {
		return auth.Pin{}
	}
	pin := s.profiles.ResolvePin(auth.PinQuery{
		Provider: s.start.Provider, Model: s.start.Model, Entry: s.entry, Now: s.query.Now,
	})
	if pin.Entry != nil {
		s.entry = pin.Entry.Clone()
	}
	s.result.Pin = pin
	return pin
}

func (s *simulation) run() {
	request := Request{
		Provider: s.start.Provider, Model: s.start.Model,
		Fallbacks: s.result.Selection.Fallbacks, Resolved: s.result.Selection.Resolved,
	}
	candidates := s.models.Candidates(request)
	s.hasFallbacks = len(candidates) > 1
	var locked auth.ProfileID
	if s.pin.Source == auth.PinUser {
		locked = s.pin.Profile
	}
	s.result.Walk = s.models.Walk(WalkQuery{
		Request: request, Profiles: s.query.Profiles, Now: s.query.Now, Memory: s.query.Memory,
		Session: s.entry.Text("sessionId"), SkipTTL: s.query.SkipTTL, Locked: locked,
		Run: s.attempt, Reread: func() *auth.Profiles { return s.profiles },
	})
	s.result.Decisions = s.result.Walk.Decisions(s.models.Rules)
}

// attempt runs a candidate, with what the session keeps of it.
func (s *simulation) attempt(attempt Attempt) Outcome {
	var write *overrideWrite
	if attempt.Ref != s.start && s.query.Session.Key != "" {
		pin := s.pinFor(attempt.Candidate)
		write = s.models.writeFallback(s.entry, attempt.Candidate, s.start, pin.Profile, pin.Source, s.query.Now)
	}
	outcome := s.rotate(attempt)
	if write != nil {
		entry := EntryWrite{Ref: attempt.Ref, Fields: write.fields, RolledBack: outcome.Failure != nil}
		if entry.RolledBack {
			write.rollBack(s.entry)
		}
		s.result.Writes = append(s.result.Writes, entry)
	}
	return outcome
}

// use makes one call and records how it ended.
func (s *simulation) use(attempt Attempt, id auth.ProfileID) Use {
	use := Use{Ref: attempt.Ref, Profile: id, Failure: s.failureFor(attempt.Ref, id), Why: UseAnswered}
	use.Before = s.profiles.Store.UsageStats.Object(string(id)).Clone()
	switch {
	case use.Failure == nil:
		s.recordSuccess(&use)
	default:
		use.Reason = use.Failure.Reason
		if use.Reason == "" {
			verdict := failure.Classify(signal(attempt.Candidate, *use.Failure), s.models.Rules.Failover())
			use.Reason = verdict.Headline()
			if coerced := verdict.Coerced; use.Reason == "" && coerced != nil {
				use.Reason = coerced.Reason
			}
		}
		s.recordFailure(&use)
	}
	use.After = s.profiles.Store.UsageStats.Object(string(id)).Clone()
	return use
}

// failureFor returns how a call ends: as the first pattern says that matches it.
func (s *simulation) failureFor(ref Ref, id auth.ProfileID) *Failure {
	for i := range s.query.Patterns {
		if pattern := &s.query.Patterns[i]; pattern.matches(ref, id) {
			if pattern.Failure == nil {
				return nil
			}
			failed := *pattern.Failure
			failed.Profile = id
			return &failed
		}
	}
	return nil
}

func (s *simulation) recordSuccess(use *Use) {
	if use.Profile == "" {
		return
	}
	transition, lastGood := s.profiles.Success(use.Provider, use.Profile, s.query.Now)
	s.apply(use, transition)
	s.profiles.Store.LastGood = lastGood
}

// recordFailure records a failure on its profile, where the line records such
// failures at all.
func (s *simulation) recordFailure(use *Use) {
	mark := s.models.Rules.Failover().Consequence(use.Reason).Mark
	if use.Profile == "" || use.Reason == "" || mark == failure.MarkNever ||
		s.query.PromptStage && (mark == failure.MarkStarted || mark == failure.MarkAnswer) {
		return
	}
	s.apply(use, s.profiles.Fail(auth.Failure{Profile: use.Profile, Reason: use.Reason, Model: &use.Model, Now: s.query.Now}))
}

func (s *simulation) apply(use *Use, transition auth.Transition) {
	use.Ignored, use.Probed = transition.Ignored, transition.Probed
	if transition.Ignored != "" {
		return
	}
	usage := s.profiles.Store.UsageStats.Clone()
	if usage == nil {
		usage = auth.NewObject()
	}
	usage.Set(string(use.Profile), transition.Stats)
	s.profiles.Store.UsageStats = usage
}

// finish settles the session: a recovered primary clears the override, a
// fallback or its end is told to the user.
func (s *simulation) finish() {
	out := &s.result
	out.Store = s.profiles.Store
	if s.query.Session.Key == "" {
		return
	}
	if winner := out.Walk.Winner; winner != nil {
		selected := s.selected()
		if out.Probed && winner.Ref == s.start {
			s.models.clearFallback(s.entry, s.query.Now)
		}
		if out.Notice = s.models.notice(s.entry, selected, winner.Ref, out.Walk.Records); out.Notice != nil {
			s.models.show(out.Notice, s.query.Session.Key, s.query.Verbose)
		}
	}
	out.Entry = s.entry
	out.Changed = ChangedFields(s.query.Session.Sessions.Object(s.query.Session.Key), s.entry)
}

// selected is the model that a notice names as selected: the one that the
// session is meant to run, not the fallback that it is on.
func (s *simulation) selected() Ref {
	if out := s.result.Selection; out.Source == SourceAuto && hasOrigin(out.Entry) {
		return Ref{text(out.Entry, originProvider), text(out.Entry, originModel)}
	}
	return s.start
}
