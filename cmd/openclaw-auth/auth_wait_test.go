package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// waiter starts auth wait in a home in which it has to wait.
func waiter(t *testing.T, home string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	if out, err := process(home, "auth", "record", "anthropic:default", "--reason", "billing").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	order, _ := process(home, "auth", "order", "anthropic", "--plain").Output() // code 1: none is usable now
	for _, id := range strings.Fields(string(order)) {
		if out, err := process(home, "auth", "record", id, "--reason", "billing").CombinedOutput(); err != nil {
			t.Logf("%s: %v: %s", id, err, out)
		}
	}
	var out bytes.Buffer
	command := process(home, "auth", "wait", "anthropic")
	command.Stdout, command.Stderr = &out, &out
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(400 * time.Millisecond) // it has to sleep first: else there is nothing to wake
	return command, &out
}

// A reset by another process ends the waiting, whatever the store is.
func TestWaitIsWoken(t *testing.T) {
	// What is reset is the first profile of the order: in the last sample that is
	// a closed list without anthropic:default, and the state lies in a log (-wal).
	for sample, id := range map[string]string{"2026.4.29": "anthropic:default", "2026.7.1": "anthropic:default", "2026.9.6": "anthropic:default", "2026.7.1-wal": "anthropic:work"} {
		t.Run(sample, func(t *testing.T) {
			home := writingHome(t)
			if err := copyHome(sample, home); err != nil {
				t.Fatal(err)
			}
			command, out := waiter(t, home)
			if reset, err := process(home, "auth", "reset", id).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, reset)
			}
			ended := make(chan error, 1)
			go func() { ended <- command.Wait() }()
			select {
			case err := <-ended:
				if err != nil || strings.TrimSpace(out.String()) != id {
					t.Errorf("%v: %s", err, out)
				}
			case <-time.After(20 * time.Second):
				_ = command.Process.Kill()
				t.Error("nothing has woken it")
			}
		})
	}
}

// An interrupt ends it with 130.
func TestWaitIsInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process can't be interrupted from there")
	}
	home := writingHome(t)
	if err := copyHome("2026.4.29", home); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(home, ".openclaw")); err != nil {
		t.Fatal(err)
	}
	command, out := waiter(t, home)
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err := command.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != exitInterrupted {
		t.Errorf("%v: %s", err, out)
	}
}
