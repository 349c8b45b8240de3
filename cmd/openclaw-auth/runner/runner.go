// Package runner runs a command again and again: each time in a process group
// of its own, over the same input from its beginning, with what it writes held
// or passed on, and ended when its time is up or the user wants it.
package runner

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"syscall"
	"time"
)

// Grace is how long a process group may take to end after SIGTERM before it
// is killed, and what a command has left running may keep its output open.
const Grace = 5 * time.Second

// Command is one run of a command.
type Command struct {
	Path    string   // of the program
	Args    []string // its own name first
	Env     []string // NAME=VALUE
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Timeout time.Duration  // 0: as long as it takes
	Signals chan os.Signal // what the process gets meanwhile (see Listen); passed on to the command's group
}

// Listen returns the signals that the process gets from now on and that are
// meant for the command too, until stop is called.
func Listen() (signals chan os.Signal, stop func()) {
	signals = make(chan os.Signal, 8)
	signal.Notify(signals, passed...)
	return signals, func() { signal.Stop(signals) }
}

// IsEnding reports whether a signal asks the process to end.
func IsEnding(s os.Signal) bool { return slices.Contains(Ending, s) }

// Asked is the signal that asked the process to end while no command was there
// to pass it on to, nil for none.
func Asked(signals <-chan os.Signal) os.Signal {
	for {
		select {
		case got := <-signals:
			if IsEnding(got) {
				return got
			}
		default:
			return nil
		}
	}
}

// End is how a run of a command ended.
type End struct {
	Code     int       // the exit code, or 128 and the number of the signal that killed it
	TimedOut bool      // it was ended because its time was up
	Signal   os.Signal // what the process got meanwhile that asks to end, nil for nothing
}

// Run runs the command. An error says that it could not be started, or that
// its output could not be passed on.
func (c *Command) Run() (End, error) {
	cmd := &exec.Cmd{
		Path: c.Path, Args: c.Args, Env: c.Env, Stdout: c.Stdout, Stderr: c.Stderr,
		SysProcAttr: ownGroup(), WaitDelay: Grace,
	}
	stopFeeding, err := feed(cmd, c.Stdin)
	if err != nil {
		return End{}, err
	}
	defer stopFeeding()
	if err := cmd.Start(); err != nil {
		return End{}, err
	}
	group, err := groupOf(cmd)
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return End{}, err
	}
	defer group.close()
	return c.wait(cmd, group)
}

// wait waits for the end of the command, which a signal or the time may bring.
func (c *Command) wait(cmd *exec.Cmd, group *group) (End, error) {
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var end End
	var timeout, kill <-chan time.Time
	if c.Timeout > 0 {
		timer := time.NewTimer(c.Timeout)
		defer timer.Stop()
		timeout = timer.C
	}
	for {
		select {
		case err := <-ended:
			end.Code = codeOf(cmd)
			if errors.Is(err, exec.ErrWaitDelay) { // somebody it left behind keeps its output open
				err = nil
			}
			if end.TimedOut {
				group.kill() // what did not end with the command
			}
			if _, exited := errors.AsType[*exec.ExitError](err); exited {
				err = nil
			}
			return end, err
		case <-timeout:
			end.TimedOut = true
			group.terminate()
			kill = time.After(Grace)
		case <-kill:
			group.kill()
		case got := <-c.Signals:
			if IsEnding(got) {
				end.Signal = got
			}
			group.pass(got)
		}
	}
}

// codeOf is the exit code as a shell tells it.
func codeOf(cmd *exec.Cmd) int {
	state := cmd.ProcessState
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}

// feed gives the command its input through a pipe. Nobody waits until the
// input is used up: the command may end before. The function returned ends it.
func feed(cmd *exec.Cmd, input io.Reader) (func(), error) {
	if input == nil {
		return func() {}, nil // the null device
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdin = read
	go func() {
		_, _ = io.Copy(write, input) // a command need not read it all
		_ = write.Close()
	}()
	return func() {
		_ = read.Close()
		_ = write.Close()
	}, nil
}
