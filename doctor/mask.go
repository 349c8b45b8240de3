package doctor

import (
	"openclaw-auth/auth"
	"openclaw-auth/state"
	"strings"
	"unicode"
)

// shown is a profile id, or another key of a document, that is safe to show.
func shown(id string) string { return auth.MaskID(id) }

// shownPointer masks the reference tokens that are keys.
func shownPointer(pointer string) string {
	if pointer == "" {
		return ""
	}
	tokens := state.SplitPointer(pointer)
	for i, token := range tokens {
		if strings.Contains(token, ":") && !strings.HasPrefix(token, "agent:") || hasKey(token) {
			tokens[i] = shown(token)
		}
	}
	return state.Pointer(tokens...)
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

// safe masks the words of a message that hold a key: the name of a wrong value
// may be a profile id, and some people's ids are keys.
func safe(message string) string {
	words := strings.Split(message, " ")
	for i, word := range words {
		if hasKey(word) && !strings.ContainsAny(word, `/\`) {
			words[i] = shown(word)
		}
	}
	return strings.Join(words, " ")
}

func nameOf(at []string) string {
	text := ""
	for i, token := range at {
		if i > 0 {
			text += "."
		}
		text += shownKey(token)
	}
	return text
}

// shownKey is a member's name as it may be shown.
func shownKey(name string) string {
	if hasKey(name) {
		return shown(name)
	}
	return name
}
