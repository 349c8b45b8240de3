package doctor

import (
	"fmt"
	"openclaw-auth/auth"
	"slices"
	"strings"
)

// The two ids of the provider that became one.
const (
	codex  = "openai-codex"
	openai = "openai"
)

func isCodex(id string) bool {
	return len(id) >= len(codex) && strings.EqualFold(id[:len(codex)], codex)
}

func isCodexProfile(id string) bool { return isCodex(id) && strings.HasPrefix(id[len(codex):], ":") }

func isCodexModel(ref string) bool { return isCodex(ref) && strings.HasPrefix(ref[len(codex):], "/") }

// codexNames gives the old ids of the configuration the ones that OpenClaw's
// migration gives them (2026.6.11+): openai:NAME, or the first that is free of
// openai:chatgpt-NAME, openai:chatgpt-NAME-2 and so on.
func codexNames(config auth.Config) map[string]string {
	taken, old := map[string]bool{}, []string{}
	note := func(id string) {
		if isCodexProfile(id) && !slices.Contains(old, id) {
			old = append(old, id)
		} else if !isCodexProfile(id) {
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
		names[id] = retiredProvider{codex, openai, "chatgpt-"}.freeName(strings.TrimSpace(id[len(codex)+1:]), taken)
		taken[names[id]] = true
	}
	return names
}

// freeName is the new id of a profile: NEW:NAME, or the first of NEW:chatgpt-NAME,
// NEW:chatgpt-NAME-2 and so on that is not taken.
func (r retiredProvider) freeName(name string, taken map[string]bool) string {
	if name == "" {
		name = "default"
	}
	free := r.new + ":" + name
	for i := 1; taken[free]; i++ {
		if free = r.new + ":" + r.taken + name; i > 1 {
			free += fmt.Sprintf("-%d", i)
		}
	}
	return free
}

// retiredOf is the provider that a profile was of by its id, and the name of the
// profile; nil for those of a provider that is not retired.
func (l *lineRules) retiredOf(id string) (provider *retiredProvider, name string) {
	for i := range l.retiredProviders {
		r := &l.retiredProviders[i]
		if len(id) > len(r.old) && strings.EqualFold(id[:len(r.old)], r.old) && id[len(r.old)] == ':' {
			return r, strings.TrimSpace(id[len(r.old)+1:])
		}
	}
	return nil, ""
}

// renamedProvider is the provider that a retired one is now; "" for any other.
func (l *lineRules) renamedProvider(name string) string {
	for _, r := range l.retiredProviders {
		if strings.EqualFold(strings.TrimSpace(name), r.old) {
			return r.new
		}
	}
	return ""
}

// retiredNames are the names of the retired providers.
func (l *lineRules) retiredNames() []string {
	var names []string
	for _, r := range l.retiredProviders {
		names = append(names, r.old)
	}
	return names
}

// isCodexKey reports whether a name is the provider's.
func isCodexKey(key string) bool { return strings.EqualFold(strings.TrimSpace(key), codex) }
