package chain

import (
	"openclaw-auth/auth/document"
	"openclaw-auth/chain/lines"
)

// Source is who chose the model of a run.
type Source string

// The sources.
const (
	SourceDefault   Source = "default"   // agents.defaults.model, or what stands in for it
	SourceAgent     Source = "agent"     // the agent's own primary
	SourceAuto      Source = "auto"      // a fallback that the session is still on
	SourceUser      Source = "user"      // the session's user
	SourceLegacy    Source = "legacy"    // an override that does not say who wrote it
	SourceParent    Source = "parent"    // the session that this one belongs to
	SourceCron      Source = "cron"      // a scheduled job's payload
	SourceHeartbeat Source = "heartbeat" // heartbeat.model
	SourceSubagent  Source = "subagent"  // subagents.model
	SourceHook      Source = "hook"      // hooks.gmail.model
	SourceSession   Source = "session"   // the override of a scheduled job's session
	SourceOneRun    Source = "one-run"   // given for the run alone
	SourceAllowlist Source = "allowlist" // the first allowed model, because the chosen one is not
)

// FallbackReason says why a run has the fallbacks that it has.
type FallbackReason string

// The reasons.
const (
	FallbacksConfigured   FallbackReason = "configured"    // agents.defaults.model.fallbacks, the primary at the end
	FallbacksAgent        FallbackReason = "agent"         // the agent's own list
	FallbacksAgentStrict  FallbackReason = "agent-strict"  // the agent names a model and no fallbacks
	FallbacksUserStrict   FallbackReason = "user-strict"   // a user's choice is exact
	FallbacksLegacyStrict FallbackReason = "legacy-strict" // an override without source counts as a user's
	FallbacksInherited    FallbackReason = "inherited"     // the defaults' list, without the primary at its end
	FallbacksSubagent     FallbackReason = "subagent"      // those of subagents.model
	FallbacksCron         FallbackReason = "cron"          // the scheduled job's own
	FallbacksLocked       FallbackReason = "locked"        // the session is locked to its model
)

// agentReason says what AgentFallbacks is.
func (m *Models) agentReason() FallbackReason {
	value, _ := m.agentModel()
	switch _, listed := fallbacksOf(value); {
	case listed:
		return FallbacksAgent
	case m.AgentFallbacks() != nil:
		return FallbacksAgentStrict
	}
	return FallbacksConfigured
}

// useRequest points the run at a model that was given for it alone, or that a
// spawned agent starts with.
func (s *selecting) useRequest() {
	if name := document.Trim(s.query.OneRun); name != "" {
		if ref, _, ok := s.m.Resolve(name, s.fallback.Provider); ok {
			s.current, s.out.Resolved = ref, true
			s.out.Source, s.out.At = SourceOneRun, ""
			_, s.out.Profile = s.m.SplitProfile(name)
		}
		return
	}
	if !s.query.Spawn {
		return
	}
	if name, at, _ := s.m.spawnModel(); name != "" {
		s.current, s.out.Resolved = s.m.Configured(name, string(s.m.refs().DefaultProvider), s.m.refs().DefaultModel), true
		s.out.Source, s.out.At = SourceSubagent, at
		s.refer(name)
	}
}

// refer keeps the profile of a configured reference that decides the model.
func (s *selecting) refer(text string) {
	s.out.Profile = ""
	if s.m.Rules.Pins.ReferenceProfile {
		_, s.out.Profile = s.m.SplitProfile(text)
	}
}

// spawnModel returns the model of an agent that is about to be spawned, "" where
// nothing but the defaults' model is configured, and whether it is the agent's
// own.
func (m *Models) spawnModel() (name, at string, own bool) {
	for _, place := range m.spawnPlaces() {
		if name := primaryOf(place.value); name != "" {
			return name, primaryPointer(place.value, place.at), place.own
		}
	}
	return "", "", false
}

// spawnPlaces lists where the model of a spawned agent may stand, the place
// that wins first.
func (m *Models) spawnPlaces() []place {
	entry, where := m.agentEntry()
	own := place{member(entry, "model"), where + "/model", true}
	ownSub := place{member(entry.Object("subagents"), "model"), where + "/subagents/model", false}
	defaults := place{member(m.defaults().Object("subagents"), "model"), "/agents/defaults/subagents/model", false}
	if lines.Of(m.Rules).Selection.SpawnSubFirst {
		return []place{ownSub, defaults, own}
	}
	return []place{ownSub, own, defaults}
}

// place is a model value and the JSON pointer to it.
type place struct {
	value document.Value
	at    string
	own   bool // the agent's own model, not one for sub-agents
}

// name says who chose the model that was found.
func (s *selecting) name() {
	out := &s.out
	switch {
	case out.Source != "":
	case s.heartbeat:
		out.Source = SourceHeartbeat
	case out.used != nil && out.used.inherit:
		out.Source, out.Parent, out.At = SourceParent, out.used.key, ""
	case out.used != nil:
		out.Source, out.At = s.m.overrideSource(s.entry), ""
	default:
		_, out.At = s.m.primary()
		out.Source = SourceDefault
		if value, _ := s.m.agentModel(); primaryOf(value) != "" {
			out.Source = SourceAgent
		}
	}
}

// overrideSource says who wrote a session's own override.
func (m *Models) overrideSource(entry *document.Object) Source {
	switch {
	case m.isAuto(entry):
		return SourceAuto
	case entry.Text(overrideSource) == "":
		return SourceLegacy
	}
	return SourceUser
}
