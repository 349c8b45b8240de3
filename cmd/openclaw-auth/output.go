package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
)

// writeOutput writes a file that the user named, whole or not at all; "-" is
// standard output. The file is readable by its owner alone: it names accounts.
func (s *session) writeOutput(name string, write func(io.Writer) error) error {
	if name == "-" {
		return write(s.stdout)
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(name), ".openclaw-auth-*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) // after a rename there is none
	_, err = temporary.Write(b.Bytes())
	if closeErr := temporary.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(temporary.Name(), name)
	}
	return err
}
