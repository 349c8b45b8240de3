package history

import (
	"cmp"
	"slices"
	"strings"

	"openclaw-auth/chain"
)

// isSkipText recognises the texts with which OpenClaw skips a candidate.
func isSkipText(detail string) bool {
	return strings.HasPrefix(detail, "Provider ") && (strings.Contains(detail, " is in cooldown") || strings.Contains(detail, "has billing issue"))
}

// request finds out which model the run asked for.
func (f *fuser) request(events []Event) {
	for i := range events {
		if !events[i].Requested.IsZero() && events[i].Kind != EventSwitch {
			f.run.Requested = events[i].Requested
			return
		}
	}
	first := func(events []Event) chain.Ref {
		if len(events) == 0 {
			return chain.Ref{}
		}
		return events[0].Ref
	}
	var tried chain.Ref
	if len(f.attempts) > 0 {
		tried = f.attempts[0].step.Ref
	}
	f.run.Requested = cmp.Or(first(f.started), tried, first(f.snapshots), first(f.answers))
}

// joinWindows puts the stored failures to the attempts that they belong to.
func (f *fuser) joinWindows() {
	for i := range f.windows {
		window := &f.windows[i]
		f.story.windows.complete(f.run, window)
		var best *attempt
		for _, a := range f.attempts {
			if a.window == nil && a.step.Profile == window.Profile && (best == nil || distance(a.last, window.At) < distance(best.last, window.At)) {
				best = a
			}
		}
		if best == nil { // the failure was told without its profile
			for _, a := range f.attempts {
				if a.window == nil && a.step.Profile == "" && a.step.Ref.Provider == window.Ref.Provider && distance(a.last, window.At) < nearby {
					best = a
					break
				}
			}
		}
		if best == nil {
			f.steps = append(f.steps, *window)
			continue
		}
		best.window = window
		best.step.Profile = window.Profile
		window.Ref = best.step.Ref
		f.steps = append(f.steps, *window)
	}
}

func distance(a, b int64) int64 { return max(a-b, b-a) }

// infer concludes what no source says: attempts that left only a snapshot, an
// answer by the model that was tried last, a session that stays on a fallback.
func (f *fuser) infer() {
	run := f.run
	for i := range f.answers {
		f.answered(&f.answers[i])
	}
	if run.Winner.IsZero() && !f.exhausted && f.ended != nil && !f.ended.Failed {
		f.endedWell()
	}
	if !run.Winner.IsZero() {
		for _, snapshot := range f.snapshots {
			if snapshot.Ref != run.Winner && !f.mentions(snapshot.Ref) {
				step := f.step(&snapshot, StepAttemptFailed)
				step.Why, step.Certainty = WhySnapshot, Inferred
				f.steps = append(f.steps, step)
			}
		}
	}
	for _, a := range f.attempts {
		f.steps = append(f.steps, a.step)
		if a.rotated {
			step := Step{
				At: a.last, Kind: StepProfileRotated, Ref: a.step.Ref, Profile: a.step.Profile, Reason: a.step.Reason,
				Certainty: a.step.Certainty, Evidence: a.step.Evidence, seq: a.turned,
			}
			f.steps = append(f.steps, step)
		}
	}
}

// answered takes a transcript's or a trajectory's word for who answered.
func (f *fuser) answered(event *Event) {
	evidence := Evidence{event.Source, event.Line}
	for i := range f.steps {
		if f.steps[i].Kind != StepAnswered {
			continue
		}
		if f.given && f.steps[i].Ref != event.Ref {
			return // a part of the answer that came before the model failed
		}
		if f.steps[i].Ref != event.Ref {
			f.steps[i].Ref, f.steps[i].At, f.steps[i].Evidence = event.Ref, event.At, nil
		}
		f.steps[i].Evidence = append(f.steps[i].Evidence, evidence)
		f.run.Winner = event.Ref
		return
	}
	if f.exhausted && event.At <= f.lastDecision() {
		return
	}
	step := f.step(event, StepAnswered)
	step.Detail, step.Status, step.Next, step.Reason, step.Attempt = "", 0, chain.Ref{}, "", 0
	f.steps = append(f.steps, step)
	f.run.Winner = event.Ref
}

