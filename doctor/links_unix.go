//go:build unix

package doctor

import (
	"io/fs"
	"syscall"
)

// linksOf is how many names a file has, 0 where the system does not tell.
func linksOf(info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Nlink)
	}
	return 0
}
