package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
	"openclaw-auth/chain/history"
	"openclaw-auth/state"
	"openclaw-auth/state/traces"
)

// past is what an answer about the past is made of.
type past struct {
	query   pastQuery
	sources []*history.Source
	tables  map[string]int  // places of the tables of databases among the sources
	rows    []history.Event // of what has no order
	records []history.Stream
	logs    []history.Stream
	options history.Options
	notes   []string
	session history.SessionState // the one that is asked for; zero: all
	errors  []string             // sources that could not be read to their end

	// profiles are those in the runs asked for; nil: all runs are asked for.
	profiles map[string]bool

	first      int64 // the time of the first record beside the logs
	size, read int64 // bytes of the logs, for the progress
	shown      time.Time
	terminal   io.Writer // where progress is shown; nil: nowhere
}

// openPast finds and prepares the sources of the past.
func (s *session) openPast(query pastQuery) (*past, error) {
	p := &past{query: query, tables: map[string]int{}}
	if s.terminal {
		p.terminal = s.stderr
	}
	p.options.Now = s.now
	if err := s.openPastHome(p); err != nil {
		return nil, err
	}
	if err := s.openPastLogs(p); err != nil {
		return nil, err
	}
	if len(p.logs) == 0 && len(p.rows) == 0 && len(p.records) == 0 {
		return nil, &exitError{code: exitNo, err: errors.New(strings.Join(append(p.notes, "nothing to read: give --log FILE, or `journalctl -u openclaw -o cat | openclaw-auth chain history --log -`"), "; "))}
	}
	return p, nil
}

// openPastHome reads what a home says: names and state of the profiles,
// sessions, and without --log (or with a home that is named) transcripts,
// trajectories and cron runs.
func (s *session) openPastHome(p *past) error {
	alone := len(p.query.logs) > 0 && !s.flags.IsSet("state-dir") && !s.flags.Bool("demo")
	if err := s.open(); err != nil {
		if alone {
			return nil // a log needs no home
		}
		return err
	}
	agents := s.home.Agents(s.config)
	profiles := traces.ReadProfiles(s.home, s.config, agents, s.now)
	p.options.Names, p.options.StoreOf = profiles.Names, profiles.StoreOf
	if alone {
		p.options.StoreOf = nil
	}
	if !alone || s.flags.IsSet("rules") { // else the release that wrote the log is not known
		p.options.Ladder = ladder(&auth.Profiles{Rules: s.home.Rules, Config: s.config.Auth()})
	}
	if alone {
		return nil
	}
	p.options.Profiles = profiles.States
	p.options.Follows = s.followsInChain(agents)
	if name := s.flags.String("agent"); name != "" {
		agent, err := state.FindAgent(agents, name)
		if err != nil {
			return err
		}
		agents = []state.Agent{agent}
	}
	if err := s.findPastSessions(p, agents); err != nil {
		return err
	}
	s.levelNote(p)
	s.readRecorded(p, agents)
	return nil
}

// ladder computes the windows that the console form does not tell: that of the
// first failure of each reason, with what auth.cooldowns says.
func ladder(profiles *auth.Profiles) func(reason, provider string, nth int) (history.WindowKind, int64) {
	return func(reason, provider string, nth int) (history.WindowKind, int64) {
		if nth > 1 {
			return "", 0 // a longer one, which depends on more than is told
		}
		window := profiles.FirstWindow(auth.Reason(reason), provider)
		if window == nil {
			return "", 0
		}
		kind := history.WindowCooldown
		if window.Kind == auth.StateDisabled {
			kind = history.WindowDisabled
		}
		return kind, int64(window.Until)
	}
}

// followsInChain reports whether a model comes next to another in the configured
// chain of an agent.
func (s *session) followsInChain(agents []state.Agent) func(agent string, from, to chain.Ref) bool {
	chains := map[string][]chain.Candidate{}
	for _, agent := range agents {
		chains[agent.ID] = s.models(agent).Candidates(chain.Request{})
	}
	return func(agent string, from, to chain.Ref) bool {
		candidates := chains[agent]
		at := slices.IndexFunc(candidates, func(c chain.Candidate) bool { return c.Ref == from })
		return at >= 0 && at+1 < len(candidates) && candidates[at+1].Ref == to
	}
}

// findPastSessions reads the sessions' entries and finds the one that is asked for.
func (s *session) findPastSessions(p *past, agents []state.Agent) error {
	var firstError error
	for _, agent := range agents {
		sessions, err := traces.Sessions(s.home, s.config, agent)
		if err != nil && firstError == nil {
			firstError = err
		}
		p.options.Sessions = append(p.options.Sessions, sessions...)
		if p.query.session == "" || p.session.ID != "" {
			continue
		}
		found, err := state.FindSession(s.home.Sessions(s.config, agent), agent.ID, p.query.session)
		if err != nil && !errors.Is(err, state.ErrNoSession) && firstError == nil {
			firstError = err
		}
		if err == nil && found.Key != "" {
			i := slices.IndexFunc(sessions, func(state history.SessionState) bool { return state.Key == found.Key && state.ID == found.SessionID() })
			if i >= 0 {
				p.session = sessions[i]
			}
		}
	}
	if p.query.session != "" && p.session.ID == "" {
		i := slices.IndexFunc(p.options.Sessions, func(state history.SessionState) bool { return state.ID == p.query.session })
		if i >= 0 {
			p.session = p.options.Sessions[i]
		}
	}
	if firstError != nil && p.query.session != "" && p.session.ID == "" {
		return firstError
	}
	if firstError != nil {
		p.errors = append(p.errors, oneLine(firstError.Error()))
	}
	return nil
}

