package state_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/state"
)

// goldenWrite is a home with what the real program made of its files.
type goldenWrite struct {
	ID    string
	Input struct {
		Cfg    json.RawMessage
		Events []goldenEvent
		Raw    json.RawMessage
	}
	Want struct {
		Before map[string]string
		Steps  []struct {
			Skipped bool
			Probed  bool
			After   map[string]string
		}
	}
}

type goldenEvent struct {
	At        int64
	Op        string
	ProfileID auth.ProfileID
	Provider  string
	Reason    auth.Reason
	ModelID   *string
	IDs       []auth.ProfileID
}

// long makes tests run that take minutes.
var long = os.Getenv("OPENCLAW_AUTH_TEST_LONG") != ""

// TestWritesAsOpenClaw replays operations on stores that the real program
// wrote, and finds its files byte for byte.
func TestWritesAsOpenClaw(t *testing.T) {
	for _, line := range []string{"2026.4.29", "2026.5.12", "2026.7.1", "2026.9.6"} {
		t.Run(line, func(t *testing.T) {
			rules, err := auth.RulesFor(line)
			if err != nil {
				t.Fatal(err)
			}
			steps := 0
			for i, golden := range readGolden(t, line) {
				if i%5 != 0 && !long {
					continue
				}
				steps += replay(t, rules, golden)
			}
			t.Logf("%d writes are the same byte for byte", steps)
		})
	}
}

func readGolden(t *testing.T, line string) []goldenWrite {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "testdata", "golden", "writes-"+line+".jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []goldenWrite
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var golden goldenWrite
		if err := json.Unmarshal(lines.Bytes(), &golden); err != nil {
			t.Fatal(err)
		}
		all = append(all, golden)
	}
	return all
}

// replay runs the operations of one home and returns how many there were. Each
// starts from the files that the real program left, so that one difference does
// not hide another.
func replay(t *testing.T, rules *auth.Rules, golden goldenWrite) int {
	home, agent, config := writeHome(t, rules, string(golden.Input.Cfg))
	before, count := golden.Want.Before, 0
	for i, step := range golden.Want.Steps {
		event := golden.Input.Events[i]
		// The tokens of a sidecar file are not in the recording, and without them
		// nobody asks for the account's usage.
		if secret := step.Probed && strings.Contains(before["auth-profiles.json"], "oauthRef"); !step.Skipped && !secret {
			putFiles(t, agent.Dir, before)
			err := perform(home, agent, config, event)
			if err != nil {
				t.Errorf("%s, step %d (%s): %v", golden.ID, i, event.Op, err)
			} else if diff := cmp.Diff(withoutGhosts(t, step.After), withoutGhosts(t, getFiles(t, agent.Dir))); diff != "" && !quiet(t, event, agent, before) && !reordered(t, rules, before, step.After, getFiles(t, agent.Dir)) {
				t.Errorf("%s, step %d (%s %s %s):\n%s", golden.ID, i, event.Op, event.ProfileID, event.Reason, diff)
			}
			count++
		}
		before = step.After
	}
	return count
}

