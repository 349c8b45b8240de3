//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A log that takes long to read shows on the terminal how much was read, and
// nothing of that is left when the answer is there.
func TestProgressOfHistory(t *testing.T) {
	program := filepath.Join(installed(t), "openclaw-auth")
	pipe := filepath.Join(t.TempDir(), "slow.log")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no named pipe: %v", err)
	}
	go func() {
		file, err := os.OpenFile(pipe, os.O_WRONLY, 0)
		if err != nil {
			return
		}
		defer file.Close()
		line := []byte(`{"0":"{\"subsystem\":\"gateway\"}","1":"` + strings.Repeat("x", 1000) + `","_meta":{"date":"2026-11-30T21:11:03.339Z"}}` + "\n")
		for range 4 {
			file.Write(bytes.Repeat(line, 1000))
			time.Sleep(400 * time.Millisecond)
		}
		file.WriteString(`{"0":"{\"subsystem\":\"agent/embedded\"}","1":{"event":"embedded_run_agent_end","runId":"r","isError":true,"provider":"p","model":"m","rawErrorPreview":"429 x"},"_meta":{"date":"2026-11-30T21:11:04.339Z"}}` + "\n")
	}()
	shown := onTerminal(t, program, 100, "chain", "history", "--log", pipe)
	if !regexp.MustCompile(`\r[1-9] MB read\x1b\[K`).MatchString(shown) {
		t.Errorf("no progress: %q", shown)
	}
	if place := strings.LastIndex(shown, "MB read"); place >= 0 && !strings.HasPrefix(shown[place:], "MB read\x1b[K\r\x1b[K") {
		t.Errorf("the progress is still there: %q", shown)
	}
	if !strings.Contains(shown, "4001 lines") || !strings.Contains(shown, "p/m") {
		t.Errorf("no answer: %q", shown)
	}
}
