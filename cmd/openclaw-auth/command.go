package main

import (
	"path/filepath"

	"openclaw-auth/doctor/command"
)

// command is a command line to type next, about the same home: with the flags
// that chose it.
func (s *session) command(arguments ...string) string { return s.target().Own("", arguments...) }

// target is what printed commands must say to be about this home: the flags that
// lead to it. What the environment says already need not be repeated.
func (s *session) target() command.Target {
	var t command.Target
	if s.flags.Bool("demo") {
		return command.Target{Flags: []string{"--demo"}}
	}
	given := func(flag, variable string) string {
		if value := s.flags.String(flag); value != s.env.Getenv(variable) {
			return value
		}
		return ""
	}
	path := func(flag, variable string) {
		value := given(flag, variable)
		if value == "" {
			return
		}
		if !filepath.IsAbs(value) {
			value = filepath.Join(s.env.WorkDir, value)
		}
		t.Flags = append(t.Flags, "--"+flag, value)
		t.Env = append(t.Env, variable+"="+value)
	}
	path("state-dir", "OPENCLAW_STATE_DIR")
	path("config", "OPENCLAW_CONFIG_PATH")
	if name := given("profile", "OPENCLAW_AUTH_PROFILE"); name != "" {
		t.Flags, t.Profile = append(t.Flags, "--profile", name), name
	}
	if rules := given("rules", "OPENCLAW_AUTH_RULES"); rules != "" && rules != "auto" {
		t.Flags = append(t.Flags, "--rules", rules)
	}
	if s.flags.Bool("force-read") && s.env.Getenv("OPENCLAW_AUTH_FORCE_READ") == "" {
		t.Flags = append(t.Flags, "--force-read")
	}
	return t
}
