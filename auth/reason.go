package auth

import "openclaw-auth/auth/failure"

// Reason is why a request failed, as OpenClaw's failover names it.
type Reason = failure.Reason

// Failover returns the line's rules for classifying provider errors. They are
// built when they are first asked for: most commands classify nothing.
func (r *Rules) Failover() *failure.Rules { return failure.RulesFor(r.Line) }
