package main

import (
	"errors"
	"fmt"

	"openclaw-auth/state"
)

// The exit codes of every command.
const (
	exitYes   = 0 // yes, clean, done
	exitNo    = 1 // no: no usable profile, findings, chain exhausted
	exitUsage = 2 // usage error or unreadable input
	exitBusy  = 3 // timed out waiting for a lock

	exitInterrupted = 130 // as shells say it of SIGINT
)

// exitError ends the program with a code; without an error nothing is said,
// because the answer has been given on stdout.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// errNo is the answer no.
var errNo = &exitError{code: exitNo}

// usage is an error in how the program was called.
func usage(format string, args ...any) error {
	return &exitError{code: exitUsage, err: fmt.Errorf(format, args...)}
}

// codeOf returns the exit code for an error: what is not said otherwise is
// unreadable input.
func codeOf(err error) int {
	if err == nil {
		return exitYes
	}
	if exit, ok := errors.AsType[*exitError](err); ok {
		return exit.code
	}
	if errors.Is(err, state.ErrDatabaseBusy) {
		return exitBusy
	}
	return exitUsage
}
