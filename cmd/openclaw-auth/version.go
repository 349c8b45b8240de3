package main

import (
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"openclaw-auth/auth"
	"openclaw-auth/doctor/words"
)

// version is set by the release build; a build from a checkout says so.
var version = ""

func versionText() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

// source is the commit that the program was built from, as far as Go recorded it.
type source struct {
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"commitDate,omitempty"` // RFC 3339
	Modified bool   `json:"modified,omitempty"`   // the checkout had changes beyond the commit
}

func builtFrom() source {
	var from source
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			switch setting.Key {
			case "vcs.revision":
				from.Commit = setting.Value
			case "vcs.time":
				from.Date = setting.Value
			case "vcs.modified":
				from.Modified = setting.Value == "true"
			}
		}
	}
	return from
}

// String is the short form; "" where nothing was recorded.
func (s source) String() string {
	if s.Commit == "" {
		return ""
	}
	text := "commit " + s.Commit[:min(len(s.Commit), 12)]
	if day, _, ok := strings.Cut(s.Date, "T"); ok {
		text += " of " + day
	}
	if s.Modified {
		text += ", modified"
	}
	return text
}

// versionDocument is the answer of version --json.
type versionDocument struct {
	Schema  string `json:"schema"`
	Version string `json:"version"`
	source
	Go     string `json:"go"`
	System string `json:"system"`
	Oldest string `json:"oldestRules"`
	Newest string `json:"newestRules"`
}

func versionCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name: "version", Category: homeless,
		Description: `Shows the version, the commit it was built from if known, and
the OpenClaw releases that it knows.

Example: openclaw-auth version --json

Exit codes: 0, or 2 for a usage error.`,
	}, func(s *session) error {
		document := versionDocument{"openclaw-auth/version/v1", versionText(), builtFrom(),
			runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH, auth.Oldest().Line, auth.Newest().Line}
		if s.json {
			return s.writeJSON(document)
		}
		built := document.Go + ", " + document.System
		if from := document.source.String(); from != "" {
			built = from + ", " + built
		}
		words.Printf(s.stdout, "openclaw-auth %s (%s), rules of OpenClaw %s to %s\n", document.Version, built, document.Oldest, document.Newest)
		return nil
	})
}
