package chain

import "openclaw-auth/auth"

// Retry is how often one call with one profile is made before it counts as
// failed, and how long that takes.
type Retry struct {
	Requests int `json:"requests"` // 1: none is repeated; 0: not known
	Seconds  int `json:"seconds"`  // from the first request to the last, without the provider's own time
}

// Retries returns how the line repeats requests that fail for the reason. What
// a Retry-After of the provider asks for comes on top. From 2026.9.6 on
// agents/ID/agent/settings.json changes it (retry.provider.maxRetries).
func (m *Models) Retries(reason auth.Reason) Retry {
	rules := &RulesOf(m.Rules).Retry
	switch reason {
	case reasonRateLimit:
		return rules.RateLimit
	case reasonOverloaded, "server_error":
		return rules.Server
	}
	return Retry{}
}
