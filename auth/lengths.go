package auth

// Lengths are the lengths of windows as they hold for a provider, in ms: the
// line's own, with what auth.cooldowns of the configuration says where the line
// reads it.
type Lengths struct {
	Billing      float64 `json:"billingMs"`       // first billing disable
	BillingMax   float64 `json:"billingMaxMs"`    // longest billing disable
	Permanent    float64 `json:"authPermanentMs"` // first disable after auth_permanent
	PermanentMax float64 `json:"authPermanentMaxMs"`
	Window       float64 `json:"failureWindowMs"` // failures older than this are forgotten
}

// Lengths returns the lengths of windows for a provider.
func (p *Profiles) Lengths(provider string) Lengths {
	b := p.Rules.Failures.backoffFor(p.Config.Cooldowns(), &p.Rules.Providers, p.Rules.Providers.Normalize(provider))
	return Lengths{b.billing, b.billingMax, b.permanent, b.permanentMax, b.window}
}

// OverloadBackoff returns how long, in ms, OpenClaw waits before it goes on
// after an overload (auth.cooldowns.overloadedBackoffMs).
func (p *Profiles) OverloadBackoff() float64 {
	if !p.Rules.Failures.Configurable {
		return 0
	}
	return positive(p.Config.Cooldowns(), "overloadedBackoffMs", 0)
}
