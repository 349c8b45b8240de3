//go:build unix && !linux && !darwin

package state

func commandLine(int) []string { return nil }
func startOf(int) int64        { return 0 }

func isZombie(int) bool { return false }
