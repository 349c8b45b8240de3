// Command e2e compares the engine with real runs of OpenClaw: run makes random
// turns on an installed release, pack makes fixtures of recorded turns, check
// compares with fixtures.
package main

import (
	"fmt"
	"os"

	"openclaw-auth/scripts/e2e/turn"
)

const usage = `usage: e2e run VERSION [--turns N] [--seed N] [--via command|http|reply] [--dir DIR] [--save FILE]
       e2e pack TURNS.jsonl HOMES > FIXTURES.jsonl
       e2e check FIXTURES.jsonl`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) > 0 && args[0] == "run":
		return random(args[1:])
	case len(args) > 0 && args[0] == "pack":
		return packFile(args[1:])
	case len(args) == 2 && args[0] == "check":
		return check(args[1])
	}
	return fmt.Errorf("%s", usage)
}

// check prints where the engine differs from the turns of a file.
func check(path string) error {
	turns, err := turn.Read(path)
	if err != nil {
		return err
	}
	a := agreement{memories: turn.Memories{}}
	for i := range turns {
		if err := a.add(&turns[i]); err != nil {
			return err
		}
	}
	fmt.Println(&a)
	if !a.whole() {
		return fmt.Errorf("%s: turns differ", path)
	}
	return nil
}
