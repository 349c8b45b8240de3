package chain

import (
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain/lines"
)

// normalize returns the pair in the form in which OpenClaw runs it: the
// provider in lower case with the line's synonyms replaced, the model id by the
// spellings that the line knows for the provider.
func (m *Models) normalize(provider, model string) Ref {
	id := m.Rules.Providers.Normalize(provider)
	return Ref{string(id), m.normalizeID(id, document.Trim(model))}
}

func (m *Models) normalizeID(provider auth.ProviderID, model string) string {
	if m.refs().SelfPrefix {
		model = cutPrefixFold(model, string(provider)+"/")
	}
	return m.spelledID(provider, model)
}

// proxiedID normalises the model id of a configured provider that speaks
// another's api. Its own name in front of the id is part of the id; a Google
// model that it passes on has Google's spellings (2026.5.12+).
func (m *Models) proxiedID(provider auth.ProviderID, model string) string {
	id := m.spelledID(provider, model)
	google := m.refs().BuiltInIDs["google"]
	i := strings.LastIndexByte(id, '/')
	if i < 0 || google.Keep == "" || !strings.HasSuffix("/"+id[:i+1], "/"+google.Keep) {
		return id
	}
	return id[:i+1] + applyPolicy(google, id[i+1:])
}

func (m *Models) spelledID(provider auth.ProviderID, model string) string {
	rules := m.refs()
	if !rules.ManifestIndex || m.PluginIndex {
		model = applyPolicy(rules.ManifestIDs[provider], model)
	}
	return applyPolicy(rules.BuiltInIDs[provider], model)
}

func applyPolicy(policy lines.ModelIDPolicy, model string) string {
	id, kept := model, ""
	if policy.Strip != "" {
		id = cutPrefixFold(id, policy.Strip)
	}
	if policy.Keep != "" {
		for strings.HasPrefix(id[len(kept):], policy.Keep) {
			kept += policy.Keep
		}
		id = id[len(kept):]
	}
	spelling := id
	if policy.AnyCase {
		spelling = document.Lower(id)
	}
	if alias, ok := policy.Aliases[spelling]; ok {
		id = alias
	}
	starts := strings.HasPrefix(id, policy.PrefixStarts) ||
		policy.AnyCase && !policy.AllOrNothing && strings.HasPrefix(document.Lower(id), policy.PrefixStarts)
	switch {
	case policy.Prefix != "" && starts && !strings.Contains(id, "/"):
		return kept + policy.Prefix + id
	case policy.AllOrNothing:
		return model
	}
	return kept + id
}

// cutPrefixFold removes a prefix written in any case.
func cutPrefixFold(text, prefix string) string {
	if len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix) {
		return text[len(prefix):]
	}
	return text
}
