package chain_test

import (
	"testing"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain"
)

// FuzzReference reads any text as a reference under every line: nothing may
// panic, and a model that was read must be one.
func FuzzReference(f *testing.F) {
	for _, text := range []string{
		"", "/", "a/", "/a", "a/b@c", "a/b@20251001@w", "x@q8_0@w", "openrouter:free", "google/google/gemini-3-pro", "a/b/*", "\xff/\xfe@\xff", "İ/ı",
	} {
		f.Add(text, "fast")
	}
	f.Fuzz(func(t *testing.T, text, alias string) {
		config := document.NewObject()
		agents, defaults, list, entry := document.NewObject(), document.NewObject(), document.NewObject(), document.NewObject()
		entry.Set("alias", alias)
		list.Set(text, entry)
		defaults.Set("models", list)
		defaults.Set("model", text)
		agents.Set("defaults", defaults)
		config.Set("agents", agents)
		for _, rules := range auth.Lines() {
			m := &chain.Models{Rules: rules, Config: auth.NewConfig(config), Agent: text}
			if model, profile := m.SplitProfile(text); model == "" && profile != "" {
				t.Errorf("%s: %q has a profile and no model", rules.Line, text)
			}
			if ref, _, ok := m.Resolve(text, "openai"); ok && ref.Provider == "" {
				t.Errorf("%s: %q has no provider", rules.Line, text)
			}
			m.Default()
			if candidates := m.Candidates(chain.Request{Provider: alias, Model: text}); len(candidates) == 0 {
				t.Errorf("%s: %q has no candidates", rules.Line, text)
			}
			if _, err := chain.ParsePattern(text); err == nil && text == "" {
				t.Error("an empty pattern")
			}
		}
	})
}
