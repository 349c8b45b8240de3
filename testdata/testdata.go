// Package testdata holds what the program carries with it: the demo home.
package testdata

import (
	"embed"
	"io/fs"
)

//go:embed all:demo
var files embed.FS

// Demo returns a home directory whose .openclaw is that of a made-up operator
// on OpenClaw 2026.5.12. Its credentials are words, not keys.
func Demo() fs.FS {
	demo, err := fs.Sub(files, "demo")
	if err != nil {
		panic(err) // the name is valid
	}
	return demo
}
