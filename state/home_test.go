package state

import (
	"path/filepath"
	"testing"
	"testing/fstest"

	"openclaw-auth/auth"
)

// TestFindHome is the table of spec'd places: what exists below the home, and
// which state directory and configuration the line then uses.
func TestFindHome(t *testing.T) {
	root := string(filepath.Separator) + "home"
	for name, test := range map[string]struct {
		line          string
		files         []string
		env           map[string]string
		state, config string
	}{
		"nothing exists":              {"2026.5.12", nil, nil, ".openclaw", ".openclaw/openclaw.json"},
		"only clawdbot":               {"2026.5.12", []string{".clawdbot/clawdbot.json"}, nil, ".clawdbot", ".clawdbot/clawdbot.json"},
		"empty state, old config":     {"2026.5.12", []string{".openclaw/x", ".clawdbot/clawdbot.json"}, nil, ".openclaw", ".clawdbot/clawdbot.json"},
		"moltbot is forgotten":        {"2026.5.12", []string{".moltbot/moltbot.json"}, nil, ".openclaw", ".openclaw/openclaw.json"},
		"moltbot on 2026.3.13":        {"2026.3.13", []string{".moltbot/moltbot.json"}, nil, ".moltbot", ".moltbot/moltbot.json"},
		"old name in new directory":   {"2026.5.12", []string{".openclaw/clawdbot.json"}, nil, ".openclaw", ".openclaw/clawdbot.json"},
		"OPENCLAW_HOME":               {"2026.5.12", nil, map[string]string{"OPENCLAW_HOME": "~/x"}, "x/.openclaw", "x/.openclaw/openclaw.json"},
		"OPENCLAW_HOME on 2026.1.30":  {"2026.1.30", nil, map[string]string{"OPENCLAW_HOME": "~/x"}, ".openclaw", ".openclaw/openclaw.json"},
		"blank state directory":       {"2026.5.12", nil, map[string]string{"OPENCLAW_STATE_DIR": "  "}, ".openclaw", ".openclaw/openclaw.json"},
		"state directory":             {"2026.5.12", []string{"s/clawdbot.json"}, map[string]string{"OPENCLAW_STATE_DIR": "~/s"}, "s", "s/clawdbot.json"},
		"state directory, no config":  {"2026.5.12", []string{".openclaw/openclaw.json"}, map[string]string{"OPENCLAW_STATE_DIR": "~/s"}, "s", "s/openclaw.json"},
		"config path":                 {"2026.5.12", nil, map[string]string{"OPENCLAW_CONFIG_PATH": "~/c/o.json"}, ".openclaw", "c/o.json"},
		"both":                        {"2026.5.12", nil, map[string]string{"OPENCLAW_CONFIG_PATH": "~/c.json", "OPENCLAW_STATE_DIR": "~/s"}, "s", "c.json"},
		"profile variable alone":      {"2026.5.12", nil, map[string]string{"OPENCLAW_PROFILE": "dev"}, ".openclaw", ".openclaw/openclaw.json"},
		"old variable on 2026.3.13":   {"2026.3.13", nil, map[string]string{"CLAWDBOT_STATE_DIR": "~/s"}, "s", "s/openclaw.json"},
		"old variable is forgotten":   {"2026.3.31", nil, map[string]string{"CLAWDBOT_STATE_DIR": "~/s"}, ".openclaw", ".openclaw/openclaw.json"},
		"literal undefined is unset":  {"2026.5.12", nil, map[string]string{"OPENCLAW_STATE_DIR": "undefined"}, ".openclaw", ".openclaw/openclaw.json"},
		"relative to the work folder": {"2026.5.12", nil, map[string]string{"OPENCLAW_STATE_DIR": "s"}, "work/s", "work/s/openclaw.json"},
	} {
		t.Run(name, func(t *testing.T) {
			tree := fstest.MapFS{}
			for _, file := range test.files {
				tree[file] = &fstest.MapFile{Data: []byte("{}")}
			}
			env := Env{Getenv: func(string) string { return "" }, WorkDir: filepath.Join(root, "work"), OSHome: root, FS: Mount(tree, root)}.With(test.env)
			rules, err := auth.RulesFor(test.line)
			if err != nil {
				t.Fatal(err)
			}
			home := findHome(env, rules)
			for want, got := range map[string]string{test.state: home.StateDir, test.config: home.ConfigPath} {
				if got != filepath.Join(root, filepath.FromSlash(want)) {
					t.Errorf("%s, want %s", got, want)
				}
			}
		})
	}
}

