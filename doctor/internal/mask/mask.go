// Package mask hides what must not be shown: keys in profile ids, in pointers and
// in messages.
package mask

import (
	"strings"
	"unicode"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
)

// Few is how many names a message lists before it counts the rest.
const Few = 5

// ID is a profile id, or another key of a document, that is safe to show.
func ID(id string) string { return auth.MaskID(id) }

// Pointer masks the reference tokens that are keys.
func Pointer(pointer string) string {
	if pointer == "" {
		return ""
	}
	tokens := document.SplitPointer(pointer)
	for i, token := range tokens {
		if strings.Contains(token, ":") && !strings.HasPrefix(token, "agent:") || hasKey(token) {
			tokens[i] = ID(token)
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

// Text masks the words of a message that hold a key: the name of a wrong value
// may be a profile id, and some people's ids are keys.
func Text(message string) string {
	words := strings.Split(message, " ")
	for i, word := range words {
		if hasKey(word) && !strings.ContainsAny(word, `/\`) {
			words[i] = ID(word)
		}
	}
	return strings.Join(words, " ")
}

// Path joins the keys of a path with dots, as people write it.
func Path(at []string) string {
	text := ""
	for i, token := range at {
		if i > 0 {
			text += "."
		}
		text += Key(token)
	}
	return text
}

// Key is a member's name as it may be shown.
func Key(name string) string {
	if hasKey(name) {
		return ID(name)
	}
	return name
}

// IDs returns profile ids as they may be shown.
func IDs[S ~string](ids []S) []string {
	shown := make([]string, len(ids))
	for i, id := range ids {
		shown[i] = ID(string(id))
	}
	return shown
}
