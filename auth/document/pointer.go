package document

import "strings"

// Pointer builds a JSON pointer (RFC 6901) from reference tokens.
func Pointer(tokens ...string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteByte('/')
		if strings.ContainsAny(token, "~/") {
			token = strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
		}
		b.WriteString(token)
	}
	return b.String()
}

// SplitPointer is the inverse of Pointer.
func SplitPointer(pointer string) []string {
	if pointer == "" {
		return nil
	}
	tokens := strings.Split(pointer[1:], "/")
	for i, token := range tokens {
		if strings.Contains(token, "~") {
			tokens[i] = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		}
	}
	return tokens
}
