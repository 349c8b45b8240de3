package chain

import (
	"iter"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
)

// RunQuery is a session's next request.
type RunQuery struct {
	Session  SessionQuery   // the session; an empty key is a run of the agent's default
	Profiles *auth.Profiles // as they are stored when the run starts; nil: nothing is known about them
	Now      int64          // Unix ms, when the run starts
	Memory   *Memory        // of the process; nil: just started
	SkipTTL  string         // value of OPENCLAW_FALLBACK_SKIP_TTL_MS
	Verbose  bool           // the session is verbose

	// PromptStage says that the failures come before the provider begins to
	// answer. Lines that record or rotate on a timeout only for an answer that
	// broke off then do neither.
	PromptStage bool
}

// Run is a session's next request under way: the walk along the candidates
// and, for each, the rotation of its provider's profiles. It decides and
// computes; whoever drives it makes the calls, or pretends to.
type Run struct {
	models       *Models
	query        RunQuery
	now          int64
	profiles     *auth.Profiles // as the calls have left them
	entry        *document.Object
	pin          auth.Pin
	start        Ref // the model that the run starts with
	hasFallbacks bool
	yield        func(*Call) bool
	result       RunResult
}

// RunResult is what a run did, call by call.
type RunResult struct {
	Selection Selection
	Walk      WalkResult
	Uses      []Use
	Decisions []DecisionRecord
	Pin       auth.Pin
	Notice    *Notice

	Entry   *document.Object // the session's entry after the run, nil without a session
	Changed []string         // its members that the run changed
	Writes  []EntryWrite     // what fallbacks wrote into the entry, and took back
	Store   *auth.Store      // the profiles' state after the run
	Probed  bool             // the run tried the primary of a session on a fallback again
}

// EntryWrite is a fallback's write into the session entry.
type EntryWrite struct {
	Ref
	Fields     []string
	RolledBack bool // the candidate failed, so that the fields were restored
}

// Start selects the session's model and prepares the run. Nothing is written
// anywhere; the result holds copies. The error is that of Select.
func (m *Models) Start(query RunQuery) (*Run, error) {
	query.Session.Now = query.Now
	selection, err := m.Select(query.Session)
	if err != nil {
		return nil, err
	}
	r := &Run{models: m, query: query, now: query.Now, entry: selection.Entry.Clone()}
	r.result.Selection = selection
	r.start = selection.Ref
	if selection.Probe != nil {
		r.start, r.result.Probed = selection.Probe.Primary, true
	}
	r.profiles = copied(query.Profiles, m)
	r.pin = r.resolvePin()
	return r, nil
}

func copied(profiles *auth.Profiles, m *Models) *auth.Profiles {
	if profiles == nil {
		return &auth.Profiles{Rules: m.Rules, Config: m.Config, Store: &auth.Store{}}
	}
	store := *profiles.Store
	return profiles.WithStore(&store)
}

// resolvePin finds the profile that the session or the model's reference names.
func (r *Run) resolvePin() auth.Pin {
	pin := r.models.pin(r.profiles, &r.result.Selection, r.start, r.query.Session, auth.PinQuery{Entry: r.entry, Now: r.now})
	if pin.Entry != nil {
		r.entry = pin.Entry.Clone()
	}
	r.result.Pin = pin
	return pin
}

// pin finds the profile with which a run starts on a model: the session's, or
// the one that the model's reference names. The query is filled in.
func (m *Models) pin(profiles *auth.Profiles, selection *Selection, start Ref, session SessionQuery, query auth.PinQuery) auth.Pin {
	query.Provider, query.Model, query.Reference = start.Provider, start.Model, selection.Profile
	if runtime := m.Runtime(start, query.Entry); runtime.Auth != start.Provider {
		query.Accepted = []string{runtime.Auth}
	}
	if start != selection.Ref {
		query.Reference = m.ReferenceProfile(start)
	}
	switch {
	case session.Key == "" && query.Reference == "":
		return auth.Pin{}
	case session.Key == "":
		query.Entry = nil
	case session.Command:
		return profiles.StoredPin(query)
	}
	return profiles.ResolvePin(query)
}

