//go:build unix

package runner

import (
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// passed are the signals that the process passes on to a command.
var passed = []os.Signal{
	syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGTSTP,
}

// Ending are the signals that ask the process to end.
var Ending = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// SignalCode is the exit code of a process that a signal has ended.
func SignalCode(s os.Signal) int {
	if number, ok := s.(syscall.Signal); ok {
		return 128 + int(number)
	}
	return 130
}

func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// group is a command's process group.
type group struct{ id int }

func groupOf(cmd *exec.Cmd) (*group, error) { return &group{cmd.Process.Pid}, nil }

func (g *group) terminate() { g.send(syscall.SIGTERM) }
func (g *group) kill()      { g.send(syscall.SIGKILL) }
func (g *group) close()     {}

// pass passes a signal on. One that suspends the process suspends both, until
// the process goes on.
func (g *group) pass(s os.Signal) {
	g.send(s.(syscall.Signal))
	if s != syscall.SIGTSTP {
		return
	}
	resumed := make(chan os.Signal, 1)
	signal.Notify(resumed, syscall.SIGCONT)
	defer signal.Stop(resumed)
	_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	<-resumed
	g.send(syscall.SIGCONT)
}

func (g *group) send(s syscall.Signal) { _ = syscall.Kill(-g.id, s) } // it may have ended

// isOwn reports whether a file belongs to the user that the process runs as.
func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// removeOpen takes the file's name away.
func removeOpen(file *os.File) error { return os.Remove(file.Name()) }

func removeClosed(*os.File) {}
