package repair

import (
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// agentOverride is a fallback that sessions of an agent stay on.
type agentOverride struct {
	agent string
	doctor.Override
}

// clearOverrides gives sessions that a fallback moved to a provider of which
// nothing is known any more their own model back. OpenClaw does so for providers
// of its plugins alone (2026.5.28+, cases session-stale-auto-override); what a
// user chose stays.
func (g *migration) clearOverrides() {
	for _, o := range g.overrides {
		agent, err := state.FindAgent(g.agents, o.agent)
		if err != nil {
			continue
		}
		cleared, err := g.m.ChangeSessions(agent, func(s state.Session) bool {
			return s.Entry.Text("modelOverrideSource") == "auto" && s.Entry.Text("providerOverride") == o.Provider && s.Entry.Text("modelOverride") == o.Model
		}, clearOverride)
		if err != nil {
			g.leave(o.agent, "sessions are left as they are: %s", mask.Text(err.Error()))
		} else if cleared > 0 {
			g.note(o.agent, "%s back from %s/%s, of which nothing is known any more", words.Count(cleared, "session"), o.Provider, o.Model)
		}
	}
}

// clearOverride removes a fallback from a session, with the pin that it brought.
func clearOverride(entry *document.Object) {
	provider := entry.Text("providerOverride")
	for _, name := range []string{
		"providerOverride", "modelOverride", "modelOverrideSource", "modelOverrideRouteResolution", "modelOverrideFallbackOriginProvider",
		"modelOverrideFallbackOriginModel", "liveModelSwitchPending", "fallbackNotice", "fallbackNoticeSelectedModel", "fallbackNoticeActiveModel",
		"fallbackNoticeReason",
	} {
		entry.Delete(name)
	}
	if entry.Text("modelProvider") == provider {
		entry.Delete("modelProvider")
		entry.Delete("model")
	}
	if entry.Text("authProfileOverrideSource") == auth.PinAuto && strings.HasPrefix(entry.Text("authProfileOverride"), provider+":") {
		for _, name := range []string{"authProfileOverride", "authProfileOverrideSource", "authProfileOverrideCompactionCount"} {
			entry.Delete(name)
		}
	}
}
