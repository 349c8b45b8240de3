package failure_test

import (
	"testing"

	"openclaw-auth/auth/failure"
	"openclaw-auth/auth/release"
)

// span is a range of release lines with one answer.
type span struct {
	first, last string
	want        failure.Reason
}

// holds checks that an error has the span's reason on every line of it.
func (s span) holds(t *testing.T, signal failure.Signal) {
	t.Helper()
	inside := false
	for _, line := range release.Names() {
		inside = inside || line == s.first
		if !inside {
			continue
		}
		verdict := failure.Classify(signal, failure.RulesFor(line))
		if got := verdict.Headline(); got != s.want {
			t.Errorf("%s: %+v is %q, want %q (rule %v)", line, signal, got, s.want, verdict.Match)
		}
		inside = line != s.last
	}
}

const (
	oldest = "2026.1.30"
	newest = "2026.9.6"
)

// seedCase is what OpenClaw's documentation says of an error, with the lines
// on which the program does so. Where a page and its own release differ the
// program is right, and the case says what the program does.
type seedCase struct {
	name   string
	signal failure.Signal
	spans  []span
}

func message(text string) failure.Signal { return failure.Signal{Message: text} }

func from(provider, text string) failure.Signal {
	return failure.Signal{Message: text, Provider: provider}
}

func status(code int, text string) failure.Signal {
	return failure.Signal{Message: text, Status: failure.HTTPStatus(code)}
}

var seedCases = []seedCase{
	// S28: what is a rate limit.
	{"S28/429", status(429, "slow down"), []span{{oldest, newest, failure.RateLimit}}},
	{"S28/too many concurrent requests", message("Too many concurrent requests"), []span{
		{oldest, "2026.3.31", ""}, {"2026.4.9", newest, failure.RateLimit},
	}},
	{"S28/ThrottlingException", message("ThrottlingException: wait"), []span{
		{oldest, "2026.3.31", ""}, {"2026.4.9", newest, failure.RateLimit},
	}},
	{"S28/concurrency limit reached", message("concurrency limit reached"), []span{
		{oldest, "2026.3.31", ""}, {"2026.4.9", newest, failure.RateLimit},
	}},
	{"S28/workers_ai", message("workers_ai: quota limit exceeded"), []span{
		{oldest, "2026.3.31", ""}, {"2026.4.9", newest, failure.RateLimit},
	}},
	{"S28/resource exhausted", message("resource exhausted"), []span{ // the documentation has it among the rate limits throughout
		{oldest, "2026.7.1", ""}, {"2026.8.1", newest, failure.RateLimit},
	}},
	{"S28/resource has been exhausted", message("resource has been exhausted"), []span{
		{oldest, "2026.7.1", failure.RateLimit}, {"2026.8.1", newest, ""},
	}},
	{"S28/weekly limit", message("weekly limit reached"), []span{
		{oldest, "2026.2.26", ""}, {"2026.3.13", newest, failure.RateLimit},
	}},

	// S31: a finish or stop reason "error".
	{"S31/stop reason error", message("Unhandled stop reason: error"), []span{
		{oldest, "2026.2.26", ""}, {"2026.3.13", "2026.7.1", failure.Timeout}, {"2026.8.2", newest, failure.ServerError},
	}},
	{"S31/finish_reason error", message("finish_reason: error"), []span{
		{oldest, "2026.4.9", ""}, {"2026.4.29", "2026.7.1", failure.Timeout}, {"2026.8.2", newest, failure.ServerError},
	}},
	{"S31/stop reason network_error", message("Unhandled stop reason: network_error"), []span{
		{"2026.3.13", newest, failure.Timeout},
	}},

	// S32: failures that tell nothing.
	{"S32/unknown error", message("An unknown error occurred"), []span{
		{oldest, "2026.4.9", ""}, {"2026.4.29", newest, failure.Timeout},
	}},
	{"S32/unknown error of Anthropic", from("anthropic", "An unknown error occurred"), []span{
		{oldest, "2026.3.31", ""}, {"2026.4.9", newest, failure.Timeout},
	}},
	{"S32/api_error", message(`{"type":"error","error":{"type":"api_error","message":"Internal server error"}}`), []span{
		{"2026.2.26", newest, failure.Timeout},
	}},
	{"S32/api_error, transient text", message(`{"type":"error","error":{"type":"api_error","message":"upstream error"}}`), []span{
		{oldest, "2026.3.13", ""}, {"2026.3.31", newest, failure.Timeout},
	}},
	{"S32/api_error about credit", message(`{"type":"error","error":{"type":"api_error","message":"credit balance, unknown error"}}`), []span{
		{oldest, oldest, failure.Billing}, {"2026.3.31", newest, failure.Billing},
	}},

	// S33: OpenRouter's wrapper, and OpenClaw's own.
	{"S33/OpenRouter", from("openrouter", "Provider returned error"), []span{
		{oldest, "2026.3.31", ""}, {"2026.4.9", newest, failure.Timeout},
	}},
	{"S33/another provider", from("acme", "Provider returned error"), []span{{oldest, newest, ""}}},
	{"S33/own wrapper", message("LLM request failed with an unknown error."), []span{{oldest, newest, ""}}},

	// S40: billing under another status.
	{"S40/403 billing", status(403, "insufficient credits"), []span{
		{oldest, "2026.3.31", failure.Auth}, {"2026.4.9", newest, failure.Billing},
	}},
	{"S40/401 billing", status(401, "Your credit balance is too low"), []span{
		{oldest, "2026.3.31", failure.Auth}, {"2026.4.9", newest, failure.Billing},
	}},
	{"S40/OpenRouter key limit", from("openrouter", "403 Key limit exceeded"), []span{
		{oldest, "2026.3.31", failure.Auth}, {"2026.4.9", newest, failure.Billing},
	}},
	{"S40/key limit elsewhere", from("acme", "403 Key limit exceeded"), []span{{oldest, newest, failure.Auth}}},

	// S41: a 402 that passes.
	{"S41/usage window", status(402, "daily usage limit reached, try again later"), []span{
		{oldest, "2026.2.26", failure.Billing}, {"2026.3.13", newest, failure.RateLimit},
	}},
	{"S41/organization spend limit", status(402, "organization spend limit exceeded"), []span{
		{"2026.3.13", newest, failure.RateLimit},
	}},
	{"S41/workspace spending limit", status(402, "workspace spending limit exhausted for this billing period"), []span{
		{"2026.3.13", newest, failure.RateLimit},
	}},
	{"S41/plan upgrade", status(402, "limit reached, upgrade your plan"), []span{{oldest, newest, failure.Billing}}},
	{"S41/bare", status(402, ""), []span{{oldest, newest, failure.Billing}}},

	// S45: the label of an answer without details.
	{"S45/no_error_details", message("Unknown error (no error details in response)"), []span{
		{oldest, "2026.4.9", ""}, {"2026.4.29", newest, failure.NoErrorDetails},
	}},

	// S46: Bedrock's model that isn't ready.
	{"S46/ModelNotReadyException", message("ModelNotReadyException: try later"), []span{
		{oldest, "2026.3.31", ""}, {"2026.4.9", newest, failure.Overloaded},
	}},
}

