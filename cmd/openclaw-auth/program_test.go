package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"openclaw-auth/state"
)

// program runs the program in this process with a home directory, and returns
// what it printed and its exit code.
func program(t *testing.T, home string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, problems bytes.Buffer
	env := state.SystemEnv()
	env.Getenv = func(name string) string {
		if name == "HOME" {
			return home
		}
		return ""
	}
	code = run(append([]string{"openclaw-auth"}, args...), world{
		env: env, now: func() time.Time { return time.UnixMilli(1_780_000_000_000) },
		stdin: strings.NewReader(""), stdout: &out, stderr: &problems,
	})
	return out.String(), problems.String(), code
}

// write makes the files of a home; a path that ends in / is a directory.
func write(t *testing.T, home string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(home, ".openclaw", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(path, 0o700); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
