package chain

import (
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain/lines"
)

// Stored tells whose override a session has.
type Stored string

// Whose override it is.
const (
	StoredNone   Stored = ""
	StoredOwn    Stored = "session"
	StoredParent Stored = "parent"
)

// PrimaryProbe is a run that tries the primary again although the session is
// on a fallback. If it succeeds, the override is cleared.
type PrimaryProbe struct {
	Primary  Ref
	Fallback Ref // as stored
}

// probeInterval is how long a session stays on its fallback before its primary
// is tried again, ms.
const probeInterval = 300_000

// Selection is the model of a session's next run and what it means for the run.
type Selection struct {
	Ref                   // the model
	Default Ref           // the agent's default
	Source  Source        // who chose it
	At      string        // JSON pointer to what decided, "" where it is not in the configuration
	Parent  string        // key of the session that it was inherited from
	Stored  Stored        // whose override was found, even if it was then cleared
	Probe   *PrimaryProbe // this run tries the primary again (2026.5.28+)

	HasOverride    bool   // the run has an override after all resets
	OverrideSource string // its source as stored, "" without
	AutoOrigin     bool   // the override records which primary a fallback replaced (2026.5.28+)

	Reset      bool   // the session's own override was cleared
	ResetStale bool   // because it was stale, not because of the allowlist
	ResetRef   string // the model that was cleared; "" where the line does not name it

	Why        FallbackReason // why the run has these fallbacks
	Fallbacks  []Written      // the list that replaces the configured chain; nil: none does
	Resolved   bool           // the pair is no alias
	Candidates []Candidate

	// Profile is the auth profile that the reference of the model names, as far
	// as the line heeds it: a user's MODEL@PROFILE always, a configured one from
	// 2026.8.2 on.
	Profile auth.ProfileID

	// Catalog names the providers whose models in the release's own catalogue
	// come before the model that was found: the configured one was not allowed,
	// and these are allowed as a whole. nil: the catalogue plays no part.
	Catalog []string

	Entry *document.Object // the session's entry as the selection leaves it

	// CommandFallbacks is what the agent command passes instead of Fallbacks up
	// to 2026.4.9, where it looks at the override and the reply path does not.
	CommandFallbacks []Written

	used *stored
}

// finish fills in what follows from the model that was found.
func (s *selecting) finish() {
	out, entry, rules := &s.out, s.entry, &lines.Of(s.m.Rules).Selection
	out.Ref, out.Entry = s.current, entry
	isDefault := rules.DefaultSource && entry.Text(overrideSource) == sourceDefault
	out.HasOverride = hasOverride(entry) && !isDefault && !s.isOriginless(entry)
	if out.HasOverride {
		out.OverrideSource = entry.Text(overrideSource)
		out.AutoOrigin = rules.SourcelessAuto && hasOrigin(entry)
	}
	s.name()
	out.Fallbacks, out.Why = s.fallbacks()
	if out.Profile == "" && s.query.Cron == nil {
		out.Profile = s.m.ReferenceProfile(out.Ref)
	}
	out.CommandFallbacks = s.m.AgentFallbacks()
	if text(entry, modelOverride) != "" && out.CommandFallbacks == nil {
		out.CommandFallbacks = s.m.DefaultFallbacks()
	}
	out.Candidates = s.m.Candidates(Request{
		Provider: out.Provider, Model: out.Model, Fallbacks: out.Fallbacks, Resolved: out.Resolved, At: out.At,
	})
}

// fallbacks returns the list that the run gets in place of the configured
// chain, nil for none, and why.
func (s *selecting) fallbacks() ([]Written, FallbackReason) {
	m, rules := s.m, &lines.Of(s.m.Rules).Selection
	own, why := m.AgentFallbacks(), m.agentReason()
	switch {
	case s.isLocked():
		return []Written{}, FallbacksLocked
	case s.query.Cron != nil:
		return s.cronFallbacks(own, why)
	case s.out.Source == SourceOneRun:
		if rules.SourcePolicy {
			return []Written{}, FallbacksUserStrict
		}
		return s.inherited(own, why)
	case !rules.SourcePolicy:
		return own, why
	case !s.out.HasOverride:
		if s.isSpawned() && !isSubagentKey(s.query.Key) && !isBareSubagentKey(s.query.Key) {
			if list := m.subagentFallbacks(); list != nil {
				return list, FallbacksSubagent
			}
		}
		return own, why
	case !m.isAuto(s.entry) && s.out.OverrideSource == "":
		return []Written{}, FallbacksLegacyStrict
	case !m.isAuto(s.entry):
		return []Written{}, FallbacksUserStrict
	}
	if rules.SubagentOrder && (isSubagentKey(s.query.Key) || s.isSpawned()) {
		if list := m.subagentFallbacks(); list != nil {
			return list, FallbacksSubagent
		}
	}
	return s.inherited(own, why)
}

// inherited is the agent's list, or else the defaults', as a list of its own:
// the configured primary does not follow it.
func (s *selecting) inherited(own []Written, why FallbackReason) ([]Written, FallbackReason) {
	if own == nil {
		return s.m.DefaultFallbacks(), FallbacksInherited
	}
	return own, why
}

// isSpawned reports whether another agent started the session, by its depth.
func (s *selecting) isSpawned() bool {
	depth, _ := s.entry.Number("spawnDepth")
	return lines.Of(s.m.Rules).Selection.SpawnDepth && depth > 0
}

// isBareSubagentKey reports whether the key is subagent:…, without an agent.
func isBareSubagentKey(key string) bool { return strings.HasPrefix(lower(key), "subagent:") }

// isSubagentKey reports whether the key is agent:ID:subagent:….
func isSubagentKey(key string) bool {
	parts := strings.SplitN(document.Lower(key), ":", 4)
	return len(parts) == 4 && parts[0] == "agent" && parts[2] == "subagent"
}

// subagentFallbacks returns the fallbacks of the first model value that a
// spawned agent may get, nil if none is configured. A value without a list has
// no fallbacks.
func (m *Models) subagentFallbacks() []Written {
	entry, at := m.agentEntry()
	for _, place := range []place{
		{member(entry.Object("subagents"), "model"), at + "/subagents/model", false},
		{member(m.defaults().Object("subagents"), "model"), "/agents/defaults/subagents/model", false},
		{member(entry, "model"), at + "/model", true},
	} {
		if list := listBeside(place); list != nil {
			return list
		}
	}
	return nil
}

// probe decides whether this run tries the primary of a session on an
// automatic fallback again.
func (s *selecting) probe() {
	entry := s.entry
	if !lines.Of(s.m.Rules).Selection.Reprobe || s.isLocked() || s.heartbeat || !s.m.isAuto(entry) || !hasOrigin(entry) {
		return
	}
	if found, ok := s.m.lookup(&s.query, entry, s.fallback.Provider); ok && s.isStaleHeartbeat(found) {
		return
	}
	origin := Ref{text(entry, originProvider), text(entry, originModel)}
	override := Ref{text(entry, providerOverride), text(entry, modelOverride)}
	waited := s.query.LastPrimaryProbe == 0 || s.query.Now-s.query.LastPrimaryProbe >= probeInterval
	if override.Provider == "" || override.Model == "" || origin != s.fallback || override == origin || !waited {
		return
	}
	s.out.Probe = &PrimaryProbe{Primary: origin, Fallback: override}
}

// Strict reports whether the run has nothing to fall back on.
func (s *Selection) Strict() bool { return s.Fallbacks != nil && len(s.Fallbacks) == 0 }
