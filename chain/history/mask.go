package history

import (
	"hash/maphash"
	"strings"
	"unicode"
)

const longestDetail = 200 // runes of an error text that are kept

// texts keeps texts that come again and again once: the latest one of each
// place, so that any number of run ids needs no more memory.
type texts [1 << 8]string

// keep returns the bytes as a string.
func (t *texts) keep(raw []byte) string {
	if len(raw) == 0 {
		return ""
	}
	kept := &t[maphash.Bytes(seed, raw)%uint64(len(t))]
	if *kept != string(raw) {
		*kept = string(raw)
	}
	return *kept
}

// details keeps masked error texts by what they were before.
type details map[string]string

const mostDetails = 1 << 10

func (d details) keep(raw []byte) string {
	if text, ok := d[string(raw)]; ok || len(raw) == 0 {
		return text
	}
	return d.put(raw, Preview(string(raw)))
}

// keepString is keep for a JSON string, which is decoded once only.
func (d details) keepString(raw []byte) string {
	if text, ok := d[string(raw)]; ok {
		return text
	}
	return d.put(raw, Preview(string(unquoted(raw))))
}

func (d details) put(raw []byte, text string) string {
	if len(d) > mostDetails {
		clear(d)
	}
	d[string(raw)] = text
	return text
}

// Preview returns an error text as it may be shown: one line, without control
// characters and whatever turns the direction of writing, cut, and with
// everything that looks like a key replaced. OpenClaw masks keys in its log
// itself; a provider's answer may hold others.
func Preview(text string) string {
	var out strings.Builder
	word := func(w string) { out.WriteString(maskWord(w)) }
	start, count, space := -1, 0, false
	for i, r := range text {
		if isWordRune(r) {
			if start < 0 {
				if count > longestDetail {
					break
				}
				if space && out.Len() > 0 {
					out.WriteByte(' ')
				}
				start, space = i, false
			}
			count++
			continue
		}
		if start >= 0 {
			word(text[start:i])
			start = -1
		}
		if unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar {
			space = true
			continue
		}
		if space && out.Len() > 0 {
			out.WriteByte(' ')
		}
		space = false
		if count++; count > longestDetail {
			break
		}
		out.WriteRune(r)
	}
	if start >= 0 {
		word(text[start:])
	}
	shown := []rune(out.String())
	if len(shown) > longestDetail {
		return string(shown[:longestDetail]) + "…"
	}
	return string(shown)
}

func isWordRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '+' || r == '.'
}

// keyBegins are beginnings that providers give their keys.
var keyBegins = []string{"sk-", "sk_", "pk-", "rk_", "AIza", "ghp_", "gho_", "ghu_", "github_pat_", "xox", "eyJ", "gsk_", "hf_", "AKIA", "ya29.", "nvapi-", "key-"}

// maskWord masks what looks like a key: a known beginning, or a run of letters
// and digits that is longer than words and names are.
func maskWord(word string) string {
	for _, begin := range keyBegins {
		if strings.HasPrefix(word, begin) && len(word) > len(begin)+4 {
			return begin + "****"
		}
	}
	run, hasDigit, hasLetter := 0, false, false
	for i := range len(word) {
		c := word[i]
		switch {
		case c >= '0' && c <= '9':
			hasDigit = true
			run++
		case c == '-' || c == '.' || c == '_' || c == '+':
			if run < 20 {
				run, hasDigit, hasLetter = 0, false, false
			}
			continue
		default:
			hasLetter = true
			run++
		}
		if run >= 20 && (hasDigit && hasLetter || run >= 32) {
			return word[:min(4, len(word))] + "****"
		}
	}
	return word
}