func (f *fuser) lastDecision() int64 {
	var at int64
	for i := range f.steps {
		if f.steps[i].Kind == StepExhausted {
			at = max(at, f.steps[i].At)
		}
	}
	return at
}

// endedBadly reports whether the run's end says that it failed. One that was
// stopped by its user did not.
func (f *fuser) endedBadly() bool {
	return f.ended != nil && f.ended.Failed && f.ended.Code != "aborted" && f.ended.Code != "done"
}

// endedWell concludes who answered a run of which the log only says that it ended.
func (f *fuser) endedWell() {
	if n := len(f.attempts); n > 0 && !f.attempts[n-1].rotated {
		return // the model was given up
	}
	ref := f.run.Requested
	if len(f.started) > 0 {
		ref = f.started[len(f.started)-1].Ref
	}
	if ref.IsZero() {
		return
	}
	step := f.step(f.ended, StepAnswered)
	step.Ref, step.Why, step.Certainty = ref, WhyRunEnded, Inferred
	f.steps = append(f.steps, step)
	f.run.Winner = ref
}

func (f *fuser) mentions(ref chain.Ref) bool {
	for _, a := range f.attempts {
		if a.step.Ref == ref {
			return true
		}
	}
	for i := range f.steps {
		if f.steps[i].Ref == ref && f.steps[i].Kind != StepAnswered {
			return true
		}
	}
	return false
}

// conclude says how the run ended, and how it goes on from the one before.
func (f *fuser) conclude() {
	run, t := f.run, f.talk
	trouble := len(f.attempts) > 0 || f.decisions > 0
	switched := t.switched || slices.ContainsFunc(f.steps, func(s Step) bool { return s.Kind == StepUserSwitch })
	t.switched = false
	userSet := t.state != nil && t.state.OverrideUser && t.state.Override == run.Winner
	if !trouble && !switched && !userSet && !run.Winner.IsZero() && !t.away.IsZero() && run.Winner == t.winner && run.Requested == run.Winner {
		step := Step{At: run.StartedAt, Kind: StepFallback, Ref: t.away, Next: run.Winner, Why: WhyStays, Certainty: Inferred}
		f.steps = append(f.steps, step)
		run.Requested = t.away
	}
	switch {
	case run.Winner.IsZero() && (f.exhausted || f.endedBadly() || run.Turn && len(f.attempts) > 0):
		run.Outcome = OutcomeFailed
	case run.Winner.IsZero():
		run.Outcome = OutcomeUnknown
	case run.Winner == run.Requested:
		run.Outcome = OutcomeSelected
	default:
		run.Outcome = OutcomeFallback
	}
	if run.Outcome == OutcomeFailed && f.endedBadly() && !f.exhausted && len(f.attempts) == 0 {
		step := f.step(f.ended, StepStopped) // that it failed is all that is known
		step.Reason, step.Why = f.ended.Code, WhyRunEnded
		f.steps = append(f.steps, step)
	}
	f.changed(trouble, switched)
	switch run.Outcome {
	case OutcomeFallback:
		t.away = run.Requested
	case OutcomeSelected:
		if t.away == run.Winner {
			f.steps = append(f.steps, Step{At: run.EndedAt, Kind: StepRecovered, Ref: run.Winner, Certainty: f.answerCertainty()})
		}
		t.away = chain.Ref{}
	}
	if !run.Winner.IsZero() {
		t.winner = run.Winner
	}
	if passed := f.passedOver(); passed != nil {
		f.steps = append(f.steps, *passed)
	}
	f.winnerProfile()
}

