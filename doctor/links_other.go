//go:build !unix

package doctor

import "io/fs"

// linksOf is how many names a file has, 0 where the system does not tell.
func linksOf(fs.FileInfo) int { return 0 }
