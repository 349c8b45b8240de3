package auth

// Reason is why a request failed, as OpenClaw's failover names it.
type Reason string

const (
	reasonAuth           Reason = "auth"
	reasonAuthPermanent  Reason = "auth_permanent"
	reasonFormat         Reason = "format"
	reasonOverloaded     Reason = "overloaded"
	reasonRateLimit      Reason = "rate_limit"
	reasonBilling        Reason = "billing"
	reasonTimeout        Reason = "timeout"
	reasonModelNotFound  Reason = "model_not_found"
	reasonSessionExpired Reason = "session_expired"
	reasonEmptyResponse  Reason = "empty_response"
	reasonNoErrorDetails Reason = "no_error_details"
	reasonUnclassified   Reason = "unclassified"
	reasonUnknown        Reason = "unknown"
)
