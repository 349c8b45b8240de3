// Command e2e keeps real runs of OpenClaw as a test: pack makes fixtures of
// recorded turns, check compares the engine with fixtures.
package main

import (
	"fmt"
	"os"

	"openclaw-auth/scripts/e2e/turn"
)

const usage = `usage: e2e pack TURNS.jsonl HOMES > FIXTURES.jsonl
       e2e check FIXTURES.jsonl`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
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
	all, sequences, states := 0, 0, 0
	for _, t := range turns {
		d, err := t.Compare()
		if err != nil {
			return err
		}
		for _, text := range append(d.Sequence, d.State...) {
			fmt.Printf("%s (%s): %s\n", t.Name(), t.Title, text)
		}
		if t.Stale {
			continue
		}
		all++
		if len(d.Sequence) == 0 {
			sequences++
		}
		if len(d.State) == 0 {
			states++
		}
	}
	fmt.Printf("e2e %d/%d sequences, %d/%d states\n", sequences, all, states, all)
	if sequences < all || states < all {
		return fmt.Errorf("%s: turns differ", path)
	}
	return nil
}
