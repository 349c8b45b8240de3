package main

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
)

// invocation is what was typed, understood: the command library stops looking
// for flags at the first argument, takes a flag only at the command that
// defines it, and ignores what it does not know. People write flags anywhere,
// and nothing that they write may be ignored.
type invocation struct {
	command   *cli.Command // the innermost command that is named, nil for none
	path      []string     // its names
	flags     []givenFlag
	arguments []string
	help      bool
}

// givenFlag is a flag as it was typed.
type givenFlag struct {
	typed    string // "--agent", "-j"
	name     string
	value    string
	hasValue bool
}

// parse reads what was typed; flags are only checked where that decides what
// the other words are.
func parse(root *cli.App, words []string) (*invocation, error) {
	in := &invocation{}
	commands := root.Commands
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case word == "--":
			in.arguments = append(in.arguments, words[i+1:]...)
			return in, in.check(root)
		case word == "-h" || word == "--help":
			in.help = true
		case find(commands, word) != nil && len(in.arguments) == 0:
			in.command = find(commands, word)
			in.path, commands = append(in.path, in.command.Name), in.command.Subcommands
		case word == "help" && len(in.arguments) == 0 && (in.command == nil || in.command.Action == nil):
			in.help = true
		case word != "-" && strings.HasPrefix(word, "-"):
			flag := splitFlag(word)
			if !flag.hasValue && in.takesValue(root, flag.name) && i+1 < len(words) && !isFlagOf(root, words[i+1]) {
				i++
				flag.value, flag.hasValue = words[i], true
			}
			in.flags = append(in.flags, flag)
		default:
			in.arguments = append(in.arguments, word)
		}
	}
	return in, in.check(root)
}

// check refuses words that name no command.
func (in *invocation) check(root *cli.App) error {
	isGroup := in.command == nil || in.command.Action == nil
	if isGroup && len(in.arguments) > 0 {
		return unknownCommand(root, in, in.arguments[0])
	}
	if isGroup && !in.help && (in.command != nil || len(in.flags) > 0) {
		return usage("%s needs a command: %s", in.name(root), strings.Join(commandNames(in.subcommands(root)), ", "))
	}
	if len(in.path) == 0 && len(in.flags) == 0 {
		in.help = true
	}
	return nil
}

func (in *invocation) subcommands(root *cli.App) []*cli.Command {
	if in.command == nil {
		return root.Commands
	}
	return in.command.Subcommands
}

// name is the command with the program's name, as in help.
func (in *invocation) name(root *cli.App) string {
	return strings.Join(append([]string{root.Name}, in.path...), " ")
}

// arranged is the invocation as the command library expects it: the path, the
// flags, and the arguments behind a --. The command gets the flags in use.
func (in *invocation) arranged(root *cli.App, program string) ([]string, error) {
	in.command.Flags = slices.Concat(in.command.Flags, sharedFlagsOf(in.command))
	if err := in.checkFlags(); err != nil {
		return nil, err
	}
	in.command.Flags = slices.DeleteFunc(in.command.Flags, func(f cli.Flag) bool { return !in.isInUse(f) })
	words := append([]string{program}, in.path...)
	for _, flag := range in.flags {
		word := "--" + flag.name
		if flag.hasValue {
			word += "=" + flag.value
		}
		words = append(words, word)
	}
	return slices.Concat(words, []string{"--"}, in.arguments), nil
}

// isInUse reports whether a flag is given or has a value without that. The
// library looks at every flag of a command several times, each time with a
// regular expression; without those that read the same when left out a command
// starts 6 % faster (scripts/bench.sh, chain explain).
func (in *invocation) isInUse(flag cli.Flag) bool {
	if slices.ContainsFunc(in.flags, func(given givenFlag) bool { return given.name == nameOf(flag) }) {
		return true
	}
	switch f := flag.(type) {
	case *cli.StringFlag:
		return f.Value != "" || isInEnvironment(f.EnvVars)
	case *cli.BoolFlag:
		return isInEnvironment(f.EnvVars)
	}
	return false
}

func isInEnvironment(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return os.Getenv(name) != "" })
}

func find(commands []*cli.Command, name string) *cli.Command {
	for _, command := range commands {
		if command.HasName(name) {
			return command
		}
	}
	return nil
}

func splitFlag(word string) givenFlag {
	typed, value, inline := strings.Cut(word, "=")
	return givenFlag{typed: typed, name: strings.TrimLeft(typed, "-"), value: value, hasValue: inline}
}

// takesValue reports whether a flag is followed by its value: that of the
// command, if that is known and has it. Before its command a flag may stand
// whose name means the same in all of them (--log does not).
func (in *invocation) takesValue(root *cli.App, name string) bool {
	if in.command != nil {
		if i := slices.IndexFunc(in.command.Flags, func(f cli.Flag) bool { return nameOf(f) == name }); i >= 0 {
			return !isSwitch(in.command.Flags[i])
		}
	}
	flag := flagNamed(root, name)
	return flag != nil && !isSwitch(flag)
}

// isFlagOf reports whether a word is a flag of any command, and so no value.
func isFlagOf(root *cli.App, word string) bool {
	return strings.HasPrefix(word, "--") && flagNamed(root, splitFlag(word).name) != nil
}

// flagNamed finds a flag of any command.
func flagNamed(root *cli.App, name string) cli.Flag {
	var found cli.Flag
	look := func(flags []cli.Flag) {
		if i := slices.IndexFunc(flags, func(f cli.Flag) bool { return nameOf(f) == name }); i >= 0 {
			found = flags[i]
		}
	}
	look(sharedFlags())
	eachCommand(root.Commands, func(command *cli.Command) {
		if found == nil {
			look(command.Flags)
		}
	})
	return found
}

func eachCommand(commands []*cli.Command, visit func(*cli.Command)) {
	for _, command := range commands {
		visit(command)
		eachCommand(command.Subcommands, visit)
	}
}

// checkFlags refuses flags that the command does not have, that lack a value
// or have one too many. Of a flag that is given twice the last one counts, so
// that an alias or a script can be overruled.
func (in *invocation) checkFlags() error {
	for _, flag := range in.flags {
		known := slices.IndexFunc(in.command.Flags, func(f cli.Flag) bool { return nameOf(f) == flag.name })
		if dashes := len(flag.typed) - len(flag.name); known < 0 || dashes != 2 && len(flag.name) > 1 {
			return unknownFlag(in, flag)
		}
		definition := in.command.Flags[known]
		switch {
		case isSwitch(definition):
			if _, err := strconv.ParseBool(flag.value); flag.hasValue && err != nil {
				return usage("%s is a switch: it takes no value %q", flag.typed, flag.value)
			}
		case !flag.hasValue:
			return usage("flag %s needs a value: %s", flag.typed, valueName(definition))
		case flag.value == "" && !mayBeEmpty(definition):
			return usage("%s is empty: it needs a value, %s", flag.typed, valueName(definition))
		}
	}
	return checkEnvironment(in.command.Flags)
}

// checkEnvironment refuses variables that stand for a switch and say neither
// yes nor no.
func checkEnvironment(flags []cli.Flag) error {
	for _, flag := range flags {
		toggle, ok := flag.(*cli.BoolFlag)
		if !ok {
			continue
		}
		for _, name := range toggle.EnvVars {
			value := os.Getenv(name)
			if _, err := strconv.ParseBool(value); value != "" && err != nil {
				return usage("%s=%s: it stands for --%s and is true or false", name, value, toggle.Name)
			}
		}
	}
	return nil
}
