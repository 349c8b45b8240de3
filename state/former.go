package state

import (
	"path/filepath"

	"openclaw-auth/auth/document"
)

// formerFiles lists the credential files in the agent directory of a release
// with a single agent, STATE/agent. They belong to the default agent and are
// not read from there any more.
func (h *Home) formerFiles(agent Agent) []Pending {
	dir := filepath.Join(h.StateDir, "agent")
	if !agent.Default || agent.Dir == dir {
		return nil
	}
	var pending []Pending
	for _, name := range []string{profilesName, stateName, legacyAuthName} {
		file := Pending{Kind: PendingFormer, File: filepath.Join(dir, name), Effect: EffectMoves}
		doc, err := h.ReadObject(file.File)
		switch {
		case err != nil:
			file.Problem = err
		case doc == nil:
			continue
		case name != stateName:
			file.Profiles = profileIDs(doc)
		}
		file.Why = "it is in the agent directory of a release with a single agent"
		if h.Exists(filepath.Join(agent.Dir, name)) {
			file.Why += ", and the agent has a file of that name"
			file.Effect = EffectIgnored
		}
		pending = append(pending, file)
	}
	return pending
}

// profileIDs are the ids in a store, or those that a map of providers becomes.
func profileIDs(doc *document.Object) []string {
	if doc.Has("profiles") {
		return doc.Object("profiles").Keys()
	}
	var ids []string
	for provider, value := range doc.All() {
		if _, ok := value.(*document.Object); ok {
			ids = append(ids, provider+":default")
		}
	}
	return ids
}
