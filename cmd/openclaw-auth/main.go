// Command openclaw-auth explains, checks and repairs the auth profiles and the
// model failover state of OpenClaw, offline.
package main

import (
	"bufio"
	"io"
	"os"
	"runtime/debug"
	"time"

	"github.com/mattn/go-isatty"

	"openclaw-auth/state"
)

func main() {
	w := system()
	// Few writes for an answer: a system call a line costs more than the answer.
	buffered := bufio.NewWriterSize(os.Stdout, 8<<10)
	w.stdout = buffered
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
	terminal       bool // stdout is one
}

func system() world {
	return world{
		env:      state.SystemEnv(),
		now:      time.Now,
		stdin:    os.Stdin,
		stdout:   os.Stdout,
		stderr:   os.Stderr,
		terminal: isatty.IsTerminal(os.Stdout.Fd()) || isatty.IsCygwinTerminal(os.Stdout.Fd()),
	}
}

// version is set by the release build; a build from a checkout says so.
var version = ""

func versionText() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}
