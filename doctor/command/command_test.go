package command

import (
	"os/exec"
	"testing"
)

// A shell reads every quoted word back as it was.
func TestQuote(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("needs bash")
	}
	for _, word := range []string{
		"", "plain", "a b", "it's", `back\slash`, "$HOME", "`id`", "--agent", "~", "*", "a;b", "\x1b[31m", "line\nbreak", "tab\t", "\xff\xfe",
		"日本語", "#c", "!", "=x", "a=b", "openai:me@example.com", "\u202e",
	} {
		out, err := exec.Command(shell, "-c", `printf '%s' `+Quote(word)).Output()
		if err != nil || string(out) != word {
			t.Errorf("%q is quoted as %s and read as %q (%v)", word, Quote(word), out, err)
		}
	}
}

func TestTarget(t *testing.T) {
	target := Target{Flags: []string{"--state-dir", "/srv/my state"}, Env: []string{"OPENCLAW_STATE_DIR=/srv/my state"}}
	for _, c := range []struct{ got, want string }{
		{target.Own("work", "auth", "order", "clear", "anthropic"), "openclaw-auth auth order clear anthropic --agent work --state-dir '/srv/my state'"},
		{target.Login("work", "anthropic"), "OPENCLAW_STATE_DIR='/srv/my state' openclaw models auth --agent work login --provider anthropic"},
		{Target{Profile: "dev"}.OpenClaw("doctor", "--fix"), "openclaw --profile dev doctor --fix"},
		{Target{}.Own("", "auth", "reset", "openai:sk-proj-0123456789abcdefghij"), ""},
	} {
		if c.got != c.want {
			t.Errorf("%s\nwant %s", c.got, c.want)
		}
	}
}
