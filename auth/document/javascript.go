package document

// What JavaScript's own functions do to text. OpenClaw compares ids, providers
// and model names after trimming and lower-casing them, so a letter that Go
// handles differently would be another id.

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Trim is String.prototype.trim: it removes Unicode's spaces, line ends and
// the byte order mark, but not U+0085, which Go counts as a space.
func Trim(text string) string {
	if n := len(text); n > 0 && isGraphic(text[0]) && isGraphic(text[n-1]) {
		return text // nearly all texts
	}
	return strings.TrimFunc(text, IsSpace)
}

// TrimStart is String.prototype.trimStart.
func TrimStart(text string) string { return strings.TrimLeftFunc(text, IsSpace) }

// IsBlank reports whether nothing is left of a text once it is trimmed.
func IsBlank(text string) bool { return Trim(text) == "" }

// isGraphic reports whether a byte is a visible character of ASCII.
func isGraphic(c byte) bool { return ' ' < c && c < utf8.RuneSelf-1 }

// IsSpace reports whether Trim removes the rune.
func IsSpace(r rune) bool {
	return r != '\u0085' && (unicode.IsSpace(r) || r == '\ufeff')
}

// Lower is String.prototype.toLowerCase. It differs from strings.ToLower in
// two letters: İ becomes two code points, and a capital sigma that ends a word
// becomes ς.
func Lower(text string) string {
	if strings.Contains(text, "İ") {
		text = strings.ReplaceAll(text, "İ", "i\u0307")
	}
	if strings.Contains(text, "Σ") {
		text = withFinalSigmas(text)
	}
	return strings.ToLower(text)
}

// withFinalSigmas puts ς in place of each capital sigma that has a letter with
// case before it and none behind it (Unicode's condition Final_Sigma).
func withFinalSigmas(text string) string {
	runes := []rune(text)
	for i, r := range runes {
		if r == 'Σ' && hasCase(runes[:i], -1) && !hasCase(runes[i+1:], 1) {
			runes[i] = 'ς'
		}
	}
	return string(runes)
}

// hasCase reports whether the first rune that is not passed over, from the
// start (step 1) or the end (step -1), is a letter with case.
func hasCase(runes []rune, step int) bool {
	at := 0
	if step < 0 {
		at = len(runes) - 1
	}
	for ; at >= 0 && at < len(runes); at += step {
		if !isCaseIgnorable(runes[at]) {
			return isCased(runes[at])
		}
	}
	return false
}

func isCased(r rune) bool {
	return unicode.In(r, unicode.Upper, unicode.Lower, unicode.Title, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

func isCaseIgnorable(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) ||
		strings.ContainsRune("'.:·‘’․‧﹒＇．\u0387\u055f״︓﹕：", r)
}
