package main

import (
	"cmp"
	"fmt"
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/chain/history"
	"openclaw-auth/state"
	"openclaw-auth/state/traces"
)

// windowOrigin is when a window that is open now began, and by which line of the
// log; without a file, no log has it any more.
type windowOrigin struct {
	Profile   string `json:"profile"`
	Until     any    `json:"until"`
	UntilTime any    `json:"untilTime"`
	Reason    any    `json:"reason"`
	Began     any    `json:"began"`
	BeganTime any    `json:"beganTime"`
	Run       any    `json:"runId"`
	File      any    `json:"file"`
	Line      any    `json:"line"`
	Offset    int64  `json:"offset,omitempty"` // bytes before the line that counts as the first

	began int64
}

// windowOrigins looks in the logs for what opened the windows that are open; nil
// without --origin: reading logs takes its time.
func (s *session) windowOrigins(l *loaded) []windowOrigin {
	if !s.flags.Bool("origin") {
		return nil
	}
	open := s.openWindows(l)
	if len(open) == 0 {
		return nil
	}
	p := &past{query: pastQuery{zone: s.clock.Zone, since: s.now - 31*day}}
	profiles := traces.ReadProfiles(s.home, s.config, []state.Agent{l.Agent}, s.now)
	p.options = history.Options{Now: s.now, Names: profiles.Names}
	if err := s.openPastLogs(p); err != nil {
		return open
	}
	story := p.tell(func(*history.Run) {})
	for i := range open {
		profile := story.Windows()[history.ProfileKey{ID: open[i].Profile}]
		if profile == nil {
			continue
		}
		until, _ := open[i].Until.(float64)
		for _, window := range profile.Windows {
			if int64(until) == window.Until {
				open[i].tell(p, &window)
				break
			}
		}
	}
	return open
}

// openWindows are the windows of an agent's profiles that are open now.
func (s *session) openWindows(l *loaded) []windowOrigin {
	var open []windowOrigin
	for id := range l.Store.UsageStats.All() {
		for _, window := range s.home.Rules.Windows.List(l.Store.UsageStats.Object(id), s.now) {
			if window.Until <= float64(s.now) {
				continue
			}
			origin := windowOrigin{Profile: string(shownID(auth.ProfileID(id))), Reason: nullable(string(window.Reason))}
			origin.Until, origin.UntilTime = timeJSON(window.Until)
			open = append(open, origin)
		}
	}
	slices.SortFunc(open, func(a, b windowOrigin) int { return cmp.Compare(a.Profile, b.Profile) })
	return open
}

func (o *windowOrigin) tell(p *past, window *history.WindowHistory) {
	o.began, o.Run = window.From, nullable(window.Run)
	o.Began, o.BeganTime = timeJSON(float64(window.From))
	if len(window.Evidence) > 0 {
		source := p.sources[window.Evidence[0].Source]
		o.File, o.Line, o.Offset = source.Path, window.Evidence[0].Line, source.Offset
	}
}

// windowOriginsText says of each open window when it began.
func (s *session) windowOriginsText(l *loaded) {
	for _, origin := range s.windowOrigins(l) {
		reason, _ := origin.Reason.(string)
		if origin.File == nil {
			s.noteText(fmt.Sprintf("%s: no log has the failure that opened its window (default logs live 24 h)", origin.Profile))
			continue
		}
		text := fmt.Sprintf("%s: its window was opened %s by %s", origin.Profile, s.clock.When(float64(origin.began)), cmp.Or(reason, "a failure"))
		if run, _ := origin.Run.(string); run != "" {
			text += " in run " + run
		}
		place := fmt.Sprintf("%v:%v", origin.File, origin.Line)
		if origin.Offset > 0 {
			place = fmt.Sprintf("%v, line %v behind byte %d", origin.File, origin.Line, origin.Offset)
		}
		s.noteText(text + ", " + place)
	}
}