func TestSeeds(t *testing.T) {
	for _, c := range seedCases {
		t.Run(c.name, func(t *testing.T) {
			for _, s := range c.spans {
				s.holds(t, c.signal)
			}
		})
	}
}

// S29 and S30: a malformed request cools the credential down and rotates up to
// 2026.4.29; from 2026.5.12 on it is final for a finished answer.
func TestS29S30Format(t *testing.T) {
	signal := status(400, "tool_use_id is missing")
	for _, line := range release.Names() {
		rules := failure.RulesFor(line)
		if line == oldest {
			signal = message("tool_use_id is missing") // 400 has no rule yet
		}
		verdict := failure.Classify(signal, rules)
		got := rules.Follows(signal, &verdict)
		want := failure.Consequence{Mark: failure.MarkNever, Rotate: failure.RotateNo, Next: failure.NextThrown}
		if early(line) {
			want = failure.Consequence{
				Mark: failure.MarkAlways, Lane: failure.LaneCooldown, Rotate: failure.RotateYes, Next: failure.NextModel,
			}
		}
		if verdict.Reason != failure.Format || got != want {
			t.Errorf("%s: %q leads to %+v, want %+v", line, verdict.Reason, got, want)
		}
	}
}

// early tells the lines before 2026.5.12.
func early(line string) bool {
	for _, name := range release.Names() {
		if name == "2026.5.12" {
			return false
		}
		if name == line {
			return true
		}
	}
	return false
}

// S34: the wait that a provider asks for changes no reason and no window on
// any line: it only shapes the retries within one request.
func TestS34RetryAfter(t *testing.T) {
	for _, text := range []string{"slow down", "slow down, retry-after: 3600", "slow down. Try again in 7 days."} {
		span{oldest, newest, failure.RateLimit}.holds(t, status(429, text))
	}
}

// S53: what ends the run whatever its reason: an abort, and a text that seems
// to be an overflow.
func TestS53EndsRun(t *testing.T) {
	abort := failure.Signal{Thrown: map[string]any{"name": "AbortError", "message": "user stop"}}
	overflow := message("prompt is too long: 210000 tokens > 200000 maximum")
	for _, test := range []struct {
		name   string
		signal failure.Signal
		ends   map[string]bool
	}{
		{"abort", abort, map[string]bool{
			"2026.1.30": true, "2026.3.13": true, "2026.5.12": true, "2026.6.11": true, "2026.7.1": false, "2026.9.6": false,
		}},
		{"overflow", overflow, map[string]bool{
			"2026.1.30": true, "2026.2.26": true, "2026.5.12": true, "2026.9.6": true,
		}},
		{"overloaded", message("overloaded"), map[string]bool{"2026.1.30": false, "2026.9.6": false}},
	} {
		for line, want := range test.ends {
			rules := failure.RulesFor(line)
			verdict := failure.Classify(test.signal, rules)
			if got := rules.Follows(test.signal, &verdict).Next == failure.NextNone; got != want {
				t.Errorf("%s: %s ends the run: %v, want %v", line, test.name, got, want)
			}
		}
	}
}
