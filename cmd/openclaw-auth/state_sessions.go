package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"openclaw-auth/auth"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

func stateSessionsCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name:  "sessions",
		Usage: "sessions that override the model or pin a profile",
		Description: `Lists for each such session what it overrides, who chose that (user, auto, or
legacy for entries that don't say), and since when; then how many sessions use
which model and profile. Without --agent: the default agent's.

Examples:
  openclaw-auth state sessions
  openclaw-auth state sessions --source auto --provider openrouter
  openclaw-auth state sessions --all --json

Exit codes: 0 sessions found, 1 none, 2 usage or unreadable input.`,
		Flags: []cli.Flag{
			toggle("all", "sessions without an override too"),
			text("provider", "only sessions whose model or profile is of this `PROVIDER`"),
			text("auth-profile", "only sessions that are pinned to this `PROFILE`"),
			text("source", "only overrides and pins of this source: `user|auto|legacy`"),
		},
	}, stateSessions)
}

// sessionJSON is a session in a JSON document.
type sessionJSON struct {
	Key           string       `json:"key"`
	SessionID     string       `json:"sessionId"`
	UpdatedAt     any          `json:"updatedAt" schema:"number"`
	UpdatedAtTime any          `json:"updatedAtTime"`
	Provider      any          `json:"provider"`
	Model         any          `json:"model"`
	ModelSource   any          `json:"modelSource"`
	Origin        any          `json:"fallbackOrigin"`
	Profile       any          `json:"profile"`
	ProfileSource any          `json:"profileSource"`
	Where         state.Origin `json:"origin"`

	updatedAt float64
}

// sessionsDocument is the answer of state sessions.
type sessionsDocument struct {
	header
	File     string             `json:"file"`
	Total    int                `json:"total"`
	Sessions []sessionJSON      `json:"sessions"`
	Summary  []sessionCountJSON `json:"summary"`
}

// sessionCountJSON counts the sessions that override alike.
type sessionCountJSON struct {
	Model         any `json:"model"`
	ModelSource   any `json:"modelSource"`
	Profile       any `json:"profile"`
	ProfileSource any `json:"profileSource"`
	Sessions      int `json:"sessions"`
}

func stateSessions(s *session) error {
	if source := s.flags.String("source"); !slices.Contains([]string{"", "user", "auto", "legacy"}, source) {
		return usage("--source is user, auto or legacy, not %q", source)
	}
	if err := s.open(); err != nil {
		return err
	}
	agent, err := s.agent()
	if err != nil {
		return err
	}
	store := s.home.Sessions(s.config, agent)
	doc := sessionsDocument{header: s.header("state-sessions", agent), File: store.File()}
	byKey := map[string]sessionJSON{}
	report, end := s.working("reading sessions")
	err = store.Each(func(session state.Session) bool {
		byKey[session.Key] = sessionOf(session, store)
		report(len(byKey), 0)
		return true
	})
	end()
	if err != nil {
		return err
	}
	doc.Total = len(byKey)
	doc.Sessions = []sessionJSON{}
	for _, session := range byKey {
		if s.isListed(session) {
			doc.Sessions = append(doc.Sessions, session)
		}
	}
	slices.SortFunc(doc.Sessions, func(a, b sessionJSON) int {
		return cmp.Or(cmp.Compare(b.updatedAt, a.updatedAt), strings.Compare(a.Key, b.Key))
	})
	if err := s.checkSessionFilters(agent, doc); err != nil {
		return err
	}
	doc.Summary = summarize(doc.Sessions)
	if s.json {
		err = s.writeJSON(doc)
	} else {
		s.sessionsText(agent, doc)
	}
	if err == nil && len(doc.Sessions) == 0 {
		return errNo
	}
	return err
}

