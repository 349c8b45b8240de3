package document

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"unicode/utf8"
)

// EncodeJSON writes a document as OpenClaw writes its files: byte for byte what
// JSON.stringify(document, null, 2) gives, and a newline. Secrets are written
// out, so the result belongs into a file with mode 0600 and nowhere else.
func Encode(doc Value) []byte {
	e := encoder{indent: true}
	e.value(doc, 0)
	return append(e.text, '\n')
}

// EncodeCompact writes a document as OpenClaw writes the cells of a database:
// JSON.stringify(document). Secrets are written out.
func EncodeCompact(doc Value) []byte {
	var e encoder
	e.value(doc, 0)
	return e.text
}

// EncodeMember writes a value as a member of an object at the top of a
// document: in one line, or over several.
func EncodeMember(value Value, lines bool) []byte {
	e := encoder{indent: lines}
	e.value(value, 1)
	return e.text
}

type encoder struct {
	text   []byte
	indent bool
}

func (e *encoder) value(value Value, depth int) {
	switch v := value.(type) {
	case nil:
		e.text = append(e.text, "null"...)
	case bool:
		e.text = strconv.AppendBool(e.text, v)
	case json.Number:
		e.text = append(e.text, numberText(v)...)
	case string:
		e.text = AppendQuoted(e.text, v)
	case Secret:
		e.text = AppendQuoted(e.text, v.Reveal())
	case []any:
		e.list(v, depth)
	case *Object:
		e.object(v, depth)
	default:
		panic(fmt.Sprintf("state: %T is no value of a document", value))
	}
}

func (e *encoder) list(list []any, depth int) {
	e.text = append(e.text, '[')
	for i, item := range list {
		e.separate(i, depth+1)
		e.value(item, depth+1)
	}
	e.end(len(list), depth, ']')
}

func (e *encoder) object(object *Object, depth int) {
	e.text = append(e.text, '{')
	i := 0
	for key, value := range object.All() {
		e.separate(i, depth+1)
		e.text = append(AppendQuoted(e.text, key), ':')
		if e.indent {
			e.text = append(e.text, ' ')
		}
		e.value(value, depth+1)
		i++
	}
	e.end(i, depth, '}')
}

// separate goes to the place of the next member or item.
func (e *encoder) separate(i, depth int) {
	if i > 0 {
		e.text = append(e.text, ',')
	}
	e.newLine(depth)
}

func (e *encoder) end(count, depth int, bracket byte) {
	if count > 0 {
		e.newLine(depth)
	}
	e.text = append(e.text, bracket)
}

func (e *encoder) newLine(depth int) {
	if !e.indent {
		return
	}
	e.text = append(e.text, '\n')
	for range depth {
		e.text = append(e.text, "  "...)
	}
}

// numberText is the number as JavaScript writes it, unless that would change
// its value: a number beyond a float64 stays as somebody wrote it.
func numberText(number json.Number) string {
	text := string(number)
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	written, ok := NumberValue(f).(json.Number)
	if !ok || string(written) == text {
		return text
	}
	before, okBefore := new(big.Rat).SetString(text)
	after, okAfter := new(big.Rat).SetString(string(written))
	if !okBefore || !okAfter || before.Cmp(after) != 0 {
		return text
	}
	return string(written)
}

const hexDigits = "0123456789abcdef"

// AppendQuoted appends a string literal with the escapes of JSON.stringify: only
// the quote, the backslash and control characters have any.
func AppendQuoted(text []byte, s string) []byte {
	text = append(text, '"')
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			text = append(text, '\\', c)
		case c >= 0x20:
			text = append(text, c)
		default:
			text = appendControl(text, c)
		}
	}
	if !utf8.ValidString(s) {
		panic("document: a string is not valid UTF-8")
	}
	return append(text, '"')
}

func appendControl(text []byte, c byte) []byte {
	switch c {
	case '\b':
		return append(text, '\\', 'b')
	case '\f':
		return append(text, '\\', 'f')
	case '\n':
		return append(text, '\\', 'n')
	case '\r':
		return append(text, '\\', 'r')
	case '\t':
		return append(text, '\\', 't')
	}
	return append(text, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}
