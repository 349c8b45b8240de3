package history

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// fuzzReader feeds a reader any bytes: it never fails on them, what it shows is one
// line without control characters, and the story invents no run.
func fuzzReader(f *testing.F, seeds [][]byte, read func(data []byte, yield func(*Event) bool) error) {
	for i, line := range seeds {
		if len(line) < 4096 && i%(1+len(seeds)/60) == 0 {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var events []Event
		if err := read(data, func(e *Event) bool { events = append(events, *e); return true }); err != nil {
			t.Fatal(err)
		}
		for _, event := range events {
			if strings.ContainsAny(event.Detail, "\x1b\n\r\x00") {
				t.Errorf("control characters in %q", event.Detail)
			}
		}
		var runs int
		story := NewStory(Options{Now: 1796073063339}, func(run *Run) { runs++; _ = fmt.Sprint(run) })
		Tell(story, events, nil, nil)
		if runs > len(events) {
			t.Errorf("%d runs out of %d events", runs, len(events))
		}
	})
}

// sampleLines are the lines of the files of a kind in two releases.
func sampleLines(f *testing.F, suffix string, wanted func(name string) bool) [][]byte {
	var lines [][]byte
	for _, sample := range []string{"2026.5.12", "2026.7.1", "2026.9.6"} {
		files := readSample(f, sample)
		for _, name := range files.sessionFiles(suffix) {
			if wanted(name) {
				lines = append(lines, linesOf(files[name])...)
			}
		}
	}
	return lines
}

func FuzzLog(f *testing.F) {
	var seeds [][]byte
	for _, sample := range []string{"2026.5.12", "2026.9.6"} {
		files := readSample(f, sample)
		seeds = append(append(seeds, linesOf(files.log())...), linesOf(files["console.log"])...)
	}
	f.Add([]byte("Nov 30 21:03:37 host node[1]: [agent/embedded] embedded run agent end: runId=a isError=true model=m provider=p error=x rawError=429 y"))
	f.Add([]byte(`{"__REALTIME_TIMESTAMP":"1796073198318000","MESSAGE":"[agent/embedded] Profile a:b timed out. Trying next account...","_PID":"1"}`))
	fuzzReader(f, seeds, func(data []byte, yield func(*Event) bool) error {
		ReadLine(data)
		Find(bytes.NewReader(data), int64(len(data)), 1796073063339, LogOptions{})
		return ReadLog(bytes.NewReader(data), &Source{}, LogOptions{}, yield)
	})
}

func FuzzTranscript(f *testing.F) {
	seeds := sampleLines(f, ".jsonl", func(name string) bool { return !strings.Contains(name, ".trajectory.") })
	fuzzReader(f, seeds, func(data []byte, yield func(*Event) bool) error {
		return ReadTranscript(bytes.NewReader(data), &Source{}, Talk{ID: "s"}, yield)
	})
}

func FuzzTrajectory(f *testing.F) {
	seeds := sampleLines(f, ".jsonl", func(name string) bool { return strings.Contains(name, ".trajectory.") })
	fuzzReader(f, seeds, func(data []byte, yield func(*Event) bool) error {
		return ReadTrajectory(bytes.NewReader(data), &Source{}, Talk{ID: "s"}, yield)
	})
}

func FuzzCron(f *testing.F) {
	f.Add([]byte(`{"ts":1796073063339,"jobId":"j","action":"finished","status":"error","error":"all models failed","sessionId":"s","sessionKey":"agent:main:cron:j","model":"m","provider":"p"}`))
	fuzzReader(f, nil, func(data []byte, yield func(*Event) bool) error {
		return ReadCron(bytes.NewReader(data), &Source{}, Talk{}, yield)
	})
}