// levelNote says why the log may hold nothing.
func (s *session) levelNote(p *past) {
	if !state.RulesOf(s.home.Rules).FailoverLog {
		p.notes = append(p.notes, fmt.Sprintf("OpenClaw %s logs no failover: only timeouts of profiles, answers and failed answers are known", s.home.Rules.Line))
	}
	level := cmp.Or(s.env.Getenv("OPENCLAW_LOG_LEVEL"), s.config.Document().Object("logging").Text("level"))
	switch level {
	case "error", "fatal", "silent":
		p.notes = append(p.notes, fmt.Sprintf("logging.level is %s: OpenClaw logs failovers as warnings, so none of them are in the log", level))
	}
}

// readRecorded reads transcripts, trajectories and cron runs.
func (s *session) readRecorded(p *past, agents []state.Agent) {
	query := traces.Query{Since: p.query.since}
	if p.query.session != "" && p.session.ID != "" {
		query.Session = p.session.ID
	} else if p.query.session != "" {
		query.Session = p.query.session // of a session that was reset or deleted
	}
	var found []traces.Past
	for _, agent := range agents {
		if p.session.Agent != "" && agent.ID != p.session.Agent {
			continue
		}
		sources, err := traces.Find(s.home, s.config, agent, query)
		if err != nil {
			p.errors = append(p.errors, oneLine(err.Error()))
		}
		found = append(found, sources...)
	}
	found = append(found, traces.Shared(s.home, query)...)
	for i := range found {
		s.addRecord(p, &found[i])
	}
}

// addRecord prepares a record of the past, which is read when its time comes, or
// at once where it has no order.
func (s *session) addRecord(p *past, record *traces.Past) {
	index := p.recordSource(record)
	source := p.sources[index]
	read := func(yield func(*history.Event) bool) error {
		return record.Read(index, source, func(event *history.Event) bool {
			if p.query.since != 0 && event.At < p.query.since-day || p.query.until != 0 && event.At > p.query.until {
				return true
			}
			if p.first == 0 || event.At < p.first && event.At != 0 {
				p.first = event.At
			}
			source.Events++
			return yield(event)
		})
	}
	if !record.Mixed {
		p.records = append(p.records, history.Stream{Begin: record.Begin, Read: read})
		return
	}
	if err := read(func(event *history.Event) bool { p.rows = append(p.rows, *event); return true }); err != nil {
		p.errors = append(p.errors, oneLine(err.Error()))
	}
}

// recordSource is the place of a record's source: a file, or a table with all of
// its sessions.
func (p *past) recordSource(record *traces.Past) int {
	path := record.Path
	if record.Table != "" {
		path += " (" + record.Table + ")"
		if index, ok := p.tables[path]; ok {
			return index
		}
		p.tables[path] = len(p.sources)
	}
	p.sources = append(p.sources, &history.Source{Kind: record.Kind, Path: path, Rows: record.Table != ""})
	return len(p.sources) - 1
}

// day is how far before --since a session's records are read: what its first
// turns mean depends on the ones before.
const day = 24 * 3600_000

// Reading a log makes much garbage while little of it lives: collecting it more
// seldom saves a fifth of the time, within the memory that history may take.
const (
	garbagePercent = 400
	memoryLimit    = 48 << 20
)

// tell tells the story: emit gets the runs that are asked for, as they end.
func (p *past) tell(emit func(*history.Run)) *history.Story {
	if q := &p.query; q.session != "" || q.profile != "" || q.provider != "" || q.model != "" {
		p.profiles = map[string]bool{}
	}
	defer debug.SetGCPercent(debug.SetGCPercent(garbagePercent))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(memoryLimit))
	story := history.NewStory(p.options, func(run *history.Run) {
		if p.isAsked(run) {
			p.noteProfiles(run)
			emit(run)
		}
	})
	for _, err := range history.Tell(story, p.rows, p.records, p.logs) {
		p.errors = append(p.errors, oneLine(err.Error()))
	}
	p.rows = nil
	if p.terminal != nil && !p.shown.IsZero() {
		fmt.Fprint(p.terminal, "\r\033[K")
	}
	return story
}

// noteProfiles notes the profiles that a run mentions, where only some runs are
// asked for.
func (p *past) noteProfiles(run *history.Run) {
	if p.profiles == nil {
		return
	}
	p.profiles[run.WinnerProfile] = true
	for i := range run.Steps {
		p.profiles[run.Steps[i].Profile] = true
		for _, blocked := range run.Steps[i].Blocked {
			p.profiles[blocked.Profile] = true
		}
	}
}

// windows are the profiles of the story that belong to the answer, in the order of
// their ids.
func (p *past) windows(story *history.Story) iter.Seq2[history.ProfileKey, *history.ProfileHistory] {
	all := story.Windows()
	keys := slices.SortedFunc(maps.Keys(all), func(a, b history.ProfileKey) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Store, b.Store))
	})
	return func(yield func(history.ProfileKey, *history.ProfileHistory) bool) {
		for _, key := range keys {
			if (p.profiles == nil || p.profiles[key.ID]) && !yield(key, all[key]) {
				return
			}
		}
	}
}

// isAsked reports whether a run belongs to the session and the range that are asked for.
func (p *past) isAsked(run *history.Run) bool {
	if wanted := p.query.session; wanted != "" {
		switch {
		case p.session.ID != "":
			if run.Session != p.session.ID && run.SessionKey != p.session.Key {
				return false
			}
		case run.Session != wanted && run.SessionKey != wanted && run.ID != wanted:
			return false
		}
	}
	return p.query.matches(run)
}
