package document

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/titanous/json5"
)

// node is where a value of a JSON or JSON5 document stands. The decoder of
// JSON5 tells neither positions nor the order of keys; skimming a document for
// its structure gives both, and finds what must be refused before decoding:
// duplicate keys and a nesting that no configuration has.
type node struct {
	offset  int  // of the value's first byte
	end     int  // behind its last one
	kind    byte // '{', '[' or 0
	members []skimmed
}

// skimmed is a member of an object, or an item of an array.
type skimmed struct {
	key    string
	offset int // of the key; the item's value for an array
	value  *node
}

// maxNesting bounds the nesting of JSON5 documents: the decoder's time grows with it.
const maxNesting = 500

// skimError is a structure that can't be read, at a byte offset.
type skimError struct {
	offset  int
	message string
}

func (e *skimError) Error() string { return e.message }

type skimmer struct {
	data  []byte
	at    int
	depth int
}

// skim finds the structure of a JSON5 document. It is lenient: whether the
// document is valid is the decoder's to say.
func skim(data []byte) (*node, error) {
	s := &skimmer{data: data}
	return s.value()
}

func (s *skimmer) fail(offset int, format string, args ...any) error {
	return &skimError{offset, fmt.Sprintf(format, args...)}
}

func (s *skimmer) value() (*node, error) {
	s.space()
	n := &node{offset: s.at}
	if s.at >= len(s.data) {
		return n, s.fail(s.at, "the file ends in the middle of the document")
	}
	switch s.data[s.at] {
	case '{', '[':
		n.kind = s.data[s.at]
		if s.depth++; s.depth > maxNesting {
			return n, s.fail(s.at, "nested deeper than %d levels", maxNesting)
		}
		err := s.members(n)
		s.depth--
		n.end = s.at
		return n, err
	case '"', '\'':
		_, err := s.quoted()
		n.end = s.at
		return n, err
	}
	s.bare()
	n.end = s.at
	return n, nil
}

func (s *skimmer) members(n *node) error {
	s.at++
	closing := n.kind + 2    // '}' and ']' follow their opening by two
	var keys map[string]bool // made when there are many: for a few, looking through them is faster
	for {
		s.space()
		if s.at >= len(s.data) {
			return s.fail(s.at, "the file ends in the middle of the document")
		}
		switch s.data[s.at] {
		case closing:
			s.at++
			return nil
		case ',':
			s.at++
			continue
		case '}', ']', ':':
			return s.fail(s.at, "unexpected %q", s.data[s.at])
		}
		member := skimmed{offset: s.at}
		if n.kind == '{' {
			var err error
			if member.key, err = s.key(); err != nil {
				return err
			}
			if keys[member.key] || keys == nil && n.has(member.key) {
				return s.fail(member.offset, "duplicate key %q", member.key)
			}
			if len(n.members) == manyMembers {
				keys = map[string]bool{}
				for _, m := range n.members {
					keys[m.key] = true
				}
			}
			if keys != nil {
				keys[member.key] = true
			}
		}
		var err error
		if member.value, err = s.value(); err != nil {
			return err
		}
		n.members = append(n.members, member)
	}
}

// manyMembers is how many an object has when a map of its keys is made.
const manyMembers = 16

func (n *node) has(key string) bool {
	return slices.ContainsFunc(n.members, func(m skimmed) bool { return m.key == key })
}

// key reads a key and the colon behind it.
func (s *skimmer) key() (string, error) {
	start := s.at
	var key string
	if c := s.data[s.at]; c == '"' || c == '\'' {
		text, err := s.quoted()
		if err != nil {
			return "", err
		}
		if key = string(text[1 : len(text)-1]); containsByte(text, '\\') {
			if err := json5.Unmarshal(text, &key); err != nil {
				return "", s.fail(start, "key can't be read: %v", err)
			}
		}
	} else {
		key = string(s.bare())
	}
	s.space()
	if s.at >= len(s.data) || s.data[s.at] != ':' {
		return "", s.fail(min(s.at, len(s.data)), "expected a colon after the key %q", key)
	}
	s.at++
	return key, nil
}

