package chain

import (
	"fmt"

	"openclaw-auth/auth/document"
	"openclaw-auth/chain/lines"
)

// JSON pointers of the models in a configuration.
const (
	atDefaultModel = "/agents/defaults/model"
	atImageModel   = "/agents/defaults/imageModel"
	atModels       = "/agents/defaults/models"
	atProviders    = "/models/providers"
)

// SessionQuery is what a session's next run depends on.
type SessionQuery struct {
	Key      string           // session key, "agent:main:main"
	Sessions *document.Object // by key, the session entries; the parent is looked up here. They stay as they are
	Now      int64            // Unix ms

	Heartbeat      bool   // the run is a heartbeat
	HeartbeatModel string // model of this heartbeat; "": the configured heartbeat.model

	Cron   *CronPayload // the run is a scheduled job's
	OneRun string       // model given for this run alone, PROVIDER/MODEL or an alias; "" without one
	Spawn  bool         // the session is a sub-agent's that is about to be spawned

	// Command says that OpenClaw's agent command or its HTTP API runs the
	// session: neither fallbacks nor pins nor notices are written then, and a
	// user's pin holds whatever windows its profile has.
	Command bool

	LastPrimaryProbe int64 // when this session last tried its primary again, Unix ms; 0: never

	// Catalog is OpenClaw's own model catalogue, nil where it is not known. Only
	// 2026.3.13 needs it: there an override outside it is cleared.
	Catalog []Ref
}

// selecting is the state while a session's model is found.
type selecting struct {
	m         *Models
	query     SessionQuery
	entry     *document.Object // the session's, as the run leaves it
	fallback  Ref              // the agent's default
	current   Ref              // what the run is pointed at
	asked     Ref              // the same before the line normalises it once more
	heartbeat bool             // a heartbeat model decides
	allow     *policy
	out       Selection
}

// Select finds the model that a session's next run uses, which source decided,
// and the fallbacks that the run has. The error tells that the allowlist leaves
// no model (2026.5.12+); the selection then holds the default alone.
func (m *Models) Select(query SessionQuery) (Selection, error) {
	s := &selecting{m: m, query: query, fallback: m.Default()}
	if err := m.checkKey(query.Key); err != nil {
		return Selection{Default: s.fallback}, err
	}
	s.entry = query.Sessions.Object(query.Key).Clone()
	if s.entry == nil {
		s.entry = document.NewObject()
	}
	s.current, s.out.Default, s.out.Resolved = s.fallback, s.fallback, true
	s.allow = m.allowlist()
	if query.Cron != nil {
		return s.selectCron()
	}
	s.startHeartbeat()
	s.startOverride()
	s.probe()
	if !s.dropAuto() {
		s.resetOverride()
		s.useOverride()
	}
	s.useRequest()
	s.asked = s.current
	if lines.Of(m.Rules).Selection.Renormalizes {
		s.current = m.normalize(s.current.Provider, s.current.Model)
	}
	if err := s.finalCheck(); err != nil {
		return Selection{Default: s.fallback, Catalog: s.out.Catalog}, err
	}
	s.finish()
	return s.out, nil
}

// isLocked reports whether the session keeps its override whatever happens.
func (s *selecting) isLocked() bool {
	return lines.Of(s.m.Rules).Selection.Locked && member(s.entry, "modelSelectionLocked") == true
}

// startHeartbeat points a heartbeat at its own model.
func (s *selecting) startHeartbeat() {
	if !s.query.Heartbeat || s.isLocked() {
		return
	}
	name, at := document.Trim(s.query.HeartbeatModel), ""
	if name == "" {
		name, at = s.m.heartbeatModel()
	}
	if name == "" {
		return
	}
	scope := withAliases
	if lines.Of(s.m.Rules).Selection.Policy {
		scope |= withConfig
	}
	if ref, _, ok := s.m.reader(s.fallback.Provider, scope).resolve(name); ok {
		s.current, s.heartbeat = ref, true
		s.out.At = at
		s.refer(name)
	}
}

// heartbeatModel returns the configured model of heartbeats and where it is.
func (m *Models) heartbeatModel() (name, at string) {
	entry, where := m.agentEntry()
	if name = text(entry.Object("heartbeat"), "model"); name != "" {
		return name, where + "/heartbeat/model"
	}
	return text(m.defaults().Object("heartbeat"), "model"), "/agents/defaults/heartbeat/model"
}

// startOverride points the run at the stored override, before the allowlist
// has its say.
func (s *selecting) startOverride() {
	found, ok := s.m.lookup(&s.query, s.entry, s.fallback.Provider)
	if !ok {
		return
	}
	s.out.Stored = StoredOwn
	if found.inherit {
		s.out.Stored = StoredParent
	}
	if s.heartbeat || !lines.Of(s.m.Rules).Selection.StartsOnOverride || found.ref.Model == "" ||
		!s.isLocked() && (s.isStaleHeartbeat(found) || !found.inherit && s.isOriginless(s.entry)) {
		return
	}
	s.current = found.run
}

