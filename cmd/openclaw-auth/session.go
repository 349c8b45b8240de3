package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fatih/color"
	"github.com/urfave/cli/v2"

	"openclaw-auth/auth"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
	"openclaw-auth/testdata"
)

// session is one run of a command: its flags, and what they lead to.
type session struct {
	world
	flags    *cli.Context
	rules    string
	now      int64 // Unix ms
	clock    words.Clock
	screen   words.Screen    // stdout
	told     map[string]bool // notes that are on the screen
	json     bool
	located  state.Env // the environment with what the flags say of it
	home     *state.Home
	config   *state.Config
	evidence state.Evidence
	ofChain  bool  // the answer is about models, so that the rules of chains matter
	blocked  error // OpenClaw would refuse to load the agent's profiles, and why
}

// demoNow is when the demo home is looked at: its windows are running then.
var demoNow = time.Date(2026, 5, 20, 14, 0, 0, 0, time.UTC)

// givenFlags are the flags as they were typed, in the metadata of the command
// library: there a flag looks the same whether it or its variable is set.
const givenFlags = "givenFlags"

func newSession(w world, c *cli.Context) (*session, error) {
	s := &session{world: w, flags: c, rules: cmp.Or(c.String("rules"), "auto"), json: hasOutput(c), now: w.now().UnixMilli()}
	when := cmp.Or(c.String("color"), "auto")
	if !slices.Contains([]string{"auto", "always", "never"}, when) {
		return nil, usage("%s is auto, always or never, not %q", s.label("color"), when)
	}
	color.NoColor = !w.hasColor(when)
	s.clock.Zone = w.zone
	if c.Bool("demo") {
		s.useDemo()
	}
	if c.Bool("utc") {
		s.clock.Zone = time.UTC
	}
	if text := c.String("now"); text != "" {
		now, err := parseTime(text, s.clock.Zone)
		if err != nil {
			return nil, usage("%s: %w", s.label("now"), err)
		}
		s.now = now
	}
	s.clock.Now = s.now
	if s.json {
		s.clock.Zone = time.UTC // the same document everywhere
	}
	s.stdout = words.Guard(w.stdout)
	s.screen = words.Screen{W: s.stdout, Width: w.width, Color: !color.NoColor}
	if s.rules != "auto" {
		if _, err := auth.RulesFor(s.rules); err != nil {
			return nil, usage("%s: %w", s.label("rules"), err)
		}
	}
	if err := s.checkConflicts(); err != nil {
		return s, err
	}
	return s, s.checkOutput()
}

// flush writes what is held back of the answer.
func (s *session) flush() error {
	if guard, ok := s.stdout.(*words.Guarded); ok {
		if err := guard.Flush(); err != nil {
			return err
		}
	}
	if s.flushed != nil {
		return s.flushed()
	}
	return nil
}

// given reports whether a flag was typed, and not only its variable set.
func (s *session) given(name string) bool {
	given, _ := s.flags.App.Metadata[givenFlags].([]givenFlag)
	return slices.ContainsFunc(given, func(flag givenFlag) bool { return flag.name == name })
}

// label names a flag for an error: as it was typed, or its variable.
func (s *session) label(name string) string {
	shared := sharedFlags()
	if i := slices.IndexFunc(shared, func(f cli.Flag) bool { return nameOf(f) == name }); i >= 0 && !s.given(name) {
		return flagDocs(shared[i : i+1])[0].variable
	}
	return "--" + name
}

