package state

import (
	"path/filepath"
	"slices"
)

// Files are the files whose content decides about an agent's profiles, whether
// they exist or not: the configuration, the stores, older files that are loaded
// in their place. Beside a database its write-ahead log is one.
func (h *Home) Files(config *Config, agent Agent) []string {
	files := append([]string{h.ConfigPath, filepath.Join(h.OAuthDir, oauthName), h.StateDatabase()}, config.Includes()...)
	for _, dir := range []string{agent.Dir, h.mainDir()} {
		for _, name := range []string{profilesName, stateName, legacyAuthName, agentDatabase} {
			files = append(files, filepath.Join(dir, name))
		}
	}
	return withLogs(files)
}

// SessionFiles are the files that hold an agent's sessions.
func (h *Home) SessionFiles(config *Config, agent Agent) []string {
	return withLogs([]string{h.Sessions(config, agent).File()})
}

// withLogs adds the write-ahead logs of databases, and drops doubles.
func withLogs(files []string) []string {
	for _, file := range slices.Clone(files) {
		if filepath.Ext(file) == ".sqlite" {
			files = append(files, file+"-wal")
		}
	}
	var once []string
	for _, file := range files {
		if !slices.Contains(once, file) {
			once = append(once, file)
		}
	}
	return once
}
