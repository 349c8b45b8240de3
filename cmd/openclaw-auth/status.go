package main

import (
	"cmp"
	"slices"

	"github.com/urfave/cli/v2"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
	"openclaw-auth/doctor"
	"openclaw-auth/state"
)

func statusCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name: "status",
		Description: `One screen over all agents, or the one that --agent names: the model and the
profile that run next, what is unavailable until when, sessions that are on a
fallback, and what doctor would say.

Examples:
  openclaw-auth status
  openclaw-auth status --json

Exit codes: 0 every agent has something usable, 1 one has nothing, 2 usage or
unreadable input.`,
	}, status)
}

// statusDocument is the answer of status.
type statusDocument struct {
	Schema        string            `json:"schema"`
	StateDir      string            `json:"stateDir"`
	Rules         string            `json:"rules"`
	RulesEvidence evidenceJSON      `json:"rulesEvidence"`
	Now           int64             `json:"now"`
	NowTime       any               `json:"nowTime"`
	Agents        []agentStatus     `json:"agents"`
	Unavailable   []unavailableJSON `json:"unavailable"`
	Sessions      int               `json:"sessions"`
	OnFallback    []fallbackSession `json:"onFallback"`
	Doctor        doctorCounts      `json:"doctor"`
}

// agentStatus is what an agent's next run without a session does.
type agentStatus struct {
	ID       string       `json:"id"`
	Usable   bool         `json:"usable"`
	Model    any          `json:"model"`
	Default  string       `json:"default"` // the configured model, which may not be the one that runs
	Profile  any          `json:"profile"`
	Decision chain.Action `json:"decision"`
	Back     any          `json:"back" schema:"string"` // the profile that comes back first
	BackAt   any          `json:"backAt" schema:"number"`
	BackTime any          `json:"backTime"`
	Problem  any          `json:"problem"`

	recovery *auth.Placement
}

// unavailableJSON is a profile that a window keeps back, with the agents that have it.
type unavailableJSON struct {
	Profile   auth.ProfileID    `json:"profile"`
	State     auth.ProfileState `json:"state"`
	Reason    any               `json:"reason"`
	Model     any               `json:"model"`
	Until     any               `json:"until" schema:"number"`
	UntilTime any               `json:"untilTime"`
	Agents    []string          `json:"agents"`

	window auth.Window
}

// fallbackSession is a session that OpenClaw has moved to a fallback.
type fallbackSession struct {
	Key           string `json:"key"`
	Agent         string `json:"agent"`
	Model         string `json:"model"`
	Origin        string `json:"fallbackOrigin"`
	UpdatedAt     any    `json:"updatedAt" schema:"number"`
	UpdatedAtTime any    `json:"updatedAtTime"`

	updatedAt float64
}

type doctorCounts struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Notes    int `json:"notes"`
}

func status(s *session) error {
	if err := s.open(); err != nil {
		return err
	}
	agents := s.home.Agents(s.config)
	if s.flags.String("agent") != "" {
		agent, err := s.agent()
		if err != nil {
			return err
		}
		agents = []state.Agent{agent}
	}
	_, now := timeJSON(float64(s.now))
	d := &statusDocument{
		Schema: "openclaw-auth/status/v1", StateDir: s.home.StateDir, Rules: s.home.Rules.Line,
		RulesEvidence: evidenceJSON{s.evidence.Source, s.evidence.Detail, s.evidence.Conflict}, Now: s.now, NowTime: now,
		Agents: []agentStatus{}, Unavailable: []unavailableJSON{}, OnFallback: []fallbackSession{},
	}
	report, end := s.working("looking at agents")
	defer end()
	for i, agent := range agents {
		report(i, len(agents))
		if err := s.addAgent(d, agent); err != nil {
			return err
		}
	}
	end()
	d.sort()
	s.addDoctor(d)
	var err error
	if s.json {
		err = s.writeJSON(d)
	} else {
		s.statusText(d)
	}
	if err == nil && slices.ContainsFunc(d.Agents, func(a agentStatus) bool { return !a.Usable }) {
		return errNo
	}
	return err
}

