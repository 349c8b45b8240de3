package auth

import "openclaw-auth/auth/failure"

// LongestWindow returns the longest window of a kind that OpenClaw opens for a
// profile of the provider, in ms; 0 where a provider's own reset decides and
// nothing bounds it: a block, and a cooldown that follows a usage probe.
func (p *Profiles) LongestWindow(kind ProfileState, provider string) float64 {
	rules := &p.Rules.Failures
	id := p.Rules.Providers.Normalize(provider)
	switch {
	case kind == StateBlocked:
		return 0
	case kind == StateCooling && id == rules.CodexProbe.Provider && id != "":
		return 0
	case kind == StateCooling && rules.RateLimitDoubling:
		return 24 * msHour
	case kind == StateCooling:
		return rules.cooldown(failure.Timeout, 100, 0)
	}
	lengths := rules.backoffFor(p.Config.Cooldowns(), &p.Rules.Providers, id)
	return max(lengths.billingMax, lengths.permanentMax)
}
