package failure_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"openclaw-auth/auth/failure"
	"openclaw-auth/auth/release"
)

// FuzzClassify asks one release about anything at all. No input may panic, the
// answer must be one that the release can give, and it must be the same twice.
// An execution asks a single release, chosen by the input, so that the fuzzer
// gets through many inputs a second.
func FuzzClassify(f *testing.F) {
	names := release.Names()
	for i, line := range logLines {
		f.Add(uint8(i*7), line, 429.0, true, "ETIMEDOUT", "overloaded_error", "openai", `{"message":"x"}`)
	}
	f.Add(uint8(len(names)-1), "402 monthly usage limit", 402.0, true, "", "", "openrouter", `"text"`)
	f.Add(uint8(40), `503: {"error":{"message":"m","attempts":[{"details":{"error":{"code":"c"}}}]}}`, 0.0, false, "", "", "xai", `null`)
	f.Add(uint8(0), "error: 501 <html>x</html>", 0.5, true, " ", " ", " ", `{"cause":{"cause":{"message":"no body","status":"400"}},"status":400}`)
	f.Add(uint8(20), "got 402\u00a0records TİMEOUT \U0001F600", -1.0, true, "c", "t", "claude-cli", `{"name":"AbortError","reason":{"name":"TimeoutError"}}`)
	f.Add(uint8(60), "tpm limit 1,000 requested 2,000", 600.0, true, "unknown_parameter", "server_error", "ollama", `{"body":"{\"error\":{\"message\":\"x\"}}","detail":{"code":1,"type":"A"}}`)
	f.Fuzz(func(t *testing.T, pick uint8, text string, number float64, given bool, code, typ, provider, value string) {
		if !utf8.ValidString(text) {
			text = string([]rune(text))
		}
		signal := failure.Signal{Message: text, Code: code, Type: typ, Provider: provider, Details: []string{text, value}}
		if given {
			signal.Status = &number
		}
		rules := failure.RulesFor(names[int(pick)%len(names)])
		checkVerdict(t, signal, rules)
		var decoded any
		if json.Unmarshal([]byte(value), &decoded) == nil {
			signal.Thrown, signal.Body = decoded, decoded
			checkVerdict(t, signal, rules)
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
