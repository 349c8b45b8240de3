//go:build linux

package main

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// watched is state watch on a terminal.
type watched struct {
	t        *testing.T
	command  *exec.Cmd
	terminal *os.File
	before   unix.Termios
	mu       sync.Mutex
	shown    bytes.Buffer
}

func startWatch(t *testing.T, home string, columns, lines uint16) *watched {
	t.Helper()
	return startWatchOf(t, "", home, columns, lines)
}

// startWatchOf starts another of the test binary's programs than openclaw-auth.
func startWatchOf(t *testing.T, program, home string, columns, lines uint16) *watched {
	t.Helper()
	terminal, tty, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	w := &watched{t: t, terminal: terminal, command: process(home, "state", "watch")}
	if program != "" {
		w.command.Path = filepath.Join(filepath.Dir(w.command.Path), program)
		if err := os.Symlink("openclaw-auth", w.command.Path); err != nil {
			t.Fatal(err)
		}
		w.command.Args[0] = w.command.Path
	}
	w.resize(columns, lines)
	w.before = w.termios()
	w.command.Env = append(w.command.Env, "TERM=xterm-256color")
	w.command.Stdin, w.command.Stdout, w.command.Stderr = tty, tty, tty
	w.command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := w.command.Start(); err != nil {
		t.Fatal(err)
	}
	_ = tty.Close()
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, err := terminal.Read(buffer)
			if err != nil {
				return
			}
			w.mu.Lock()
			w.shown.Write(buffer[:n])
			w.mu.Unlock()
		}
	}()
	t.Cleanup(func() {
		_ = w.command.Process.Kill()
		_ = terminal.Close()
	})
	return w
}

func (w *watched) resize(columns, lines uint16) {
	w.t.Helper()
	if err := pty.Setsize(w.terminal, &pty.Winsize{Cols: columns, Rows: lines}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *watched) termios() unix.Termios {
	w.t.Helper()
	state, err := unix.IoctlGetTermios(int(w.terminal.Fd()), unix.TCGETS)
	if err != nil {
		w.t.Fatal(err)
	}
	return *state
}

// until waits until the terminal has shown a text since it was asked last.
func (w *watched) until(text string) string {
	w.t.Helper()
	for range 500 {
		w.mu.Lock()
		shown := w.shown.String()
		if i := strings.LastIndex(shown, text); i >= 0 {
			w.shown.Reset()
			w.mu.Unlock()
			return shown
		}
		w.mu.Unlock()
		time.Sleep(10 * time.Millisecond)
	}
	w.t.Fatalf("the terminal never shows %q:\n%q", text, w.shown.String())
	return ""
}

const (
	alternate = "\x1b[?1049h"
	ordinary  = "\x1b[?25h\x1b[?1049l"
)

// ended waits for the end, after which the terminal is as it was before.
func (w *watched) ended(code int) {
	w.t.Helper()
	w.until(ordinary)
	err := w.command.Wait()
	got := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	}
	if got != code {
		w.t.Errorf("exit code %d, want %d", got, code)
	}
	if after := w.termios(); after != w.before {
		w.t.Errorf("the terminal is left otherwise: %+v, before %+v", after, w.before)
	}
}

// However it ends, the terminal is as it was before.
func TestWatchLeavesTheTerminal(t *testing.T) {
	for name, end := range map[string]struct {
		code int
		end  func(*watched)
	}{
		"q":         {0, func(w *watched) { _, _ = w.terminal.WriteString("xq") }},
		"Ctrl-C":    {130, func(w *watched) { _, _ = w.terminal.WriteString("\x03") }},
		"interrupt": {130, func(w *watched) { _ = w.command.Process.Signal(syscall.SIGINT) }},
		"SIGTERM":   {143, func(w *watched) { _ = w.command.Process.Signal(syscall.SIGTERM) }},
		"SIGQUIT":   {131, func(w *watched) { _ = w.command.Process.Signal(syscall.SIGQUIT) }},
		"SIGHUP":    {129, func(w *watched) { _ = w.command.Process.Signal(syscall.SIGHUP) }},
	} {
		t.Run(name, func(t *testing.T) {
			w := startWatch(t, writingHome(t), 80, 24)
			if shown := w.until("a:y"); !strings.Contains(shown, alternate) {
				t.Errorf("no alternate screen: %q", shown)
			}
			end.end(w)
			w.ended(end.code)
		})
	}
}