// addAgent adds an agent, the profiles that it can't use now and its sessions.
func (s *session) addAgent(d *statusDocument, agent state.Agent) error {
	s.blocked = nil
	l, err := s.loadAgent(agent)
	if err != nil {
		d.Agents = append(d.Agents, agentStatus{ID: agent.ID, Decision: chain.Skip, Problem: err.Error()})
		return nil
	}
	models := s.models(agent)
	query := chain.SessionQuery{Now: s.now}
	e := models.Explain(chain.ExplainQuery{Session: query, Profiles: l.engine, Now: s.now})
	d.Agents = append(d.Agents, s.agentStatus(agent, e))
	for id := range l.Store.Profiles.All() {
		placement := l.engine.Inspect(auth.ProfileID(id), l.providerOf(s, id), "", s.now)
		if window := firstRecovery([]auth.Placement{placement}); window != nil {
			d.addUnavailable(window, agent.ID)
		}
	}
	return s.home.Sessions(s.config, agent).Each(func(session state.Session) bool {
		d.Sessions++
		d.addFallback(session, agent.ID)
		return true
	})
}

// agentStatus is the answer of an explanation in short.
func (s *session) agentStatus(agent state.Agent, e *chain.Explanation) agentStatus {
	a := agentStatus{ID: agent.ID, Default: e.Selection.Ref.String(), Decision: chain.Skip, recovery: soonest(e)}
	if i := nextOf(e); i >= 0 && s.blocked == nil {
		a.Usable, a.Model, a.Decision = true, e.Candidates[i].Ref.String(), e.Candidates[i].Decision.Action
		a.Profile = nullable(nextProfile(e, i))
	}
	if a.recovery != nil {
		a.Back = shownID(a.recovery.ID)
		a.BackAt, a.BackTime = timeJSON(a.recovery.Window.Until)
	}
	switch {
	case s.blocked != nil:
		a.Problem = s.blocked.Error()
	case e.Err != nil:
		a.Problem = e.Err.Error()
	}
	return a
}

func (d *statusDocument) addUnavailable(placement *auth.Placement, agent string) {
	window, id := *placement.Window, shownID(placement.ID)
	for i := range d.Unavailable {
		if d.Unavailable[i].Profile == id && d.Unavailable[i].window == window {
			d.Unavailable[i].Agents = append(d.Unavailable[i].Agents, agent)
			return
		}
	}
	u := unavailableJSON{
		Profile: id, State: placement.State, Reason: nullable(string(window.Reason)), Model: nullable(window.Model),
		Agents: []string{agent}, window: window,
	}
	u.Until, u.UntilTime = timeJSON(window.Until)
	d.Unavailable = append(d.Unavailable, u)
}

// addFallback adds a session whose model OpenClaw itself has chosen.
func (d *statusDocument) addFallback(session state.Session, agent string) {
	if session.Entry.Text("modelOverrideSource") != auth.PinAuto || session.Entry.Text("modelOverride") == "" {
		return
	}
	f := fallbackSession{
		Key: session.Key, Agent: agent, updatedAt: session.UpdatedAt(),
		Model: session.Entry.Text("providerOverride") + "/" + session.Entry.Text("modelOverride"),
	}
	if origin := session.Entry.Text("modelOverrideFallbackOriginModel"); origin != "" {
		f.Origin = session.Entry.Text("modelOverrideFallbackOriginProvider") + "/" + origin
	}
	f.UpdatedAt, f.UpdatedAtTime = timeJSON(f.updatedAt)
	d.OnFallback = append(d.OnFallback, f)
}

func (d *statusDocument) sort() {
	slices.SortStableFunc(d.Unavailable, func(a, b unavailableJSON) int { return cmp.Compare(a.window.Until, b.window.Until) })
	slices.SortStableFunc(d.OnFallback, func(a, b fallbackSession) int {
		return cmp.Or(cmp.Compare(b.updatedAt, a.updatedAt), cmp.Compare(a.Key, b.Key))
	})
}

// addDoctor counts what doctor finds.
func (s *session) addDoctor(d *statusDocument) {
	checks, _ := doctor.Select(nil, nil)
	query := doctor.Query{Home: s.home, Config: s.config, Evidence: s.evidence, Now: s.now, Checks: checks}
	if s.flags.String("agent") != "" {
		query.Agent = d.Agents[0].ID
	}
	report, end := s.working("looking at agents as doctor does")
	query.Progress = report
	found := doctor.Examine(query)
	end()
	d.Doctor = doctorCounts{found.Count(doctor.Error), found.Count(doctor.Warning), found.Count(doctor.Info)}
}
