package history

import (
	"cmp"
	"slices"
)

// ProfileKey names a profile: agents that don't share a store may use one id
// for different profiles.
type ProfileKey struct {
	Store string // of the agent that the profile belongs to; empty: shared, or not known
	ID    string
}

// ProfileHistory is what happened to a profile.
type ProfileHistory struct {
	Provider   string
	Failures   map[string]int // by reason; "" is a failure without one
	Windows    []WindowHistory
	MoreBefore int   // windows that were too many to keep
	Cooling    int64 // ms in windows, as far as they were told
	LastUsed   int64
	State      *ProfileState // as it is now, where a store tells it
	row        int           // failures in a row
}

// WindowHistory is a time in which a profile was not used.
type WindowHistory struct {
	From, Until int64 // Until 0: not known
	Kind        WindowKind
	Reason      string
	Computed    bool
	Run         string     // run id
	Evidence    []Evidence // of the failure that opened it
}

// mostWindows bounds what is kept of one profile.
const mostWindows = 512

// windows knows the windows of all profiles.
type windows struct {
	options   Options
	profiles  map[ProfileKey]*ProfileHistory
	providers map[ProfileKey][]ProfileKey // store and provider → profiles
	told      map[string]int64            // talk and profile → the end that was told already
}

func newWindows(options Options) *windows {
	w := &windows{options: options, profiles: map[ProfileKey]*ProfileHistory{}, providers: map[ProfileKey][]ProfileKey{}, told: map[string]int64{}}
	for key, state := range options.Profiles {
		p := w.profile(key, state.Provider)
		p.State, p.LastUsed = &state, state.LastUsed
	}
	for _, keys := range w.providers {
		slices.SortFunc(keys, func(a, b ProfileKey) int { return cmp.Compare(a.ID, b.ID) })
	}
	return w
}

// key names a profile as an agent sees it.
func (w *windows) key(agent, id string) ProfileKey {
	if w.options.StoreOf == nil || IsHash(id) {
		return ProfileKey{ID: id}
	}
	return ProfileKey{w.options.StoreOf(agent, id), id}
}

func (w *windows) profile(key ProfileKey, provider string) *ProfileHistory {
	p, ok := w.profiles[key]
	if !ok {
		p = &ProfileHistory{Provider: provider, Failures: map[string]int{}}
		w.profiles[key] = p
		place := ProfileKey{key.Store, provider}
		w.providers[place] = append(w.providers[place], key)
	}
	return p
}

// complete computes the end of a window that the source does not tell.
func (w *windows) complete(run *Run, step *Step) {
	p := w.profile(w.key(run.Agent, step.Profile), step.Ref.Provider)
	if step.Reused {
		if step.Until == 0 {
			if last := p.last(); last != nil && last.Until > step.At {
				step.Until, step.Computed = last.Until, last.Computed
			}
		}
		return
	}
	last := p.last()
	if last != nil && last.Until <= step.At {
		p.row = 0 // a failure after its window starts anew
	}
	p.row++
	if step.Until == 0 && w.options.Ladder != nil && step.At > 0 {
		if kind, length := w.options.Ladder(step.Reason, step.Ref.Provider, p.row); length > 0 {
			step.Until, step.Computed = step.At+length, true
			step.Window = cmp.Or(step.Window, kind)
		}
	}
	if step.At > 0 {
		w.add(p, WindowHistory{From: step.At, Until: step.Until, Kind: step.Window, Reason: step.Reason, Computed: step.Computed, Run: run.ID, Evidence: step.Evidence})
	}
}

func (w *windows) add(p *ProfileHistory, window WindowHistory) {
	from := window.From
	if last := p.last(); last != nil {
		if last.Until == window.Until && window.Until != 0 && last.Kind == window.Kind {
			return // the same window from another run
		}
		from = max(from, min(last.Until, window.Until))
	}
	p.Cooling += max(window.Until-from, 0)
	if len(p.Windows) >= mostWindows {
		p.Windows = slices.Delete(p.Windows, 0, mostWindows/2)
		p.MoreBefore += mostWindows / 2
	}
	p.Windows = append(p.Windows, window)
}

func (p *ProfileHistory) last() *WindowHistory {
	if len(p.Windows) == 0 {
		return nil
	}
	return &p.Windows[len(p.Windows)-1]
}

