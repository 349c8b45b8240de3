package auth

import (
	"strings"
	"unicode"
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
	name := strings.ToLower(trim(id))
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
func (r *ProviderRules) lookup(object *Object, provider ProviderID) (string, Value, bool) {
	for key, value := range object.All() {
		if r.Normalize(key) == provider {
			return key, value, true
		}
	}
	return "", nil, false
}

// trim removes what JavaScript's trim removes: Unicode's spaces, line ends and
// the byte order mark, but not U+0085.
func trim(text string) string {
	if n := len(text); n > 0 && isGraphic(text[0]) && isGraphic(text[n-1]) {
		return text // nearly all texts
	}
	return strings.TrimFunc(text, isSpace)
}

// isGraphic reports whether a byte is a visible character of ASCII.
func isGraphic(c byte) bool { return ' ' < c && c < 0x7f }

func isSpace(r rune) bool {
	return r != '\u0085' && (unicode.IsSpace(r) || r == '\ufeff')
}

// isBlank reports whether nothing is left of a text once it is trimmed.
func isBlank(text string) bool { return trim(text) == "" }
