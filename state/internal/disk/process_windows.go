package disk

import (
	"errors"

	"golang.org/x/sys/windows"
)

const stillActive = 259

// IsAlive reports whether there is a process of that id. One of another
// user is alive too.
func IsAlive(pid int) bool {
	if pid <= 0 {
		return false
	}
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return errors.Is(err, windows.ERROR_ACCESS_DENIED)
	}
	defer windows.CloseHandle(process)
	var code uint32
	return windows.GetExitCodeProcess(process, &code) == nil && code == stillActive
}

func CommandLine(pid int) []string {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return nil
	}
	defer windows.CloseHandle(process)
	name := make([]uint16, windows.MAX_LONG_PATH)
	size := uint32(len(name))
	if windows.QueryFullProcessImageName(process, 0, &name[0], &size) != nil {
		return nil
	}
	return []string{windows.UTF16ToString(name[:size])}
}

// StartOf is not told in the unit of OpenClaw's locks.
func StartOf(int) int64 { return 0 }
