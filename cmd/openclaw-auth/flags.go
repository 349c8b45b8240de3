package main

import (
	"flag"
	"os"
	"slices"

	"github.com/urfave/cli/v2"
)

// The flags of the command library normalise their names with a regular
// expression whenever anything looks at them, several hundred times for one
// run of a command. These are the same flags with their one name at hand.
// Only a value from the environment is left to the library.

// textFlag is a flag with a value.
type textFlag struct{ *cli.StringFlag }

// Names returns the flag's one name.
func (f textFlag) Names() []string { return []string{f.Name} }

// Apply adds the flag to a set.
func (f textFlag) Apply(set *flag.FlagSet) error {
	if isInEnvironment(f.EnvVars) {
		return f.StringFlag.Apply(set)
	}
	set.String(f.Name, f.Value, f.Usage)
	return nil
}

// switchFlag is a flag without a value.
type switchFlag struct{ *cli.BoolFlag }

// Names returns the flag's one name.
func (f switchFlag) Names() []string { return []string{f.Name} }

// Apply adds the flag to a set.
func (f switchFlag) Apply(set *flag.FlagSet) error {
	if isInEnvironment(f.EnvVars) {
		return f.BoolFlag.Apply(set)
	}
	set.Bool(f.Name, f.Value, f.Usage)
	return nil
}

func isInEnvironment(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, set := os.LookupEnv(name)
		return set
	})
}

// nameOf is Names without the list that it makes for the library.
func nameOf(flag cli.Flag) string {
	switch f := flag.(type) {
	case textFlag:
		return f.Name
	case switchFlag:
		return f.Name
	}
	return flag.Names()[0]
}

// hasValue reports whether a flag has a value without being given.
func hasValue(flag cli.Flag) bool {
	switch f := flag.(type) {
	case textFlag:
		return f.Value != "" || isInEnvironment(f.EnvVars)
	case switchFlag:
		return isInEnvironment(f.EnvVars)
	}
	return false
}

// helpFlag is the library's own help flag with its names at hand.
type helpFlag struct{ *cli.BoolFlag }

// Names returns the flag's names.
func (f helpFlag) Names() []string { return []string{f.Name, "h"} }

func init() {
	if help, ok := cli.HelpFlag.(*cli.BoolFlag); ok {
		cli.HelpFlag = helpFlag{help}
	}
}

func text(name, about string) cli.Flag {
	return textFlag{&cli.StringFlag{Name: name, Usage: about}}
}

func toggle(name, about string) cli.Flag {
	return switchFlag{&cli.BoolFlag{Name: name, Usage: about, DisableDefaultText: true}}
}

// isSwitch reports whether a flag takes no value.
func isSwitch(flag cli.Flag) bool {
	_, ok := flag.(switchFlag)
	return ok
}

const globalCategory = "GLOBAL"

func globalText(name, variable, value, about string) cli.Flag {
	return textFlag{&cli.StringFlag{Name: name, Usage: about, Value: value, EnvVars: []string{variable}, Category: globalCategory}}
}

func globalToggle(name, variable, about string) cli.Flag {
	return switchFlag{&cli.BoolFlag{Name: name, Usage: about, EnvVars: []string{variable}, Category: globalCategory, DisableDefaultText: true}}
}

// sharedFlags are the flags that every command has.
func sharedFlags() []cli.Flag {
	return []cli.Flag{
		globalText("state-dir", "OPENCLAW_STATE_DIR", "", "state directory instead of ~/.openclaw"),
		globalText("config", "OPENCLAW_CONFIG_PATH", "", "configuration instead of openclaw.json there"),
		globalText("profile", "OPENCLAW_AUTH_PROFILE", "", "OpenClaw's own --profile: the state is in ~/.openclaw-`NAME`"),
		globalText("agent", "OPENCLAW_AUTH_AGENT", "", "agent instead of the default one"),
		globalText("rules", "OPENCLAW_AUTH_RULES", "auto", "release whose rules apply: a number such as 2026.5.12, or auto"),
		globalText("now", "OPENCLAW_AUTH_NOW", "", "answer for this `TIME`: RFC 3339 or Unix ms"),
		globalToggle("json", "OPENCLAW_AUTH_JSON", "one JSON document"),
		globalText("color", "OPENCLAW_AUTH_COLOR", "auto", "auto, always or never"),
		globalToggle("force-read", "OPENCLAW_AUTH_FORCE_READ", "read databases of a schema newer than is known"),
		globalToggle("demo", "OPENCLAW_AUTH_DEMO", "answer for the built-in demo home"),
	}
}

// listFlag is a flag that may be given more than once.
type listFlag struct{ *cli.StringSliceFlag }

// Names returns the flag's one name.
func (f listFlag) Names() []string { return []string{f.Name} }

func several(name, about string) cli.Flag {
	return listFlag{&cli.StringSliceFlag{Name: name, Usage: about}}
}
