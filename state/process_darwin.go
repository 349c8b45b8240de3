package state

import "golang.org/x/sys/unix"

func commandLine(pid int) []string {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return nil
	}
	return []string{unix.ByteSliceToString(info.Proc.P_comm[:])}
}

// startOf is not told in the unit of OpenClaw's locks.
func startOf(int) int64 { return 0 }

func isZombie(int) bool { return false }
