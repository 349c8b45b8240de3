package history

import (
	"bytes"
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
	s.space()
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
	s.space()
	if s.at < len(s.data) && s.data[s.at] == ',' {
		s.at++
		s.space()
	}
	if s.at >= len(s.data) {
		return nil, false, false
	}
	if s.data[s.at] == '}' {
		s.at++
		return nil, false, true
	}
	if s.data[s.at] != '"' {
		return nil, false, false
	}
	start := s.at + 1
	if !s.skipString() {
		return nil, false, false
	}
	key = s.data[start : s.at-1]
	s.space()
	if s.at >= len(s.data) || s.data[s.at] != ':' {
		return nil, false, false
	}
	s.at++
	s.space()
	return key, s.at < len(s.data), s.at < len(s.data)
}

func (s *skimmer) space() {
	for s.at < len(s.data) && s.data[s.at] <= ' ' {
		s.at++
	}
}

// skipString steps over a string; the position is at its opening quote.
func (s *skimmer) skipString() bool {
	at := s.at + 1
	for at < len(s.data) {
		quote := bytes.IndexByte(s.data[at:], '"')
		if quote < 0 {
			return false
		}
		at += quote
		backslashes := 0
		for at-1-backslashes > s.at && s.data[at-1-backslashes] == '\\' {
			backslashes++
		}
		at++
		if backslashes%2 == 0 {
			s.at = at
			return true
		}
	}
	return false
}

// value steps over a value and returns its text.
func (s *skimmer) value() (raw []byte, ok bool) {
	start := s.at
	if s.at >= len(s.data) {
		return nil, false
	}
	switch s.data[s.at] {
	case '"':
		ok = s.skipString()
	case '{', '[':
		ok = s.skipNested()
	default:
		for s.at < len(s.data) && !isDelimiter(s.data[s.at]) {
			s.at++
		}
		ok = s.at > start
	}
	return s.data[start:s.at], ok
}

func isDelimiter(b byte) bool {
	return b == ',' || b == '}' || b == ']' || b == ' ' || b == '\n' || b == '\r' || b == '\t'
}

func (s *skimmer) skipNested() bool {
	depth := 0
	for s.at < len(s.data) {
		switch s.data[s.at] {
		case '"':
			if !s.skipString() {
				return false
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				s.at++
				return true
			}
		}
		s.at++
	}
	return false
}

// unquoted returns the text of a JSON string. The bytes of one without escapes
// are not copied. What is no string is returned as nil.
func unquoted(raw []byte) []byte {
	if len(raw) < 2 || raw[0] != '"' {
		return nil
	}
	inner := raw[1 : len(raw)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	text, err := jsontext.AppendUnquote(nil, raw)
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
