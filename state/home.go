package state

import (
	"path/filepath"
	"regexp"
	"strings"

	"openclaw-auth/auth"
)

// Home is where a release line of OpenClaw keeps its state.
type Home struct {
	Env
	Rules *auth.Rules

	ForceRead  bool   // read databases of a newer schema than is known
	HomeDir    string // what ~ stands for
	StateDir   string
	ConfigPath string // the file that OpenClaw reads; it need not exist
	OAuthDir   string // where credentials/oauth.json lies

	StateDirFrom string // why StateDir is that: a variable's name, "default" or "legacy directory"
	ConfigFrom   string // why ConfigPath is that: a variable's name, "state directory" or "legacy file"
}

const (
	stateDirName = ".openclaw"
	configName   = "openclaw.json"
)

// findHome finds the state directory and the configuration as the line does.
func findHome(env Env, rules *auth.Rules) *Home {
	h := &Home{Env: env, Rules: rules, HomeDir: homeDir(env, rules)}
	h.findStateDir()
	h.Env = withDotenv(h.Env, h.dotenvFiles())
	env = h.Env
	h.findConfig()
	h.OAuthDir = filepath.Join(h.StateDir, "credentials")
	if dir := env.Variable("OPENCLAW_OAUTH_DIR"); dir != "" {
		h.OAuthDir = h.UserPath(dir)
	}
	return h
}

// homeDir is what OpenClaw takes for the user's home.
func homeDir(e Env, rules *auth.Rules) string {
	system := e.Variable("HOME")
	if system == "" {
		system = e.Variable("USERPROFILE")
	}
	if system == "" {
		system = e.OSHome
	}
	if own := e.Variable("OPENCLAW_HOME"); own != "" && RulesOf(rules).HomeVariable {
		return e.Absolute(expandTilde(own, system))
	}
	return e.Absolute(system)
}

// userPath resolves a path that a user wrote: ~ is the home, a relative path
// starts from the working directory.
func (h *Home) UserPath(path string) string {
	return h.Absolute(expandTilde(strings.TrimSpace(path), h.HomeDir))
}

func expandTilde(path, home string) string {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok || rest != "" && rest[0] != '/' && rest[0] != '\\' {
		return path
	}
	return filepath.Join(home, rest)
}

func (h *Home) findStateDir() {
	for _, name := range RulesOf(h.Rules).StateDirVariables {
		if dir := h.Variable(name); dir != "" {
			h.StateDir, h.StateDirFrom = h.UserPath(dir), name
			return
		}
	}
	h.StateDir, h.StateDirFrom = filepath.Join(h.HomeDir, stateDirName), "default"
	if h.Exists(h.StateDir) {
		return
	}
	for _, name := range RulesOf(h.Rules).LegacyDirs {
		if dir := filepath.Join(h.HomeDir, name); h.Exists(dir) {
			h.StateDir, h.StateDirFrom = dir, "legacy directory"
			return
		}
	}
}

func (h *Home) findConfig() {
	if path := h.Variable("OPENCLAW_CONFIG_PATH"); path != "" {
		h.ConfigPath, h.ConfigFrom = h.UserPath(path), "OPENCLAW_CONFIG_PATH"
		return
	}
	h.ConfigPath, h.ConfigFrom = filepath.Join(h.StateDir, configName), "state directory"
	if h.findConfigIn(h.StateDir) || h.StateDirFrom == "OPENCLAW_STATE_DIR" {
		return
	}
	for _, dir := range append([]string{stateDirName}, RulesOf(h.Rules).LegacyDirs...) {
		if h.findConfigIn(filepath.Join(h.HomeDir, dir)) {
			return
		}
	}
}

// findConfigIn looks for a configuration under its name and its former ones.
func (h *Home) findConfigIn(dir string) bool {
	for i, name := range append([]string{configName}, RulesOf(h.Rules).LegacyConfigs...) {
		path := filepath.Join(dir, name)
		if !h.Exists(path) {
			continue
		}
		h.ConfigPath = path
		if i > 0 || dir != h.StateDir {
			h.ConfigFrom = "legacy file"
		}
		return true
	}
	return false
}

// WithProfile returns the environment in which OpenClaw runs for --profile
// NAME: a state directory ~/.openclaw-NAME of its own, unless the environment
// names one. The name "default" is none. An error says that the name is not valid.
func WithProfile(e Env, name string, rules *auth.Rules) (Env, error) {
	if strings.EqualFold(name, "default") {
		return e, nil
	}
	if !profileName().MatchString(name) {
		return e, &FileError{File: "--profile " + name, Message: `invalid name (letters, digits, "_" and "-" only)`}
	}
	stateDir := e.Variable("OPENCLAW_STATE_DIR")
	if stateDir == "" {
		stateDir = filepath.Join(homeDir(e, rules), stateDirName+"-"+name)
	}
	configPath := e.Variable("OPENCLAW_CONFIG_PATH")
	if configPath == "" {
		configPath = filepath.Join(stateDir, configName)
	}
	return e.With(map[string]string{
		"OPENCLAW_PROFILE": name, "OPENCLAW_STATE_DIR": stateDir, "OPENCLAW_CONFIG_PATH": configPath,
	}), nil
}

func profileName() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`) }