func sessionOf(session state.Session, store state.SessionStore) sessionJSON {
	entry := session.Entry
	doc := sessionJSON{
		Key: session.Key, SessionID: session.SessionID(), updatedAt: session.UpdatedAt(), Where: store.Origin(session.Key, ""),
		Provider: nullable(entry.Text("providerOverride")), Model: nullable(entry.Text("modelOverride")),
	}
	doc.UpdatedAt, doc.UpdatedAtTime = timeJSON(doc.updatedAt)
	if doc.Model != nil || doc.Provider != nil {
		doc.ModelSource = sourceOf(entry.Text("modelOverrideSource"))
	}
	if origin := entry.Text("modelOverrideFallbackOriginModel"); origin != "" {
		doc.Origin = entry.Text("modelOverrideFallbackOriginProvider") + "/" + origin
	}
	if profile := entry.Text("authProfileOverride"); profile != "" {
		doc.Profile = shownID(auth.ProfileID(profile))
		_, counted := entry.Number("authProfileOverrideCompactionCount")
		source := entry.Text("authProfileOverrideSource")
		if source == "" && counted {
			source = auth.PinAuto
		}
		doc.ProfileSource = sourceOf(source)
	}
	return doc
}

// sourceOf names the source of an override; old releases did not store one.
func sourceOf(source string) string {
	if source == "" {
		return "legacy"
	}
	return source
}

func (s *session) isListed(session sessionJSON) bool {
	if session.Model == nil && session.Provider == nil && session.Profile == nil && !s.flags.Bool("all") {
		return false
	}
	if source := s.flags.String("source"); source != "" && session.ModelSource != source && session.ProfileSource != source {
		return false
	}
	profile := fmt.Sprint(session.Profile)
	if wanted := s.flags.String("auth-profile"); wanted != "" && profile != auth.MaskID(wanted) {
		return false
	}
	wanted := s.home.Rules.Providers.AuthKey(s.flags.String("provider"))
	ofProfile, _, _ := strings.Cut(profile, ":")
	return wanted == "" || s.home.Rules.Providers.AuthKey(fmt.Sprint(session.Provider)) == wanted || s.home.Rules.Providers.AuthKey(ofProfile) == wanted
}

// checkSessionFilters refuses a filter that nothing in the home has: then no
// session is listed for another reason than the user thinks.
func (s *session) checkSessionFilters(agent state.Agent, found sessionsDocument) error {
	provider, profile := s.flags.String("provider"), s.flags.String("auth-profile")
	if len(found.Sessions) > 0 || provider == "" && profile == "" {
		return nil
	}
	l, err := s.loadAgent(agent)
	if err != nil {
		return err
	}
	if profile != "" {
		if err := s.checkProfile(l, profile); err != nil {
			return err
		}
	}
	if provider != "" {
		return s.checkProvider(l, provider)
	}
	return nil
}

func summarize(sessions []sessionJSON) []sessionCountJSON {
	counts := map[sessionCountJSON]int{}
	for _, session := range sessions {
		counts[sessionCountJSON{Model: modelName(session), ModelSource: session.ModelSource, Profile: session.Profile, ProfileSource: session.ProfileSource}]++
	}
	summary := []sessionCountJSON{}
	for kind, count := range counts {
		kind.Sessions = count
		summary = append(summary, kind)
	}
	slices.SortFunc(summary, func(a, b sessionCountJSON) int {
		return cmp.Or(cmp.Compare(b.Sessions, a.Sessions), strings.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	})
	return summary
}

// modelName is a session's override as a model reference, nil without one.
func modelName(session sessionJSON) any {
	switch {
	case session.Model == nil:
		return session.Provider
	case session.Provider == nil:
		return session.Model
	}
	return fmt.Sprint(session.Provider, "/", session.Model)
}

func (s *session) sessionsText(agent state.Agent, doc sessionsDocument) {
	s.headerText(agent)
	words.Printf(s.stdout, "%d of %d sessions in %s\n\n", len(doc.Sessions), doc.Total, s.short(doc.File))
	var rows words.Table
	for _, session := range doc.Sessions {
		rows.Add(session.Key, overrideText(modelName(session), session.ModelSource), overrideText(session.Profile, session.ProfileSource), s.clock.Distance(session.updatedAt))
	}
	s.screen.Table("", &rows)
	if len(doc.Summary) < 2 {
		return
	}
	fmt.Fprintln(s.stdout)
	var counts words.Table
	for _, kind := range doc.Summary {
		counts.Add(kind.Sessions, overrideText(kind.Model, kind.ModelSource), overrideText(kind.Profile, kind.ProfileSource))
	}
	s.screen.Table("", &counts)
}

func overrideText(value, source any) string {
	if value == nil {
		return "-"
	}
	return fmt.Sprintf("%v (%v)", value, source)
}
