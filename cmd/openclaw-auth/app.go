package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fatih/color"
	"github.com/urfave/cli/v2"

	"openclaw-auth/auth"
	"openclaw-auth/state"
	"openclaw-auth/testdata"
)

// run executes the program and returns its exit code.
func run(args []string, w world) int {
	root := newRoot(w, args)
	arranged, err := arrange(root, args)
	if err == nil {
		err = root.Run(arranged)
	}
	if err != nil {
		if exit, silent := errors.AsType[*exitError](err); !silent || exit.err != nil {
			fmt.Fprintf(w.stderr, "openclaw-auth: %s\n", oneLine(err.Error()))
		}
	}
	return codeOf(err)
}

func oneLine(text string) string { return strings.ReplaceAll(strings.TrimSpace(text), "\n", " ") }

// topCommands are the commands of the first level.
var topCommands = []struct {
	name, usage string
	build       func(world) *cli.Command
}{
	{"auth", "profiles: which there are, and in which order they are tried", authCommand},
	{"chain", "models: which one runs, which comes next, and what an error means", chainCommand},
	{"doctor", "what is wrong with profiles, orders, windows, sessions and files, and what to do", doctorCommand},
	{"state", "files: which are used and why, and what is stored in them", stateCommand},
	{"undo", "take back what openclaw-auth wrote last, or a named backup", undoCommand},
	{"rules", "the release lines of OpenClaw, and what differs between them", rulesCommand},
	{"version", "version of this program, and the release lines of OpenClaw that it knows", versionCommand},
}

// newRoot builds the commands. Of those that the arguments don't name only the
// name and the usage are needed, and building them costs time; without any
// arguments all are built.
func newRoot(w world, args []string) *cli.App {
	root := &cli.App{
		Name:           "openclaw-auth",
		Usage:          "which credential is next, which model is next, and why",
		Description:    rootDescription,
		HideVersion:    true,
		Writer:         w.stdout,
		ErrWriter:      w.stderr,
		ExitErrHandler: func(*cli.Context, error) {},
		OnUsageError:   func(_ *cli.Context, err error, _ bool) error { return usage("%w", err) },

		DisableSliceFlagSeparator: true,
		Compiled:                  time.Unix(0, 0), // else the library asks the file system
	}
	for _, top := range topCommands {
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

Example: openclaw-auth --demo auth order

Exit codes: 0 yes, 1 no, 2 usage or unreadable input, 3 busy.`

// leaf builds a command that does something.
func leaf(w world, command cli.Command, action func(*session) error) *cli.Command {
	command.HideHelpCommand = true
	command.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return usage("%w", err) }
	command.Action = func(c *cli.Context) error {
		s, err := newSession(w, c)
		if err != nil {
			return err
		}
		return action(s)
	}
	return &command
}

// group builds a command that only has subcommands.
func group(name string, commands ...*cli.Command) *cli.Command {
	return &cli.Command{Name: name, Subcommands: commands, HideHelpCommand: true}
}

// session is one run of a command: its flags, and what they lead to.
type session struct {
	world
	flags    *cli.Context
	rules    string
	now      int64 // Unix ms
	json     bool
	located  state.Env // the environment with what the flags say of it
	home     *state.Home
	config   *state.Config
	evidence state.Evidence
	blocked  error // OpenClaw would refuse to load the agent's profiles, and why
}

// demoNow is when the demo home is looked at: its windows are running then.
var demoNow = time.Date(2026, 5, 20, 14, 0, 0, 0, time.UTC)

func newSession(w world, c *cli.Context) (*session, error) {
	s := &session{world: w, flags: c, rules: c.String("rules"), json: c.Bool("json"), now: w.now().UnixMilli()}
	if err := s.setColor(c.String("color")); err != nil {
		return nil, err
	}
	if c.Bool("demo") {
		s.useDemo()
	}
	if text := c.String("now"); text != "" {
		now, err := parseTime(text)
		if err != nil {
			return nil, err
		}
		s.now = now
	}
	if s.rules != "auto" {
		if _, err := auth.RulesFor(s.rules); err != nil {
			return nil, usage("--rules: %w", err)
		}
	}
	return s, nil
}

// useDemo replaces the outside by the demo home: no file and no variable of
// the user's counts.
func (s *session) useDemo() {
	root := string(filepath.Separator)
	s.env = state.Env{
		Getenv:  func(string) string { return "" },
		WorkDir: root,
		OSHome:  filepath.Join(root, "demo"),
		FS:      state.Mount(testdata.Demo(), root),
	}
	s.now = demoNow.UnixMilli()
}

// open finds and reads the home; commands that need none don't call it.
func (s *session) open() error {
	env := s.env
	if !s.flags.Bool("demo") {
		env = env.With(map[string]string{
			"OPENCLAW_STATE_DIR": s.flags.String("state-dir"), "OPENCLAW_CONFIG_PATH": s.flags.String("config"),
		})
		if name := s.flags.String("profile"); name != "" {
			var err error
			if env, err = env.WithProfile(name, auth.Newest()); err != nil {
				return err
			}
		}
	}
	var err error
	s.located = env
	s.home, s.config, s.evidence, err = state.Open(env, s.rules)
	if err != nil {
		return err
	}
	s.home.ForceRead = s.flags.Bool("force-read")
	if named := s.flags.String("state-dir"); named != "" && !s.flags.Bool("demo") {
		if info, err := env.FS.Stat(s.home.StateDir); err != nil || !info.IsDir() {
			return usage("%s: no such state directory", s.home.StateDir)
		}
	}
	for _, warning := range s.config.Warnings {
		fmt.Fprintf(s.stderr, "openclaw-auth: warning: %s\n", oneLine(warning))
	}
	if s.evidence.Conflict != "" && !s.json {
		fmt.Fprintf(s.stderr, "openclaw-auth: warning: %s\n", s.evidence.Conflict)
	}
	return nil
}

// agent is the agent that the flags name.
func (s *session) agent() (state.Agent, error) {
	return state.FindAgent(s.home.Agents(s.config), s.flags.String("agent"))
}

// setColor decides about colour: the flag, then NO_COLOR and CLICOLOR_FORCE,
// then whether stdout is a terminal.
func (s *session) setColor(when string) error {
	switch when {
	case "always":
		color.NoColor = false
	case "never":
		color.NoColor = true
	case "auto":
		force := s.env.Getenv("CLICOLOR_FORCE")
		dumb := s.env.Getenv("NO_COLOR") != "" || s.env.Getenv("TERM") == "dumb"
		color.NoColor = dumb || !s.terminal && (force == "" || force == "0")
	default:
		return usage("--color is auto, always or never, not %q", when)
	}
	return nil
}

// parseTime reads a time as RFC 3339 or as Unix milliseconds.
func parseTime(text string) (int64, error) {
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil {
		if ms < 0 || ms > 8.64e15 {
			return 0, usage("--now: %s is no time in Unix ms", text)
		}
		return ms, nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return 0, usage("--now: %q is neither RFC 3339 (2026-05-20T14:00:00Z) nor Unix ms", text)
	}
	return t.UnixMilli(), nil
}
