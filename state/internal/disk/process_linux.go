package disk

import (
	"os"
	"strconv"
	"strings"
)

func CommandLine(pid int) []string {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err != nil || len(data) == 0 {
		return nil
	}
	return strings.Split(strings.TrimRight(string(data), "\x00"), "\x00")
}

// StartOf returns when a process started, in the unit of OpenClaw's locks
// (clock ticks since boot); 0 where the system does not tell.
func StartOf(pid int) int64 {
	const start = 19
	fields := statOf(pid)
	if len(fields) <= start {
		return 0
	}
	ticks, _ := strconv.ParseInt(fields[start], 10, 64)
	return ticks
}

// isZombie reports whether a process has ended and only its parent does not
// know yet: it will not release anything any more.
func isZombie(pid int) bool {
	fields := statOf(pid)
	return len(fields) > 0 && fields[0] == "Z"
}

// statOf returns the fields of /proc/PID/stat, from the state on.
func statOf(pid int) []string {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return nil
	}
	// The name before it is in parentheses and may hold spaces.
	return strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
}