// withoutGhosts removes what hand-made homes hold of a profile that there is
// not: OpenClaw drops it whatever it writes, openclaw-auth leaves it alone.
func withoutGhosts(t *testing.T, files map[string]string) map[string]string {
	text, ok := files["auth-state.json"]
	if !ok || !strings.Contains(text, "ghost:profile") {
		return files
	}
	value, err := document.ParseJSON("auth-state.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	doc := value.(*document.Object)
	doc.Object("usageStats").Delete("ghost:profile")
	rest := maps.Clone(files)
	rest["auth-state.json"] = string(document.Encode(doc))
	return rest
}

// quiet reports a reset of an entry that has nothing to reset: openclaw-auth
// writes nothing, OpenClaw an errorCount of 0.
func quiet(t *testing.T, event goldenEvent, agent state.Agent, before map[string]string) bool {
	return event.Op == "clear" && cmp.Equal(before, getFiles(t, agent.Dir))
}

// reordered reports a row that differs in the order of members only, where the
// row before had an order that OpenClaw does not write: it then rewrites entries
// that the write does not concern.
func reordered(t *testing.T, rules *auth.Rules, before, want, got map[string]string) bool {
	t.Helper()
	value, err := document.ParseJSON("state", []byte(before["state"]))
	if err != nil {
		return false
	}
	usage := value.(*document.Object).Object("usageStats")
	ordered := true
	for id := range usage.All() {
		entry := usage.Object(id)
		ordered = ordered && string(document.EncodeCompact(rules.WrittenUsage(entry, entry))) == string(document.EncodeCompact(entry))
	}
	var a, b any
	if err := errors.Join(json.Unmarshal([]byte(want["state"]), &a), json.Unmarshal([]byte(got["state"]), &b)); err != nil {
		t.Fatal(err)
	}
	return !ordered && want["store"] == got["store"] && cmp.Equal(a, b)
}

func perform(home *state.Home, agent state.Agent, config *state.Config, event goldenEvent) error {
	options := state.WriteOptions{Why: "test", Timeout: time.Second, Clock: state.SystemClock{}}
	loaded, err := home.LoadAgent(agent, event.At)
	if err != nil {
		return err
	}
	switch event.Op {
	case "failure":
		_, _, err = home.Record(context.Background(), loaded, config, state.Event{Failure: auth.Failure{
			Profile: event.ProfileID, Reason: event.Reason, Model: event.ModelID, Now: event.At,
		}}, options)
	case "success":
		_, _, err = home.Record(context.Background(), loaded, config, state.Event{Failure: auth.Failure{Profile: event.ProfileID, Now: event.At}, Provider: event.Provider}, options)
	case "order":
		_, _, err = home.SetOrder(context.Background(), agent, event.Provider, event.IDs, options)
	case "clear":
		_, _, err = home.ResetProfiles(context.Background(), loaded, func(id auth.ProfileID) bool { return id == event.ProfileID }, nil, options)
	}
	return err
}

// writeHome makes a home with one agent and a configuration.
func writeHome(t *testing.T, rules *auth.Rules, config string) (*state.Home, state.Agent, *state.Config) {
	t.Helper()
	directory := t.TempDir()
	agentDir := filepath.Join(directory, ".openclaw", "agents", "main", "agent")
	if err := os.MkdirAll(agentDir, 0o700); err != nil {
		t.Fatal(err)
	}
	if config == "" {
		config = "{}"
	}
	if err := os.WriteFile(filepath.Join(directory, ".openclaw", "openclaw.json"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	env := state.SystemEnv()
	env.FS = state.QuickDisk{}
	env.Getenv = func(name string) string {
		if name == "HOME" {
			return directory
		}
		return ""
	}
	opened, err := state.Open(env, rules.Line)
	home, read := opened.Home, opened.Config
	if err != nil {
		t.Fatal(err)
	}
	return home, state.Agent{ID: "main", Dir: agentDir, Default: true}, read
}

// putFiles makes the agent's store hold the recorded texts: files, or rows.
func putFiles(t *testing.T, directory string, files map[string]string) {
	t.Helper()
	if isRows(files) {
		putRows(t, filepath.Join(directory, "openclaw-agent.sqlite"), files)
		return
	}
	entries, err := os.ReadDir(directory)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if err := os.Remove(filepath.Join(directory, entry.Name())); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(directory, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// getFiles returns what the agent's store holds, litter included.
func getFiles(t *testing.T, directory string) map[string]string {
	t.Helper()
	if path := filepath.Join(directory, "openclaw-agent.sqlite"); exists(path) {
		return getRows(t, path)
	}
	entries, err := os.ReadDir(directory)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join(directory, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[entry.Name()] = string(data)
	}
	return files
}

func isRows(files map[string]string) bool {
	_, ok := files["store"]
	return ok
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
