package failure_test

import (
	"fmt"
	"strings"
	"testing"

	"openclaw-auth/auth/failure"
)

// logLines are error texts as gateway logs have them, cut or filled to 300
// bytes.
var logLines = []string{
	`2026-09-06T02:14:07.113Z warn agents/failover embedded run agent end: runId=4f1c isError=true model=claude-opus-4-6 provider=anthropic error=HTTP 429 rate_limit_error: This request would exceed your account's rate limit. Please try again later. (request_id: req_011CSHoEeqs5C35K2UUqR7Fy)`,
	`2026-09-06T02:14:09.530Z error diagnostic lane task error: lane=session:agent:main:main durationMs=18211 error="Error: 400 {\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"messages.3.content.1: unexpected tool block\"},\"request_id\":\"req_011CSHoEeqs5C35\"}"`,
	`2026-09-06T02:15:11.002Z warn model-fallback model_fallback_decision candidate=openai/gpt-5.2 attempt=2 total=4 next=google/gemini-3-pro reason=timeout detail=fetch failed: connect ETIMEDOUT 162.159.140.245:443 while the agent main was answering on telegram`,
	`2026-09-06T02:15:40.871Z info gateway/ws webchat connected conn=7b2d9c remote=127.0.0.1 client=openclaw-control-ui webchat v2026.9.6; the last run ended with nothing but a closed socket, and the operator looked at the page for four minutes before the answer of the model was there`,
	`2026-09-06T02:16:02.145Z error agents/auth billing disabled profile anthropic:default until 2026-09-06T07:16:02.145Z: Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits, then run openclaw models status again to see it`,
	`2026-09-06T02:16:30.004Z warn agents/run 503 Service Unavailable from https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:streamGenerateContent: The model is overloaded. Please try again later. status=UNAVAILABLE code=503 provider=google attempt=1 of 3, waiting a bit`,
	`2026-09-06T02:17:05.611Z error agents/run context window exceeded: prompt is too long: 213462 tokens > 200000 maximum for claude-opus-4-6; compaction was tried once and did not bring the transcript under the limit, so the run ends here and the user is told to start a new session`,
	`2026-09-06T02:17:44.090Z debug plugins/loader loaded 41 plugins in 312 ms: anthropic, browser, canvas, device-pair, discord, elevenlabs, exa, github-copilot, google, groq, imessage, lobster, matrix, memory-core, mistral, ollama, openai, openrouter, signal, slack, telegram, tts, xai, zalo`,
}

func ofLength(text string, n int) string {
	return (text + strings.Repeat(" .", n))[:n]
}

// BenchmarkClassifyLines measures lines a second on typical log lines.
func BenchmarkClassifyLines(b *testing.B) {
	var lines []string
	for _, line := range logLines {
		lines = append(lines, ofLength(line, 300))
	}
	for _, release := range []string{"2026.3.13", "2026.5.12", "2026.9.6"} {
		b.Run(release, func(b *testing.B) {
			rules := failure.RulesFor(release)
			failure.Classify(failure.Signal{Message: lines[0]}, rules)
			b.SetBytes(300)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				failure.Classify(failure.Signal{Message: lines[i%len(lines)]}, rules)
				i++
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lines/s")
		})
	}
}

// halves has what many patterns require, in an order in which none matches: the
// costliest sort of text, since the expressions run over all of it.
const halves = "limit rate\nfound not models/\n402 status code http error\nlimit spend\nrequires credits\nbalance insufficient\n" +
	"workspace deactivated\nlong input prompt\nexceeds token maximum\ncontext size\nreason: stream ended\nrequest id\n"

// BenchmarkClassifySize shows that time grows with the length of a text and no
// faster: on prose, on what the patterns look for, on a JSON body and on the
// costliest text.
func BenchmarkClassifySize(b *testing.B) {
	rules := failure.RulesFor("2026.9.6")
	for _, kind := range []struct {
		name string
		text func(n int) string
	}{
		{"prose", func(n int) string { return repeated("the quick brown fox went over the lazy dog once more. ", n) }},
		{"keywords", func(n int) string { return repeated(strings.Join(logLines, " "), n) }},
		{"halves", func(n int) string { return repeated(halves, n) }},
		{"json", func(n int) string {
			return `{"error":{"type":"nothing","message":"` + repeated("abc def ", n-50) + `"}}`
		}},
	} {
		for _, size := range []int{1 << 10, 100 << 10, 10 << 20} {
			text := kind.text(size)
			b.Run(fmt.Sprintf("%s/%dKB", kind.name, size>>10), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					failure.Classify(failure.Signal{Message: text}, rules)
				}
			})
		}
	}
}

func repeated(s string, n int) string { return strings.Repeat(s, n/len(s)+1)[:n] }
