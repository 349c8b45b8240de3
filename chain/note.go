package chain

import (
	"strconv"
	"strings"

	"openclaw-auth/auth/document"
	"openclaw-auth/chain/lines"
)

// Note is something that a user should know about an explanation, as a code
// with parameters. Words are made where it is printed.
type Note struct {
	Code   NoteCode
	Params map[string]string // each code says which
}

// NoteCode names a note.
type NoteCode string

// The notes, with their parameters.
const (
	NoteAgentStrict      NoteCode = "agent-strict"         // at, fallbacks: the agent's model hides that many default fallbacks
	NotePlainDefault     NoteCode = "default-is-text"      // at: agents.defaults.model is a text, which carries no fallbacks
	NoteSinglePinned     NoteCode = "single-user"          // model: a user's override leaves a chain of one
	NoteSingleLegacy     NoteCode = "single-legacy"        // model: an override without source leaves a chain of one
	NoteSingleDuplicate  NoteCode = "single-duplicate"     // model: the fallbacks only name the model that the session is on
	NoteKeepsFallback    NoteCode = "keeps-fallback"       // model, primary, usable (true or false): the session stays on the fallback, whether its primary is usable or not
	NoteStaleOrigin      NoteCode = "stale-origin"         // model, primary, default: the fallback stands in for a primary that is the default no more; a heartbeat drops it
	NoteNotice           NoteCode = "fallback-notice"      // selected, active, reason: what the session's user was last told
	NoteSkipTTL          NoteCode = "skip-cache"           // value, ms: OPENCLAW_FALLBACK_SKIP_TTL_MS as set, and what it counts as (0: off)
	NoteUnrecorded       NoteCode = "unrecorded-chain"     // line, rules: the line's own chain was not recorded, another line's rules are followed
	NoteRetries          NoteCode = "retries"              // requests, seconds, setting: how often a rate limited request is repeated before the next profile, and retry.provider.maxRetries where it decides that
	NoteRunBehind        NoteCode = "run-behind"           // process: a gateway started before the store was written, so it may run once more with what it had loaded
	NoteReprobeDue       NoteCode = "reprobe-due"          // primary: this run tries the primary again
	NoteOverrideHides    NoteCode = "override-hides"       // model, default, source: the default is another model than the session's
	NoteReset            NoteCode = "override-reset"       // model, why (stale or allowlist): the override is dropped
	NoteOtherProvider    NoteCode = "other-provider"       // model, primary: fallbacks of another provider are left out
	NoteRotationCap      NoteCode = "rotation-cap"         // provider, tried, profiles, key: profiles that are not reached before the next model
	NoteNoProfiles       NoteCode = "no-profiles"          // provider: nothing is known to authenticate with
	NoteNoOverrideVendor NoteCode = "override-no-provider" // model, provider: the override names no provider
	NoteCatalog          NoteCode = "needs-catalog"        // model, providers: the first allowed model is the first that the release's own catalogue has of these providers, or the named one
	NoteSwitchPending    NoteCode = "switch-pending"       // the session waits for a live model switch
	NoteRuntime          NoteCode = "runtime"              // model, runtime, provider: the model runs on that runtime, with the provider's profiles
	NoteOwnLogin         NoteCode = "own-login"            // model, runtime: the runtime brings its own login, OpenClaw's profiles play no part
	NoteNoModel          NoteCode = "nothing-configured"   // model: neither a model nor a provider is configured
)

func (m *Models) notes(e *Explanation, query ExplainQuery) []Note {
	n := &noting{m: m, e: e, query: &query, entry: query.Session.Sessions.Object(query.Session.Key)}
	n.selection()
	n.chain()
	if follows := lines.Of(m.Rules).Follows; follows != "" {
		n.add(NoteUnrecorded, "line", m.Rules.Line, "rules", follows)
	}
	n.retries()
	if query.Gateway > 0 && m.Rules.Store.RunBehind {
		n.add(NoteRunBehind, "process", strconv.Itoa(query.Gateway))
	}
	for i := range e.Candidates {
		n.candidate(&e.Candidates[i])
	}
	return n.notes
}

// retries notes how often a rate limited request is repeated, unless it never is.
func (n *noting) retries() {
	retry := n.m.Retries(reasonRateLimit)
	setting := ""
	if n.m.ProviderRetries != nil && lines.Of(n.m.Rules).Retry.Waits != nil {
		setting = strconv.Itoa(*n.m.ProviderRetries)
	}
	if retry.Requests > 1 || setting != "" {
		n.add(NoteRetries, "requests", strconv.Itoa(retry.Requests), "seconds", strconv.Itoa(retry.Seconds), "setting", setting)
	}
}

type noting struct {
	m     *Models
	e     *Explanation
	query *ExplainQuery
	entry *document.Object
	notes []Note
}

func (n *noting) add(code NoteCode, pairs ...string) {
	note := Note{Code: code}
	if len(pairs) > 0 {
		note.Params = map[string]string{}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		note.Params[pairs[i]] = pairs[i+1]
	}
	n.notes = append(n.notes, note)
}

