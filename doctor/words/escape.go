package words

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Escape makes text from data safe to print on one line: control characters,
// line breaks, marks that change the direction of writing and everything else
// that does not print becomes an escape such as \n or \u001b. What prints is
// unchanged. The escapes are those of JSON, except \xNN for a byte that is no
// UTF-8.
func Escape(text string) string {
	if isPlain(text) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		escapeRune(&b, r, text[i:i+size])
		i += size
	}
	return b.String()
}

func isPlain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

func escapeRune(b *strings.Builder, r rune, as string) {
	switch {
	case r == utf8.RuneError && len(as) == 1:
		fmt.Fprintf(b, `\x%02x`, as[0])
	case unicode.IsPrint(r):
		b.WriteString(as)
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == '\t':
		b.WriteString(`\t`)
	case r > 0xffff:
		high := (r-0x10000)>>10 + 0xd800
		low := (r-0x10000)&0x3ff + 0xdc00
		fmt.Fprintf(b, `\u%04x\u%04x`, high, low)
	default:
		fmt.Fprintf(b, `\u%04x`, r)
	}
}

// Line is a text on one line: line breaks become spaces, the rest is escaped.
func Line(text string) string {
	return Escape(strings.Join(strings.FieldsFunc(strings.TrimSpace(text), func(r rune) bool { return r == '\n' || r == '\r' }), " "))
}

// Guard returns a writer that lets only what prints through to w, line breaks,
// tabs, and the colour sequences of a Screen; the rest is escaped. It is the
// net under Escape: a text that nobody escaped can neither move the cursor nor
// set the title of a terminal. In JSON the escapes stand for what they replace.
func Guard(w io.Writer) io.Writer { return guard{w} }

type guard struct{ w io.Writer }

// colorSequence is a colour (SGR) escape, the only kind a Screen writes.
var colorSequence = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^\x1b\\[[0-9;]*m") })

// Write writes p, escaped; it reports len(p) when all of that is written.
func (g guard) Write(p []byte) (int, error) {
	if !bytes.ContainsFunc(p, isUnsafe) {
		return g.w.Write(p)
	}
	var b strings.Builder
	for i := 0; i < len(p); {
		if sequence := colorSequence().Find(p[i:]); sequence != nil {
			b.Write(sequence)
			i += len(sequence)
			continue
		}
		r, size := utf8.DecodeRune(p[i:])
		if isUnsafe(r) {
			escapeRune(&b, r, string(p[i:i+size]))
		} else {
			b.Write(p[i : i+size])
		}
		i += size
	}
	if _, err := io.WriteString(g.w, b.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

func isUnsafe(r rune) bool {
	return r != '\n' && r != '\t' && (r < ' ' || r == 0x7f || r > 0x7f && !unicode.IsPrint(r) && !unicode.IsSpace(r))
}
