package main

import "github.com/urfave/cli/v2"

func chainCommand(w world) *cli.Command {
	return group("chain",
		chainExplainCommand(w), chainSimulateCommand(w), chainClassifyCommand(w), chainPinCommand(w))
}
