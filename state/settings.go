package state

import "path/filepath"

// ProviderRetries returns retry.provider.maxRetries of the agent's
// settings.json, and whether it is a number there. A file that can't be read
// counts as none, as in OpenClaw.
func (h *Home) ProviderRetries(agent Agent) (int, bool) {
	settings, err := h.ReadObject(filepath.Join(agent.Dir, "settings.json"))
	if err != nil {
		return 0, false
	}
	retries, ok := settings.Object("retry").Object("provider").Number("maxRetries")
	return int(min(max(retries, 0), maxRetries)), ok
}

// maxRetries bounds what a settings file may ask for: nobody waits longer.
const maxRetries = 1 << 20
