package history

import (
	"strings"
	"testing"
)

// logLine is a line of the file log of 2026.7.1 at a second of 2026-11-30 21:11.
func logLine(second, subsystem, first string) string {
	return `{"0":"{\"subsystem\":\"` + subsystem + `\"}","1":` + first + `,"2":"text","_meta":{"date":"2026-11-30T21:11:` + second + `.000Z","logLevelName":"WARN"},"time":"2026-11-30T21:11:` + second + `.000+00:00"}` + "\n"
}

const failedDecision = `{"event":"model_fallback_decision","runId":"r","decision":"candidate_failed","requestedProvider":"alpha","requestedModel":"a1","candidateProvider":"alpha","candidateModel":"a1","nextCandidateProvider":"beta","nextCandidateModel":"b1","attempt":1,"total":2,"reason":"format","status":503}`

func stepOf(runs []*Run, kind StepKind) *Step {
	for _, run := range runs {
		for i := range run.Steps {
			if run.Steps[i].Kind == kind {
				return &run.Steps[i]
			}
		}
	}
	return nil
}

// candidate_failed alone does not say that a request was sent: without a call of
// the model none was, and with an HTTP answer of it one was, as when a model
// answers with nothing (a real run of 2026.7.1 whose provider gave an empty answer).
func TestCandidateFailedWithoutACall(t *testing.T) {
	fetched := logLine("04", "provider-transport-fetch", `"[model-fetch] response provider=alpha api=openai-completions model=a1 status=200 elapsedMs=404"`)
	begin := logLine("03", "agent/embedded", `"embedded run start: runId=r sessionId=s provider=alpha model=a1 thinking=off"`)
	decision := logLine("05", "model-fallback/decision", failedDecision)
	runs := tell(t, Options{}, nil, []byte(begin+decision)).runs
	if step := stepOf(runs, StepNotSent); step == nil || stepOf(runs, StepAttemptFailed) != nil || step.Why != WhyNoRequest {
		t.Errorf("without a call: %s", dump(runs[0]))
	}
	runs = tell(t, Options{}, nil, []byte(begin+fetched+decision)).runs
	if step := stepOf(runs, StepAttemptFailed); step == nil || stepOf(runs, StepNotSent) != nil || step.Reason != "format" {
		t.Errorf("with an answer: %s", dump(runs[0]))
	}
	// Its profiles were cooling: the window of an earlier failure says so.
	window := logLine("01", "agent/embedded", `{"event":"auth_profile_failure_state_updated","runId":"q","profileId":"sha256:aaaaaaaaaaaa","provider":"alpha","reason":"rate_limit","windowType":"cooldown","windowReused":false,"cooldownUntil":1796073099000}`)
	runs = tell(t, Options{}, nil, []byte(window+begin+decision)).runs
	if step := stepOf(runs, StepNotSent); step == nil || step.Why != WhyCooling || len(step.Blocked) != 1 {
		t.Errorf("with an open window: %s", dump(runs[len(runs)-1]))
	}
}

// The status of a decision is the number of the reason's class up to 2026.7.1,
// not what HTTP said: the error text tells that, or an HTTP answer.
func TestStatusOfAClass(t *testing.T) {
	decided := `{"event":"embedded_run_failover_decision","runId":"r","stage":"assistant","decision":"fallback_model","failoverReason":"overloaded","provider":"alpha","model":"a1","status":503,"rawErrorPreview":"PREVIEW"}`
	for preview, want := range map[string]struct {
		status int
		class  bool
	}{"Overloaded": {503, true}, "529 Overloaded": {529, false}} {
		end := `{"event":"embedded_run_agent_end","runId":"r","isError":true,"failoverReason":"overloaded","provider":"alpha","model":"a1","rawErrorPreview":"` + preview + `"}`
		log := logLine("03", "agent/embedded", end) + logLine("04", "agent/embedded", strings.Replace(decided, "PREVIEW", preview, 1))
		runs := tell(t, Options{}, nil, []byte(log)).runs
		if step := stepOf(runs, StepAttemptFailed); step == nil || step.Status != want.status || step.Class != want.class {
			t.Errorf("%q: %s", preview, dump(runs[0]))
		}
	}
}

// What 2026.7.1 really wrote of one run of a cron job: its task, without a session,
// then its run log. Both are about the run in the transcript and the log.
func TestCronRowsJoinTheirRun(t *testing.T) {
	const job, session = "a3cd3b9d", "5a1a238e"
	recorded := []Event{
		{At: 1000, Kind: EventTurn, Session: session, SessionKey: "agent:job:cron:" + job + ":run:" + session, Agent: "job", Source: 1},
		{At: 2000, Kind: EventAnswerFailed, Session: session, Source: 1, Detail: "429 Rate limit", Status: 429},
		{At: 9585, Kind: EventCron, Run: "cron:" + job + ":900", Agent: "job", Failed: true, Code: "error", Source: 2, Line: 1},
		{At: 9738, Kind: EventCron, Session: session, SessionKey: "agent:job:cron:" + job, Failed: true, Code: "error", Source: 3, Line: 1},
	}
	for name, events := range map[string][]Event{"both": recorded, "the task alone": recorded[:3], "the log alone": append(recorded[:2:2], recorded[3])} {
		runs := tell(t, Options{}, events).runs
		if len(runs) != 1 || !runs[0].Cron || runs[0].Outcome != OutcomeFailed || runs[0].Failures() != 1 {
			t.Errorf("%s: %d runs\n%s", name, len(runs), dump(runs[0]))
		}
	}
}
