//go:build linux

package fullscreen

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// panicVariable makes the test binary take its terminal over and panic.
const panicVariable = "FULLSCREEN_TEST_PANIC"

func TestMain(m *testing.M) {
	if where := os.Getenv(panicVariable); where != "" {
		panicIn(where)
	}
	os.Exit(m.Run())
}

func panicIn(where string) {
	s, err := Open(os.Stdin, os.Stdout)
	if err != nil {
		os.Exit(3)
	}
	defer s.Close()
	if where == "goroutine" {
		go func() {
			defer s.Guard()
			panic("on purpose")
		}()
		select {}
	}
	panic("on purpose")
}

// A panic gives the terminal back, in whatever goroutine it comes, before it is told.
func TestPanic(t *testing.T) {
	for _, where := range []string{"main", "goroutine"} {
		t.Run(where, func(t *testing.T) {
			terminal, tty, err := pty.Open()
			if err != nil {
				t.Skip(err)
			}
			defer terminal.Close()
			before, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
			if err != nil {
				t.Fatal(err)
			}
			command := exec.Command(os.Args[0])
			command.Env = append(os.Environ(), panicVariable+"="+where)
			command.Stdin, command.Stdout, command.Stderr = tty, tty, tty
			command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			_ = tty.Close()
			var shown bytes.Buffer
			_, _ = io.Copy(&shown, terminal) // ends with an error when the last user of the terminal has gone
			if err := command.Wait(); command.ProcessState.ExitCode() != 2 {
				t.Errorf("%v, want the exit code of a panic", err)
			}
			taken, told := strings.LastIndex(shown.String(), leave), strings.Index(shown.String(), "panic: on purpose")
			if taken < 0 || told < taken {
				t.Errorf("the panic is told on the alternate screen: %q", shown.String())
			}
			after, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
			if err != nil {
				t.Fatal(err)
			}
			if *after != *before {
				t.Errorf("the terminal is left otherwise: %+v, before %+v", after, before)
			}
		})
	}
}

// Without a screen a panic goes on as it is.
func TestGuardWithoutScreen(t *testing.T) {
	defer func() {
		if cause := recover(); cause != "on purpose" {
			t.Errorf("%v", cause)
		}
	}()
	defer (*Screen)(nil).Guard()
	panic("on purpose")
}
