package failure_test

import (
	"testing"

	"openclaw-auth/auth/failure"
)

// askedCases are answers of the real programs to questions that the recorded
// vectors leave open; each was asked of the lines that it names.
var askedCases = []seedCase{
	// A status at the head of a message.
	{"nothing behind the colon", message("503:"), []span{{"2026.3.31", newest, ""}}},
	{"no blank behind error:", message("error:410 x"), []span{{"2026.4.29", newest, failure.Timeout}}},
	{"error: twice", message("error: error: 410 x"), []span{{"2026.4.29", newest, ""}}},
	{"out of range", message("700 certificate has expired"), []span{
		{oldest, "2026.7.1", failure.Auth}, {"2026.8.2", newest, failure.TLSCertificate},
	}},
	{"a fraction is a status", failure.Signal{Message: "410 x", Status: fraction(429.5)}, []span{{"2026.4.29", "2026.8.2", ""}}},

	// Web pages.
	{"page behind error:", message("error: 501 <html>x</html>"), []span{
		{"2026.4.29", "2026.8.2", failure.Timeout}, {newest, newest, failure.ServerError},
	}},
	{"page and its own status", status(501, "403 <html>x</html>"), []span{
		{"2026.4.29", "2026.8.2", failure.Timeout}, {newest, newest, failure.ServerError},
	}},
	{"page that is overloaded", message("503 <html>overloaded</html>"), []span{{newest, newest, failure.ServerError}}},
	{"page without an end", status(501, "<html>"), []span{{"2026.4.29", "2026.8.2", ""}, {newest, newest, failure.ServerError}}},

	// A code beside an overflow: it wins unless there is a status.
	{"overflow and code", failure.Signal{Message: "prompt is too long", Code: "RATE_LIMITED"}, []span{
		{"2026.4.9", newest, failure.RateLimit},
	}},
	{"overflow, code and a status without a rule", failure.Signal{Message: "418 prompt is too long", Code: "RATE_LIMITED"}, []span{
		{"2026.4.29", "2026.8.2", failure.RateLimit}, {newest, newest, failure.ContextOverflow},
	}},
	{"overflow in the details and a code", failure.Signal{Message: "x", Code: "RATE_LIMITED", Details: []string{"prompt is too long"}}, []span{
		{"2026.6.11", newest, failure.RateLimit},
	}},
	{"a code that means a bad request", failure.Signal{Message: "overloaded", Code: "unknown_parameter"}, []span{
		{"2026.4.9", "2026.8.2", failure.Overloaded}, {newest, newest, failure.Format},
	}},

	// Types.
	{"type with blanks and capitals", failure.Signal{Message: "x", Type: " SERVER_error "}, []span{
		{oldest, "2026.6.11", ""}, {"2026.7.1", newest, failure.ServerError},
	}},
	{"type in the JSON before the signal's", failure.Signal{
		Message: `{"error": {"type": "upstream_error", "message": "m"}}`, Type: "overloaded_error",
	}, []span{{"2026.7.1", newest, failure.ServerError}}},
	{"a prefix that SDKs write", message(`my-sdk api error 505: {"error": {"type": "upstream_error"}}`), []span{
		{"2026.7.1", newest, failure.ServerError},
	}},
	{"a prefix of two words", message(`my own api error 505: {"error": {"type": "upstream_error"}}`), []span{{"2026.7.1", newest, ""}}},
	{"the last attempt", message(`{"error": {"message": "x", "type": "upstream_error", "attempts": [{"details": {"error": {"message": "z"}}}]}}`), []span{
		{"2026.7.1", "2026.8.2", failure.ServerError}, {newest, newest, ""},
	}},

	// Certificates: only where no status shows that the connection stood.
	{"certificate behind a status", message("500 certificate has expired"), []span{{newest, newest, failure.ServerError}}},
	{"certificate", message("certificate has expired"), []span{
		{oldest, "2026.7.1", failure.Auth}, {"2026.8.2", newest, failure.TLSCertificate},
	}},

	// Plugins.
	{"Anthropic's code beside a type", failure.Signal{Message: "x", Type: "foo", Code: "api_error", Provider: "anthropic"}, []span{
		{"2026.8.2", newest, failure.ServerError},
	}},
	{"Ollama's text as it is", from("ollama", " Ollama API stream ended without a final response"), []span{
		{oldest, "2026.7.1", ""}, {"2026.8.2", newest, failure.ServerError},
	}},
	{"Ollama's text in small letters", from("ollama", "ollama api stream ended without a final response"), []span{{oldest, newest, ""}}},
	{"xAI behind a status in the text", from("xai", "200 internal error during token generation"), []span{
		{oldest, "2026.8.2", ""}, {newest, newest, failure.ServerError},
	}},
	{"xAI with a code", failure.Signal{Message: "internal error during token generation", Code: "zz", Provider: "xai"}, []span{{oldest, newest, ""}}},
	{"a plugin isn't asked about what is known", from("xai", "overloaded, purchase more credits"), []span{
		{"2026.3.13", newest, failure.Overloaded},
	}},
	{"a plugin is asked when there is a status", failure.Signal{
		Message: "overloaded, purchase more credits", Status: failure.HTTPStatus(418), Provider: "xai",
	}, []span{{"2026.8.2", newest, failure.Billing}}},

	// Characters.
	{"a dotted capital I", message("TİMEOUT"), []span{{oldest, newest, ""}}},
	{"a Kelvin sign", message("invalid to\u212aen"), []span{{oldest, newest, failure.Auth}}},
	{"a line separator ends the dot", message("workers_ai x\u2028 quota limit exceeded"), []span{{"2026.4.9", newest, ""}}},
	{"402 records", message("we got 402 records"), []span{{"2026.3.13", newest, failure.Billing}}},
	{"an answer about billing", message("## a b\n## c d\npayment required"), []span{
		{oldest, "2026.7.1", failure.Billing}, {"2026.8.2", newest, ""},
	}},
}

func fraction(n float64) *float64 { return &n }

func TestAsked(t *testing.T) {
	for _, c := range askedCases {
		t.Run(c.name, func(t *testing.T) {
			for _, s := range c.spans {
				s.holds(t, c.signal)
			}
		})
	}
}
