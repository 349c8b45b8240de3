// Command openclaw-auth explains, checks and repairs the auth profiles and the
// model failover state of OpenClaw, offline.
package main

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/mattn/go-isatty"
	"golang.org/x/term"

	"openclaw-auth/state"
)

func main() {
	w := system()
	// Few writes for an answer: a system call a line costs more than the answer.
	buffered := bufio.NewWriterSize(os.Stdout, 8<<10)
	w.stdout, w.flushed = buffered, buffered.Flush
	code := run(os.Args, w)
	if err := buffered.Flush(); err != nil && code == exitYes {
		code = exitUsage
	}
	os.Exit(code)
}

// world is what a run of the program sees and writes of the outside: the one
// place where environment, clock and terminal come in.
type world struct {
	env            state.Env
	now            func() time.Time
	stdin          io.Reader
	stdout, stderr io.Writer
	flushed        func() error   // writes what stdout holds back; nil where it holds nothing back
	terminal       bool           // stdout is one
	width          int            // its columns, 0 if it is none
	zone           *time.Location // of the times that are shown; nil is UTC
}

func system() world {
	w := world{
		env:      state.SystemEnv(),
		now:      time.Now,
		stdin:    os.Stdin,
		stdout:   os.Stdout,
		stderr:   os.Stderr,
		terminal: isatty.IsTerminal(os.Stdout.Fd()) || isatty.IsCygwinTerminal(os.Stdout.Fd()),
		zone:     time.Local,
	}
	if w.terminal {
		w.width = terminalWidth(os.Stdout, w.env.Getenv)
	}
	return w
}

// usualWidth is taken for a terminal that does not tell its width.
const usualWidth = 80

// terminalWidth asks the terminal for its columns, as does COLUMNS for those
// that don't know (a serial console, a pty without a size).
func terminalWidth(file *os.File, getenv func(string) string) int {
	if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
		return width
	}
	if width, err := strconv.Atoi(getenv("COLUMNS")); err == nil && width > 0 {
		return width
	}
	return usualWidth
}
