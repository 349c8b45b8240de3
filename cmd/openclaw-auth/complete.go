package main

import (
	"embed"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"openclaw-auth/doctor/words"
)

//go:embed completion/*
var completionScripts embed.FS

// shells are the shells with a script, and where each keeps completions.
var shells = []struct{ name, install string }{
	{"bash", `openclaw-auth completion bash > ~/.local/share/bash-completion/completions/openclaw-auth`},
	{"zsh", `openclaw-auth completion zsh > "${fpath[1]}/_openclaw-auth"`},
	{"fish", `openclaw-auth completion fish > ~/.config/fish/completions/openclaw-auth.fish`},
	{"powershell", `openclaw-auth completion powershell >> $PROFILE`},
}

func completionCommand(w world) *cli.Command {
	var names, installs []string
	for _, shell := range shells {
		names, installs = append(names, shell.name), append(installs, "  "+shell.install)
	}
	return leaf(w, cli.Command{
		Name: "completion", ArgsUsage: strings.Join(names, "|"), Category: homeless,
		Description: `Prints the script that completes openclaw-auth in a shell:
commands, flags, and the agents, providers, profiles and sessions of the home.

Examples:
` + strings.Join(installs, "\n") + `

Exit codes: 0 printed, 2 usage.`,
	}, func(s *session) error {
		if s.json {
			return usage("completion prints a script: it has no JSON document")
		}
		shell := s.flags.Args().First()
		if shell == "" {
			return usage("completion needs a shell: %s", words.Or(names...))
		}
		if !slices.Contains(names, shell) {
			return usage("no completion for %q%s", shell, didYouMean(shell, names))
		}
		script, err := completionScripts.ReadFile("completion/" + shell)
		if err != nil {
			return err
		}
		_, err = s.stdout.Write(script)
		return err
	})
}

// completeCommand is what the scripts call, with the words up to the cursor
// behind it. It prints what may stand in place of the last one, a value and a
// tab and its description a line, then :files or :dirs where those may too.
const completeCommand = "__complete"

// value is something that may be typed.
type value struct{ text, about string }

func complete(w world, typed []string) error {
	if len(typed) > 0 && typed[0] == "--" {
		typed = typed[1:]
	}
	if len(typed) == 0 {
		typed = []string{""}
	}
	current, before := typed[len(typed)-1], typed[:len(typed)-1]
	c := completion{w: w, root: newRoot(w, nil), current: current}
	values, others := c.values(before)
	for _, v := range values {
		if strings.HasPrefix(v.text, current) {
			words.Printf(w.stdout, "%s\t%s\n", words.Escape(v.text), words.Escape(v.about))
		}
	}
	if others != "" {
		fmt.Fprintln(w.stdout, others)
	}
	return nil
}

// completion is one question of a shell.
type completion struct {
	w       world
	root    *cli.App
	current string
}

// values are what may stand for the current word behind those before it.
func (c *completion) values(before []string) (values []value, others string) {
	if slices.Contains(before, "--") {
		return nil, ":files" // of the command that is to be run
	}
	in := c.parsed(before)
	if n := len(before); n > 0 && strings.HasPrefix(before[n-1], "--") {
		earlier := c.parsed(before[:n-1])
		if flag := splitFlag(before[n-1]); earlier.takesValue(c.root, flag.name) && !flag.hasValue {
			return c.ofKind(earlier, valueName(c.flag(earlier, flag.name)), "")
		}
	}
	if name, _, inline := strings.Cut(c.current, "="); inline && in.takesValue(c.root, strings.TrimLeft(name, "-")) {
		return c.ofKind(in, valueName(c.flag(in, strings.TrimLeft(name, "-"))), name+"=")
	}
	if strings.HasPrefix(c.current, "-") {
		return c.flags(in), ""
	}
	return c.words(in)
}

// parsed are words as far as they can be understood.
func (c *completion) parsed(words []string) *invocation {
	if in, _ := parse(c.root, append(slices.Clone(words), "--")); in != nil {
		return in
	}
	return &invocation{}
}

// flag finds a flag of the command, or of any.
func (c *completion) flag(in *invocation, name string) cli.Flag {
	if in.command != nil {
		for _, f := range in.command.Flags {
			if nameOf(f) == name {
				return f
			}
		}
	}
	return flagNamed(c.root, name)
}

// flags are the flags that can still be given.
func (c *completion) flags(in *invocation) []value {
	command := in.command
	if command == nil {
		command = &cli.Command{}
	}
	var values []value
	for _, f := range slices.Concat(command.Flags, sharedFlagsOf(command)) {
		_, repeats := f.(*cli.StringSliceFlag)
		given := slices.ContainsFunc(in.flags, func(given givenFlag) bool { return given.name == nameOf(f) })
		if !given || repeats {
			values = append(values, value{"--" + nameOf(f), strings.ReplaceAll(aboutOf(f), "`", "")})
		}
	}
	return append(values, value{"--help", "show help"})
}

// words are the commands and the arguments that can stand here.
func (c *completion) words(in *invocation) (values []value, others string) {
	commands := c.root.Commands
	if in.command != nil {
		commands = in.command.Subcommands
	}
	if len(in.arguments) == 0 {
		for _, command := range commands {
			if !command.Hidden {
				values = append(values, value{command.Name, command.Usage})
			}
		}
	}
	if in.command == nil || in.command.Action == nil {
		return values, ""
	}
	arguments := argumentsOf(in.command.ArgsUsage)
	place := len(in.arguments)
	if last := len(arguments) - 1; last >= 0 && place > last && arguments[last].repeats {
		place = last
	}
	if place >= len(arguments) {
		return values, ""
	}
	more, others := c.ofKind(in, arguments[place].name, "")
	more = slices.DeleteFunc(more, func(v value) bool { return slices.Contains(in.arguments, v.text) })
	return append(values, more...), others
}

// ofKind are the values of what a word is called, each behind a prefix.
func (c *completion) ofKind(in *invocation, kind, prefix string) (values []value, others string) {
	switch {
	case strings.HasPrefix(kind, "FILE"):
		return nil, ":files"
	case strings.HasPrefix(kind, "DIR"):
		return nil, ":dirs"
	case strings.Contains(kind, "|") && strings.ToLower(kind) == kind:
		for text := range strings.SplitSeq(kind, "|") {
			values = append(values, value{text, ""})
		}
	default:
		values = c.session(in).values(kind)
	}
	for i := range values {
		values[i].text = prefix + values[i].text
	}
	return values, ""
}

// session is a session with the shared flags that are given so far, as far as
// they make sense.
func (c *completion) session(in *invocation) *session {
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	shared := sharedFlags()
	for _, f := range shared {
		if f.Apply(set) != nil {
			return &session{world: c.w}
		}
	}
	for _, given := range in.flags {
		if isShared := slices.ContainsFunc(shared, func(f cli.Flag) bool { return nameOf(f) == given.name }); isShared {
			value := given.value
			if !given.hasValue {
				value = "true"
			}
			set.Set(given.name, value)
		}
	}
	w := c.w
	w.stderr = io.Discard // warnings would stand in the middle of a command line
	s, err := newSession(w, cli.NewContext(c.root, set, nil))
	if err != nil {
		return &session{world: w}
	}
	return s
}
