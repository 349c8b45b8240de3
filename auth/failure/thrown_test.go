package failure_test

import (
	"testing"

	"openclaw-auth/auth/failure"
)

type properties = map[string]any

func thrown(value any) failure.Signal { return failure.Signal{Thrown: value} }

// TestThrown has what the loop makes of thrown values where lines differ.
// Witness: the recorded vectors, and for what they leave open the real
// programs of these lines.
func TestThrown(t *testing.T) {
	noBody := properties{"message": "no body"}
	for _, test := range []struct {
		name  string
		value any
		spans []span
	}{
		{"status as text", properties{"message": "x", "status": "429"}, []span{{"2026.3.31", newest, failure.RateLimit}}},
		{"status as text with blanks", properties{"message": "x", "status": " 429 "}, []span{
			{"2026.3.31", "2026.5.12", ""}, {"2026.5.28", newest, failure.RateLimit},
		}},
		{"statusCode", properties{"message": "x", "statusCode": 429.0}, []span{{oldest, newest, failure.RateLimit}}},
		{"a status that is null gives way", properties{"message": "x", "status": nil, "statusCode": 408.0}, []span{{oldest, newest, failure.Timeout}}},
		{"a status that is a truth does not", properties{"message": "x", "status": true, "statusCode": 408.0}, []span{{oldest, newest, ""}}},
		{"zero is a status", properties{"message": "410 x", "status": 0.0}, []span{{"2026.4.29", "2026.8.2", ""}}},
		{"a word as status is a code", properties{"message": "x", "status": "RESOURCE_EXHAUSTED"}, []span{
			{oldest, "2026.3.13", ""}, {"2026.3.31", newest, failure.RateLimit},
		}},
		{"detail.code", properties{"message": "x", "detail": properties{"code": "etimedout"}}, []span{
			{oldest, "2026.5.12", ""}, {"2026.5.28", newest, failure.Timeout},
		}},
		{"cause", properties{"message": "x", "cause": properties{"message": "payment required"}}, []span{
			{oldest, "2026.3.13", ""}, {"2026.3.31", newest, failure.Billing},
		}},
		{"error", properties{"message": "x", "error": properties{"message": "payment required"}}, []span{
			{oldest, "2026.4.9", ""}, {"2026.4.29", newest, failure.Billing},
		}},
		{"body", properties{"message": "x", "body": `{"error":{"message":"payment required"}}`}, []span{
			{oldest, "2026.5.28", ""}, {"2026.6.11", newest, failure.Billing},
		}},
		{"symbolic type", properties{"message": "x", "type": "UPSTREAM_ERROR"}, []span{
			{oldest, "2026.6.11", ""}, {"2026.7.1", newest, failure.ServerError},
		}},
		{"type in small letters", properties{"message": "x", "type": "upstream_error"}, []span{{oldest, newest, ""}}},
		{"an inner empty body", properties{"message": "bad", "status": 400.0, "cause": noBody}, []span{
			{"2026.3.13", "2026.4.9", failure.Format}, {"2026.4.29", newest, ""},
		}},
		{"an inner empty body behind a wrapper", properties{"message": "bad", "status": 400.0, "cause": properties{"message": "x", "cause": noBody}}, []span{
			{"2026.4.29", newest, ""},
		}},
		{"an inner status", properties{"message": "bad", "status": 400.0, "cause": properties{"message": "x", "status": 200.0, "cause": noBody}}, []span{
			{"2026.4.29", newest, failure.Format},
		}},
		{"OpenClaw's own error", properties{"name": "FailoverError", "message": "x", "reason": "billing"}, []span{
			{oldest, "2026.3.31", ""}, {"2026.4.9", newest, failure.Billing},
		}},
		{"a lock", properties{"message": "overloaded", "cause": properties{"code": "OPENCLAW_SESSION_WRITE_LOCK_TIMEOUT"}}, []span{
			{"2026.3.13", "2026.4.9", failure.Overloaded}, {"2026.4.29", "2026.7.1", ""}, {"2026.8.2", newest, failure.Overloaded},
		}},
		{"a text", "payment required", []span{{oldest, newest, failure.Billing}}},
		{"a number", 410.0, []span{{oldest, "2026.3.13", ""}, {"2026.4.29", newest, failure.Timeout}}},
		{"a list", []any{"payment required"}, []span{{oldest, newest, ""}}},
		{"an abort by the provider", properties{"name": "AbortError", "message": "request was aborted"}, []span{{oldest, newest, failure.Timeout}}},
		{"an abort by a deadline", properties{"name": "AbortError", "message": "x", "reason": "timed out"}, []span{{oldest, newest, failure.Timeout}}},
		{"an abort by the user", properties{"name": "AbortError", "message": "user stop"}, []span{{oldest, newest, ""}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, s := range test.spans {
				s.holds(t, thrown(test.value))
			}
		})
	}
}

// TestNoProfile has the code of a missing credential on 2026.9.6: it hides a
// status, and so does the FailoverError made of it.
func TestNoProfile(t *testing.T) {
	rules := failure.RulesFor("2026.9.6")
	value := properties{"message": "x", "code": "selected_auth_profile_unavailable", "status": 500.0}
	verdict := failure.Classify(thrown(value), rules)
	if verdict.Reason != failure.Auth || verdict.Coerced.Status != nil {
		t.Errorf("got %+v with %+v", verdict, verdict.Coerced)
	}
	value["message"] = "429 slow down"
	if verdict = failure.Classify(thrown(value), rules); verdict.Reason != failure.RateLimit || verdict.Coerced.Status != nil {
		t.Errorf("got %+v with %+v", verdict, verdict.Coerced)
	}
}

// TestCoerced has the parts of a FailoverError.
func TestCoerced(t *testing.T) {
	signal := failure.Signal{
		Message: "payment required", Code: "c", Provider: "acme",
		Context: failure.Context{Provider: "other", SessionID: "s"},
	}
	for line, suspend := range map[string]any{"2026.4.29": nil, "2026.5.12": true, "2026.9.6": true} {
		c := failure.Classify(signal, failure.RulesFor(line)).Coerced
		if c == nil || c.Reason != failure.Billing || *c.Status != 402 || c.Code != "c" || c.Provider != "other" {
			t.Fatalf("%s: %+v", line, c)
		}
		if (c.Suspend != nil) != (suspend != nil) || c.Suspend != nil && *c.Suspend != suspend {
			t.Errorf("%s: suspend %v, want %v", line, c.Suspend, suspend)
		}
	}
}

// TestBody gives a decoded body with a signal.
func TestBody(t *testing.T) {
	signal := failure.Signal{Message: "x", Body: properties{"error": properties{"message": "payment required"}}}
	span{oldest, "2026.5.28", ""}.holds(t, signal)
	span{"2026.6.11", newest, failure.Billing}.holds(t, signal)
	signal.Body = `{"detail":"payment required"}`
	span{"2026.6.11", newest, failure.Billing}.holds(t, signal)
}
