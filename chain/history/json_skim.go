package history

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// The functions of this file look into a JSON object without decoding it: log
// lines and transcripts hold far more than the few members that matter, and most
// of a line is skipped at the speed of a byte search. What they can't follow is
// an unreadable line.

// skimmer walks over one JSON object.
type skimmer struct {
	data []byte
	at   int
}

// begin steps into the object; false: there is none.
func (s *skimmer) begin() bool {
	s.at = skipSpace(s.data, s.at)
	if s.at >= len(s.data) || s.data[s.at] != '{' {
		return false
	}
	s.at++
	return true
}

// next returns the next key of the object with the position at its value. It
// returns more false at the end of the object, and ok false where the text is
// no JSON.
func (s *skimmer) next() (key []byte, more, ok bool) {
	data, at := s.data, skipSpace(s.data, s.at)
	if at < len(data) && data[at] == ',' {
		at = skipSpace(data, at+1)
	}
	if at >= len(data) {
		s.at = at
		return nil, false, false
	}
	if data[at] == '}' {
		s.at = at + 1
		return nil, false, true
	}
	end := -1
	if data[at] == '"' {
		end = stringEnd(data, at)
	}
	if end < 0 {
		s.at = at
		return nil, false, false
	}
	key = data[at+1 : end-1]
	if at = skipSpace(data, end); at >= len(data) || data[at] != ':' {
		s.at = at
		return nil, false, false
	}
	s.at = skipSpace(data, at+1)
	return key, s.at < len(data), s.at < len(data)
}

// value steps over a value and returns its text.
func (s *skimmer) value() (raw []byte, ok bool) {
	start := s.at
	end := valueEnd(s.data, start)
	if end < 0 {
		return s.data[start:], false
	}
	s.at = end
	return s.data[start:end], true
}

// skipSpace returns the place of what follows the white space at a place.
func skipSpace(data []byte, at int) int {
	for at < len(data) && data[at] <= ' ' {
		at++
	}
	return at
}

// stringEnd returns the place behind the string whose opening quote is at a
// place; -1: it does not end.
func stringEnd(data []byte, start int) int {
	for at := start + 1; at < len(data); {
		quote := indexQuote(data[at:])
		if quote < 0 {
			break
		}
		at += quote + 1
		if data[at-2] != '\\' || !isEscaped(data[start:at-1]) {
			return at
		}
	}
	return -1
}

// isEscaped reports whether what follows the beginning of a string is escaped: an
// odd number of backslashes precedes it.
func isEscaped(begin []byte) bool {
	backslashes := 0
	for backslashes < len(begin)-1 && begin[len(begin)-1-backslashes] == '\\' {
		backslashes++
	}
	return backslashes%2 == 1
}

// indexQuote is bytes.IndexByte for a double quote. It compares eight bytes at a
// time in line: most strings are so short that the call costs more than the search.
func indexQuote(data []byte) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	at := 0
	for ; at+8 <= len(data); at += 8 {
		word := binary.LittleEndian.Uint64(data[at:]) ^ '"'*ones // a quote becomes zero
		if zero := (word - ones) &^ word & highs; zero != 0 {
			return at + bits.TrailingZeros64(zero)/8
		}
	}
	for ; at < len(data); at++ {
		if data[at] == '"' {
			return at
		}
	}
	return -1
}

// valueEnd returns the place behind the value at a place; -1: there is none.
func valueEnd(data []byte, start int) int {
	if start >= len(data) {
		return -1
	}
	switch data[start] {
	case '"':
		return stringEnd(data, start)
	case '{', '[':
		return nestedEnd(data, start)
	}
	at := start
	for at < len(data) && !isDelimiter(data[at]) {
		at++
	}
	if at == start {
		return -1
	}
	return at
}

func isDelimiter(b byte) bool {
	return b == ',' || b == '}' || b == ']' || b == ' ' || b == '\n' || b == '\r' || b == '\t'
}

// nestedEnd returns the place behind the object or the array at a place; -1: it
// does not end.
func nestedEnd(data []byte, at int) int {
	for depth := 0; at < len(data); at++ {
		switch data[at] {
		case '"':
			end := stringEnd(data, at)
			if end < 0 {
				return -1
			}
			at = end - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
	return -1
}

// unquoted returns the text of a JSON string. The bytes of one without escapes
// are not copied. What is no string is returned as nil.
func unquoted(raw []byte) []byte { return unquotedInto(nil, raw) }

// unquotedInto is unquoted with memory for a text that has to be decoded.
func unquotedInto(memory, raw []byte) []byte {
	if len(raw) < 2 || raw[0] != '"' {
		return nil
	}
	inner := raw[1 : len(raw)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	text, err := jsontext.AppendUnquote(memory, raw)
	if err != nil && text == nil {
		return nil
	}
	return text
}

// numberOf reads a number, also one written as a string; 0 where there is none.
func numberOf(raw []byte) int64 {
	if len(raw) > 1 && raw[0] == '"' {
		raw = raw[1 : len(raw)-1]
	}
	var number int64
	for i, c := range raw {
		if c < '0' || c > '9' || i > 17 {
			f, err := strconv.ParseFloat(string(raw), 64)
			if err != nil || f != f || f < -8.64e15 || f > 8.64e15 {
				return 0
			}
			return int64(f)
		}
		number = number*10 + int64(c-'0')
	}
	return number
}

func isTrue(raw []byte) bool { return string(raw) == "true" }