// dropAuto forgets an automatic override of the session itself. Neither it nor an
// inherited one is used then, and the run starts on the default even if it is a
// heartbeat with a model of its own.
func (s *selecting) dropAuto() bool {
	if !lines.Of(s.m.Rules).Selection.DropsAuto || text(s.entry, modelOverride) == "" || s.entry.Text(overrideSource) != sourceAuto {
		return false
	}
	s.m.clearOverride(s.entry, false)
	s.current = s.fallback
	return true
}

// resetOverride clears the session's own override where it is stale or not allowed.
func (s *selecting) resetOverride() {
	found, ok := s.m.lookup(&s.query, s.entry, s.fallback.Provider)
	if !ok || found.inherit || s.isLocked() {
		return
	}
	start := s.fallback
	if s.heartbeat {
		start = s.current
	}
	stale := s.isStaleHeartbeat(found) || s.isCodexTwin(found) ||
		s.isOriginless(s.entry) && !s.m.sameModel(found.ref, start)
	if !stale && s.isAllowed(found) {
		return
	}
	s.m.clearOverride(s.entry, stale)
	s.out.Reset, s.out.ResetStale = true, stale
	if lines.Of(s.m.Rules).Selection.ResetNamed {
		s.out.ResetRef = found.ref.Key()
		if lines.Of(s.m.Rules).Selection.ByPair {
			s.out.ResetRef = found.ref.String()
		}
	}
	if stale && !s.heartbeat {
		s.current = s.fallback
	}
}

// isAllowed reports whether the session may run the override.
func (s *selecting) isAllowed(found stored) bool {
	rules := &lines.Of(s.m.Rules).Selection
	if rules.WholeCatalog && s.allow.isOpen() && s.query.Catalog != nil {
		own, ok := s.m.Parse(s.fallback.Model, s.fallback.Provider)
		return s.m.containsRef(s.query.Catalog, found.ref) || ok && s.m.sameModel(own, found.ref)
	}
	if source := found.entry.Text(overrideSource); rules.AutoBypasses && hasOrigin(found.entry) &&
		(source == sourceAuto || source == "" && hasOverride(found.entry)) {
		return true
	}
	return s.allow.allows(found.ref)
}

// useOverride points the run at the override that is left, the session's own
// or an inherited one, if it is allowed.
func (s *selecting) useOverride() {
	found, ok := s.m.lookup(&s.query, s.entry, s.fallback.Provider)
	if !ok || s.heartbeat || found.ref.Model == "" || !s.isLocked() && !s.isAllowed(found) {
		return
	}
	s.current, s.out.Resolved = s.route(found)
	s.out.used = &found
}

// route returns the model that an allowed override runs, and whether it is
// settled. One that is stored unresolved and no model of the catalogue may be an alias.
func (s *selecting) route(found stored) (Ref, bool) {
	if found.resolved || s.m.containsRef(s.m.rows(), found.ref) || s.m.containsRef(s.allow.exact, found.ref) {
		return found.run, true
	}
	r := s.m.reader(s.fallback.Provider, withAliases|withConfig)
	if entry, ok := s.m.aliasOf(r, found.ref, found.ref.Provider, found.ref.Model); ok {
		return entry.ref, true
	}
	return found.ref, lines.Of(s.m.Rules).Selection.VerbatimRoutes
}

// finalCheck moves the run to an allowed model.
func (s *selecting) finalCheck() error {
	rules := &lines.Of(s.m.Rules).Selection
	if !rules.FinalCheck || s.isLocked() || s.allow.allows(s.current) {
		return nil
	}
	if rules.AutoBypasses {
		if s.out.used != nil && s.isAllowed(*s.out.used) || len(s.allow.wildcards) == 0 && s.isDefault(s.current) {
			return nil
		}
	}
	if s.allow.needsCatalog(s.fallback) {
		s.out.Catalog = s.allow.wholeProviders()
	}
	first, ok := s.allow.first(s.fallback)
	if !ok {
		name := s.asked.Key()
		if rules.ByPair {
			name = s.asked.String()
		}
		//lint:ignore ST1005 these are OpenClaw's own words
		return fmt.Errorf("Configured default model %q is not allowed by %s, and no allowed model is available.", name, s.allow.source)
	}
	if rules.Renormalizes {
		first = s.m.normalize(first.Provider, first.Model)
	}
	s.current, s.out.Resolved = first, true
	s.out.Source, s.out.At = SourceAllowlist, ""
	return nil
}
