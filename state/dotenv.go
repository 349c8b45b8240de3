package state

import (
	"path/filepath"
	"slices"
	"sync"

	"openclaw-auth/state/internal/disk"
	"openclaw-auth/state/internal/dotenv"
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
			for name, value := range dotenv.Parse(string(text)) {
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
