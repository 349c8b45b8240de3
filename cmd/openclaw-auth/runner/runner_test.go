//go:build unix

package runner

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// shell prepares a shell command.
func shell(t *testing.T, script string) (*Command, *bytes.Buffer) {
	t.Helper()
	path, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	var out bytes.Buffer
	return &Command{Path: path, Args: []string{"sh", "-c", script}, Env: os.Environ(), Stdout: &out, Stderr: &out}, &out
}

func run(t *testing.T, c *Command) End {
	t.Helper()
	end, err := c.Run()
	if err != nil {
		t.Fatal(err)
	}
	return end
}

func TestRun(t *testing.T) {
	for script, want := range map[string]End{"exit 0": {}, "exit 7": {Code: 7}, "kill -9 $$": {Code: 137}} {
		c, _ := shell(t, script)
		if end := run(t, c); end != want {
			t.Errorf("%s: %+v", script, end)
		}
	}
	c, out := shell(t, "cat; echo $MARK")
	c.Stdin, c.Env = strings.NewReader("in "), []string{"MARK=set", "PATH=" + os.Getenv("PATH")}
	run(t, c)
	if out.String() != "in set\n" {
		t.Errorf("%q", out)
	}
	c.Path = "/nonexistent"
	if _, err := c.Run(); err == nil {
		t.Error("a command that is not there runs")
	}
}

// A command that does not read its input ends although there is no end of it.
func TestUnreadInput(t *testing.T) {
	source, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	defer write.Close()
	input := NewInput(source)
	for range 2 {
		c, _ := shell(t, "exit 3")
		c.Stdin = input.Reader()
		if end := run(t, c); end.Code != 3 {
			t.Errorf("%+v", end)
		}
	}
	if _, err := write.WriteString("late\n"); err != nil {
		t.Fatal(err)
	}
	_ = write.Close()
	c, out := shell(t, "cat")
	c.Stdin = input.Reader()
	run(t, c)
	if out.String() != "late\n" {
		t.Errorf("what came while nobody read is lost: %q", out)
	}
}

// When its time is up, all of a command's group gets SIGTERM.
func TestTimeout(t *testing.T) {
	c, out := shell(t, `sh -c 'trap "echo inner; exit 0" TERM; echo $$; while :; do sleep 0.05; done' & wait`)
	c.Timeout = 300 * time.Millisecond
	started := time.Now()
	end := run(t, c)
	if !end.TimedOut || end.Code != 143 || time.Since(started) > Grace {
		t.Errorf("%+v after %s", end, time.Since(started))
	}
	pid, rest, _ := strings.Cut(out.String(), "\n")
	if !strings.Contains(rest, "inner") {
		t.Errorf("%q", out)
	}
	assertGone(t, pid)
}

func assertGone(t *testing.T, pid string) {
	t.Helper()
	number, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if syscall.Kill(number, 0) != nil {
			return
		}
		if stat, err := os.ReadFile("/proc/" + pid + "/stat"); err == nil && strings.Contains(string(stat), ") Z ") {
			return // nobody has asked for it yet
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("process %s still runs", pid)
}

// What ignores SIGTERM is killed.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("takes as long as a command gets to end")
	}
	c, out := shell(t, `trap "" TERM; echo $$; while :; do sleep 0.05; done`)
	c.Timeout = 200 * time.Millisecond
	if end := run(t, c); !end.TimedOut || end.Code != 137 {
		t.Errorf("%+v", end)
	}
	assertGone(t, strings.TrimSpace(out.String()))
}

// A signal goes to the command, and the exit status reports it.
func TestSignal(t *testing.T) {
	signals := make(chan os.Signal, 2)
	c, out := shell(t, `trap "" USR2; trap "echo got; exit 5" INT; echo ready; while :; do sleep 0.02; done`)
	c.Signals = signals
	time.AfterFunc(300*time.Millisecond, func() { signals <- syscall.SIGUSR2; signals <- syscall.SIGINT })
	end := run(t, c)
	if end.Code != 5 || end.Signal != syscall.SIGINT || out.String() != "ready\ngot\n" {
		t.Errorf("%+v, %q", end, out)
	}
	if SignalCode(syscall.SIGINT) != 130 || SignalCode(syscall.SIGTERM) != 143 {
		t.Error("codes of signals")
	}
}