// Calls yields the calls of the run, one after the other, until one succeeds
// or none is left. Each has to be answered with Succeed, Fail or PassOver
// before the next is asked for; breaking out of the loop, or leaving a call
// unanswered, ends the run there. A run is driven once.
func (r *Run) Calls() iter.Seq[*Call] {
	return func(yield func(*Call) bool) {
		r.yield = yield
		if err := r.pin.Err; err != nil {
			r.result.Walk.Err = &RunError{Name: "Error", Message: err.Error()}
			if auth.IsMissingProfile(err) {
				r.result.Walk.Err.Name, r.result.Walk.Err.Reason = "FailoverError", reasonAuth
			}
			r.finish()
			return
		}
		r.walk()
		r.finish()
	}
}

// Result is what the run has done. It is complete when Calls has ended.
func (r *Run) Result() *RunResult { return &r.result }

// Reload replaces the profiles that the calls have left by those that are
// stored: others write them too while a call runs.
func (r *Run) Reload(profiles *auth.Profiles) { r.profiles = copied(profiles, r.models) }

func (r *Run) walk() {
	request := Request{
		Provider: r.start.Provider, Model: r.start.Model,
		Fallbacks: r.result.Selection.Fallbacks, Resolved: r.result.Selection.Resolved,
	}
	r.hasFallbacks = r.models.hasFallbacks(r.result.Selection.Fallbacks)
	var locked auth.ProfileID
	if r.pin.Source == auth.PinUser {
		locked = r.pin.Profile
	}
	r.result.Walk = r.models.Walk(WalkQuery{
		Request: request, Profiles: r.query.Profiles, Now: r.query.Now, Memory: r.query.Memory,
		Session: r.entry.Text("sessionId"), SkipTTL: r.query.SkipTTL, Locked: locked,
		Run: r.attempt, Reread: func() *auth.Profiles { return r.profiles },
	})
	r.result.Decisions = r.result.Walk.Decisions(r.models.Rules)
}

// attempt runs a candidate, with what the session keeps of it.
func (r *Run) attempt(attempt Attempt) Outcome {
	var write *overrideWrite
	if attempt.Ref != r.start && r.query.Session.Key != "" && !r.query.Session.Command {
		pin := r.pinFor(r.models.Runtime(attempt.Ref, r.entry))
		write = r.models.writeFallback(r.entry, attempt.Candidate, r.start, pin.Profile, pin.Source, r.now)
	}
	outcome := r.rotate(attempt)
	outcome.Now = r.now
	if write != nil {
		entry := EntryWrite{Ref: attempt.Ref, Fields: write.fields, RolledBack: outcome.Failure != nil}
		if entry.RolledBack {
			write.rollBack(r.entry)
		}
		r.result.Writes = append(r.result.Writes, entry)
	}
	return outcome
}

// finish settles the session: a recovered primary clears the override, a
// fallback or its end is told to the user.
func (r *Run) finish() {
	out := &r.result
	out.Store = r.profiles.Store
	if r.query.Session.Key == "" {
		return
	}
	if winner := out.Walk.Winner; winner != nil && !r.query.Session.Command {
		selected := r.selected()
		if out.Probed && winner.Ref == r.start {
			r.models.clearFallback(r.entry, r.now)
		}
		if out.Notice = r.models.notice(r.entry, selected, winner.Ref, out.Walk.Records); out.Notice != nil {
			r.models.show(out.Notice, r.query.Session.Key, r.query.Verbose)
		}
	}
	out.Entry = r.entry
	out.Changed = changedFields(r.query.Session.Sessions.Object(r.query.Session.Key), r.entry)
}

// selected is the model that a notice names as selected: the one that the
// session is meant to run, not the fallback that it is on.
func (r *Run) selected() Ref {
	if out := r.result.Selection; out.Source == SourceAuto && hasOrigin(out.Entry) {
		return Ref{text(out.Entry, originProvider), text(out.Entry, originModel)}
	}
	return r.start
}
