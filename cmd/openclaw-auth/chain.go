package main

import "github.com/urfave/cli/v2"

func chainCommand(w world) *cli.Command {
	run := sessionFlags() // for both commands: only one of them runs
	return group("chain",
		chainExplainCommand(w, run), chainSimulateCommand(w, run), chainClassifyCommand(w), chainPinCommand(w))
}
