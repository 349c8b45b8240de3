package chain_test

import (
	"errors"
	"testing"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
)

// TestSimulateImage runs image models: each once, a single one with its own
// error, several with a summary, and an abort that ends the run.
func TestSimulateImage(t *testing.T) {
	const two = `{agents: {defaults: {imageModel: {primary: "i/pic", fallbacks: ["j/pic"]}}}}`
	for _, test := range []struct{ name, config, fail, winner, err string }{
		{"first", two, "z/none=timeout", "i/pic", ""},
		{"second", two, "i/*=timeout", "j/pic", ""},
		{"none", two, "*=text:no pixels", "", "All image models failed (2): i/pic: no pixels | j/pic: no pixels"},
		{"single", `{agents: {defaults: {imageModel: "i/pic"}}}`, "*=text:no pixels", "", "no pixels"},
		{"abort", two, "i/*=abort", "", "This operation was aborted"},
	} {
		pattern, err := chain.ParsePattern(test.fail)
		if err != nil {
			t.Fatal(err)
		}
		result, err := models(t, "2026.5.12", test.config).SimulateImage("", []chain.Pattern{pattern})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		winner, message := "", ""
		if result.Winner != nil {
			winner = result.Winner.Ref.String()
		}
		if result.Err != nil {
			message = result.Err.Message
		}
		if winner != test.winner || message != test.err {
			t.Errorf("%s: %q, %q, want %q, %q", test.name, winner, message, test.winner, test.err)
		}
	}
	if _, err := models(t, "2026.5.12", `{}`).SimulateImage("", nil); !errors.Is(err, chain.ErrNoImageModel) {
		t.Errorf("no image model: %v", err)
	}
}

// TestRetriesOfSettings bounds what the agent's settings ask for: rate limits
// by ten requests, other errors by the time.
func TestRetriesOfSettings(t *testing.T) {
	for _, test := range []struct {
		line     string
		setting  int
		reason   auth.Reason
		requests int
		seconds  int
	}{
		{"2026.9.6", 0, "rate_limit", 1, 0},
		{"2026.9.6", -3, "rate_limit", 1, 0},
		{"2026.9.6", 3, "rate_limit", 4, 7},
		{"2026.9.6", 50, "rate_limit", 10, 135},
		{"2026.9.6", 2, "overloaded", 3, 3},
		{"2026.9.6", 50, "timeout", 51, 90},
		{"2026.9.6", 5, "auth", 0, 0},
		{"2026.5.12", 0, "rate_limit", 4, 14}, // the setting is not read
		{"2026.5.12", 0, "timeout", 0, 0},
	} {
		rules, err := auth.RulesFor(test.line)
		if err != nil {
			t.Fatal(err)
		}
		models := chain.Models{Rules: rules, ProviderRetries: &test.setting}
		if got := models.Retries(test.reason); got.Requests != test.requests || got.Seconds != test.seconds {
			t.Errorf("%s, %d, %s: %+v, want %d requests over %d s", test.line, test.setting, test.reason, got, test.requests, test.seconds)
		}
	}
}
