package traces

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain"
	"openclaw-auth/chain/history"
	"openclaw-auth/state"
)

// Profiles are the profiles that logs may speak of.
type Profiles struct {
	Names  history.Names
	States map[history.ProfileKey]history.ProfileState // as they are now
	own    map[string]map[string]bool                  // agent → ids that its own store holds
}

// StoreOf names the store in which an agent finds a profile: the agent for its
// own, nothing for the one that all share.
func (p *Profiles) StoreOf(agent, id string) string {
	if p.own[agent][id] {
		return agent
	}
	return ""
}

// ReadProfiles collects the ids of all stores, of the configuration and of the
// copies that migrations and repairs leave beside a store, with the state of
// those that are stored now. A store that can't be read is left out.
func ReadProfiles(h *state.Home, config *state.Config, agents []state.Agent, now int64) *Profiles {
	p := &Profiles{Names: history.Names{}, States: map[history.ProfileKey]history.ProfileState{}, own: map[string]map[string]bool{}}
	for id := range config.Auth().Profiles().All() {
		p.Names.Add(id)
	}
	for _, order := range config.Auth().Order().All() {
		p.addList(order)
	}
	for _, agent := range agents {
		for _, path := range storeCopies(h, agent.Dir) {
			if document, err := h.ReadObject(path); err == nil {
				p.addDocument(document)
			}
		}
		loaded, err := h.LoadAgent(agent, now)
		if err != nil || loaded.Store == nil {
			continue
		}
		p.addStore(h, loaded, now)
	}
	return p
}

func (p *Profiles) addList(value document.Value) {
	ids, _ := value.([]any)
	for _, id := range ids {
		if text, ok := id.(string); ok {
			p.Names.Add(text)
		}
	}
}

// addDocument takes the ids of a document that is a store or a state.
func (p *Profiles) addDocument(stored *document.Object) {
	for _, section := range []string{"profiles", "usageStats"} {
		for id := range stored.Object(section).All() {
			p.Names.Add(id)
		}
	}
	for _, order := range stored.Object("order").All() {
		p.addList(order)
	}
}

func (p *Profiles) addStore(h *state.Home, loaded *state.Loaded, now int64) {
	own := map[string]bool{}
	for id, value := range loaded.Store.Profiles.All() {
		p.Names.Add(id)
		if loaded.Main != nil && !loaded.Inherited(auth.ProfileID(id)) {
			own[auth.MaskID(id)] = true
		}
		credential, _ := value.(*document.Object)
		stats := loaded.Store.UsageStats.Object(id)
		state := history.ProfileState{Provider: credential.Text("provider")}
		used, _ := stats.Number("lastUsed")
		probed, _ := stats.Number("lastProbeAt")
		failed, _ := stats.Number("lastFailureAt")
		errors, _ := stats.Number("errorCount")
		state.LastUsed, state.LastFailureAt, state.ErrorCount = int64(max(used, probed)), int64(failed), int(errors)
		for _, window := range h.Rules.Windows.List(stats, now) {
			if until := int64(min(window.Until, 8.64e15)); until > state.Until {
				state.Until, state.Reason, state.Window = until, string(window.Reason), history.WindowCooldown
				if window.Kind == auth.StateDisabled {
					state.Window = history.WindowDisabled
				}
			}
		}
		p.own[loaded.Agent.ID] = own
		p.States[history.ProfileKey{Store: p.StoreOf(loaded.Agent.ID, auth.MaskID(id)), ID: auth.MaskID(id)}] = state
	}
}

// longestCopy bounds the copies that are looked into for names.
const longestCopy = 8 << 20

// storeCopies lists what lies beside a store and once was one.
func storeCopies(h *state.Home, dir string) []string {
	entries, _ := h.FS.ReadDir(dir)
	var paths []string
	for _, entry := range entries {
		name := entry.Name()
		isCopy := strings.HasPrefix(name, "auth-profiles") || strings.HasPrefix(name, "auth-state") || strings.HasPrefix(name, "auth.json.")
		if info, err := entry.Info(); err == nil && isCopy && info.Mode().IsRegular() && info.Size() <= longestCopy {
			paths = append(paths, filepath.Join(dir, name))
		}
	}
	return paths
}

// Sessions returns what the entries of an agent's sessions say now.
func Sessions(h *state.Home, config *state.Config, agent state.Agent) ([]history.SessionState, error) {
	var sessions []history.SessionState
	keys, err := sessionKeys(h, config, agent)
	if err != nil {
		return nil, err
	}
	err = h.Sessions(config, agent).Each(func(session state.Session) bool {
		delete(keys, session.SessionID())
		sessions = append(sessions, pastSession(session, agent))
		return true
	})
	for id, key := range keys {
		sessions = append(sessions, history.SessionState{ID: id, Key: key, Agent: agent.ID})
	}
	slices.SortFunc(sessions, func(a, b history.SessionState) int { return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.ID, b.ID)) })
	return sessions, err
}

func pastSession(session state.Session, agent state.Agent) history.SessionState {
	entry := session.Entry
	state := history.SessionState{
		ID: session.SessionID(), Key: session.Key, Agent: agent.ID,
		Override:     chain.Ref{Provider: entry.Text("providerOverride"), Model: entry.Text("modelOverride")},
		OverrideUser: entry.Text("modelOverrideSource") == "user",
		Origin:       chain.Ref{Provider: entry.Text("modelOverrideFallbackOriginProvider"), Model: entry.Text("modelOverrideFallbackOriginModel")},
		Profile:      auth.MaskID(entry.Text("authProfileOverride")), ProfileUser: entry.Text("authProfileOverrideSource") == "user",
		Notice: cmp.Or(entry.Text("fallbackNoticeReason"), entry.Object("fallbackNotice").Text("reason")), UpdatedAt: int64(session.UpdatedAt()),
	}
	if state.Override.Model == "" {
		state.Override = chain.Ref{}
	}
	return state
}
