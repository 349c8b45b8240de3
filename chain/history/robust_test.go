package history

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func linesOf(log []byte) [][]byte { return slices.Collect(bytes.Lines(log)) }

func join(lines [][]byte) []byte { return bytes.Join(lines, nil) }

var allLogs = []string{"2026.4.29-gateway-http", "2026.5.12", "2026.5.12-gateway-chat", "2026.7.1", "2026.9.6"}

// A log that ends in the middle of a line tells what the log without that line tells.
func TestCutLastLine(t *testing.T) {
	for _, sample := range []string{"2026.5.12", "2026.7.1", "2026.9.6"} {
		lines := linesOf(readSample(t, sample).log())
		last := len(lines) - 1
		for !bytes.Contains(lines[last], []byte(`"event":`)) {
			last--
		}
		lines = lines[last-20 : last+1]
		before := outlines(tell(t, Options{}, nil, join(lines[:20])).runs)
		whole := outlines(tell(t, Options{}, nil, join(lines)).runs)
		final := bytes.TrimSuffix(lines[20], []byte("\n"))
		for cut := range len(final) {
			log := append(join(lines[:20]), final[:cut]...)
			got := tell(t, Options{}, nil, log)
			if o := outlines(got.runs); !slices.Equal(o, before) && !slices.Equal(o, whole) {
				t.Fatalf("%s cut at %d of the last line:\n%s", sample, cut, strings.Join(o, "\n"))
			}
			if n := got.sources[0].Unreadable; cut > 0 && n > 1 || n == 0 && cut > 0 && final[cut-1] != '}' {
				t.Fatalf("%s cut at %d: %d unreadable lines", sample, cut, n)
			}
		}
	}
}

// Lines that come up to a minute late change nothing.
func TestDisorder(t *testing.T) {
	for _, sample := range allLogs {
		log := readSample(t, sample).log()
		want := tell(t, Options{}, nil, log)
		var events []Event
		var source Source
		if err := ReadLog(bytes.NewReader(log), &source, LogOptions{}, func(e *Event) bool { events = append(events, *e); return true }); err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(1, 2))
		order := make([]int64, len(events))
		for i := range events {
			order[i] = events[i].At + random.Int64N(disorder)
		}
		index := make([]int, len(events))
		for i := range index {
			index[i] = i
		}
		slices.SortStableFunc(index, func(a, b int) int { return int(order[a] - order[b]) })
		var runs []*Run
		story := NewStory(Options{}, func(run *Run) { runs = append(runs, run) })
		Tell(story, nil, nil, []Stream{{Read: func(yield func(*Event) bool) error {
			for _, i := range index {
				yield(&events[i])
			}
			return nil
		}}})
		if got := outlines(runs); !slices.Equal(got, outlines(want.runs)) {
			t.Errorf("%s:\n%s\nwant:\n%s", sample, strings.Join(got, "\n"), strings.Join(outlines(want.runs), "\n"))
		}
	}
}

