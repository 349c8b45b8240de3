package runner

import (
	"io/fs"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// passed are the signals that the process passes on to a command.
var passed = []os.Signal{os.Interrupt, syscall.SIGTERM}

// Ending are the signals that ask the process to end.
var Ending = passed

// SignalCode is the exit code of a process that a signal has ended.
func SignalCode(s os.Signal) int {
	if s == syscall.SIGTERM {
		return 128 + 15
	}
	return 130
}

func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// group is a command and all that it starts: a job object.
type group struct {
	job windows.Handle
	pid uint32
}

func groupOf(cmd *exec.Cmd) (*group, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, err
	}
	g := &group{job, uint32(cmd.Process.Pid)}
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, g.pid)
	if err != nil {
		return g, nil // it has ended already
	}
	defer windows.CloseHandle(process)
	_ = windows.AssignProcessToJobObject(job, process) // without it only the command itself can be told to end
	return g, nil
}

// terminate asks the group to end: Windows has Ctrl-Break for that.
func (g *group) terminate() { _ = windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, g.pid) }

func (g *group) pass(os.Signal) { g.terminate() }

func (g *group) kill()  { _ = windows.TerminateJobObject(g.job, 1) }
func (g *group) close() { _ = windows.CloseHandle(g.job) }

// isOwn is always true: a user's directory for temporary files is private here.
func isOwn(fs.FileInfo) bool { return true }

// removeOpen leaves the file: an open one can't be removed here.
func removeOpen(*os.File) error { return nil }

func removeClosed(file *os.File) { _ = os.Remove(file.Name()) }
