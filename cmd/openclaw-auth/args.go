package main

import (
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// arrange puts the arguments into the form that the command library expects:
// it stops looking for flags at the first argument, and takes a flag only at
// the command that defines it. People write them anywhere. All flags go behind
// the command's name, arguments behind a --; what follows a -- of the user's
// stays as it is.
func arrange(root *cli.App, args []string) ([]string, error) {
	if len(args) == 0 {
		return args, nil
	}
	command := &cli.Command{Subcommands: root.Commands}
	words := args[1:]
	var path, flags, arguments []string
	help := false
	shared := sharedFlags()
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch {
		case word == "--":
			arguments = append(arguments, words[i+1:]...)
			i = len(words)
		case word == "-h" || word == "--help":
			help = true
		case word != "-" && strings.HasPrefix(word, "-"):
			flags = append(flags, word)
			if takesValue(root, shared, word) && i+1 < len(words) {
				i++
				flags = append(flags, words[i])
			}
		case len(command.Subcommands) > 0 && find(command.Subcommands, word) != nil:
			command = find(command.Subcommands, word)
			path = append(path, command.Name)
		default:
			arguments = append(arguments, word)
		}
	}
	if command.Action != nil {
		// Only the command that runs gets the shared flags: setting flags up costs time.
		command.Flags = slices.Concat(command.Flags, shared)
	}
	help = help || len(path) == 0 && len(arguments) == 0 && len(flags) == 0
	hideHelp(root, !help)
	if help {
		return append(append([]string{args[0]}, path...), "--help"), nil
	}
	if command.Action == nil {
		return nil, unknownCommand(root, command, path, arguments)
	}
	if err := checkFlags(command, path, flags); err != nil {
		return nil, err
	}
	command.Flags = slices.DeleteFunc(command.Flags, func(f cli.Flag) bool { return !isInUse(f, flags) })
	return slices.Concat(args[:1], path, flags, []string{"--"}, arguments), nil
}

// hideHelp takes the help flag away from commands that are to run: the library
// would look at it several times, which costs more than the rest of the flags.
func hideHelp(root *cli.App, hide bool) {
	root.HideHelp = hide
	eachCommand(root.Commands, func(command *cli.Command) { command.HideHelp = hide })
}

// isInUse reports whether a flag is given or has a value without that. The
// library looks at every flag of a command several times, each time with a
// regular expression; without those that read the same when left out a command
// starts 6 % faster (scripts/bench.sh, chain explain).
func isInUse(flag cli.Flag, given []string) bool {
	if slices.ContainsFunc(given, func(word string) bool { name, _ := flagName(word); return name == nameOf(flag) }) {
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
	return slices.ContainsFunc(names, func(name string) bool { _, set := os.LookupEnv(name); return set })
}

func find(commands []*cli.Command, name string) *cli.Command {
	for _, command := range commands {
		if command.HasName(name) {
			return command
		}
	}
	return nil
}

func flagName(word string) (name string, inline bool) {
	name, _, inline = strings.Cut(strings.TrimLeft(word, "-"), "=")
	return name, inline
}

// takesValue reports whether a flag of any command is followed by its value.
func takesValue(root *cli.App, shared []cli.Flag, word string) bool {
	name, inline := flagName(word)
	takes := false
	check := func(flags []cli.Flag) {
		for _, flag := range flags {
			takes = takes || nameOf(flag) == name && !isSwitch(flag)
		}
	}
	check(shared)
	eachCommand(root.Commands, func(command *cli.Command) { check(command.Flags) })
	return takes && !inline
}

func eachCommand(commands []*cli.Command, visit func(*cli.Command)) {
	for _, command := range commands {
		visit(command)
		eachCommand(command.Subcommands, visit)
	}
}

// checkFlags refuses a flag that the command has not, and names the nearest.
func checkFlags(command *cli.Command, path, flags []string) error {
	for i := 0; i < len(flags); i++ {
		name, inline := flagName(flags[i])
		known := slices.IndexFunc(command.Flags, func(f cli.Flag) bool { return nameOf(f) == name })
		if known < 0 {
			hint := ""
			if near := cli.SuggestFlag(command.Flags, name, false); near != "" && isNear(name, strings.TrimLeft(near, "-")) {
				hint = " (did you mean " + near + "?)"
			}
			return usage("unknown flag --%s for %q%s", name, strings.Join(path, " "), hint)
		}
		if !isSwitch(command.Flags[known]) && !inline {
			if i+1 == len(flags) {
				return usage("flag --%s needs a value", name)
			}
			i++
		}
	}
	return nil
}

// isNear reports whether a suggestion is worth making: two words that share no
// beginning and hardly a letter are not.
func isNear(typed, suggested string) bool {
	distance := editDistance(typed, suggested)
	return distance <= 1+len(suggested)/3
}

func editDistance(a, b string) int {
	previous := make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := range len(a) {
		current := []int{i + 1}
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			current = append(current, min(previous[j+1]+1, current[j]+1, previous[j]+cost))
		}
		previous = current
	}
	return previous[len(b)]
}

// unknownCommand says which command is missing or mistyped.
func unknownCommand(root *cli.App, command *cli.Command, path, arguments []string) error {
	place := strings.Join(append([]string{root.Name}, path...), " ")
	var names []string
	for _, sub := range command.Subcommands {
		if !sub.Hidden {
			names = append(names, sub.Name)
		}
	}
	if len(arguments) == 0 {
		return usage("%s needs a command: %s", place, strings.Join(names, ", "))
	}
	nearest := ""
	for _, name := range names {
		if isNear(arguments[0], name) && (nearest == "" || editDistance(arguments[0], name) < editDistance(arguments[0], nearest)) {
			nearest = name
		}
	}
	if nearest != "" {
		return usage("unknown command %q for %s (did you mean %q?)", arguments[0], place, nearest)
	}
	return usage("unknown command %q for %s (there are: %s)", arguments[0], place, strings.Join(names, ", "))
}
