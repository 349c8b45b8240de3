package state

import (
	"path/filepath"
	"testing"

	"openclaw-auth/auth/document"
)

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
	h = findHome(env, h.Rules)
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
	other := findHome(env.With(map[string]string{"OPENCLAW_STATE_DIR": filepath.Join(h.HomeDir, "other")}), h.Rules)
	if value := other.Getenv("SERVICE"); value != "" {
		t.Error(value)
	}
}
