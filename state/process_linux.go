package state

import (
	"os"
	"strconv"
	"strings"
)

func commandLine(pid int) []string {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err != nil || len(data) == 0 {
		return nil
	}
	return strings.Split(strings.TrimRight(string(data), "\x00"), "\x00")
}

// startOf returns when a process started, in the unit of OpenClaw's locks
// (clock ticks since boot); 0 where the system does not tell.
func startOf(pid int) int64 {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	// The name in parentheses may hold spaces; 19 fields after it comes the start.
	_, rest, _ := strings.Cut(string(data[strings.LastIndexByte(string(data), ')')+1:]), " ")
	fields := strings.Fields(rest)
	const start = 19
	if len(fields) <= start {
		return 0
	}
	ticks, _ := strconv.ParseInt(fields[start], 10, 64)
	return ticks
}
