//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// answered runs the program on a terminal, types the answer once a question is on
// the screen, and returns what the screen showed and whether it succeeded.
func answered(t *testing.T, home, answer string, args ...string) (screen string, ok bool) {
	t.Helper()
	command := exec.Command(filepath.Join(installed(t), "openclaw-auth"), args...)
	command.Env = []string{"HOME=" + home, "TERM=xterm", "NO_COLOR=1"}
	terminal, err := pty.StartWithSize(command, &pty.Winsize{Rows: 50, Cols: 200})
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	var shown bytes.Buffer
	part := make([]byte, 4096)
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		n, err := terminal.Read(part)
		shown.Write(part[:n])
		if answer != "" && strings.Contains(shown.String(), "[y/N] ") {
			if _, err := terminal.WriteString(answer); err != nil {
				t.Fatal(err)
			}
			answer = ""
		}
		if err != nil {
			break // the program has ended
		}
	}
	return strings.ReplaceAll(shown.String(), "\r\n", "\n"), command.Wait() == nil
}

const terminalState = `{"version": 1, "order": {"openai": ["openai:gone", "openai:a"]}, "usageStats": {"openai:gone": {"errorCount": 2}, "openai:a": {"errorCount": 3}}}`

// The whole plan, and what auth reset --all would reset, is on the screen before
// the one question; no, the end of the input and Ctrl-C write nothing, yes writes
// exactly the plan.
func TestQuestionComesAfterThePlan(t *testing.T) {
	plan := `(?s)order openai \["openai:gone","openai:a"\].*usageStats openai:gone.*make these changes\? \[y/N\] `
	for name, c := range map[string]struct {
		answer, shows string
		args          []string
		writes        bool
	}{
		"no":          {"n\n", plan + `.*not confirmed, nothing is changed`, []string{"doctor", "--fix"}, false},
		"end":         {"\x04", plan + `.*not confirmed, nothing is changed`, []string{"doctor", "--fix"}, false},
		"ctrl-c":      {"\x03", plan, []string{"doctor", "--fix"}, false},
		"yes":         {"y\n", plan + `.*repaired agents/main/agent/auth-state.json.*to take it back: openclaw-auth undo `, []string{"doctor", "--fix"}, true},
		"reset --all": {"n\n", `(?s)usageStats openai:a errorCount 3.*reset every profile of agent main\? \[y/N\] .*not confirmed`, []string{"auth", "reset", "--all"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			write(t, home, map[string]string{
				"openclaw.json":                        `{"meta": {"lastTouchedVersion": "2026.5.12"}}`,
				"agents/main/agent/auth-profiles.json": `{"version": 1, "profiles": {"openai:a": {"type": "api_key", "provider": "openai", "key": "sk-test-a"}}}`,
				"agents/main/agent/auth-state.json":    terminalState,
			})
			screen, ok := answered(t, home, c.answer, c.args...)
			if !regexp.MustCompile(c.shows).MatchString(screen) || strings.Count(screen, "[y/N]") != 1 || ok != c.writes {
				t.Errorf("success %v, and the screen shows:\n%s", ok, screen)
			}
			text, err := os.ReadFile(filepath.Join(home, ".openclaw", "agents", "main", "agent", "auth-state.json"))
			if err != nil || (string(text) != terminalState) != c.writes {
				t.Errorf("written: %s %v", text, err)
			}
			if !c.writes && strings.Contains(screen, "repaired") {
				t.Error("says that something is repaired")
			}
		})
	}
}
