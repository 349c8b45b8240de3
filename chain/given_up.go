package chain

import (
	"fmt"
	"slices"

	"openclaw-auth/auth"
)

// givenUp is the failure of a candidate for which no request is made because
// every profile of its provider is unavailable. Where the run has nothing to
// fall back on, OpenClaw throws a plain error, which only its text classifies.
func (r *Run) givenUp(attempt Attempt) *Failure {
	ids := attempt.Decision.Ordering.Order
	reason := r.profiles.UnavailableReason(ids, r.now)
	if reason == "" {
		reason = reasonUnknown
	}
	failed := &Failure{Reason: reason}
	switch r.models.Rules.Rotation.GivenUp {
	case auth.GivenUpPlain:
		failed.Message = fmt.Sprintf("No available auth profile for %s (all in cooldown or unavailable).", attempt.Provider)
	case auth.GivenUpProfile:
		if !attempt.Probe {
			return &Failure{Message: fmt.Sprintf("Auth profile %q is temporarily unavailable for %s.", ids[0], attempt.Ref)}
		}
		failed.Message = unavailableText(reason, attempt.Provider)
	default:
		failed.Message = unavailableText(reason, attempt.Provider)
		if !passes(reason) {
			failed.Message += " " + r.loginHint(attempt.Provider)
		}
	}
	if !r.hasFallbacks {
		failed.Reason = ""
	}
	return failed
}

// loginHint is how OpenClaw tells to log in again (2026.6.1 to 9.2).
func (r *Run) loginHint(provider string) string {
	login := r.models.Rules.Providers.AuthKey(provider)
	if !slices.Contains(r.models.Rules.Rotation.LoginHints, login) {
		return "`openclaw configure`."
	}
	return fmt.Sprintf("Run `openclaw models auth login --provider %s` or `openclaw configure`.", login)
}

// passes reports whether a reason ends by itself, so that no login is asked for.
func passes(reason auth.Reason) bool {
	switch reason {
	case reasonRateLimit, reasonOverloaded, "timeout", "server_error", "model_not_found", "format":
		return true
	}
	return false
}

// unavailableText is what OpenClaw says about a provider whose profiles are all
// unavailable (2026.6.1+).
func unavailableText(reason auth.Reason, provider string) string {
	switch reason {
	case reasonAuth, "session_expired":
		return "Couldn't sign in to " + provider + ". Your saved login looks expired or no longer works."
	case reasonAuthPermanent:
		return provider + " isn't accepting your saved login anymore."
	case reasonBilling:
		return provider + " rejected the request — looks like a billing issue on the account."
	case reasonRateLimit:
		return provider + " is asking us to slow down. Please wait a moment before trying again."
	case reasonOverloaded:
		return provider + " is overloaded right now. Please wait a moment before trying again."
	case "timeout":
		return provider + " hasn't been responding. Please wait a moment before trying again."
	case "model_not_found":
		return provider + " can't find the model you're using right now."
	case "server_error":
		return provider + " is having issues right now. Please wait a moment before trying again."
	}
	return "Couldn't reach " + provider + " with any of your saved logins right now."
}
