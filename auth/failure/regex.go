package failure

import (
	"regexp"
	"strings"
)

// spaceClass is the inside of a character class equal to JavaScript's \s.
const spaceClass = `\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`

// anyClass is JavaScript's dot: it stops at four line ends, RE2's at one.
const anyClass = `[^\n\r\x{2028}\x{2029}]`

// translate rewrites an expression from JavaScript's meaning of \s, \S and the
// dot to RE2's. The other constructs the patterns use mean the same in both: \b,
// \w and \d are ASCII, $ is the end of the text. (One is left: JavaScript counts
// a character beyond U+FFFF as two in {0,60}.)
func translate(pattern string) string {
	dotAll := strings.HasPrefix(pattern, "(?s)")
	var out strings.Builder
	inClass := false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '\\' && i+1 < len(pattern):
			i++
			out.WriteString(translateEscape(pattern[i], inClass))
			continue
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		case c == '.' && !inClass && !dotAll:
			out.WriteString(anyClass)
			continue
		}
		out.WriteByte(c)
	}
	return out.String()
}

func translateEscape(c byte, inClass bool) string {
	switch {
	case c == 's' && inClass:
		return spaceClass
	case c == 's':
		return "[" + spaceClass + "]"
	case c == 'S' && !inClass:
		return "[^" + spaceClass + "]"
	}
	return `\` + string(c)
}

// compile compiles an expression written with JavaScript's meaning.
func compile(pattern string) *regexp.Regexp { return regexp.MustCompile(translate(pattern)) }
