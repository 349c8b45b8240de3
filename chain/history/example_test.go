package history_test

import (
	"fmt"
	"strings"

	"openclaw-auth/chain/history"
)

// Two lines of a gateway's log: a rate limited attempt, and the model that the
// run fell back to.
func ExampleTell() {
	const log = `{"0":"{\"subsystem\":\"model-fallback\"}","1":{"event":"model_fallback_decision","runId":"r1","decision":"candidate_failed","requestedProvider":"anthropic","requestedModel":"claude-opus-4-6","candidateProvider":"anthropic","candidateModel":"claude-opus-4-6","attempt":1,"total":2,"reason":"rate_limit","nextCandidateProvider":"openai","nextCandidateModel":"gpt-5.4"},"time":"2026-05-28T10:00:00.000Z"}
{"0":"{\"subsystem\":\"model-fallback\"}","1":{"event":"model_fallback_decision","runId":"r1","decision":"candidate_succeeded","requestedProvider":"anthropic","requestedModel":"claude-opus-4-6","candidateProvider":"openai","candidateModel":"gpt-5.4","attempt":2,"total":2},"time":"2026-05-28T10:00:02.000Z"}
`
	source := &history.Source{Kind: history.SourceLog, Path: "openclaw.log"}
	lines := history.Stream{Read: func(yield func(*history.Event) bool) error {
		return history.ReadLog(strings.NewReader(log), source, history.LogOptions{}, yield)
	}}
	story := history.NewStory(history.Options{}, func(run *history.Run) {
		fmt.Println("run", run.ID, "asked for", run.Requested, "and was answered by", run.Winner)
		for _, step := range run.Steps {
			fmt.Println(step.Kind, step.Ref, step.Reason)
		}
	})
	for _, err := range history.Tell(story, nil, nil, []history.Stream{lines}) {
		fmt.Println(err)
	}
	// Output:
	// run r1 asked for anthropic/claude-opus-4-6 and was answered by openai/gpt-5.4
	// attempt-failed anthropic/claude-opus-4-6 rate_limit
	// fallback anthropic/claude-opus-4-6 rate_limit
	// answered openai/gpt-5.4
}
