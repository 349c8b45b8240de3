package failure

import (
	"strings"
	"unicode/utf8"
)

// spaces is what JavaScript's trim and \s take for white space. Unlike
// unicode.IsSpace it has the byte order mark and lacks U+0085.
const spaces = "\t\n\v\f\r \u00a0\u1680" +
	"\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" +
	"\u2028\u2029\u202f\u205f\u3000\ufeff"

// trim is JavaScript's String.prototype.trim.
func trim(s string) string { return strings.Trim(s, spaces) }

// trimLeft is JavaScript's String.prototype.trimStart.
func trimLeft(s string) string { return strings.TrimLeft(s, spaces) }

// lower is JavaScript's toLowerCase as far as a pattern can see it. It differs
// from strings.ToLower in the capital I with a dot, which becomes two code
// points; so "TİMEOUT" is no "timeout" (asked of 2026.5.12).
func lower(s string) string {
	if strings.Contains(s, "\u0130") {
		s = strings.ReplaceAll(s, "\u0130", "i\u0307")
	}
	return strings.ToLower(s)
}

// upperTrim normalises symbolic codes.
func upperTrim(s string) string { return strings.ToUpper(trim(s)) }

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
	return size > 0 && strings.ContainsRune(spaces, r)
}

// withBlanks spells a symbolic name as words.
func withBlanks(name string) string { return strings.ReplaceAll(name, "_", " ") }
