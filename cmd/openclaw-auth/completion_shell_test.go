//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// installed returns a directory with the program in it, which is this test.
func installed(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	directory := t.TempDir()
	// testscript.Main runs the program when the file has its name.
	if err := os.Symlink(self, filepath.Join(directory, "openclaw-auth")); err != nil {
		t.Fatal(err)
	}
	return directory
}

// typed runs a shell on a terminal, types lines into it, and returns what the
// terminal showed.
func typed(t *testing.T, environment []string, shell []string, lines ...string) string {
	t.Helper()
	program, err := exec.LookPath(shell[0])
	if err != nil {
		t.Skipf("%s is not installed", shell[0])
	}
	command := exec.Command(program, shell[1:]...)
	command.Env = environment
	command.Dir = t.TempDir()
	terminal, err := pty.StartWithSize(command, &pty.Winsize{Rows: 50, Cols: 200})
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	pause := max(400*time.Millisecond, 4*tabTime(t, environment)) // for the prompt, on a busy machine too
	var shown bytes.Buffer
	done := make(chan bool)
	go func() { shown.ReadFrom(terminal); close(done) }()
	for _, line := range lines {
		time.Sleep(pause)
		terminal.WriteString(line)
	}
	time.Sleep(pause)
	terminal.WriteString("\x03\nexit\n")
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		command.Process.Kill()
		<-done
	}
	command.Wait()
	return shown.String()
}

// tabTime is how long the program takes to complete a word: a test's own build,
// with the race detector in it, takes its time.
func tabTime(t *testing.T, environment []string) time.Duration {
	t.Helper()
	command := exec.Command("openclaw-auth", "__complete", "--", "auth", "order", "")
	for _, variable := range environment {
		if path, ok := strings.CutPrefix(variable, "PATH="); ok {
			command.Path = filepath.Join(filepath.SplitList(path)[0], "openclaw-auth")
		}
	}
	command.Err, command.Env = nil, environment
	begun := time.Now()
	if err := command.Run(); err != nil {
		t.Fatal(err)
	}
	return time.Since(begun)
}

// TestCompletionInShells types into the real shells.
func TestCompletionInShells(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for shells")
	}
	directory := installed(t)
	home := t.TempDir()
	environment := append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "OPENCLAW") }),
		"PATH="+directory+":"+os.Getenv("PATH"), "HOME="+home, "TERM=dumb", "OPENCLAW_AUTH_DEMO=1", "PS1=> ")
	script := func(shell string) string {
		var out bytes.Buffer
		run([]string{"openclaw-auth", "completion", shell}, world{env: system().env, now: time.Now, stdout: &out, stderr: &out})
		file := filepath.Join(t.TempDir(), "completion")
		if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	t.Run("bash", func(t *testing.T) {
		shown := typed(t, environment, []string{"bash", "--norc", "--noprofile", "-i"},
			"source "+script("bash")+"\n", "openclaw-auth auth ord\tantr\t\x15", "openclaw-auth auth order anth\t--pl\t\n",
			"openclaw-auth state show openai:d\t\n", "openclaw-auth auth re\t\t")
		for _, want := range []string{"auth order anthropic --plain", "anthropic:team@example.com", "state show openai:default", "record   ", "(record a failure"} {
			if !strings.Contains(shown, want) {
				t.Errorf("no %q in\n%s", want, shown)
			}
		}
	})
	t.Run("zsh", func(t *testing.T) {
		shown := typed(t, environment, []string{"zsh", "-f", "-i"},
			"autoload -U compinit; compinit -u -D; unsetopt zle_bracketed_paste\n", "source "+script("zsh")+"\n",
			"openclaw-auth auth order anth\t--pl\t\n", "openclaw-auth state show openai:d\t\n", "openclaw-auth auth re\t\t")
		for _, want := range []string{"anthropic:team@example.com", "openai:default", "record a failure"} {
			if !strings.Contains(shown, want) {
				t.Errorf("no %q in\n%s", want, shown)
			}
		}
	})
	t.Run("fish", func(t *testing.T) {
		if _, err := exec.LookPath("fish"); err != nil {
			t.Skip("fish is not installed")
		}
		command := exec.Command("fish", "--no-config", "-c", "source "+script("fish")+`
			complete -C "openclaw-auth auth ord"
			complete -C "openclaw-auth auth order anth"
			complete -C "openclaw-auth state show openai:d"
			complete -C "openclaw-auth chain explain --session agent:main:te"`)
		command.Env = environment
		shown, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, shown)
		}
		for _, want := range []string{"order\tthe rotation order", "anthropic\t3 profiles", "openai:default\tapi_key, disabled", "agent:main:telegram:direct:1001\twritten"} {
			if !strings.Contains(string(shown), want) {
				t.Errorf("no %q in\n%s", want, shown)
			}
		}
	})
}
