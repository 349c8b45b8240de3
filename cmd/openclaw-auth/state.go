package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

func stateCommand(w world) *cli.Command {
	return group("state", `Which files are in use and why, and what is stored in them.

Examples:
  openclaw-auth state paths
  openclaw-auth state sessions

Exit codes: 0 yes, 1 no, 2 usage or unreadable input, 3 a lock is held.`,
		leaf(w, cli.Command{
			Name: "paths", Usage: "which files are used, and why",
			Description: `Shows the home, the state directory, the configuration with its includes and
for each agent the files that are used, whether they exist or not.

Example: openclaw-auth state paths --agent work

Exit codes: 0, or 2 for usage or unreadable input.`,
		}, statePaths),
		leaf(w, cli.Command{
			Name: "show", Usage: "windows and counters of the agent's profiles, as stored", ArgsUsage: "[PROFILE…]",
			Description: `Example: openclaw-auth state show anthropic:default

Exit codes: 0, 1 nothing is stored, 2 usage or unreadable input.`,
		}, stateShow),
		stateSessionsCommand(w),
		stateLocksCommand(w),
		stateWatchCommand(w),
	)
}

// pathJSON is a file or a directory and why it is that one.
type pathJSON struct {
	Role   string `json:"role"`
	Path   string `json:"path"`
	Exists bool   `json:"exists"`
	Why    string `json:"why"`
}

type pathsDocument struct {
	header
	Paths   []pathJSON    `json:"paths"`
	Pending []pendingJSON `json:"pending"`
}

func statePaths(s *session) error {
	l, err := s.load()
	if _, misused := errors.AsType[*exitError](err); misused || err != nil && s.home == nil {
		return err
	}
	if err != nil {
		// Where the files are is what somebody wants to know then.
		words.Printf(s.stderr, "openclaw-auth: warning: %s\n", words.Line(err.Error()))
		if l, err = s.withoutConfig(); err != nil {
			return err
		}
	}
	var paths []pathJSON
	add := func(role, path, why string) {
		_, err := s.home.FS.Stat(path)
		paths = append(paths, pathJSON{role, path, err == nil, why})
	}
	add("home", s.home.HomeDir, "what ~ stands for")
	add("state directory", s.home.StateDir, s.home.StateDirFrom)
	add("configuration", s.home.ConfigPath, s.home.ConfigFrom)
	for _, file := range s.config.Includes() {
		add("included", file, "$include")
	}
	add("credentials", s.home.OAuthDir, "legacy logins: oauth.json")
	add("agent directory", l.Agent.Dir, agentWhy(l.Agent))
	s.addSource(add, "", l.Own)
	if l.Main != nil {
		s.addSource(add, "main's ", l.Main)
	}
	if s.json {
		return s.writeJSON(pathsDocument{s.header("state-paths", l.Agent), paths, pendingJSONs(l.Pending)})
	}
	s.headerText(l.Agent)
	fmt.Fprintln(s.stdout)
	var rows words.Table
	for _, p := range paths {
		why := p.Why
		if !p.Exists {
			why += ", does not exist"
		}
		rows.Add(p.Role, p.Path, why)
	}
	s.screen.Table("", &rows)
	s.pendingText(l.Pending)
	return nil
}

// withoutConfig is the agent as it is without the configuration, which can't
// be read.
func (s *session) withoutConfig() (*loaded, error) {
	if s.config == nil {
		s.config = &state.Config{Path: s.home.ConfigPath}
	}
	agent, err := s.agent()
	if err != nil {
		return nil, err
	}
	return s.loadAgent(agent)
}

func agentWhy(agent state.Agent) string {
	switch {
	case strings.TrimSpace(agent.Entry.Text("agentDir")) != "":
		return "agentDir of the configuration"
	case !agent.Configured:
		return "not configured, only the directory exists"
	}
	return "agents/" + agent.ID + "/agent"
}

func (s *session) addSource(add func(role, path, why string), whose string, source *state.Source) {
	why := "answers"
	switch {
	case source.Store == nil:
		why = "no store"
	case source.Shared:
		why = "answers: the shared store, under every agent's own"
	case source.Imported:
		why = "no store; legacy logins answer"
	case source.FlatMap:
		why = "a map of providers, which OpenClaw does not load"
	}
	add(whose+"profiles", source.Profiles, why)
	if source.State != source.Profiles {
		add(whose+"state", source.State, "order, usage and lastGood")
	}
}
