package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

func authCommand(w world) *cli.Command {
	return group("auth", `Which profiles an agent has, in which order they are tried and why, and how to
change that order or end a cooldown.

Examples:
  openclaw-auth auth list
  openclaw-auth auth order anthropic

Exit codes: 0 yes, 1 no, 2 usage or unreadable input, 3 busy.`,
		authListCommand(w), authOrderCommand(w), authResetCommand(w), authRecordCommand(w), authImportCommand(w), authWaitCommand(w))
}

// loaded is an agent's profiles with the engine on them.
type loaded struct {
	*state.Loaded
	engine *auth.Profiles
}

// load opens the home and loads the profiles of the agent that the flags name.
func (s *session) load() (*loaded, error) {
	if err := s.open(); err != nil {
		return nil, err
	}
	agent, err := s.agent()
	if err != nil {
		return nil, err
	}
	return s.loadAgent(agent)
}

// loadAgent loads an agent's profiles, and remembers whether OpenClaw would
// refuse to.
func (s *session) loadAgent(agent state.Agent) (*loaded, error) {
	l, err := s.home.LoadAgent(agent, s.now)
	if err != nil {
		return nil, err
	}
	s.blocked = l.Blocked
	for _, odd := range l.Odd() {
		where := odd.Origin.File
		if odd.Origin.Line > 0 {
			where = fmt.Sprintf("%s:%d", where, odd.Origin.Line)
		}
		words.Printf(s.stderr, "openclaw-auth: warning: %s: %s; OpenClaw ignores it\n", where, odd.String())
	}
	return &loaded{l, l.Profiles(s.home, s.config)}, nil
}

// header is what every answer about an agent's profiles begins with.
type header struct {
	Schema        string       `json:"schema"`
	Agent         string       `json:"agent"`
	AgentDir      string       `json:"agentDir"`
	Rules         string       `json:"rules"`
	RulesEvidence evidenceJSON `json:"rulesEvidence"`
	ChainRules    string       `json:"chainRules,omitempty"` // the line whose rules of chains are followed, where the release's own were not recorded
	Now           int64        `json:"now"`
	NowTime       any          `json:"nowTime"`
	Blocked       any          `json:"blocked"`
}

type evidenceJSON struct {
	Source   string `json:"source"`
	Detail   string `json:"detail"`
	Conflict string `json:"conflict,omitempty"`
}

func (s *session) header(schema string, agent state.Agent) header {
	_, now := timeJSON(float64(s.now))
	var blocked any
	if s.blocked != nil {
		blocked = s.blocked.Error()
	}
	return header{
		Schema: "openclaw-auth/" + schema + "/v1", Agent: agent.ID, AgentDir: agent.Dir, Rules: s.home.Rules.Line,
		RulesEvidence: evidenceJSON{s.evidence.Source, s.evidence.Detail, s.evidence.Conflict}, Now: s.now, NowTime: now,
		ChainRules: s.chainRules(),
		Blocked:    blocked,
	}
}

// profileJSON is a profile and its place, in every JSON document that has profiles.
type profileJSON struct {
	ID           auth.ProfileID    `json:"id"`
	Type         string            `json:"type"`
	Position     any               `json:"position" schema:"number"`
	Code         auth.Code         `json:"code"`
	Place        auth.PlaceReason  `json:"place"`
	State        auth.ProfileState `json:"state"`
	Until        any               `json:"until" schema:"number"`
	UntilTime    any               `json:"untilTime"`
	Reason       any               `json:"reason"`
	Model        any               `json:"model"`
	LastUsed     any               `json:"lastUsed" schema:"number"`
	LastUsedTime any               `json:"lastUsedTime"`
	Expires      any               `json:"expires" schema:"number"`
	ExpiresTime  any               `json:"expiresTime"`
	Inherited    bool              `json:"inherited"`
	Origin       *state.Origin     `json:"origin"`
}

func (s *session) profileJSON(l *loaded, placement auth.Placement) profileJSON {
	doc := profileJSON{
		ID: shownID(placement.ID), Type: placement.Type, Code: placement.Code, Place: placement.Place, State: placement.State,
		Inherited: l.Store.Profiles.Has(string(placement.ID)) && l.Inherited(placement.ID), Origin: s.profileOrigin(l, placement.ID),
	}
	if placement.Position > 0 {
		doc.Position = placement.Position
	}
	if window := placement.Window; window != nil {
		doc.Until, doc.UntilTime = timeJSON(window.Until)
		doc.Reason, doc.Model = nullable(string(window.Reason)), nullable(window.Model)
	}
	doc.LastUsed, doc.LastUsedTime = timeJSON(placement.LastUsed)
	doc.Expires, doc.ExpiresTime = timeJSON(placement.Expires)
	return doc
}

func nullable(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// profileOrigin is where a profile is stored: in a store, or only in the configuration.
func (s *session) profileOrigin(l *loaded, id auth.ProfileID) *state.Origin {
	var origin state.Origin
	switch {
	case l.Store.Profiles.Has(string(id)):
		origin = l.ProfileOrigin(id)
	case s.config.Auth().Profiles().Has(string(id)):
		origin = s.config.Where(document.Pointer("auth", "profiles", string(id)))
	default:
		return nil
	}
	origin.Pointer = maskPointer(origin.Pointer, id)
	return &origin
}

func maskPointer(pointer string, id auth.ProfileID) string {
	if shown := shownID(id); shown != id {
		return pointer[:len(pointer)-len(document.Pointer(string(id)))] + document.Pointer(string(shown))
	}
	return pointer
}

// stateStyles show a state at a glance; the word beside it says the same.
var stateStyles = map[auth.ProfileState]words.Style{
	auth.StateReady:    words.Green,
	auth.StateBypassed: words.Green,
	auth.StateCooling:  words.Yellow,
	auth.StateBlocked:  words.Yellow,
	auth.StateDisabled: words.Red,
	auth.StateExcluded: words.Faint,
}

func stateCell(state auth.ProfileState) words.Cell {
	return words.In(stateStyles[state], string(state))
}

// isUsable reports whether a profile can be used right now.
func isUsable(placement auth.Placement) bool {
	return placement.Position > 0 && slices.Contains([]auth.ProfileState{auth.StateReady, auth.StateBypassed}, placement.State)
}
