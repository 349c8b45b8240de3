package state

import (
	"strings"
	"testing"
)

// A store that can't be read takes nothing else with it.
func TestExamineGoesOn(t *testing.T) {
	files := map[string][]byte{
		mainStore: []byte("{"),
		workStore: []byte(`{"profiles": {"p:1": {"type": "api_key", "provider": "p", "key": "k"}}}`),
		mainState: []byte("{}"),
	}
	opened, err := Open(memoryEnv(files), "2026.5.12")
	home, config := opened.Home, opened.Config
	if err != nil {
		t.Fatal(err)
	}
	for _, agent := range home.Agents(config) {
		e := home.Examine(agent, fuzzNow)
		isMain := agent.ID == "main"
		if len(e.Problems) != 1 || e.Complete() || e.OwnRead == isMain || !isMain && !e.Store.Profiles.Has("p:1") {
			t.Errorf("%s: own %v, main %v, problems %v", agent.ID, e.OwnRead, e.MainRead, e.Problems)
		}
	}
}

// Where everything can be read, Examine is LoadAgent.
func TestExamineIsLoadAgent(t *testing.T) {
	files := map[string][]byte{
		mainStore:                    []byte(`{"profiles": {"p:1": {"type": "api_key", "provider": "p", "key": "k"}}, "order": {"p": ["p:1"]}}`),
		workStore:                    []byte(`{"profiles": {"p:2": {"type": "api_key", "provider": "p", "key": "k"}, "p:3": 1}}`),
		"agents/new/agent/auth.json": []byte(`{"q": {"type": "api_key", "key": "k"}}`),
	}
	for _, line := range jsonLines() {
		opened, err := Open(memoryEnv(files), line)
		home, config := opened.Home, opened.Config
		if err != nil {
			t.Fatal(err)
		}
		for _, agent := range home.Agents(config) {
			loaded, err := home.LoadAgent(agent, fuzzNow)
			e := home.Examine(agent, fuzzNow)
			if err != nil || !e.Complete() || e.Clones != loaded.Clones || len(e.Pending) != len(loaded.Pending) {
				t.Fatalf("%s, %s: %v, %+v", line, agent.ID, err, e)
			}
			if got, want := strings.Join(e.Store.Profiles.Keys(), " "), strings.Join(loaded.Store.Profiles.Keys(), " "); got != want {
				t.Errorf("%s, %s: %s, LoadAgent has %s", line, agent.ID, got, want)
			}
		}
	}
}

// A configuration that can't be read still gives the home, and its release by the files beside it.
func TestOpenBrokenConfig(t *testing.T) {
	opened, err := Open(memoryEnv(map[string][]byte{"openclaw.json": []byte("{"), mainStore: []byte("{}"), mainState: []byte("{}")}), "auto")
	home, config, evidence := opened.Home, opened.Config, opened.Evidence
	if err == nil || config != nil || home == nil || home.Rules.Line != "2026.6.1" || evidence.Source != "layout" {
		t.Errorf("%v, %v, %v, %+v", err, config, home, evidence)
	}
}

func TestDocumentPosition(t *testing.T) {
	env := memoryEnv(map[string][]byte{"a.json": []byte("\xef\xbb\xbf{\n  // a comment\n  'x~/y': [1, {z: 2}],\n}")})
	opened, err := Open(env, "2026.5.12")
	home := opened.Home
	if err != nil {
		t.Fatal(err)
	}
	doc, err := home.ReadDocument(home.StateDir + "/a.json")
	if err != nil {
		t.Fatal(err)
	}
	for pointer, want := range map[string][2]int{"": {1, 1}, "/x~0~1y": {3, 3}, "/x~0~1y/1/z": {3, 16}, "/x~0~1y/1/none": {3, 15}} {
		if line, column := doc.Position(pointer); [2]int{line, column} != want {
			t.Errorf("%s: %d:%d, want %v", pointer, line, column, want)
		}
	}
	if missing, err := home.ReadDocument(home.StateDir + "/none.json"); missing != nil || err != nil || missing.Object().Len() != 0 {
		t.Error(missing, err)
	}
}
