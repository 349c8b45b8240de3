//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// runAnything is the section of README whose examples are run here.
func runAnything(t *testing.T) string {
	t.Helper()
	_, section, _ := strings.Cut(documentText(t, "README.md"), "\n## Run anything through it\n")
	section, _, _ = strings.Cut(section, "\n## ")
	return section
}

// example is what a pattern with one group finds in the section.
func example(t *testing.T, pattern string) string {
	t.Helper()
	match := regexp.MustCompile(pattern).FindStringSubmatch(runAnything(t))
	if match == nil {
		t.Fatalf("README has no %s", pattern)
	}
	return match[1]
}

// readmeHome is the home of the examples: a local server that two keys have
// used up, and another one.
func readmeHome(t *testing.T, server string) string {
	t.Helper()
	home := writingHome(t)
	write(t, home, map[string]string{
		conf: `{"meta": {"lastTouchedVersion": "2026.5.12"}, "agents": {"defaults": {"model": {"primary": "local/small", "fallbacks": ["other/large"]}}},
			"models": {"providers": {"local": {"baseUrl": "` + server + `/local/v1", "models": []}, "other": {"baseUrl": "` + server + `/other/v1", "models": []}}}}`,
		store: `{"version": 1, "profiles": {
			"local:a": {"type": "api_key", "provider": "local", "key": "MARKER-a"}, "local:b": {"type": "api_key", "provider": "local", "key": "MARKER-b"},
			"other:default": {"type": "api_key", "provider": "other", "key": "MARKER-default"}}}`,
		states: `{"version": 1}`,
	})
	return home
}

// shellIn runs a line of an example in a home, and returns all that it prints.
func shellIn(t *testing.T, home, line string, variables ...string) (output string, code int) {
	t.Helper()
	command := exec.Command("sh", "-c", line)
	command.Dir = home
	command.Env = append([]string{"HOME=" + home, "PATH=" + filepath.Join(filepath.Dir(home), "bin") + ":" + os.Getenv("PATH"), "SHELL=/bin/sh"}, variables...)
	out, err := command.CombinedOutput()
	if command.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), command.ProcessState.ExitCode()
}

func script(t *testing.T, home, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(home, name), []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
}

// curl asks a server that speaks OpenAI's protocol and fails at first.
func TestReadmeCurl(t *testing.T) {
	for _, tool := range []string{"curl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Model string }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || !strings.HasSuffix(r.URL.Path, "/v1/chat/completions") {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		switch r.Header.Get("Authorization") {
		case "Bearer MARKER-a":
			w.WriteHeader(http.StatusTooManyRequests)
		case "Bearer MARKER-b":
			w.WriteHeader(http.StatusServiceUnavailable)
		case "Bearer MARKER-default":
			fmt.Fprintf(w, `{"choices": [{"message": {"content": "pong from %s"}}]}`, body.Model)
		default:
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	defer server.Close()
	home := readmeHome(t, server.URL)
	script(t, home, "ask.sh", example(t, "(?s)`ask\\.sh`.*?```sh\n(.*?)```"))
	shown := example(t, "(?s)```\n> openclaw-auth chain exec (.*?)```")
	line, want, _ := strings.Cut(shown, "\n")
	got, code := shellIn(t, home, "openclaw-auth chain exec "+line)
	clock := regexp.MustCompile(`\(\d\d:\d\d:\d\d\)`)
	if diff := cmp.Diff(clock.ReplaceAllString(want, "()"), clock.ReplaceAllString(got, "()")); diff != "" || code != 0 {
		t.Errorf("code %d (-README +program)\n%s", code, diff)
	}
}

// A pipeline's tests are run again with the next model while they end with 75.
func TestReadmePipeline(t *testing.T) {
	home := readmeHome(t, "http://127.0.0.1:9")
	script(t, home, "smoke.sh", `test "$OPENCLAW_AUTH_MODEL" = large || exit 75; echo tested with $OPENCLAW_AUTH_REF`)
	line := example(t, "(?s)In a pipeline.*?```sh\n(.*?)```")
	out, code := shellIn(t, home, line)
	if code != 0 || !strings.HasSuffix(out, "tested with other/large\n") || !strings.Contains(out, "overloaded") {
		t.Errorf("code %d: %s", code, out)
	}
	script(t, home, "smoke.sh", "exit 3")
	if out, code := shellIn(t, home, line); code != 3 {
		t.Errorf("tests that fail: code %d: %s", code, out)
	}
}

// The line for a crontab waits for the end of a cooldown, and runs then; in
// the small environment that cron gives it.
func TestReadmeCron(t *testing.T) {
	crontab := example(t, "(?s)In a crontab.*?```\n(.*?)```")
	settings, entry, _ := strings.Cut(crontab, "\n")
	if path, ok := strings.CutPrefix(settings, "PATH="); !ok || !strings.HasPrefix(path, "/usr/local/bin:") {
		t.Errorf("cron's PATH lacks the program: %q", settings)
	}
	fields := strings.SplitN(strings.TrimSpace(entry), " ", 6)
	home := readmeHome(t, "http://127.0.0.1:9")
	script(t, home, "nightly.sh", "echo ran with $OPENCLAW_AUTH_PROFILE")
	for _, profile := range []string{"local:a", "local:b"} {
		if out, code := shellIn(t, home, "openclaw-auth auth record "+profile+" --reason billing"); code != 0 {
			t.Fatal(out)
		}
	}
	later := `sleep 1; openclaw-auth auth reset local:b > reset.log 2>&1 & `
	if out, code := shellIn(t, home, later+fields[5]); code != 0 || out != "ran with local:b\n" {
		t.Errorf("code %d: %q", code, out)
	}
}