// checkConflicts refuses flags that each choose a form of the answer.
func (s *session) checkConflicts() error {
	var chosen []string
	for _, name := range []string{"json", "fields", "jq", "template"} {
		if s.given(name) {
			chosen = append(chosen[:0], "--"+name) // these go together
		}
	}
	for _, name := range []string{"plain", "format", "log"} {
		if s.given(name) && (s.flags.Bool(name) || name == "format") {
			chosen = append(chosen, "--"+name)
		}
	}
	if len(chosen) > 1 {
		return usage("%s each choose a form of the answer: give one of them", words.List(chosen, 0))
	}
	return nil
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
	s.clock.Zone = time.UTC
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
			if env, err = state.WithProfile(env, name, auth.Newest()); err != nil {
				return err
			}
		}
	}
	s.located = env
	opened, err := state.Open(env, s.rules)
	s.home, s.config, s.evidence = opened.Home, opened.Config, opened.Evidence
	if err != nil {
		return err
	}
	s.home.ForceRead = s.flags.Bool("force-read")
	if err := s.checkNamed(env); err != nil {
		return err
	}
	if named := s.flags.String("state-dir"); named != "" && !s.flags.Bool("demo") {
		if info, err := env.FS.Stat(s.home.StateDir); err != nil || !info.IsDir() {
			return usage("%s: no such state directory", s.home.StateDir)
		}
	}
	for _, warning := range s.config.Warnings {
		words.Printf(s.stderr, "openclaw-auth: warning: %s\n", oneLine(warning))
	}
	if s.evidence.Conflict != "" && !s.json {
		words.Printf(s.stderr, "openclaw-auth: warning: %s\n", s.evidence.Conflict)
	}
	return nil
}

// checkNamed refuses files that a flag names and that are not there: OpenClaw
// would begin a new home in their place.
func (s *session) checkNamed(env state.Env) error {
	if s.flags.Bool("demo") {
		return nil
	}
	if config := s.flags.String("config"); config != "" && s.given("config") && !s.config.Exists {
		return usage("--config %s: no such file", config)
	}
	if name := s.flags.String("profile"); name != "" && s.given("profile") && !s.given("state-dir") {
		if info, err := env.FS.Stat(s.home.StateDir); err != nil || !info.IsDir() {
			return usage("--profile %s: no such profile, %s does not exist%s", name, s.home.StateDir, didYouMean(name, profilesOf(s.home)))
		}
	}
	return nil
}

// profilesOf names OpenClaw's profiles: the directories beside ~/.openclaw.
func profilesOf(home *state.Home) []string {
	entries, err := home.FS.ReadDir(home.HomeDir)
	if err != nil {
		return nil
	}
	var names []string
	for _, entry := range entries {
		if name, found := strings.CutPrefix(entry.Name(), ".openclaw-"); found {
			names = append(names, name)
		}
	}
	return names
}

// agent is the agent that the flags name.
func (s *session) agent() (state.Agent, error) {
	return findAgent(s.home.Agents(s.config), s.flags.String("agent"))
}

// hasColor decides about colour: the flag, then NO_COLOR and CLICOLOR_FORCE,
// then whether stdout is a terminal.
func (w world) hasColor(when string) bool {
	if when != "auto" {
		return when == "always"
	}
	force := w.env.Getenv("CLICOLOR_FORCE")
	dumb := w.env.Getenv("NO_COLOR") != "" || w.env.Getenv("TERM") == "dumb"
	return !dumb && (w.terminal || force != "" && force != "0")
}

// timeLayouts are the forms of a time that people type; without a zone it is
// in the one that times are shown in.
var timeLayouts = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly}

// lastTime is the last time that JavaScript knows, in Unix ms.
const lastTime = 8.64e15

// parseTime reads a time as one of the layouts or as Unix milliseconds.
func parseTime(text string, zone *time.Location) (int64, error) {
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil {
		if ms < 0 || ms > lastTime {
			return 0, fmt.Errorf("%s is not a time in Unix ms", text)
		}
		return ms, nil
	}
	if zone == nil {
		zone = time.UTC
	}
	for _, layout := range timeLayouts {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			return t.UnixMilli(), nil
		}
	}
	return 0, fmt.Errorf("%q is neither a time such as 2026-05-20T14:00:00Z or 2026-05-20 14:00 nor Unix ms", text)
}
