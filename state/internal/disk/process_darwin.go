package disk

import "golang.org/x/sys/unix"

func CommandLine(pid int) []string {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return nil
	}
	return []string{unix.ByteSliceToString(info.Proc.P_comm[:])}
}

// StartOf is not told in the unit of OpenClaw's locks.
func StartOf(int) int64 { return 0 }

func isZombie(int) bool { return false }
