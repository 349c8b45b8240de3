package main

import (
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// text makes a flag with a value. The word in backquotes of about names what
// the value is; help shows it, and completion offers what it stands for
// (see complete_values.go): an upper-case name, or the values with | between.
func text(name, about string) cli.Flag { return &cli.StringFlag{Name: name, Usage: about} }

// toggle makes a flag without a value.
func toggle(name, about string) cli.Flag {
	return &cli.BoolFlag{Name: name, Usage: about, DisableDefaultText: true}
}

// several makes a flag that may be given more than once.
func several(name, about string) cli.Flag { return &cli.StringSliceFlag{Name: name, Usage: about} }

// isSwitch reports whether a flag takes no value.
func isSwitch(flag cli.Flag) bool {
	_, ok := flag.(*cli.BoolFlag)
	return ok
}

// nameOf is the name of a flag: ours have only one.
func nameOf(flag cli.Flag) string {
	switch f := flag.(type) {
	case *cli.StringFlag:
		return f.Name
	case *cli.BoolFlag:
		return f.Name
	}
	return flag.Names()[0]
}

// aboutOf is what help says about a flag.
func aboutOf(flag cli.Flag) string {
	documented, _ := flag.(cli.DocGenerationFlag)
	return documented.GetUsage()
}

// valueName names what a flag's value is, "" for a switch.
func valueName(flag cli.Flag) string {
	if isSwitch(flag) {
		return ""
	}
	if parts := strings.SplitN(aboutOf(flag), "`", 3); len(parts) == 3 {
		return parts[1]
	}
	return "VALUE"
}

// mayBeEmpty reports whether an empty value means something for a flag.
func mayBeEmpty(flag cli.Flag) bool { return strings.Contains(aboutOf(flag), "; empty for ") }

const globalCategory = "GLOBAL"

func globalText(name, variable, value, about string) cli.Flag {
	return &cli.StringFlag{Name: name, Usage: about, Value: value, EnvVars: []string{variable}, Category: globalCategory}
}

func globalToggle(name, variable, about string) cli.Flag {
	return &cli.BoolFlag{Name: name, Usage: about, EnvVars: []string{variable}, Category: globalCategory, DisableDefaultText: true}
}

// stateProfileVariable stands for --profile within chain exec.
const stateProfileVariable = "OPENCLAW_AUTH_STATE_PROFILE"

// profileVariable is the variable of --profile. Within chain exec the variable
// of that name holds the profile that a command runs with.
func profileVariable() string {
	if os.Getenv("OPENCLAW_AUTH_ATTEMPT") != "" {
		return stateProfileVariable
	}
	return "OPENCLAW_AUTH_PROFILE"
}

// sharedFlags are the flags that every command has, unless it looks at no home.
func sharedFlags() []cli.Flag {
	return append(append(homeFlags(), outputFlags()...),
		globalText("color", "OPENCLAW_AUTH_COLOR", "auto", "when to colour the answer: `auto|always|never`"),
	)
}

// homeFlags choose the home, and the moment, that an answer is about.
func homeFlags() []cli.Flag {
	return []cli.Flag{
		globalText("state-dir", "OPENCLAW_STATE_DIR", "", "state `DIR` instead of ~/.openclaw"),
		globalText("config", "OPENCLAW_CONFIG_PATH", "", "configuration `FILE` instead of openclaw.json there"),
		globalText("profile", profileVariable(), "", "OpenClaw's own --profile: the state is in ~/.openclaw-`NAME`"),
		globalText("agent", "OPENCLAW_AUTH_AGENT", "", "`AGENT` instead of the default one"),
		globalText("rules", "OPENCLAW_AUTH_RULES", "auto", "`RELEASE` whose rules apply, such as 2026.5.12, or auto"),
		globalText("now", "OPENCLAW_AUTH_NOW", "", "answer for this `TIME`: 2026-05-20T14:00:00Z, 2026-05-20 14:00, or Unix ms"),
		globalToggle("force-read", "OPENCLAW_AUTH_FORCE_READ", "read databases of a schema newer than is known"),
		globalToggle("demo", "OPENCLAW_AUTH_DEMO", "answer for the built-in demo home"),
		globalToggle("utc", "OPENCLAW_AUTH_UTC", "show times in UTC, not in the local time zone"),
	}
}

// What a command does not look at, in its category: its help and its flags
// leave that out, because a flag without an effect is an error.
const (
	homeless  = "homeless"  // no home
	agentless = "agentless" // a home, but no agent of it
)

// sharedFlagsOf are the shared flags of a command.
func sharedFlagsOf(command *cli.Command) []cli.Flag {
	without := func(names ...string) []cli.Flag {
		return slices.DeleteFunc(sharedFlags(), func(f cli.Flag) bool { return slices.Contains(names, nameOf(f)) })
	}
	switch command.Category {
	case homeless:
		var names []string
		for _, flag := range homeFlags() {
			names = append(names, nameOf(flag))
		}
		return without(names...)
	case agentless:
		return without("agent")
	}
	return sharedFlags()
}