func TestWithProfile(t *testing.T) {
	env := memoryEnv(nil)
	rules := auth.Newest()
	for name, want := range map[string]string{"dev": ".openclaw-dev", "Team_1": ".openclaw-Team_1", "default": ".openclaw", "DEFAULT": ".openclaw"} {
		changed, err := WithProfile(env, name, rules)
		if err != nil {
			t.Fatal(err)
		}
		if got := findHome(changed, rules).StateDir; filepath.Base(got) != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	kept, _ := WithProfile(env.With(map[string]string{"OPENCLAW_STATE_DIR": "/s"}), "dev", rules)
	if got := findHome(kept, rules).StateDir; filepath.ToSlash(got) != "/s" {
		t.Errorf("the profile replaces OPENCLAW_STATE_DIR by %s", got)
	}
	for _, name := range []string{"", "a b", "../x", "-x"} {
		if _, err := WithProfile(env, name, rules); err == nil {
			t.Errorf("%q is accepted", name)
		}
	}
}

// The line of a home without a recorded version is the newest that fits what
// lies there; a recorded version that is older than the files loses.
func TestEvidence(t *testing.T) {
	const profile = `{"profiles": {"p:1": {"type": "api_key", "provider": "p", "key": "k"}}}`
	database := func(version byte) string {
		header := make([]byte, 100)
		copy(header, "SQLite format 3\x00")
		header[63] = version
		return string(header)
	}
	for name, test := range map[string]struct {
		files        map[string]string
		line, source string
	}{
		"nothing":            {nil, "2026.9.6", "none"},
		"recorded":           {map[string]string{"openclaw.json": `{"meta": {"lastTouchedVersion": "2026.4.12"}}`}, "2026.4.12", "version"},
		"wizard":             {map[string]string{"openclaw.json": `{"wizard": {"lastRunVersion": "2026.3.31"}}`}, "2026.3.31", "version"},
		"newer than known":   {map[string]string{"openclaw.json": `{"meta": {"lastTouchedVersion": "2027.1.1"}}`}, "2026.9.6", "version"},
		"embedded state":     {map[string]string{mainStore: `{"profiles": {}, "usageStats": {}}`}, "2026.4.5", "layout"},
		"a JSON pair":        {map[string]string{mainStore: profile, mainState: "{}"}, "2026.6.1", "layout"},
		"profiles alone":     {map[string]string{mainStore: profile}, "2026.6.1", "layout"},
		"sidecar reference":  {map[string]string{mainStore: `{"profiles": {"p:1": {"oauthRef": {}}}}`, mainState: "{}"}, "2026.5.12", "layout"},
		"legacy auth.json":   {map[string]string{"agents/main/agent/auth.json": "{}"}, "2026.6.1", "layout"},
		"oauth.json":         {map[string]string{"credentials/oauth.json": "{}"}, "2026.7.35", "layout"},
		"agents.entries":     {map[string]string{"openclaw.json": `{"agents": {"entries": {"main": {}}}}`}, "2026.9.6", "layout"},
		"database 1":         {map[string]string{"agents/x/agent/openclaw-agent.sqlite": database(1)}, "2026.7.35", "layout"},
		"database 19":        {map[string]string{"agents/main/agent/openclaw-agent.sqlite": database(19)}, "2026.9.4", "layout"},
		"database 23":        {map[string]string{"agents/main/agent/openclaw-agent.sqlite": database(23)}, "2026.9.6", "layout"},
		"shared database 18": {map[string]string{"state/openclaw.sqlite": database(18)}, "2026.9.6", "layout"},
		"version too old": {map[string]string{
			"openclaw.json": `{"meta": {"lastTouchedVersion": "2026.3.13"}}`, mainStore: profile, mainState: "{}"}, "2026.4.7", "layout"},
		"published again": {map[string]string{
			"openclaw.json": `{"meta": {"lastTouchedVersion": "2026.7.1-2"}}`, "agents/main/agent/openclaw-agent.sqlite": database(1)}, "2026.7.1-2", "version"},
		"database too new for the version": {map[string]string{
			"openclaw.json": `{"meta": {"lastTouchedVersion": "2026.5.28"}}`, "agents/main/agent/openclaw-agent.sqlite": database(1)}, "2026.6.5", "layout"},
		"version newer than files": {map[string]string{
			"openclaw.json": `{"meta": {"lastTouchedVersion": "2026.7.1"}}`, mainStore: profile}, "2026.7.1", "version"},
	} {
		t.Run(name, func(t *testing.T) {
			data := map[string][]byte{}
			for file, content := range test.files {
				data[file] = []byte(content)
			}
			opened, err := Open(memoryEnv(data), "auto")
			home, evidence := opened.Home, opened.Evidence
			if err != nil {
				t.Fatal(err)
			}
			if home.Rules.Line != test.line || evidence.Source != test.source || evidence.Detail == "" {
				t.Errorf("%s by %+v, want %s by %s", home.Rules.Line, evidence, test.line, test.source)
			}
		})
	}
}