// Two processes that write to one log, releases that follow each other, a
// journal beside the file: the same runs, none of them twice.
func TestSeveralLogs(t *testing.T) {
	older, newer := readSample(t, "2026.5.12-gateway-chat"), readSample(t, "2026.7.1")
	want := append(outlines(tell(t, Options{}, nil, older.log()).runs), outlines(tell(t, Options{}, nil, newer.log()).runs)...)
	slices.Sort(want)
	a, b := linesOf(older.log()), linesOf(newer.log())
	var mixed [][]byte
	for random := rand.New(rand.NewPCG(3, 4)); len(a)+len(b) > 0; {
		from := &a
		if len(a) == 0 || len(b) > 0 && random.IntN(2) == 0 {
			from = &b
		}
		mixed, *from = append(mixed, (*from)[0]), (*from)[1:]
	}
	for name, logs := range map[string][][]byte{
		"one after the other": {older.log(), newer.log()},
		"in one file":         {append(slices.Clone(older.log()), newer.log()...)},
		"interleaved":         {join(mixed)},
	} {
		if got := outlines(tell(t, Options{}, nil, logs...).runs); !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant:\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	alone := outlines(tell(t, Options{}, nil, older.log()).runs)
	if got := outlines(tell(t, Options{}, nil, older.log(), older["console.log"]).runs); !slices.Equal(got, alone) {
		t.Errorf("with the journal:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(alone, "\n"))
	}
	if got := outlines(tell(t, Options{}, nil, older.log(), slices.Clone(older.log())).runs); !slices.Equal(got, alone) {
		t.Errorf("the same log twice:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(alone, "\n"))
	}
}

// Lines that nothing can be made of are counted and change nothing.
func TestForeignLines(t *testing.T) {
	log := readSample(t, "2026.7.1").log()
	want := outlines(tell(t, Options{}, nil, log).runs)
	foreign := []string{
		"", "{", "}", "null", "[]", `{"0":1}`, `{"0":{"a":1},"1":2}`, `"text"`, "\x00\xff\xfe", "日本語のログ行", "سجل",
		`{"0":"{\"subsystem\":\"agent/embedded\"}","1":{"event":"embedded_run_new_thing","runId":"x"},"_meta":{"date":"2026-11-30T21:11:03.339Z"}}`,
		`{"0":"{\"subsystem\":\"agent/embedded\"}","1":{"event":7,"runId":{}},"_meta":{"date":"2026-11-30T21:11:03.339Z"}}`,
		`{"0":"{\"subsystem\":\"agent/embedded\"}","1":{"event":"embedded_run_agent_end","runId":["a"`,
		`{"event":"model_fallback_decision"`,
		"[agent/embedded] embedded run agent end:", "[model-fallback/decision] model fallback decision: decision=", "[agent/embedded] auth profile failure",
		`{"0":"` + strings.Repeat("x", 9<<20) + `"}`,
	}
	var mixed [][]byte
	for i, line := range linesOf(log) {
		mixed = append(mixed, line, []byte(foreign[i%len(foreign)]+"\n"))
	}
	got := tell(t, Options{}, nil, join(mixed))
	if o := outlines(got.runs); !slices.Equal(o, want) {
		t.Errorf("%s\nwant:\n%s", strings.Join(o, "\n"), strings.Join(want, "\n"))
	}
	if got.sources[0].Unreadable == 0 || got.sources[0].Lines != int64(len(mixed)) {
		t.Errorf("%d of %d lines, %d unreadable", got.sources[0].Lines, len(mixed), got.sources[0].Unreadable)
	}
}

// An error text in any language is kept as one line, without control characters.
func TestPreview(t *testing.T) {
	for text, want := range map[string]string{
		"429 Trop de requêtes\n\tréessayez":                      "429 Trop de requêtes réessayez",
		"配额已用完 key sk-abcdef1234567890":                          "配额已用完 key sk-****",
		"\x1b[31mred\x1b[0m \u202eevil":                          "[31mred [0m evil",
		"token eyJhbGciOiJIUzI1NiJ9.eyJzdWIi":                    "token eyJ****",
		"Incorrect API key provided: 0123456789abcdef0123456789": "Incorrect API key provided: 0123****",
		strings.Repeat("a b ", 200):                              strings.TrimSuffix(strings.Repeat("a b ", 50), " ")[:0],
	} {
		got := Preview(text)
		if len([]rune(text)) > longestDetail {
			if len([]rune(got)) > longestDetail+1 {
				t.Errorf("%d runes of a long text", len([]rune(got)))
			}
			continue
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// The log alone, and transcripts alone, tell as much of a turn as they hold.
func TestSingleSources(t *testing.T) {
	for _, sample := range []string{"2026.5.12", "2026.7.1", "2026.9.6"} {
		files := readSample(t, sample)
		recorded, sessions := files.recorded(t)
		var transcripts []Event
		for _, event := range recorded {
			switch event.Kind {
			case EventAttempt, EventAttemptEnd, EventStep:
			default:
				transcripts = append(transcripts, event)
			}
		}
		runs := tell(t, Options{Sessions: sessions}, transcripts).runs
		want := files.truth(t)
		if len(runs) != len(want) {
			t.Errorf("%s: %d runs from transcripts, want %d", sample, len(runs), len(want))
			continue
		}
		for i, run := range runs {
			if got := summary(run); got.winner != want[i].winner {
				t.Errorf("%s turn %d: %v from transcripts, want %v\n%s", sample, i+1, got, want[i], dump(run))
			}
			for _, step := range run.Steps {
				if step.Certainty == Logged {
					t.Errorf("%s turn %d: logged without a log: %v", sample, i+1, step)
				}
			}
		}
	}
}

func TestHash(t *testing.T) {
	for id, want := range map[string]string{"echo:key": "sha256:3e30b8ad8aa6", "acme:one": "sha256:ce28a44d3afe", "alpha:one": "sha256:0cbd76d9e4ab"} {
		if got := Hash(id); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
}

func TestTimes(t *testing.T) {
	for text, want := range map[string]int64{
		"2026-11-30T21:11:03.339Z":           1796073063339,
		"2026-11-30T22:11:03.339+01:00":      1796073063339,
		"2026-11-30T22:11:03.339123456+0100": 1796073063339,
		"2026-11-30T21:11:03Z":               1796073063000,
		"2024-02-29T00:00:00.000Z":           1709164800000,
	} {
		if got, ok := parseTime([]byte(text)); !ok || got != want {
			t.Errorf("%s: %d %v, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "2026-11-30", "2026-13-30T21:11:03Z", "2026-11-30T21:11:03", "2026-11-30T21:11:03.3+1"} {
		if got, ok := parseTime([]byte(text)); ok {
			t.Errorf("%q is read as %d", text, got)
		}
	}
}

// Reading on from the place that Find returns gives the events of the time, all
// of them, and the place is near.
func TestFind(t *testing.T) {
	sample := readSample(t, "2026.7.1").log()
	var log []byte
	const days = 80
	for i := range days {
		log = append(log, bytes.ReplaceAll(sample, []byte("2026-11-30T"), fmt.Appendf(nil, "2026-%02d-%02dT", 1+i/28, 1+i%28))...)
	}
	since, _ := parseTime([]byte("2026-03-05T21:12:00.000Z"))
	count := func(from int64) (n int, lines int64) {
		var source Source
		ReadLog(bytes.NewReader(log[from:]), &source, LogOptions{}, func(e *Event) bool {
			if e.At >= since && e.Kind != EventNone {
				n++
			}
			return true
		})
		return n, source.Lines
	}
	place := Find(bytes.NewReader(log), int64(len(log)), since, LogOptions{})
	all, lines := count(0)
	found, read := count(place)
	if found != all || found == 0 {
		t.Errorf("%d events behind the place, %d in all", found, all)
	}
	if after := int64(days-(2*28+4)+9) * (lines / days); read > after {
		t.Errorf("%d of %d lines are read", read, lines)
	}
	if got := Find(bytes.NewReader(nil), 0, since, LogOptions{}); got != 0 {
		t.Errorf("an empty log: %d", got)
	}
}