// After a panic the terminal is as before, and what the panic says can be read on it.
func TestWatchPanics(t *testing.T) {
	home := writingHome(t)
	w := startWatchOf(t, "openclaw-auth-panics", home, 80, 24)
	w.until("a:y")
	if err := os.WriteFile(filepath.Join(home, "panic"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, _ = w.terminal.WriteString("\x0c")
	w.panicked("the clock has stopped")
}

// panicked waits for the end by a panic, which is told after the terminal is given back.
func (w *watched) panicked(cause string) {
	w.t.Helper()
	if shown := w.until(cause); !strings.Contains(shown, ordinary) || strings.Contains(shown[strings.LastIndex(shown, ordinary):], alternate) {
		w.t.Errorf("the panic is told on the alternate screen: %q", shown)
	}
	err := w.command.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 2 {
		w.t.Errorf("%v, want the exit code of a panic", err)
	}
	if after := w.termios(); after != w.before {
		w.t.Errorf("the terminal is left otherwise: %+v, before %+v", after, w.before)
	}
}

// A change is drawn as it comes, at every size, and no line is too wide.
func TestWatchDraws(t *testing.T) {
	home := writingHome(t)
	w := startWatch(t, home, 120, 40)
	w.until("a:y")
	if out, err := process(home, "auth", "record", "a:x", "--reason", "billing").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	w.until("a:x disabled billing, 5h")
	for _, size := range [][2]uint16{{80, 24}, {40, 6}} {
		w.resize(size[0], size[1])
		frame := w.until("\x1b[K\x1b[J")
		frame = frame[strings.LastIndex(frame, "\x1b[H"):]
		if n := strings.Count(frame, "\r\n"); n >= int(size[1]) {
			t.Errorf("%d line breaks on %d lines", n, size[1])
		}
	}
	_ = w.command.Process.Signal(syscall.SIGTERM)
	w.ended(143)
}

// Suspended, it gives the terminal back, and takes it again when it goes on.
func TestWatchIsSuspended(t *testing.T) {
	w := startWatch(t, writingHome(t), 80, 24)
	w.until("a:y")
	_, _ = w.terminal.WriteString("\x1a")
	w.until(ordinary)
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(w.command.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("it does not stop: %v %v", status, err)
	}
	if after := w.termios(); after != w.before {
		t.Errorf("the terminal is not given back: %+v, before %+v", after, w.before)
	}
	if err := w.command.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if shown := w.until("a:y"); !strings.Contains(shown, alternate) {
		t.Errorf("the screen is not taken again: %q", shown)
	}
	_, _ = w.terminal.WriteString("q")
	w.ended(0)
}

// No secret is on the screen.
func TestWatchShowsNoSecret(t *testing.T) {
	w := startWatch(t, writingHome(t), 80, 24)
	if shown := w.until("a:y"); strings.Contains(shown, "sk-") {
		t.Errorf("%q", shown)
	}
	_, _ = w.terminal.WriteString("q")
	w.ended(0)
}

// TestWatchWritesItsSchema validates the lines of state watch --json.
func TestWatchWritesItsSchema(t *testing.T) {
	home := writingHome(t)
	if err := copyHome("2026.5.12", home); err != nil {
		t.Fatal(err)
	}
	command := process(home, "state", "watch", "--json")
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	stop := time.AfterFunc(5*time.Minute, func() { _ = command.Process.Kill() })
	defer stop.Stop()
	seen, changed := make(chan bool), make(chan bool)
	go func() { // changes until it has seen one
		defer close(changed)
		for {
			select {
			case <-seen:
				return
			case <-time.After(500 * time.Millisecond):
				_ = process(home, "auth", "record", "anthropic:default", "--reason", "billing").Run()
				_ = process(home, "auth", "reset", "anthropic:default").Run()
			}
		}
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	close(seen)
	<-changed
	if err != nil {
		t.Fatal(err)
	}
	v := &validator{schemas: compiled(t), seen: map[string]bool{}}
	if v.check(t, "state watch", line); !v.seen["state-watch/v1"] {
		t.Errorf("no change in %q", line)
	}
	_ = command.Process.Signal(os.Interrupt)
	if _ = command.Wait(); command.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("exit %d after an interrupt", command.ProcessState.ExitCode())
	}
}
