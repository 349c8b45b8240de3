package main

import "github.com/urfave/cli/v2"

func chainCommand(w world) *cli.Command {
	return group("chain", "models: which one runs, which comes next, and what an error means",
		chainExplainCommand(w), chainSimulateCommand(w), chainClassifyCommand(w))
}
