package main

import "github.com/urfave/cli/v2"

func chainCommand(w world) *cli.Command {
	run := sessionFlags() // for all three: only one of them runs
	return group("chain", `Which model a session runs, what follows when it fails, and what an error of a
provider means.

Examples:
  openclaw-auth chain explain
  openclaw-auth chain classify 'HTTP 429 Too Many Requests'

Exit codes: 0 yes, 1 no, 2 usage or unreadable input, 3 busy.`,
		chainExplainCommand(w, run), chainSimulateCommand(w, run), chainExecCommand(w, run), chainHistoryCommand(w), chainClassifyCommand(w), chainPinCommand(w))
}
