package failure

// Signal is an error as it came. Every field may be left empty.
//
// The fields outside Thrown and Context describe a finished answer that says
// "error", as OpenClaw hands it to its signal classifier. Thrown is a value
// that an SDK threw, as OpenClaw's fallback loop catches it; without one the
// loop is shown an Error made of the other fields.
type Signal struct {
	// Message is the error's text.
	Message string
	// Status is the HTTP status, nil when none came along. It is a number of
	// JavaScript's: a fraction is a status too, though no rule knows it, and
	// zero keeps a status from being read out of the message.
	Status *float64
	// Code and Type are the error's symbolic code and type. Types count from
	// 2026.7.1 on.
	Code, Type string
	// Provider is the provider's id.
	Provider string
	// Details are further texts of the error's body; they count from
	// 2026.6.11 on.
	Details []string
	// Body is the error's body, decoded from JSON or as text; its texts are
	// added to Details.
	Body any

	// Thrown is the thrown value as decoded JSON: a string, a float64, a bool
	// or a map[string]any with the properties name, message, status,
	// statusCode, code, type, errorType, provider, reason, detail, body,
	// errorBody, param, error and cause, as far as it has them.
	Thrown any
	// Context is what the fallback loop knows of the attempt.
	Context Context
}

// Context is what the fallback loop passes beside a thrown value.
type Context struct {
	// Provider is the attempt's provider; it wins over one that the value
	// carries. Empty: the signal's.
	Provider string
	// SessionID marks an attempt that belongs to a session. From 2026.5.12 on
	// rate limits and billing suspend such a session.
	SessionID string
}

// HTTPStatus returns code as a Signal's Status.
func HTTPStatus(code int) *float64 {
	status := float64(code)
	return &status
}

// isZero reports whether there is nothing for the signal classifier.
func (s *Signal) isZero() bool {
	return s.Message == "" && s.Status == nil && s.Code == "" && s.Type == "" &&
		s.Provider == "" && len(s.Details) == 0 && s.Body == nil
}

// thrown returns the value that the fallback loop is shown. The properties are
// those of an Error that an SDK would throw with the same fields; details have
// no place in it.
func (s *Signal) thrown() any {
	if s.Thrown != nil {
		return s.Thrown
	}
	properties := make(map[string]any, 5)
	for name, text := range map[string]string{
		"message": s.Message, "code": s.Code, "type": s.Type, "provider": s.Provider,
	} {
		if text != "" {
			properties[name] = text
		}
	}
	if s.Status != nil {
		properties["status"] = *s.Status
	}
	return properties
}

// provider returns the attempt's provider.
func (s *Signal) attemptProvider() string {
	if s.Context.Provider != "" {
		return s.Context.Provider
	}
	return s.Provider
}