func containsByte(text []byte, b byte) bool {
	for _, c := range text {
		if c == b {
			return true
		}
	}
	return false
}

// quoted passes over a string and returns it with its quotes.
func (s *skimmer) quoted() ([]byte, error) {
	start, quote := s.at, s.data[s.at]
	for s.at++; s.at < len(s.data); s.at++ {
		switch s.data[s.at] {
		case '\\':
			s.at++
		case quote:
			s.at++
			return s.data[start:s.at], nil
		}
	}
	s.at = len(s.data)
	return nil, s.fail(start, "string without an end")
}

// bare passes over a name, a number or a literal.
func (s *skimmer) bare() []byte {
	start := s.at
	for s.at < len(s.data) {
		switch c := s.data[s.at]; {
		case c == ',' || c == ':' || c == '}' || c == ']' || c == '{' || c == '[' || c == '/' || c == '"' || c == '\'':
			if s.at == start { // at least one byte, so that skimming goes on
				s.at++
			}
			return s.data[start:s.at]
		case s.spaceLength() > 0:
			return s.data[start:s.at]
		}
		s.at++
	}
	return s.data[start:s.at]
}

// space passes over white space and comments.
func (s *skimmer) space() {
	for s.at < len(s.data) {
		if n := s.spaceLength(); n > 0 {
			s.at += n
			continue
		}
		if s.data[s.at] != '/' || s.at+1 >= len(s.data) {
			return
		}
		switch s.data[s.at+1] {
		case '/':
			for s.at < len(s.data) && s.data[s.at] != '\n' && s.data[s.at] != '\r' {
				s.at++
			}
		case '*':
			for s.at += 3; s.at < len(s.data) && !(s.data[s.at-1] == '*' && s.data[s.at] == '/'); {
				s.at++
			}
			s.at = min(s.at+1, len(s.data))
		default:
			return
		}
	}
}

// spaceLength is the number of bytes of the white space at the position.
func (s *skimmer) spaceLength() int {
	switch c := s.data[s.at]; {
	case c == ' ' || c >= '\t' && c <= '\r':
		return 1
	case c < 0x80:
		return 0
	}
	for _, wide := range []string{"\u00a0", "\ufeff", "\u2028", "\u2029", "\u3000", "\u1680", "\u202f", "\u205f"} {
		if len(s.data)-s.at >= len(wide) && string(s.data[s.at:s.at+len(wide)]) == wide {
			return len(wide)
		}
	}
	return 0
}

// locate returns where the value of a pointer stands, or the nearest value
// around it that the document has, and whether it is the value itself.
func (n *node) locate(tokens []string) (int, bool) {
	if len(tokens) == 0 {
		return n.offset, true
	}
	for i, member := range n.members {
		if n.kind == '{' && member.key == tokens[0] || n.kind == '[' && strconv.Itoa(i) == tokens[0] {
			if len(tokens) == 1 {
				return member.offset, true
			}
			return member.value.locate(tokens[1:])
		}
	}
	return n.offset, false
}

// LineOf returns the line, from 1, of the value of a JSON pointer in the text
// of a JSON or JSON5 document, and whether the document has that value.
func LineOf(data []byte, pointer string) (line int, found bool) {
	data = WithoutMark(data)
	structure, err := skim(data)
	if err != nil {
		return 0, false
	}
	offset, found := structure.locate(SplitPointer(pointer))
	if !found {
		return 0, false
	}
	line, _ = position(data, int64(offset))
	return line, true
}

// ErrorAt returns a SyntaxError at the value of a JSON pointer, or at the
// nearest value around it that the document has.
func ErrorAt(file string, data []byte, pointer, message string) error {
	data = WithoutMark(data)
	offset := 0
	if structure, err := skim(data); err == nil {
		offset, _ = structure.locate(SplitPointer(pointer))
	}
	return errorAt(file, data, int64(offset), message)
}

// WithoutMark returns the text behind a byte order mark.
func WithoutMark(data []byte) []byte { return bytes.TrimPrefix(data, byteOrderMark) }

// errStructure can only come of a JSON5 construct that the two readers understand differently.
var errStructure = errors.New("structure and content of the document differ")