// changed notes that another model answers than before, though no source shows a
// failure, a skip or a switch.
func (f *fuser) changed(trouble, switched bool) {
	run, t := f.run, f.talk
	if trouble || switched || t.winner.IsZero() || run.Winner.IsZero() || run.Winner == t.winner || run.Winner == t.away || f.mentions(t.winner) {
		return
	}
	step := Step{At: f.answerTime(), Kind: StepModelChanged, Ref: t.winner, Next: run.Winner, Why: WhyUnexplained, Certainty: Inferred}
	if f.story.options.Follows != nil && f.story.options.Follows(run.Agent, t.winner, run.Winner) {
		step.Why = WhyNextInChain
	}
	f.steps = append(f.steps, step)
}

func (f *fuser) answerTime() int64 {
	for i := range f.steps {
		if f.steps[i].Kind == StepAnswered {
			return f.steps[i].At
		}
	}
	return f.run.EndedAt
}

func (f *fuser) answerCertainty() Certainty {
	for i := range f.steps {
		if f.steps[i].Kind == StepAnswered {
			return f.steps[i].Certainty
		}
	}
	return Inferred
}

// passedOver finds a profile that was cooling when its provider answered without
// trying it: another profile was used, and nothing is written of that.
func (f *fuser) passedOver() *Step {
	run, state := f.run, f.talk.state
	if run.Winner.IsZero() || run.StartedAt == 0 {
		return nil
	}
	for _, blocked := range f.story.windows.blocking(run.Agent, run.Winner.Provider, run.StartedAt) {
		if blocked.FromState || f.tried(blocked.Profile) || state != nil && state.Profile == blocked.Profile {
			continue
		}
		return &Step{
			At: run.StartedAt, Kind: StepSkip, Ref: run.Winner, Profile: blocked.Profile, Until: blocked.Until,
			Why: WhyPassedOver, Certainty: Inferred,
		}
	}
	return nil
}

func (f *fuser) tried(profile string) bool {
	for _, a := range f.attempts {
		if a.step.Profile == profile {
			return true
		}
	}
	return false
}

// winnerProfile concludes which profile answered: the only one of the provider
// that was neither tried and failed nor cooling.
func (f *fuser) winnerProfile() {
	run := f.run
	if run.Winner.IsZero() || len(f.story.options.Profiles) == 0 {
		return
	}
	blocked := f.story.windows.blocking(run.Agent, run.Winner.Provider, run.StartedAt)
	only := ""
	for _, key := range f.story.windows.visible(run.Agent, run.Winner.Provider) {
		isBlocked := slices.ContainsFunc(blocked, func(b Blocked) bool { return b.Profile == key.ID && !b.FromState })
		if f.story.windows.profiles[key].State == nil || isBlocked || f.tried(key.ID) {
			continue
		}
		if only != "" {
			return
		}
		only = key.ID
	}
	run.WinnerProfile = only
}

// rank puts steps of one moment into the order in which they make sense.
var rank = map[StepKind]int{
	StepUserSwitch: 0, StepSkip: 1, StepProbe: 2, StepAttemptFailed: 3, StepProfileWindow: 4, StepProfileRotated: 5,
	StepCap: 6, StepNotSent: 7, StepFallback: 8, StepExhausted: 9, StepModelChanged: 10, StepAnswered: 11, StepRecovered: 12,
}

// order puts the steps into the order of time. Their places are sorted, not they
// themselves: a step is large.
func (f *fuser) order() {
	places := f.places[:0]
	for i := range f.steps {
		places = append(places, i)
		f.run.EndedAt = max(f.run.EndedAt, f.steps[i].At)
	}
	slices.SortStableFunc(places, func(x, y int) int {
		a, b := &f.steps[x], &f.steps[y]
		if a.At == 0 && b.At == 0 {
			return cmp.Or(cmp.Compare(a.seq, b.seq), cmp.Compare(rank[a.Kind], rank[b.Kind]))
		}
		if a.At != b.At {
			return cmp.Compare(a.At, b.At)
		}
		return cmp.Compare(rank[a.Kind], rank[b.Kind])
	})
	f.run.Steps = make([]Step, len(places))
	for i, place := range places {
		f.run.Steps[i] = f.steps[place]
	}
	f.places = places
}
