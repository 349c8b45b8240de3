package failure

import (
	"strings"

	"openclaw-auth/auth/document"
)

// Check is one question put to a message. The checks of a line run in the
// order of its Rules.Checks, and the first that has an answer decides.
type Check string

// The checks; those that share a pattern group's name just ask that group.
const (
	checkImages            Check = "images"
	checkUnsupportedImage  Check = "unsupported_image"
	checkClaudeCLI         Check = "claude_cli_auth"
	checkSessionTranscript Check = "session_transcript"
	checkSessionExpired    Check = "session_expired"
	checkModelNotFound     Check = "model_not_found"
	checkModelLate         Check = "model_not_found_late"
	checkGone              Check = "gone"
	checkProviderSpecific  Check = "provider_specific"
	checkOverflow          Check = "overflow"
	checkReplayInvalid     Check = "replay_invalid"
	checkPayment           Check = "payment"
	checkOpenRouterKey     Check = "openrouter_key_limit"
	checkBillingUnlessPace Check = "billing_unless_429"
	checkPeriodic          Check = "periodic"
	checkRateLimit         Check = "rate_limit"
	checkOverloaded        Check = "overloaded"
	checkOverloadedAsLimit Check = "overloaded_as_rate_limit"
	checkFinishError       Check = "finish_error"
	checkStructured        Check = "structured_server_error"
	checkLead              Check = "leading_status"
	checkProviderInternal  Check = "provider_internal"
	checkBilling           Check = "billing"
	checkRefresh           Check = "refresh_failure"
	checkAuthPermanent     Check = "auth_permanent"
	checkAuth              Check = "auth"
	checkUnknownError      Check = "unknown_error"
	checkOpenRouterError   Check = "openrouter_returned_error"
	checkServerText        Check = "server_error"
	checkAPIError          Check = "api_error"
	checkFormat            Check = "format"
	checkNoDetails         Check = "no_error_details"
	checkTimeout           Check = "timeout"
	checkOverflowAssistant Check = "overflow_assistant"
	checkType              Check = "type"
	checkOwnStatus         Check = "own_status"
)

// class is an answer: a reason, an overflow, or (decided, but neither) that
// there is none.
type class struct {
	reason Reason
	match  Match
	final  bool // there is no class, and no later check may find one
	passed bool // it is the reason of an error that OpenClaw made before
}

func (c class) ok() bool { return c.reason != NoReason }

// message is a text under one provider, with the type of the signal it came
// in.
type message struct {
	*text
	provider string
	typ      string
}

// plainReason is the reason of a check that just asks the pattern group of its
// name.
func plainReason(check Check) Reason {
	switch check {
	case checkUnsupportedImage, checkSessionTranscript, checkReplayInvalid, checkFormat:
		return Format
	case checkModelNotFound, checkModelLate:
		return ModelNotFound
	case checkProviderInternal, checkTimeout:
		return Timeout
	case checkSessionExpired:
		return SessionExpired
	case checkRateLimit:
		return RateLimit
	case checkOverloaded:
		return Overloaded
	case checkFinishError:
		return ServerError
	case checkAuthPermanent:
		return AuthPermanent
	case checkAuth:
		return Auth
	case checkNoDetails:
		return NoErrorDetails
	case checkOverflowAssistant:
		return ContextOverflow
	}
	return NoReason
}

// answered is the class of a text under one provider and type.
type answered struct {
	provider, typ string
	class         class
}

// classifyMessage asks the line's checks in order, once: the same message is
// asked about as a signal, as a thrown value and for the log.
func (r *Rules) classifyMessage(m message) class {
	if m.isEmpty() {
		return class{}
	}
	for _, a := range m.answers {
		if a.provider == m.provider && a.typ == m.typ {
			return a.class
		}
	}
	c := r.askAll(m)
	m.answers = append(m.answers, answered{m.provider, m.typ, c})
	return c
}

func (r *Rules) askAll(m message) class {
	for _, check := range r.Checks {
		if c := r.ask(check, m); c.ok() || c.final {
			return c
		}
	}
	return class{}
}

func (r *Rules) ask(check Check, m message) class {
	if reason := plainReason(check); reason != NoReason {
		return m.class(string(check), reason)
	}
	switch check {
	case checkImages:
		return class{final: m.has("image_dimension") || m.has("image_size")}
	case checkClaudeCLI:
		return m.classIf(document.Lower(document.Trim(m.provider)) == "claude-cli", "claude_cli_auth", Auth)
	case checkGone:
		return r.gone(m)
	case checkProviderSpecific:
		return m.providerSpecific()
	case checkOverflow:
		return r.overflowClass(m.text)
	case checkPayment:
		return r.paymentText(m.text)
	case checkOpenRouterKey:
		return m.classIf(m.providerHas("openrouter"), "openrouter_key_limit", Billing)
	case checkBillingUnlessPace:
		status, _, _ := r.lead(m.raw)
		return r.billingIf(status != 429, m.text)
	case checkPeriodic:
		return r.periodic(m.text)
	case checkOverloadedAsLimit:
		return m.class("overloaded", RateLimit)
	case checkBilling:
		return r.billingIf(true, m.text)
	}
	return r.askLater(check, m)
}

// askLater has the checks that stand behind the limits.
func (r *Rules) askLater(check Check, m message) class {
	switch check {
	case checkStructured:
		return r.structuredServerError(m.text)
	case checkLead:
		return r.leadClass(m.text)
	case checkRefresh:
		return m.classIf(m.has("refresh_failure_reason"), "refresh_failure", AuthPermanent)
	case checkUnknownError:
		return m.classIf(m.providerHas(r.UnknownErrorProvider), "unknown_error", Timeout)
	case checkOpenRouterError:
		return m.classIf(m.providerHas("openrouter"), "openrouter_returned_error", Timeout)
	case checkServerText:
		return r.serverText(m.text)
	case checkAPIError:
		return r.apiError(m.text)
	case checkType:
		return r.typeOf(m)
	case checkOwnStatus:
		return r.ownStatus(m)
	}
	return class{}
}

// class gives the reason when the group matches.
func (t *text) class(group string, reason Reason) class {
	if match, ok := t.match(group); ok {
		return class{reason: reason, match: match}
	}
	return class{}
}

func (t *text) classIf(condition bool, group string, reason Reason) class {
	if !condition {
		return class{}
	}
	return t.class(group, reason)
}

// providerHas reports whether the provider's id contains part.
func (m message) providerHas(part string) bool {
	return part == "" || strings.Contains(document.Lower(m.provider), part)
}

func (m message) providerSpecific() class {
	for _, reason := range []Reason{RateLimit, Overloaded, ModelNotFound} {
		if c := m.class("provider_specific_"+string(reason), reason); c.ok() {
			return c
		}
	}
	return class{}
}

// periodic tells a daily, weekly or monthly limit: with billing text beside it
// only money lifts it.
func (r *Rules) periodic(t *text) class {
	if c := t.class("periodic", RateLimit); !c.ok() {
		return c
	}
	if match, ok := r.billingText(t); ok {
		return class{reason: Billing, match: match}
	}
	return t.class("periodic", RateLimit)
}
