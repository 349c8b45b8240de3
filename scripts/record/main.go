// Command record asks released versions of OpenClaw what they answer, and finds
// the rules that explain it. See README.md in this folder.
package main

import (
	"fmt"
	"os"
)

const usage = `usage: record setup DIR VERSION...   fetch releases of OpenClaw, and a Node for them
`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) >= 3 && args[0] == "setup" {
		return setup(args[1], args[2:])
	}
	fmt.Fprint(os.Stderr, usage)
	os.Exit(2)
	return nil
}
