package failure_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"openclaw-auth/auth/failure"
	"openclaw-auth/auth/release"
)

// FuzzClassify puts anything at all to every line. No input may panic, the
// answer must be one that the line can give, and it must be the same twice.
func FuzzClassify(f *testing.F) {
	for _, line := range logLines {
		f.Add(line, 429.0, true, "ETIMEDOUT", "overloaded_error", "openai", `{"message":"x"}`)
	}
	f.Add("402 monthly usage limit", 402.0, true, "", "", "openrouter", `"text"`)
	f.Add(`503: {"error":{"message":"m","attempts":[{"details":{"error":{"code":"c"}}}]}}`, 0.0, false, "", "", "xai", `null`)
	f.Add("error: 501 <html>x</html>", 0.5, true, " ", " ", " ", `{"cause":{"cause":{"message":"no body","status":"400"}},"status":400}`)
	f.Add("got 402\u00a0records TİMEOUT \U0001F600", -1.0, true, "c", "t", "claude-cli", `{"name":"AbortError","reason":{"name":"TimeoutError"}}`)
	f.Add("tpm limit 1,000 requested 2,000", 600.0, true, "unknown_parameter", "server_error", "ollama", `{"body":"{\"error\":{\"message\":\"x\"}}","detail":{"code":1,"type":"A"}}`)
	f.Fuzz(func(t *testing.T, text string, number float64, given bool, code, typ, provider, value string) {
		if !utf8.ValidString(text) {
			text = string([]rune(text))
		}
		signal := failure.Signal{Message: text, Code: code, Type: typ, Provider: provider, Details: []string{text, value}}
		if given {
			signal.Status = &number
		}
		for _, line := range release.Names() {
			rules := failure.RulesFor(line)
			checkVerdict(t, signal, rules)
			var decoded any
			if json.Unmarshal([]byte(value), &decoded) == nil {
				other := signal
				other.Thrown, other.Body = decoded, decoded
				checkVerdict(t, other, rules)
			}
		}
	})
}

func checkVerdict(t *testing.T, signal failure.Signal, rules *failure.Rules) {
	verdict := failure.Classify(signal, rules)
	if again := failure.Classify(signal, rules); again.Reason != verdict.Reason || again.Raw != verdict.Raw || again.Hooked != verdict.Hooked {
		t.Fatalf("%s: %q, then %q", rules.ReleaseLine, verdict.Reason, again.Reason)
	}
	if (verdict.Kind == failure.KindNone) != (verdict.Reason == failure.NoReason) {
		t.Fatalf("%s: kind %q with reason %q", rules.ReleaseLine, verdict.Kind, verdict.Reason)
	}
	if verdict.Reason != failure.NoReason && verdict.Match.Group == "" {
		t.Fatalf("%s: %q by no rule", rules.ReleaseLine, verdict.Reason)
	}
	if c := verdict.Coerced; c != nil && c.Reason == failure.NoReason {
		t.Fatalf("%s: coerced without a reason", rules.ReleaseLine)
	}
	if verdict.Overflow && !rules.OverflowIsReason && verdict.Raw == failure.ContextOverflow {
		t.Fatalf("%s: an overflow became a reason", rules.ReleaseLine)
	}
	rules.Follows(signal, &verdict)
}
