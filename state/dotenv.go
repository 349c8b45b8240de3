package state

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"openclaw-auth/state/internal/disk"
)

// dotenvName is the file in the state directory whose variables count where the
// environment has none of that name (docs/help/environment.md of OpenClaw).
const dotenvName = ".env"

// withDotenv returns the environment with the variables of the files that
// OpenClaw reads at its start, the first one wins. They are read when the first
// variable is asked for that the environment lacks. What can't be read sets
// nothing, as there.
func withDotenv(env Env, files []string) Env {
	before := env.Getenv
	variables := sync.OnceValue(func() map[string]string {
		all := map[string]string{}
		for _, file := range files {
			text, err := disk.ReadFile(env.FS, file, disk.MaxConfig)
			if err != nil {
				continue
			}
			for name, value := range parseDotenv(string(text)) {
				if _, known := all[name]; !known {
					all[name] = value
				}
			}
		}
		return all
	})
	env.Getenv = func(name string) string {
		if value := before(name); value != "" {
			return value
		}
		return variables()[name]
	}
	return env
}

// dotenvFiles are the files of variables: that of the state directory and, for a
// home in its usual place, one that the service on Ubuntu is installed with.
func (h *Home) dotenvFiles() []string {
	files := []string{filepath.Join(h.StateDir, dotenvName)}
	usual := h.StateDir == filepath.Join(h.HomeDir, stateDirName)
	if usual || !slices.Contains(RulesOf(h.Rules).StateDirVariables, h.StateDirFrom) {
		files = append(files, filepath.Join(h.HomeDir, ".config", "openclaw", "gateway.env"))
	}
	return files
}

// dotenvLine is NAME=VALUE as the dotenv package of Node reads it: a value in
// quotes may have several lines, any other ends at a "#".
var dotenvLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?m)^\\s*(?:export\\s+)?([\\w.-]+)(?:\\s*=\\s*?|:\\s+?)" +
		"(\\s*'(?:\\\\'|[^'])*'|\\s*\"(?:\\\\\"|[^\"])*\"|\\s*`(?:\\\\`|[^`])*`|[^#\\r\\n]+)?\\s*(?:#.*)?$")
})

// variableName is what OpenClaw takes for the name of a variable.
var variableName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`) })

// parseDotenv reads the variables of a .env file; of two of one name the last
// one counts.
func parseDotenv(text string) map[string]string {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	variables := map[string]string{}
	for _, found := range dotenvLine().FindAllStringSubmatch(text, -1) {
		if variableName().MatchString(found[1]) {
			variables[found[1]] = dotenvValue(found[2])
		}
	}
	return variables
}

func dotenvValue(value string) string {
	value = strings.TrimSpace(value)
	if len(value) < 2 || !strings.ContainsRune("'\"`", rune(value[0])) {
		return value
	}
	quote := value[0]
	if value[len(value)-1] == quote {
		value = value[1 : len(value)-1]
	}
	if quote == '"' {
		value = strings.ReplaceAll(strings.ReplaceAll(value, `\n`, "\n"), `\r`, "\r")
	}
	return value
}
