package auth

import "openclaw-auth/auth/failure"

// Difference is something that OpenClaw's documentation says of a release and
// the release's program does otherwise. The program is what counts here.
type Difference string

// The differences.
const (
	DiffLadder      Difference = "ladder"             // cooldowns and disables are said to grow with every failure; those after a window's end start anew
	DiffExhausted   Difference = "resource-exhausted" // the text "resource exhausted" is said to be a rate limit; it has no reason
	DiffDeactivated Difference = "deactivated"        // a deactivated workspace is said to be a permanent failure; its text alone is none
	DiffUserPin     Difference = "user-pin"           // a user's pin is said to hold until the user changes it; an unavailable one gives way
)

// Differences lists where the line's program differs from the documentation.
func (r *Rules) Differences() []Difference {
	var differences []Difference
	add := func(holds bool, difference Difference) {
		if holds {
			differences = append(differences, difference)
		}
	}
	reason := func(signal failure.Signal) Reason {
		verdict := failure.Classify(signal, r.Failover())
		return verdict.Headline()
	}
	deactivated := failure.Signal{Message: "workspace has been deactivated", Status: failure.HTTPStatus(403)}
	add(r.Failures.LapseResets, DiffLadder)
	add(reason(failure.Signal{Message: "resource exhausted"}) != failure.RateLimit, DiffExhausted)
	add(reason(deactivated) != failure.AuthPermanent, DiffDeactivated)
	add(r.Pins.ReplaceUnusable, DiffUserPin)
	return differences
}
