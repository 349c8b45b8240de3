package history

import (
	"archive/tar"
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"openclaw-auth/chain"
)

// files are the files of a sample: what a real run of a release left behind.
type files map[string][]byte

func readSample(t testing.TB, name string) files {
	t.Helper()
	archive, err := os.Open("../../testdata/history/" + name + ".tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	unzipped, err := gzip.NewReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	found := files{}
	for reader := tar.NewReader(unzipped); ; {
		header, err := reader.Next()
		if err == io.EOF {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(reader)
		if err != nil {
			t.Fatal(err)
		}
		found[path.Clean(header.Name)] = data
	}
}

// names are the files whose name matches a pattern, in order.
func (f files) names(pattern string) []string {
	var names []string
	for name := range f {
		if ok, _ := path.Match(pattern, name); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// sessionFiles are the directories of sessions of a sample.
func (f files) sessionFiles(suffix string) []string {
	return append(f.names("home/.openclaw/agents/*/sessions/*"+suffix), f.names("rows/*/*"+suffix)...)
}

// log is the sample's file log.
func (f files) log() []byte {
	if log, ok := f["openclaw.log"]; ok {
		return log
	}
	return f["tmp-openclaw/openclaw-2026-11-30.log"]
}

func agentIn(name string) string {
	name = strings.TrimPrefix(name, "home/.openclaw/agents/")
	agent, _, _ := strings.Cut(strings.TrimPrefix(name, "rows/"), "/")
	return agent
}

// recorded are the events of all transcripts and trajectories, with the
// sessions that the entries name.
func (f files) recorded(t testing.TB) (events []Event, sessions []SessionState) {
	keep := func(event *Event) bool { events = append(events, *event); return true }
	for _, name := range f.sessionFiles("sessions.json") {
		var entries map[string]struct{ SessionID, ProviderOverride, ModelOverride, ModelOverrideSource string }
		if err := json.Unmarshal(f[name], &entries); err != nil {
			t.Fatal(err)
		}
		for key, entry := range entries {
			sessions = append(sessions, SessionState{
				ID: entry.SessionID, Key: key, Agent: agentIn(name),
				Override: chain.Ref{Provider: entry.ProviderOverride, Model: entry.ModelOverride}, OverrideUser: entry.ModelOverrideSource == "user",
			})
		}
	}
	for i, name := range f.sessionFiles(".jsonl") {
		id, trajectory := strings.CutSuffix(path.Base(name), ".trajectory.jsonl")
		read := ReadTrajectory
		if !trajectory {
			id, read = strings.TrimSuffix(id, ".jsonl"), ReadTranscript
		}
		var source Source
		if err := read(bytes.NewReader(f[name]), &source, Talk{Source: 100 + i, ID: id, Agent: agentIn(name)}, keep); err != nil || source.Unreadable != 0 {
			t.Fatalf("%s: %v, %d unreadable", name, err, source.Unreadable)
		}
	}
	return events, sessions
}

// profileNames are the ids of the sample's profiles.
func (f files) profileNames() Names {
	names := Names{}
	for _, id := range []string{"acme:one", "acme:two", "bolt:team", "core:one", "core:two", "dune:one", "dune:two", "echo:key", "fern:key", "gale:key", "hill:key", "backup:key", "alpha:one", "alpha:two", "beta:one", "beta:two", "gamma:key", "gamma:one"} {
		names.Add(id)
	}
	return names
}

// told is what a story comes to.
type told struct {
	runs    []*Run
	sources []Source
	story   *Story
}

func tell(t testing.TB, options Options, recorded []Event, logs ...[]byte) told {
	t.Helper()
	result := told{sources: make([]Source, len(logs))}
	result.story = NewStory(options, func(run *Run) { result.runs = append(result.runs, run) })
	var streams []Stream
	for i, log := range logs {
		streams = append(streams, Stream{Read: func(yield func(*Event) bool) error {
			return ReadLog(bytes.NewReader(log), &result.sources[i], LogOptions{Source: i}, yield)
		}})
	}
	if errs := Tell(result.story, recorded, nil, streams); len(errs) > 0 {
		t.Fatal(errs)
	}
	slices.SortStableFunc(result.runs, func(a, b *Run) int { return cmp.Compare(a.StartedAt, b.StartedAt) })
	return result
}

// tellSample tells the whole story of a sample.
func tellSample(t testing.TB, name string) (files, told) {
	f := readSample(t, name)
	recorded, sessions := f.recorded(t)
	return f, tell(t, Options{Names: f.profileNames(), Sessions: sessions}, recorded, f.log())
}

// truthTurn is a turn as the provider's server saw it.
type truthTurn struct {
	agent, session string
	failed         []string // provider/model@profile, without the client's own retries
	winner         string
}

// truth reads truth.jsonl.
func (f files) truth(t testing.TB) []truthTurn {
	var turns []truthTurn
	var last string
	var lastAt time.Time
	for lines := bufio.NewScanner(bytes.NewReader(f["truth.jsonl"])); lines.Scan(); {
		var r struct {
			Time                                           time.Time
			T                                              int64
			Kind, Agent, Session, Provider, Model, Profile string
			Answer, Result, Text                           string
			Turn                                           int
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if r.T != 0 { // the short form: one line per request
			if n := len(turns); n == 0 || turns[n-1].agent != r.Agent || last != strconv.Itoa(r.Turn) {
				turns, last = append(turns, truthTurn{agent: r.Agent}), strconv.Itoa(r.Turn)
			}
			turns[len(turns)-1].request(r.Provider, r.Model, r.Profile, r.Result)
			continue
		}
		switch r.Kind {
		case "turn":
			turns, last = append(turns, truthTurn{agent: r.Agent, session: r.Session}), ""
		case "request":
			turn := &turns[len(turns)-1]
			name := r.Provider + "/" + r.Model + "@" + r.Profile
			if name == last && r.Time.Sub(lastAt) < 1500*time.Millisecond { // the HTTP client's own retry
				lastAt = r.Time
				continue
			}
			last, lastAt = name, r.Time
			turn.request(r.Provider, r.Model, r.Profile, r.Answer)
		}
	}
	return turns
}

func (turn *truthTurn) request(provider, model, profile, answer string) {
	if answer == "ok" {
		turn.winner = provider + "/" + model
		return
	}
	turn.failed = append(turn.failed, provider+"/"+model+"@"+strings.TrimSuffix(profile, "-FAKEMARKER"))
}

// summary is a run in the terms of the truth.
func summary(run *Run) truthTurn {
	turn := truthTurn{agent: run.Agent}
	for _, step := range run.Steps {
		if step.Kind == StepAttemptFailed {
			turn.failed = append(turn.failed, step.Ref.String()+"@"+step.Profile)
		}
	}
	if !run.Winner.IsZero() {
		turn.winner = run.Winner.String()
	}
	return turn
}