// selection notes what happened on the way to the model.
func (n *noting) selection() {
	s := &n.e.Selection
	if s.Catalog != nil {
		n.add(NoteCatalog, "model", s.Ref.String(), "providers", strings.Join(s.Catalog, ", "))
	}
	if s.Reset {
		why := "allowlist"
		if s.ResetStale {
			why = "stale"
		}
		n.add(NoteReset, "model", n.overrideText(), "why", why)
	}
	if text(n.entry, modelOverride) != "" && text(n.entry, providerOverride) == "" {
		n.add(NoteNoOverrideVendor, "model", text(n.entry, modelOverride), "provider", s.Provider)
	}
	if s.HasOverride && s.Ref != s.Default && s.Source != SourceAuto {
		n.add(NoteOverrideHides, "model", s.Ref.String(), "default", s.Default.String(), "source", string(s.Source))
	}
	if s.Source == SourceAuto {
		n.fallback()
	}
	if last := n.m.lastNotice(n.entry); last.reason != "" {
		n.add(NoteNotice, "selected", last.selected, "active", last.active, "reason", last.reason)
	}
	if value := document.Trim(n.query.SkipTTL); value != "" {
		n.add(NoteSkipTTL, "value", value, "ms", strconv.FormatInt(skipTTLOf(n.m.Rules, value), 10))
	}
	if n.entry.Bool("liveModelSwitchPending") {
		n.add(NoteSwitchPending)
	}
}

// overrideText is the session's override as its entry has it.
func (n *noting) overrideText() string {
	return Ref{text(n.entry, providerOverride), text(n.entry, modelOverride)}.Key()
}

// fallback notes that a session is on a fallback, and how that ends.
func (n *noting) fallback() {
	s := &n.e.Selection
	primary := s.Default
	if hasOrigin(n.entry) {
		primary = Ref{text(n.entry, originProvider), text(n.entry, originModel)}
	}
	if primary != s.Default && lines.Of(n.m.Rules).Selection.StaleHeartbeat {
		n.add(NoteStaleOrigin, "model", s.Ref.String(), "primary", primary.String(), "default", s.Default.String())
		return
	}
	if s.Probe != nil {
		n.add(NoteReprobeDue, "primary", primary.String())
		return
	}
	n.add(NoteKeepsFallback, "model", s.Ref.String(), "primary", primary.String(), "usable", strconv.FormatBool(n.isUsable(primary)))
}

// isUsable reports whether a profile of the model's provider is available.
func (n *noting) isUsable(ref Ref) bool {
	w := n.m.start(&WalkQuery{Profiles: n.query.Profiles, Now: n.query.Now})
	decision := w.decide(Candidate{Ref: ref}, position{index: 1, count: 2})
	return decision.Action == Try
}

// chain notes what shortens the chain.
func (n *noting) chain() {
	s, m := &n.e.Selection, n.m
	defaults := m.DefaultFallbacks()
	_, at := m.agentModel()
	value := member(m.defaults(), "model")
	_, isText := value.(string)
	switch {
	case s.Why == FallbacksAgentStrict && len(defaults) > 0:
		n.add(NoteAgentStrict, "at", at, "fallbacks", strconv.Itoa(len(defaults)))
	case s.Why == FallbacksConfigured && isText:
		n.add(NotePlainDefault, "at", atDefaultModel)
	case s.Source == SourceDefault && s.At == "" && m.Config.Providers().Len() == 0:
		n.add(NoteNoModel, "model", s.Ref.String())
	}
	if len(n.e.Candidates) == 1 {
		n.single()
	}
	n.otherProvider(defaults)
}

// single notes why nothing follows the session's own model.
func (n *noting) single() {
	s := &n.e.Selection
	switch {
	case s.Why == FallbacksUserStrict:
		n.add(NoteSinglePinned, "model", s.Ref.String())
	case s.Why == FallbacksLegacyStrict:
		n.add(NoteSingleLegacy, "model", s.Ref.String())
	case len(s.Fallbacks) > 0:
		n.add(NoteSingleDuplicate, "model", s.Ref.String())
	}
}

// otherProvider notes that configured fallbacks were left out.
func (n *noting) otherProvider(defaults []Written) {
	s := &n.e.Selection
	if !lines.Of(n.m.Rules).Candidates.SameProvider || s.Fallbacks != nil || len(defaults) == 0 {
		return
	}
	for _, candidate := range n.e.Candidates {
		if candidate.Role == Fallback {
			return
		}
	}
	if !n.m.isSameProvider(s.Ref, s.Default) {
		n.add(NoteOtherProvider, "model", s.Ref.String(), "primary", s.Default.String())
	}
}

// candidate notes profiles that are not there, or not reached.
func (n *noting) candidate(c *ExplainedCandidate) {
	count := len(c.Ordering.Order)
	switch {
	case c.Runtime.OwnLogin:
		n.add(NoteOwnLogin, "model", c.Ref.String(), "runtime", c.Runtime.ID)
	case c.Runtime.ID != "" && c.Runtime.Auth != c.Provider:
		n.add(NoteRuntime, "model", c.Ref.String(), "runtime", c.Runtime.ID, "provider", c.Runtime.Auth)
	}
	switch {
	case c.Runtime.OwnLogin:
	case count == 0 && c.Decision.Why == WhyNoProfiles:
		n.add(NoteNoProfiles, "provider", c.Provider)
	case c.Limit > 0 && count > c.Limit:
		key := ""
		if n.m.Rules.Failures.Configurable {
			key = "auth.cooldowns.rateLimitedProfileRotations"
		}
		n.add(NoteRotationCap, "provider", c.Provider, "tried", strconv.Itoa(c.Limit), "profiles", strconv.Itoa(count), "key", key)
	}
}
