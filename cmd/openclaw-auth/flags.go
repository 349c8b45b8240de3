package main

import "github.com/urfave/cli/v2"

// text makes a flag with a value. The word in backquotes of about names the
// value in help.
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
func nameOf(flag cli.Flag) string { return flag.Names()[0] }

const globalCategory = "GLOBAL"

func globalText(name, variable, value, about string) cli.Flag {
	return &cli.StringFlag{Name: name, Usage: about, Value: value, EnvVars: []string{variable}, Category: globalCategory}
}

func globalToggle(name, variable, about string) cli.Flag {
	return &cli.BoolFlag{Name: name, Usage: about, EnvVars: []string{variable}, Category: globalCategory, DisableDefaultText: true}
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
