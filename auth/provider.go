package auth

import (
	"openclaw-auth/auth/document"
)

// ProviderID is a provider's id in normal form.
type ProviderID string

// ProfileID is the id of an auth profile, exactly as written: "anthropic:default".
type ProfileID string

// Providers with rules of their own.
const (
	providerOpenAI  ProviderID = "openai"
	providerCodex   ProviderID = "openai-codex"
	providerBedrock ProviderID = "amazon-bedrock"
)

// Normalize returns the id that a spelling names: trimmed, in lower case and,
// up to 2026.5.12, with the line's synonyms replaced. From 2026.5.28 on a
// synonym is a provider of its own.
func (r *ProviderRules) Normalize(id string) ProviderID {
	name := document.Lower(document.Trim(id))
	if target, ok := r.Synonyms[name]; ok {
		return target
	}
	return ProviderID(name)
}

// AuthKey returns the provider whose credentials serve a spelling: its normal
// form, or the target of the line's auth alias for it. Aliases don't chain.
func (r *ProviderRules) AuthKey(id string) ProviderID {
	name := r.Normalize(id)
	if target, ok := r.AuthAliases[string(name)]; ok {
		return target
	}
	return name
}

// lookup finds the first member, in file order, whose key normalises to the
// provider. A member with an empty list is found too.
func (r *ProviderRules) lookup(object *document.Object, provider ProviderID) (string, document.Value, bool) {
	for key, value := range object.All() {
		if r.Normalize(key) == provider {
			return key, value, true
		}
	}
	return "", nil, false
}