// run counts the failures of a run that is over.
func (w *windows) run(run *Run) {
	for i := range run.Steps {
		step := &run.Steps[i]
		if step.Kind == StepAttemptFailed && step.Profile != "" {
			w.profile(w.key(run.Agent, step.Profile), step.Ref.Provider).Failures[step.Reason]++
		}
	}
	if run.WinnerProfile != "" {
		p := w.profile(w.key(run.Agent, run.WinnerProfile), run.Winner.Provider)
		p.LastUsed, p.row = max(p.LastUsed, run.EndedAt), 0
	}
}

// blocking lists the profiles of a provider that a window covers at a time.
// Windows that no event told are taken from the state as it is now.
func (w *windows) blocking(agent, provider string, at int64) []Blocked {
	if at == 0 {
		return nil
	}
	var blocked []Blocked
	for _, key := range w.visible(agent, provider) {
		p := w.profiles[key]
		if until := p.coveredUntil(at); until > at && !p.wasCleared(until, w.options.Now) {
			blocked = append(blocked, Blocked{key.ID, until, false})
			continue
		}
		if p.State != nil && p.State.Until > at && p.State.LastFailureAt <= at {
			blocked = append(blocked, Blocked{key.ID, p.State.Until, true})
		}
	}
	return blocked
}

// visible are the profiles of a provider that an agent can use.
func (w *windows) visible(agent, provider string) []ProfileKey {
	keys := w.providers[ProfileKey{"", provider}]
	if w.options.StoreOf == nil {
		return keys
	}
	keys = slices.Clone(keys)
	for place, stored := range w.providers {
		if place.ID != provider || place.Store == "" {
			continue
		}
		for _, key := range stored {
			if w.options.StoreOf(agent, key.ID) == key.Store {
				keys = append(keys, key)
			}
		}
	}
	slices.SortFunc(keys, func(a, b ProfileKey) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Store, b.Store)) })
	return keys
}

// wasCleared reports whether a window that should still be open has been taken
// back, by a success or by hand: nobody knows since when.
func (p *ProfileHistory) wasCleared(until, now int64) bool {
	return p.State != nil && now != 0 && until > now && p.State.Until < until
}

func (p *ProfileHistory) coveredUntil(at int64) int64 {
	var until int64
	for i := len(p.Windows) - 1; i >= 0 && i >= len(p.Windows)-16; i-- {
		if window := &p.Windows[i]; window.From <= at && window.Until > at {
			until = max(until, window.Until)
		}
	}
	return until
}

// freed lists the windows of a run's profiles that ended until a time.
func (w *windows) freed(talk string, run *Run, until int64) []Step {
	var steps []Step
	seen := map[string]bool{}
	for i := range run.Steps {
		step := &run.Steps[i]
		if step.Kind != StepProfileWindow && step.Kind != StepSkip && step.Kind != StepProbe {
			continue
		}
		for _, id := range append([]string{step.Profile}, blockedIDs(step)...) {
			p := w.profiles[w.key(run.Agent, id)]
			if p == nil || seen[id] {
				continue
			}
			seen[id] = true
			end, computed := p.endAfter(step.At)
			if end == 0 || end > until || w.told[talk+"\x00"+id] >= end {
				continue
			}
			w.told[talk+"\x00"+id] = end
			steps = append(steps, Step{At: end, Kind: StepFree, Ref: step.Ref, Profile: id, Why: WhyWindowEnd, Computed: computed, Certainty: Inferred, Evidence: step.Evidence})
		}
	}
	if len(w.told) > 1<<14 {
		clear(w.told)
	}
	return steps
}

func blockedIDs(step *Step) []string {
	ids := make([]string, 0, len(step.Blocked))
	for _, b := range step.Blocked {
		if !b.FromState {
			ids = append(ids, b.Profile)
		}
	}
	return ids
}

// endAfter is the end of the windows that cover or follow a time.
func (p *ProfileHistory) endAfter(at int64) (end int64, computed bool) {
	for i := range p.Windows {
		if window := &p.Windows[i]; window.Until > at && window.From <= max(at, end) && window.Until > end {
			end, computed = window.Until, window.Computed
		}
	}
	return end, computed
}
