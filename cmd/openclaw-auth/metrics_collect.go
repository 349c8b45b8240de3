package main

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
	"openclaw-auth/cmd/openclaw-auth/exposition"
	"openclaw-auth/doctor"
	"openclaw-auth/state"
)

// mostProfiles bounds how many profiles have metrics of their own; the rest is
// counted in openclaw_auth_profiles_left_out.
const mostProfiles = 1000

// collection gathers metrics. The ids in it may be hashes.
type collection struct {
	*session
	mask     bool
	profiles int // that have metrics of their own
	leftOut  int

	info, scraped, readable, sessions, findings, tooMany      *exposition.Family
	usable, window, recovery, errors, expiry, used, providers *exposition.Family
}

func newCollection(s *session) *collection {
	family := func(name, help string) *exposition.Family {
		return &exposition.Family{Name: "openclaw_auth_" + name, Help: help}
	}
	return &collection{
		session: s, mask: s.flags.Bool("mask"),
		info:      family("info", "Always 1: the version of openclaw-auth and the release line whose rules apply."),
		scraped:   family("scrape_timestamp_seconds", "When the state was read, Unix time."),
		readable:  family("agent_readable", "1 where the agent's profiles can be read and OpenClaw would load them, 0 where not."),
		sessions:  family("fallback_sessions", "Sessions that answer with a fallback model."),
		findings:  family("findings", "Findings of openclaw-auth doctor, by severity."),
		tooMany:   family("profiles_left_out", "Profiles without metrics of their own, because there are too many."),
		usable:    family("profile_usable", "1 where the profile can be used for the provider now, 0 where not."),
		window:    family("profile_window", "1 where the profile waits for the end of a window of this kind, with its reason."),
		recovery:  family("profile_recovery_seconds", "Seconds until the profile's window ends; +Inf where none brings it back."),
		errors:    family("profile_errors", "Failures since the last success, by reason."),
		expiry:    family("profile_expiry_timestamp_seconds", "When the profile's token expires, Unix time."),
		used:      family("profile_last_used_timestamp_seconds", "When the profile last answered, Unix time."),
		providers: family("provider_usable_profiles", "Profiles of the provider that can be used now."),
	}
}

// families are all metrics of the home.
func (c *collection) families() []*exposition.Family {
	c.info.Add(1, "version", versionText(), "rules", c.home.Rules.Line)
	c.scraped.Add(float64(c.now) / 1000)
	for _, agent := range c.home.Agents(c.config) {
		if asked := c.flags.String("agent"); asked == "" || strings.EqualFold(asked, agent.ID) {
			c.agentMetrics(agent)
		}
	}
	c.tooMany.Add(float64(c.leftOut))
	report := doctor.Examine(doctor.Query{
		Home: c.home, Config: c.config, Evidence: c.evidence, Now: c.now, Agent: c.flags.String("agent"),
	})
	for _, severity := range []doctor.Severity{doctor.Error, doctor.Warning, doctor.Info} {
		c.findings.Add(float64(report.Count(severity)), "severity", string(severity))
	}
	return []*exposition.Family{
		c.info, c.scraped, c.readable, c.providers, c.usable, c.window, c.recovery, c.errors, c.expiry, c.used,
		c.sessions, c.findings, c.tooMany,
	}
}

// shown is an id as a label has it.
func (c *collection) shown(id string) string {
	if !c.mask {
		return auth.MaskID(id)
	}
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:6])
}

func (c *collection) agentMetrics(agent state.Agent) {
	name := c.shown(agent.ID)
	l, err := c.loadAgent(agent)
	if err != nil || l.Blocked != nil {
		c.readable.Add(0, "agent", name)
	} else {
		c.readable.Add(1, "agent", name)
	}
	if err != nil {
		return
	}
	for _, provider := range c.session.providers(l) {
		c.providerMetrics(name, l, provider)
	}
	models := &chain.Models{Rules: c.home.Rules, Config: c.config.Auth(), Agent: agent.ID}
	onFallback := 0
	err = c.home.Sessions(c.config, agent).Each(func(session state.Session) bool {
		if models.OnFallback(session.Entry) {
			onFallback++
		}
		return true
	})
	if err == nil {
		c.sessions.Add(float64(onFallback), "agent", name)
	}
}

func (c *collection) providerMetrics(agent string, l *loaded, provider string) {
	query := auth.OrderQuery{Provider: provider, Now: c.now}
	usable := 0
	for _, placement := range l.engine.Explain(query, l.engine.Order(query)) {
		isReady := isUsable(placement) && l.Blocked == nil
		if isReady {
			usable++
		}
		if c.profiles == mostProfiles {
			c.leftOut++
			continue
		}
		c.profiles++
		c.profileMetrics(agent, provider, l, placement, isReady)
	}
	c.providers.Add(float64(usable), "agent", agent, "provider", provider)
}

func (c *collection) profileMetrics(agent, provider string, l *loaded, placement auth.Placement, ready bool) {
	labels := []string{"agent", agent, "provider", provider, "profile", c.shown(string(placement.ID))}
	with := func(more ...string) []string { return append(slices.Clone(labels), more...) }
	value, recovery := 0.0, math.Inf(1)
	switch {
	case ready:
		value, recovery = 1, 0
	case placement.Position > 0 && placement.Window != nil && l.Blocked == nil:
		recovery = (placement.Window.Until - float64(c.now)) / 1000
	}
	c.usable.Add(value, with("type", placement.Type, "state", string(placement.State))...)
	c.recovery.Add(recovery, labels...)
	for _, window := range placement.Windows {
		if window.Active {
			c.window.Add(1, with("kind", string(window.Kind), "reason", reasonLabel(window.Reason))...)
		}
	}
	c.errorMetrics(l, placement.ID, with)
	if placement.Expires > 0 {
		c.expiry.Add(placement.Expires/1000, labels...)
	}
	if placement.LastUsed > 0 {
		c.used.Add(placement.LastUsed/1000, labels...)
	}
}

// errorMetrics counts failures by reason; reasons that OpenClaw does not know
// count as one.
func (c *collection) errorMetrics(l *loaded, id auth.ProfileID, with func(...string) []string) {
	counts := map[string]float64{}
	stored := l.Store.UsageStats.Object(string(id)).Object("failureCounts")
	for reason := range stored.All() {
		if n, ok := stored.Number(reason); ok {
			counts[reasonLabel(auth.Reason(reason))] += n
		}
	}
	for _, reason := range append(auth.Reasons(), otherReason) {
		if n, ok := counts[string(reason)]; ok {
			c.errors.Add(n, with("reason", string(reason))...)
		}
	}
}

const (
	otherReason       auth.Reason = "other"
	subscriptionLimit auth.Reason = "subscription_limit" // of a block alone
)

// reasonLabel is a reason out of the list of those that there are.
func reasonLabel(reason auth.Reason) string {
	if reason == "" || reason == subscriptionLimit || slices.Contains(auth.Reasons(), reason) {
		return string(reason)
	}
	return string(otherReason)
}
