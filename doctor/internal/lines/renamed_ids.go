package lines

import (
	"fmt"
	"slices"
	"strings"

	"openclaw-auth/auth"
)

// The two ids of the provider that became one.
const (
	Codex  = "openai-codex"
	OpenAI = "openai"
)

// IsCodex reports whether an id begins with openai-codex, in any case.
func IsCodex(id string) bool {
	return len(id) >= len(Codex) && strings.EqualFold(id[:len(Codex)], Codex)
}

// IsCodexProfile reports whether an id is that of a profile of openai-codex.
func IsCodexProfile(id string) bool { return IsCodex(id) && strings.HasPrefix(id[len(Codex):], ":") }

// IsCodexModel reports whether a reference names a model of openai-codex.
func IsCodexModel(ref string) bool { return IsCodex(ref) && strings.HasPrefix(ref[len(Codex):], "/") }

// CodexNames gives the old ids of the configuration the ones that OpenClaw's
// migration gives them (2026.6.11+): openai:NAME, or the first that is free of
// openai:chatgpt-NAME, openai:chatgpt-NAME-2 and so on.
func (l *Rules) CodexNames(config auth.Config) map[string]string {
	taken, old := map[string]bool{OpenAI + ":codex-cli": l.CodexRows}, []string{} // kept free for the login of the command line tool
	note := func(id string) {
		if IsCodexProfile(id) && !slices.Contains(old, id) {
			old = append(old, id)
		} else if !IsCodexProfile(id) {
			taken[id] = true
		}
	}
	for id := range config.Profiles().All() {
		note(id)
	}
	for _, value := range config.Order().All() {
		ids, _ := value.([]any)
		for _, item := range ids {
			if id, ok := item.(string); ok {
				note(id)
			}
		}
	}
	slices.Sort(old)
	names := map[string]string{}
	for _, id := range old {
		names[id] = retiredProvider{Codex, OpenAI, "chatgpt-"}.FreeName(strings.TrimSpace(id[len(Codex)+1:]), taken)
		taken[names[id]] = true
	}
	return names
}

// FreeName is the new id of a profile: NEW:NAME, or the first of NEW:chatgpt-NAME,
// NEW:chatgpt-NAME-2 and so on that is not taken.
func (r retiredProvider) FreeName(name string, taken map[string]bool) string {
	if name == "" {
		name = "default"
	}
	free := r.New + ":" + name
	for i := 1; taken[free]; i++ {
		if free = r.New + ":" + r.Taken + name; i > 1 {
			free += fmt.Sprintf("-%d", i)
		}
	}
	return free
}

// RetiredOf is the provider that a profile was of by its id, and the name of the
// profile; nil for those of a provider that is not retired.
func (l *Rules) RetiredOf(id string) (provider *retiredProvider, name string) {
	for i := range l.retiredProviders {
		r := &l.retiredProviders[i]
		if len(id) > len(r.Old) && strings.EqualFold(id[:len(r.Old)], r.Old) && id[len(r.Old)] == ':' {
			return r, strings.TrimSpace(id[len(r.Old)+1:])
		}
	}
	return nil, ""
}

// RenamedProvider is the provider that a retired one is now; "" for any other.
func (l *Rules) RenamedProvider(name string) string {
	for _, r := range l.retiredProviders {
		if strings.EqualFold(strings.TrimSpace(name), r.Old) {
			return r.New
		}
	}
	return ""
}

// RetiredNames are the names of the retired providers.
func (l *Rules) RetiredNames() []string {
	var names []string
	for _, r := range l.retiredProviders {
		names = append(names, r.Old)
	}
	return names
}

// IsCodexKey reports whether a name is the provider's.
func IsCodexKey(key string) bool { return strings.EqualFold(strings.TrimSpace(key), Codex) }
