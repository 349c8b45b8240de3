// Package words has the wording that doctor and its repairs share, and masks
// what must not be shown.
package words

import (
	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"strings"
	"unicode"
)

// Shown is a profile id, or another key of a document, that is safe to show.
func Shown(id string) string { return auth.MaskID(id) }

// ShownPointer masks the reference tokens that are keys.
func ShownPointer(pointer string) string {
	if pointer == "" {
		return ""
	}
	tokens := document.SplitPointer(pointer)
	for i, token := range tokens {
		if strings.Contains(token, ":") && !strings.HasPrefix(token, "agent:") || hasKey(token) {
			tokens[i] = Shown(token)
		}
	}
	return document.Pointer(tokens...)
}

// shortestKey is the shortest run of letters and digits that passes for a key.
const shortestKey = 20

// hasKey reports whether a text has a run of letters and digits, both of them,
// that is as long as only keys are.
func hasKey(text string) bool {
	letters, digits := 0, 0
	for _, r := range text {
		switch {
		case r < unicode.MaxASCII && unicode.IsLetter(r):
			letters++
		case r >= '0' && r <= '9':
			digits++
		default:
			letters, digits = 0, 0
		}
		if letters > 0 && digits > 0 && letters+digits >= shortestKey {
			return true
		}
	}
	return false
}

// Safe masks the words of a message that hold a key: the name of a wrong value
// may be a profile id, and some people's ids are keys.
func Safe(message string) string {
	words := strings.Split(message, " ")
	for i, word := range words {
		if hasKey(word) && !strings.ContainsAny(word, `/\`) {
			words[i] = Shown(word)
		}
	}
	return strings.Join(words, " ")
}

// NameOf joins the keys of a path with dots, as people write it.
func NameOf(at []string) string {
	text := ""
	for i, token := range at {
		if i > 0 {
			text += "."
		}
		text += ShownKey(token)
	}
	return text
}

// ShownKey is a member's name as it may be shown.
func ShownKey(name string) string {
	if hasKey(name) {
		return Shown(name)
	}
	return name
}
