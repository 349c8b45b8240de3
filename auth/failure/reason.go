package failure

// Reason is a failover reason, in OpenClaw's own spelling. The empty Reason
// means that an error has none: OpenClaw then prints "unknown" and, up to the
// last candidate, goes on to the next model without touching the credential.
type Reason string

// The reasons that OpenClaw stores in a profile's usage statistics.
const (
	// NoReason is an error that no rule knows; it isn't [Unknown], which is a
	// reason that callers record.
	NoReason Reason = ""

	// Auth is a credential that is missing, wrong or expired. All lines.
	Auth Reason = "auth"
	// AuthPermanent is a credential that won't come back by itself, such as a
	// revoked key. From 2026.2.26 on.
	AuthPermanent Reason = "auth_permanent"
	// Format is a request that the provider can't read. All lines.
	Format Reason = "format"
	// Overloaded is a provider without capacity. From 2026.3.13 on; before,
	// the same texts are [RateLimit].
	Overloaded Reason = "overloaded"
	// RateLimit is a pace or quota that was passed. All lines.
	RateLimit Reason = "rate_limit"
	// Billing is a lack of credit or of the right plan. All lines.
	Billing Reason = "billing"
	// Timeout is a request that ended without an answer, and up to 2026.7.1
	// most server faults too. All lines.
	Timeout Reason = "timeout"
	// ModelNotFound is a model that the provider doesn't have. From 2026.2.26
	// on.
	ModelNotFound Reason = "model_not_found"
	// SessionExpired is a conversation that the provider forgot. From
	// 2026.3.13 on.
	SessionExpired Reason = "session_expired"
	// EmptyResponse is an answer without content. No text gives it: callers
	// of the classifier set it. From 2026.4.29 on.
	EmptyResponse Reason = "empty_response"
	// NoErrorDetails is a failed answer that says nothing about its cause.
	// From 2026.4.29 on.
	NoErrorDetails Reason = "no_error_details"
	// Unclassified is set by callers for a failure whose text has no class.
	// From 2026.4.29 on.
	Unclassified Reason = "unclassified"
	// Unknown is set by callers. All lines.
	Unknown Reason = "unknown"
)

// Reasons that classify but that no profile's statistics keep.
const (
	// ServerError is a fault inside the provider. From 2026.5.12 on.
	ServerError Reason = "server_error"
	// ContextOverflow is a prompt that doesn't fit the model's window. From
	// 2026.7.1 on; on 2026.4.9 to 2026.6.11 it is a [Kind] and no reason, so a
	// thrown overflow has none (vectors: kind "context_overflow", coerced
	// null).
	ContextOverflow Reason = "context_overflow"
	// TLSCertificate is a certificate that can't be trusted. From 2026.8.2 on.
	TLSCertificate Reason = "tls_certificate"
)

// Kind says what sort of answer a classification is.
type Kind string

// The kinds of the signal classifier, which exists from 2026.4.9 on; on older
// lines a class is of KindReason.
const (
	KindNone            Kind = ""
	KindReason          Kind = "reason"
	KindContextOverflow Kind = "context_overflow"
)
