//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// TestProgressLine draws the line, writes something else meanwhile, and ends it.
func TestProgressLine(t *testing.T) {
	var b bytes.Buffer
	start := time.UnixMilli(0)
	p := &progress{w: &b, what: "looking at agents", since: start}
	p.report(3, 200)
	p.draw(start.Add(2 * time.Second))
	fmt.Fprintln(p, "openclaw-auth: warning: x")
	p.report(4, 200)
	p.draw(start.Add(3 * time.Second))
	p.wipe()
	p.wipe()
	want := "\rlooking at agents: 3 of 200 (2s)\x1b[K" + "\r\x1b[K" + "openclaw-auth: warning: x\n" + "\rlooking at agents: 4 of 200 (3s)\x1b[K" + "\r\x1b[K"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

// TestLongReadingShowsProgress gives a command input that does not end: on a
// terminal it says how far it is, an interrupt ends it as shells know it, and
// without a terminal nothing is said.
func TestLongReadingShowsProgress(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for a second second")
	}
	program := filepath.Join(installed(t), "openclaw-auth")
	terminal, tty, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	defer terminal.Close()
	input, feed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer feed.Close()
	command := exec.Command(program, "chain", "classify", "--lines", "--rules", "2026.5.12", "-")
	command.Env = []string{"HOME=" + t.TempDir(), "PATH=/usr/bin:/bin"}
	command.Stdin, command.Stdout, command.Stderr = input, tty, tty
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	tty.Close()
	fmt.Fprintln(feed, "HTTP 429 too many requests\nHTTP 402 payment required")
	shown := make([]byte, 0, 4096)
	until := time.Now().Add(20 * time.Second)
	for !strings.Contains(string(shown), "lines classified: 2 (") && time.Now().Before(until) {
		part := make([]byte, 256)
		n, err := terminal.Read(part)
		if err != nil {
			break
		}
		shown = append(shown, part[:n]...)
	}
	if !strings.Contains(string(shown), "\rlines classified: 2 (") {
		t.Errorf("no progress: %q", shown)
	}
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = command.Wait()
	if code := shellCode(command.ProcessState); code != exitInterrupted {
		t.Errorf("exit %d after an interrupt", code)
	}
}
