package main

import (
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

func stateLocksCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name: "locks", Category: agentless,
		Usage: "locks of stores and sessions: who holds them, for how long, whether they are stale",
		Description: `A stale lock blocks nobody: the next writer removes it,
OpenClaw and openclaw-auth alike. Databases (2026.6.11 and later) have no lock files.

Example: openclaw-auth state locks

Exit codes: 0 nothing is held, 2 usage or unreadable input, 3 a lock is held.`,
	}, stateLocks)
}

type lockJSON struct {
	File      string `json:"file"`
	Kind      string `json:"kind"`
	PID       any    `json:"pid" schema:"number"`
	Alive     bool   `json:"alive"`
	Command   any    `json:"command"`
	Created   int64  `json:"createdAt"`
	AgeMs     int64  `json:"ageMs"`
	Directory bool   `json:"directory"`
	Stale     bool   `json:"stale"`
	Why       any    `json:"why"`
}

func stateLocks(s *session) error {
	if err := s.open(); err != nil {
		return err
	}
	now := time.Now()
	locks, err := s.home.Locks(s.config, now)
	if err != nil {
		return err
	}
	held := false
	list := []lockJSON{}
	for _, lock := range locks {
		held = held || !lock.Stale
		list = append(list, lockDocument(lock, now))
	}
	if s.json {
		err = s.writeJSON(locksDocument{"openclaw-auth/state-locks/v1", s.home.Rules.Line, list})
	} else {
		s.locksText(locks, now)
	}
	if err == nil && held {
		return &exitError{code: exitBusy}
	}
	return err
}

func lockDocument(lock state.Lock, now time.Time) lockJSON {
	doc := lockJSON{
		File: lock.File, Kind: lock.Kind, Alive: lock.Alive, Command: nullable(lock.Command), Created: lock.Created.UnixMilli(),
		AgeMs: lock.Age(now).Milliseconds(), Directory: lock.Directory, Stale: lock.Stale, Why: nullable(lock.Why),
	}
	if lock.PID > 0 {
		doc.PID = lock.PID
	}
	return doc
}

func (s *session) locksText(locks []state.Lock, now time.Time) {
	if len(locks) == 0 {
		fmt.Fprintln(s.stdout, "no locks")
	}
	for _, lock := range locks {
		word := "held by"
		if lock.Stale {
			word = "stale (" + lock.Why + "), left by"
		}
		words.Printf(s.stdout, "%s: %s %s\n", s.shownFile(lock.File), word, lock.Describe(now))
	}
}

// locksDocument is the answer of state locks.
type locksDocument struct {
	Schema string     `json:"schema"`
	Rules  string     `json:"rules"`
	Locks  []lockJSON `json:"locks"`
}
