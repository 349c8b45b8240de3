package failure

import (
	"strings"
	"unicode/utf8"

	"openclaw-auth/auth/document"
)

// upperTrim normalises symbolic codes.
func upperTrim(s string) string { return strings.ToUpper(document.Trim(s)) }

// longerThan reports whether s has more than n UTF-16 units, which is how
// JavaScript counts.
func longerThan(s string, n int) bool {
	if len(s) <= n {
		return false
	}
	units := 0
	for _, r := range s {
		units++
		if r > 0xffff {
			units++
		}
		if units > n {
			return true
		}
	}
	return false
}

// cut returns the first n UTF-16 units of s; a character that would be split
// is left out.
func cut(s string, n int) string {
	units := 0
	for i, r := range s {
		units++
		if r > 0xffff {
			units++
		}
		if units > n {
			return s[:i]
		}
	}
	return s
}

// isWord reports whether s has a word character of JavaScript's at byte i.
func isWord(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	c := s[i]
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// takeDigits splits three digits off the head of s.
func takeDigits(s string) (status int, rest string, ok bool) {
	if len(s) < 3 {
		return 0, s, false
	}
	for i := range 3 {
		if s[i] < '0' || s[i] > '9' {
			return 0, s, false
		}
		status = status*10 + int(s[i]-'0')
	}
	return status, s[3:], true
}

// startsWithSpace reports whether s begins with white space.
func startsWithSpace(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	return size > 0 && document.IsSpace(r)
}

// withBlanks spells a symbolic name as words.
func withBlanks(name string) string { return strings.ReplaceAll(name, "_", " ") }
