package history

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// outline is a run in the terms that every form of a log can tell.
func outline(run *Run) string {
	var parts []string
	for _, step := range run.Steps {
		switch step.Kind {
		case StepFree: // computed from ends that the console does not have
		case StepSkip, StepProbe, StepNotSent, StepCap:
			if step.Why != WhyPassedOver {
				parts = append(parts, fmt.Sprint(step.Kind, " ", step.Ref, " ", step.Reason))
			}
		case StepAttemptFailed, StepProfileRotated, StepProfileWindow:
			parts = append(parts, fmt.Sprint(step.Kind, " ", step.Ref, " ", step.Profile, " ", step.Reason))
		case StepAnswered, StepExhausted, StepFallback:
			parts = append(parts, fmt.Sprint(step.Kind, " ", step.Ref, " ", step.Next))
		}
	}
	return fmt.Sprint(run.Requested, " → ", run.Winner, " ", run.Outcome, ": ", strings.Join(parts, ", "))
}

func outlines(runs []*Run) []string {
	var lines []string
	for _, run := range runs {
		if !run.IsQuiet() {
			lines = append(lines, outline(run))
		}
	}
	slices.Sort(lines)
	return lines
}

// withoutDebug leaves out the lines that a console does not show.
func withoutDebug(log []byte) []byte {
	var b bytes.Buffer
	for line := range bytes.Lines(log) {
		if !bytes.Contains(line, []byte(`"logLevelName":"DEBUG"`)) {
			b.Write(line)
		}
	}
	return b.Bytes()
}

// The console form tells the same story as the JSON form: the same runs with the
// same steps in the same order. It lacks the ends of windows.
func TestConsoleEqualsJSON(t *testing.T) {
	for _, sample := range []string{"2026.4.29-gateway-http", "2026.5.12", "2026.5.12-gateway-chat", "2026.7.1", "2026.9.6"} {
		t.Run(sample, func(t *testing.T) {
			f := readSample(t, sample)
			fromJSON := outlines(tell(t, Options{}, nil, withoutDebug(f.log())).runs)
			fromConsole := outlines(tell(t, Options{}, nil, f["console.log"]).runs)
			if !slices.Equal(fromJSON, fromConsole) {
				t.Errorf("JSON:\n%s\nconsole:\n%s", strings.Join(fromJSON, "\n"), strings.Join(fromConsole, "\n"))
			}
			if len(fromJSON) == 0 {
				t.Error("no runs")
			}
		})
	}
}

// Whatever stands before a line of the console form, it is read.
func TestConsolePrefixes(t *testing.T) {
	console := readSample(t, "2026.5.12-gateway-chat")["console.log"]
	want := outlines(tell(t, Options{}, nil, console).runs)
	wrap := func(format string) []byte {
		var b bytes.Buffer
		for line := range bytes.Lines(console) {
			fmt.Fprintf(&b, format, bytes.TrimSuffix(line, []byte("\n")))
		}
		return b.Bytes()
	}
	for _, format := range []string{
		"%s\r\n",
		"Nov 30 21:03:37 host node[4711]: %s\n",
		"2026-11-30T21:13:18.318412345Z %s\n",
		"gateway-1  | %s\n",
		"\x1b[33m%s\x1b[39m\n",
		`{"__REALTIME_TIMESTAMP":"1796073198318000","MESSAGE":%q,"_PID":"1"}` + "\n",
		`{"log":%q,"stream":"stderr","time":"2026-11-30T21:13:18.318412345Z"}` + "\n",
	} {
		if got := outlines(tell(t, Options{}, nil, wrap(format)).runs); !slices.Equal(got, want) {
			t.Errorf("%q:\n%s\nwant:\n%s", format, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
