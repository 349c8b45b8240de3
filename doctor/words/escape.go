package words

import (
	"crypto/rand"
	"encoding/hex"
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

// Line is a text on one line: line breaks become spaces, the rest is escaped, and
// keys are masked.
func Line(text string) string {
	return MaskKeys(Escape(strings.Join(strings.FieldsFunc(strings.TrimSpace(text), func(r rune) bool { return r == '\n' || r == '\r' }), " ")))
}

// Guard returns a writer that lets only what prints through to w, line breaks,
// tabs, and the colours of a Screen on it; the rest is escaped, and what looks
// like a key is masked. It is the net under Escape: a text that nobody escaped
// can neither move the cursor nor set a colour or the title of a terminal. In
// JSON the escapes stand for what they replace. The end of a text that may be
// the start of a key is held back until more comes, or Flush.
func Guard(w io.Writer) *Guarded {
	var random [8]byte
	rand.Read(random[:])
	return &Guarded{w: w, mark: "\x00" + hex.EncodeToString(random[:])}
}

// Guarded is the writer of Guard.
type Guarded struct {
	w io.Writer
	// mark stands for the escape character of the program's own colours. Data
	// can't know it.
	mark string
	held []byte
}

// Write writes p; it reports len(p) when all of that is written or held back.
func (g *Guarded) Write(p []byte) (int, error) {
	text := append(g.held, p...)
	end := len(text)
	for end > 0 && isKeyByte(text[end-1]) && len(text)-end < longestKey {
		end--
	}
	g.held = append([]byte{}, text[end:]...)
	if err := g.write(text[:end]); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what is held back.
func (g *Guarded) Flush() error {
	text := g.held
	g.held = nil
	return g.write(text)
}

func (g *Guarded) write(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	_, err := io.WriteString(g.w, g.escape(MaskKeys(string(text))))
	return err
}

func (g *Guarded) escape(text string) string {
	if !strings.ContainsFunc(text, isUnsafe) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if strings.HasPrefix(text[i:], g.mark) {
			b.WriteByte('\x1b')
			i += len(g.mark)
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if isUnsafe(r) {
			escapeRune(&b, r, text[i:i+size])
		} else {
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

// longestKey is how much of a text is held back at most.
const longestKey = 4096

func isKeyByte(b byte) bool {
	return b == '_' || b == '-' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= utf8.RuneSelf || b == 0
}

// keyPattern finds keys of well-known providers, by how they begin. The last
// alternative is a key of OpenAI's kind that follows a letter or a digit:
// "task-…" ends in the same letters, so it has to look random, too.
var keyPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bsk-[A-Za-z0-9_-]{16,}|sk-(?:ant|proj|or|svcacct|admin|live|test)-[A-Za-z0-9_-]{16,}` +
		`|gh[oprsu]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|xai-[A-Za-z0-9]{20,}|gsk_[A-Za-z0-9]{20,}|AIza[A-Za-z0-9_-]{30,}|eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_.-]{20,}` +
		`|sk-([A-Za-z0-9]{20,})`)
})

// MaskKeys masks what looks like a key in a text, whatever it is glued to.
func MaskKeys(text string) string {
	if !mayHoldKey(text) {
		return text
	}
	var b strings.Builder
	end := 0
	for _, at := range keyPattern().FindAllStringSubmatchIndex(text, -1) {
		if at[2] >= 0 && !looksRandom(text[at[2]:at[3]]) {
			continue
		}
		b.WriteString(text[end:at[0]] + "****")
		end = at[1]
	}
	return b.String() + text[end:]
}

// looksRandom reports whether a run of letters and digits is no word.
func looksRandom(run string) bool {
	return strings.ContainsAny(run, "0123456789") || strings.ToLower(run[1:]) != run[1:]
}

// mayHoldKey is a quick look, so that most texts cost no search.
func mayHoldKey(text string) bool {
	for _, start := range []string{"sk-", "gh", "github_pat_", "xai-", "gsk_", "AIza", "eyJ"} {
		if strings.Contains(text, start) {
			return true
		}
	}
	return false
}

func isUnsafe(r rune) bool {
	return r != '\n' && r != '\t' && !unicode.IsPrint(r)
}
