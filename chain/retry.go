package chain

import (
	"openclaw-auth/auth"
	"openclaw-auth/chain/lines"
)

// Retries returns how the line repeats requests that fail for the reason before
// it gives the profile up. What a Retry-After of the provider asks for comes on
// top. Where the line reads retry.provider.maxRetries, ProviderRetries replaces
// its own number.
func (m *Models) Retries(reason auth.Reason) lines.Retry {
	rules := &lines.Of(m.Rules).Retry
	switch reason {
	case reasonRateLimit:
		return m.budgeted(rules.RateLimit, len(rules.Waits))
	case reasonOverloaded, reasonServer, reasonTimeout:
		if reason == reasonTimeout && !rules.Timeouts {
			break
		}
		return m.budgeted(rules.Server, -1)
	}
	return lines.Retry{}
}

// budgeted is the line's repetition under the number that the agent's settings
// give; limit bounds that number, -1 does not.
func (m *Models) budgeted(retry lines.Retry, limit int) lines.Retry {
	waits := lines.Of(m.Rules).Retry.Waits
	if m.ProviderRetries == nil || waits == nil {
		return retry
	}
	count := max(0, *m.ProviderRetries)
	if limit >= 0 {
		count = min(count, limit)
	}
	seconds := 0
	for i := range count {
		seconds += waits[min(i, len(waits)-1)]
	}
	if retry.Within {
		seconds = min(seconds, retry.Seconds)
	}
	return lines.Retry{Requests: count + 1, Seconds: seconds, Within: retry.Within && seconds == retry.Seconds}
}

const (
	reasonServer  auth.Reason = "server_error"
	reasonTimeout auth.Reason = "timeout"
)
