package state

import (
	"maps"
	"path/filepath"
	"testing"

	"openclaw-auth/auth/document"
)

// What the dotenv package of Node makes of such files.
func TestParseDotenv(t *testing.T) {
	for text, want := range map[string]map[string]string{
		"A=1\nB = two words # note\nexport C='x # y'\n": {"A": "1", "B": "two words", "C": "x # y"},
		"A=\"l1\\nl2\"\nB='l1\\nl2'\nC=`it's`":          {"A": "l1\nl2", "B": `l1\nl2`, "C": "it's"},
		"A=\"two\nlines\"\nB=":                          {"A": "two\nlines", "B": ""},
		"# A=1\n  A: 2\nA.B=3\n1A=4\nA-B=5\n":           {"A": "2"},
		"A=1\r\nA=2\r\n":                                {"A": "2"},
		"A=\"open\nB=2":                                 {"A": `"open`, "B": "2"},
		"A=a=b\nB==c\nC=  ' x '  ":                      {"A": "a=b", "B": "=c", "C": " x "},
		"no line\n=1\n":                                 {},
	} {
		if got := parseDotenv(text); !maps.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzDotenv(f *testing.F) {
	f.Add("A=1\nexport B=\"x\\n\"")
	f.Fuzz(func(_ *testing.T, text string) { parseDotenv(text) })
}

// The variables of the state directory's .env count in the configuration, after
// the process's own and before those of the configuration itself.
func TestDotenv(t *testing.T) {
	c := faultCase{line: "2026.5.12", files: map[string]string{
		".openclaw/.env":                         "GW_TOKEN=of-file\nBOTH=of-file\nHOME=/elsewhere\nOPENCLAW_OAUTH_DIR=~/logins\n",
		".config/openclaw/gateway.env":           "GW_TOKEN=of-service\nSERVICE=of-service\n",
		".openclaw/openclaw.json":                `{"env":{"GW_TOKEN":"of-config","OWN":"of-config"},"x":["${GW_TOKEN}","${BOTH}","${SERVICE}","${OWN}"]}`,
		"other/openclaw.json":                    `{"x":["${SERVICE}"]}`,
		".openclaw/agents/main/agent/.gitignore": "",
	}}
	h := c.home(t, QuickDisk{})
	env := Env{WorkDir: h.HomeDir, FS: QuickDisk{}, Getenv: func(name string) string {
		return map[string]string{"HOME": h.HomeDir, "BOTH": "of-process"}[name]
	}}
	h = FindHome(env, h.Rules)
	config, err := h.ReadConfig()
	if err != nil {
		t.Fatal(err)
	}
	if got := string(document.EncodeCompact(config.Document().Value("x"))); got != `["of-file","of-process","of-service","of-config"]` {
		t.Error(got)
	}
	if h.OAuthDir != filepath.Join(h.HomeDir, "logins") {
		t.Error(h.OAuthDir)
	}
	// A state directory of one's own has no part in the service's file.
	other := FindHome(env.With(map[string]string{"OPENCLAW_STATE_DIR": filepath.Join(h.HomeDir, "other")}), h.Rules)
	if value := other.Getenv("SERVICE"); value != "" {
		t.Error(value)
	}
}
