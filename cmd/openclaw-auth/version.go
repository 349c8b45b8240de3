package main

import (
	"fmt"
	"runtime"

	"github.com/urfave/cli/v2"

	"openclaw-auth/auth"
)

func versionCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name: "version", Category: homeless,
		Description: `Example: openclaw-auth version --json

Exit codes: 0, or 2 for a usage error.`,
	}, func(s *session) error {
		oldest, newest := auth.Oldest().Line, auth.Newest().Line
		if s.json {
			return writeJSON(s.stdout, struct {
				Schema  string `json:"schema"`
				Version string `json:"version"`
				Go      string `json:"go"`
				System  string `json:"system"`
				Oldest  string `json:"oldestRules"`
				Newest  string `json:"newestRules"`
			}{"openclaw-auth/version/v1", versionText(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH, oldest, newest})
		}
		fmt.Fprintf(s.stdout, "openclaw-auth %s (%s, %s/%s), rules of OpenClaw %s to %s\n",
			versionText(), runtime.Version(), runtime.GOOS, runtime.GOARCH, oldest, newest)
		return nil
	})
}
