package main

import (
	"errors"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"openclaw-auth/doctor/words"
)

// run executes the program and returns its exit code.
func run(args []string, w world) int {
	err := execute(args, w)
	if err != nil {
		if exit, silent := errors.AsType[*exitError](err); !silent || exit.err != nil {
			words.Printf(w.stderr, "openclaw-auth: %s\n", words.Line(err.Error()))
		}
	}
	return codeOf(err)
}

func execute(args []string, w world) error {
	if len(args) > 1 && args[1] == completeCommand {
		return complete(w, args[2:])
	}
	if i := slices.IndexFunc(args, isVersionFlag); i == 1 {
		args = slices.Concat(args[:1], []string{"version"}, args[2:])
	}
	root := newRoot(w, args)
	in, err := parse(root, args[min(1, len(args)):])
	if err != nil {
		return err
	}
	if in.help {
		pageOf(root, in.path, in.command).help(&words.Screen{W: w.stdout, Width: w.width, Color: w.hasColor("auto")})
		return nil
	}
	arranged, err := in.arranged(root, args[0])
	if err != nil {
		return err
	}
	root.Metadata = map[string]any{givenFlags: in.flags}
	return root.Run(arranged)
}

// isVersionFlag reports whether a word asks for the version, as with every program.
func isVersionFlag(word string) bool { return word == "--version" || word == "-v" || word == "-V" }

// topCommand is a command of the first level.
type topCommand struct {
	name, usage string
	build       func(world) *cli.Command
}

func topCommands() []topCommand {
	return []topCommand{
		{"status", "one screen over all agents: what runs next, and what is unavailable until when", statusCommand},
		{"auth", "profiles: which there are, and in which order they are tried", authCommand},
		{"chain", "models: which one runs, which comes next, and what an error means", chainCommand},
		{"doctor", "what is wrong with profiles, orders, windows, sessions and files, and what to do", doctorCommand},
		{"report", "what to attach to a bug report: safe to publish", reportCommand},
		{"state", "files: which are used and why, and what is stored in them", stateCommand},
		{"metrics", "the state of all agents as Prometheus metrics", metricsCommand},
		{"undo", "revert the last write of openclaw-auth, or a named backup", undoCommand},
		{"rules", "the release lines of OpenClaw, and what differs between them", rulesCommand},
		{"explain", "what a word that openclaw-auth prints means", explainTermCommand},
		{"completion", "shell completion scripts", completionCommand},
		{"docs", "manual pages and the reference, as files, and the schemas of JSON documents", docsCommand},
		{"version", "version of this program, and the release lines of OpenClaw that it knows", versionCommand},
	}
}

// newRoot builds the commands. Of those that the arguments don't name only the
// name and the usage are needed, and building them costs time; without any
// arguments all are built.
func newRoot(w world, args []string) *cli.App {
	root := &cli.App{
		Name:           "openclaw-auth",
		Usage:          "which credential is next, which model is next, and why",
		Description:    rootDescription,
		HideHelp:       true, // ours is in help.go
		HideVersion:    true,
		Writer:         w.stdout,
		ErrWriter:      w.stderr,
		ExitErrHandler: func(*cli.Context, error) {},
		OnUsageError:   func(_ *cli.Context, err error, _ bool) error { return usage("%w", err) },

		DisableSliceFlagSeparator: true,
		Compiled:                  time.Unix(0, 0), // else the library asks the file system
	}
	for _, top := range topCommands() {
		command := &cli.Command{Name: top.name}
		if args == nil || slices.Contains(args, top.name) {
			command = top.build(w)
		}
		command.Usage = top.usage
		root.Commands = append(root.Commands, command)
	}
	return root
}

const rootDescription = `Reads the auth profiles and the failover state of OpenClaw and answers as
OpenClaw itself would, for every release line from 2026.1 to 2026.9. Needs no
network and no running gateway; reading changes nothing.

Examples:
  openclaw-auth --demo chain explain
  openclaw-auth auth order anthropic

Exit codes: 0 yes, 1 no, 2 usage or unreadable input, 3 busy, 130 interrupted.`

// leaf builds a command that does something. Its ArgsUsage says which words it
// takes; others are refused.
func leaf(w world, command cli.Command, action func(*session) error) *cli.Command {
	command.HideHelp = true
	command.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return usage("%w", err) }
	arguments := command.ArgsUsage
	command.Action = func(c *cli.Context) error {
		s, err := newSession(w, c)
		if err != nil {
			return err
		}
		if most := mostArguments(arguments); most >= 0 && c.NArg() > most {
			return s.tooManyArguments(c.Command.HelpName, most)
		}
		err = action(s)
		return errors.Join(err, s.flush())
	}
	return &command
}

// group builds a command that only has subcommands.
func group(name, description string, commands ...*cli.Command) *cli.Command {
	return &cli.Command{Name: name, Description: description, Subcommands: commands, HideHelp: true}
}
