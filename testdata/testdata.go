// Package testdata holds what the program carries with it: the demo home.
package testdata

import (
	"embed"
	"io/fs"
)

//go:embed all:demo
var files embed.FS

// Demo returns a file system whose directory demo is the home of a made-up
// operator on OpenClaw 2026.5.12. Its credentials are words, not keys.
func Demo() fs.FS { return files }
