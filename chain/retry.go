package chain

import (
	"openclaw-auth/auth"
	"openclaw-auth/chain/lines"
)

// Retries returns how the line repeats requests that fail for the reason. What
// a Retry-After of the provider asks for comes on top. From 2026.9.6 on
// agents/ID/agent/settings.json changes it (retry.provider.maxRetries).
func (m *Models) Retries(reason auth.Reason) lines.Retry {
	rules := &lines.Of(m.Rules).Retry
	switch reason {
	case reasonRateLimit:
		return rules.RateLimit
	case reasonOverloaded, "server_error":
		return rules.Server
	}
	return lines.Retry{}
}
