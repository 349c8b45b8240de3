package history

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"time"
)

// recordStreams are the transcripts and trajectories of a sample as files that are
// read when their time has come.
func (f files) recordStreams() []Stream {
	var streams []Stream
	for i, name := range f.sessionFiles(".jsonl") {
		id, trajectory := strings.CutSuffix(path.Base(name), ".trajectory.jsonl")
		read := ReadTrajectory
		if !trajectory {
			id, read = strings.TrimSuffix(id, ".jsonl"), ReadTranscript
		}
		streams = append(streams, Stream{Begin: Begin(bytes.NewReader(f[name])), Read: func(yield func(*Event) bool) error {
			return read(bytes.NewReader(f[name]), &Source{}, Talk{Source: 100 + i, ID: id, Agent: agentIn(name)}, yield)
		}})
	}
	return streams
}

// Records that are read as their time comes tell what they tell when all of them
// are in memory.
func TestRecordsAsStreams(t *testing.T) {
	for _, sample := range []string{"2026.5.12", "2026.5.12-gateway-chat", "2026.7.1"} {
		f, want := tellSample(t, sample)
		_, sessions := f.recorded(t)
		streams := f.recordStreams()
		for _, stream := range streams {
			if stream.Begin == 0 {
				t.Errorf("%s: a record without a begin", sample)
			}
		}
		recorded, _ := f.recorded(t)
		alone := tell(t, Options{Names: f.profileNames(), Sessions: sessions}, recorded)
		for name, logs := range map[string][][]byte{"one log": {f.log()}, "no log": nil} {
			want := want
			if len(logs) == 0 {
				want = alone
			}
			var runs []*Run
			story := NewStory(Options{Names: f.profileNames(), Sessions: sessions}, func(run *Run) { runs = append(runs, run) })
			var read []Stream
			for _, log := range logs {
				read = append(read, Stream{Read: func(yield func(*Event) bool) error {
					return ReadLog(bytes.NewReader(log), &Source{}, LogOptions{}, yield)
				}})
			}
			if errs := Tell(story, nil, streams, read); len(errs) > 0 {
				t.Fatal(errs)
			}
			if got := outlines(runs); !slices.Equal(got, outlines(want.runs)) || len(runs) != len(want.runs) {
				t.Errorf("%s, %s:\n%s\nwant:\n%s", sample, name, strings.Join(got, "\n"), strings.Join(outlines(want.runs), "\n"))
			}
		}
	}
}

// A message that is sent while a turn is running begins the next turn, to which
// nothing of the running one belongs: its trajectory and its log end after the
// transcript's answer.
func TestQueuedMessage(t *testing.T) {
	const transcript = `{"type":"message","timestamp":"2026-11-30T21:11:00.100Z","message":{"role":"user","content":"a","timestamp":1796073060000}}
{"type":"message","timestamp":"2026-11-30T21:11:10.000Z","message":{"role":"assistant","provider":"b","model":"m","stopReason":"stop"}}
{"type":"message","timestamp":"2026-11-30T21:11:12.000Z","message":{"role":"user","content":"c","timestamp":1796073065000}}
{"type":"message","timestamp":"2026-11-30T21:11:15.000Z","message":{"role":"assistant","provider":"a","model":"m","stopReason":"stop"}}
`
	attempt := func(run, at, kind, provider string) string {
		return `{"traceSchema":"openclaw-trajectory","type":"` + kind + `","ts":"2026-11-30T21:11:` + at + `Z","sessionId":"s","runId":"` + run + `","provider":"` + provider + `","modelId":"m","data":{}}` + "\n"
	}
	trajectory := attempt("r1", "00.050", "session.started", "b") + attempt("r1", "10.300", "model.completed", "b") +
		attempt("r2", "11.900", "session.started", "a") + attempt("r2", "15.300", "model.completed", "a")
	succeeded := logLine("10", "model-fallback/decision", `{"event":"model_fallback_decision","runId":"r1","sessionId":"s","decision":"candidate_succeeded","requestedProvider":"a","requestedModel":"m","candidateProvider":"b","candidateModel":"m","attempt":2,"total":2}`)
	var recorded []Event
	take := func(event *Event) bool { recorded = append(recorded, *event); return true }
	if err := ReadTranscript(strings.NewReader(transcript), &Source{}, Talk{Source: 1, ID: "s"}, take); err != nil {
		t.Fatal(err)
	}
	if err := ReadTrajectory(strings.NewReader(trajectory), &Source{}, Talk{Source: 2, ID: "s"}, take); err != nil {
		t.Fatal(err)
	}
	var winners []string
	runs := tell(t, Options{}, recorded, []byte(strings.Replace(succeeded, ":10.000", ":10.600", 2))).runs
	for _, run := range runs {
		winners = append(winners, run.Winner.String())
	}
	if !slices.Equal(winners, []string{"b/m", "a/m"}) || runs[0].Outcome != OutcomeFallback || runs[1].Outcome != OutcomeSelected {
		t.Errorf("answered by %q", winners)
		for _, run := range runs {
			t.Log(dump(run))
		}
	}
}

// Of records that follow each other only those that overlap are open, and none of
// their turns is lost.
func TestFewRecordsAreOpen(t *testing.T) {
	const count, hour = 300, 3600_000
	open, most := 0, 0
	var streams []Stream
	for i := range int64(count) {
		begin := 1796073062877 + i*hour
		streams = append(streams, Stream{Begin: begin, Read: func(yield func(*Event) bool) error {
			open++
			most = max(most, open)
			defer func() { open-- }()
			var transcript strings.Builder
			for turn := range int64(10) {
				fmt.Fprintf(&transcript, `{"type":"message","message":{"role":"user","content":"q","timestamp":%d}}`+"\n", begin+turn*1000)
				fmt.Fprintf(&transcript, `{"type":"message","timestamp":%q,"message":{"role":"assistant","provider":"p","model":"m","stopReason":"stop"}}`+"\n",
					time.UnixMilli(begin+turn*1000+500).UTC().Format(time.RFC3339Nano))
			}
			return ReadTranscript(strings.NewReader(transcript.String()), &Source{}, Talk{ID: fmt.Sprint(i)}, yield)
		}})
	}
	runs := 0
	Tell(NewStory(Options{}, func(*Run) { runs++ }), nil, streams, nil)
	if runs != 10*count {
		t.Errorf("%d turns, want %d", runs, 10*count)
	}
	if most > 2 {
		t.Errorf("%d records were open at once", most)
	}
}
