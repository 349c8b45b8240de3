package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/titanous/json5"
)

// ParseConfig reads a configuration document: strict JSON, which is what
// OpenClaw itself writes and which reads fastest, else JSON5. A byte order
// mark is accepted, a duplicate key is not: OpenClaw would take the last one
// without a word.
func Parse(file string, data []byte) (Value, error) {
	body := WithoutMark(data)
	value, err := ParseJSON(file, body)
	if err == nil || errors.Is(err, jsontext.ErrDuplicateName) || len(bytes.TrimSpace(body)) == 0 {
		return value, err
	}
	structure, err := skim(body)
	if skimmed, ok := errors.AsType[*skimError](err); ok {
		return nil, errorAt(file, body, int64(skimmed.offset), skimmed.message)
	}
	var decoded any
	if err := json5.Unmarshal(body, &decoded); err != nil {
		return nil, json5Error(file, body, err)
	}
	if value, err = ordered(decoded, structure, body); err != nil {
		return nil, errorAt(file, body, 0, err.Error())
	}
	return value, nil
}

// ordered puts the members of decoded objects in the order of the document.
func ordered(decoded any, structure *node, data []byte) (Value, error) {
	switch v := decoded.(type) {
	case map[string]any:
		object := NewObject()
		if structure.kind != '{' || len(structure.members) != len(v) {
			return nil, errStructure
		}
		for _, member := range structure.members {
			item, ok := v[member.key]
			if !ok {
				return nil, errStructure
			}
			value, err := ordered(item, member.value, data)
			if err != nil {
				return nil, err
			}
			object.Set(member.key, value)
		}
		return object, nil
	case []any:
		if structure.kind != '[' || len(structure.members) != len(v) {
			return nil, errStructure
		}
		list := make([]any, len(v))
		for i, item := range v {
			value, err := ordered(item, structure.members[i].value, data)
			if err != nil {
				return nil, err
			}
			list[i] = value
		}
		return list, nil
	case float64:
		return numberAt(v, data[structure.offset:]), nil
	}
	return decoded, nil
}

// numberAt keeps the text of a number where that is JSON, so that nothing is
// lost; other notations (hexadecimal, a leading point) become the number they mean.
func numberAt(number float64, text []byte) Value {
	end := bytes.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune("+-.0123456789eE", r) })
	if end < 0 {
		end = len(text)
	}
	if literal := json.Number(text[:end]); jsontext.Value(literal).IsValid() {
		return literal
	}
	if math.IsNaN(number) {
		return nil
	}
	return NumberValue(number)
}

// json5Error places a decoder's error, and names what the decoder lacks of JSON5.
func json5Error(file string, data []byte, err error) error {
	syntax, ok := errors.AsType[*json5.SyntaxError](err)
	if !ok {
		return errorAt(file, data, 0, err.Error())
	}
	message := syntax.Error()
	if strings.Contains(message, "escape") {
		message += ` (the escapes \x.., \v and \0 of JSON5 are not understood here; write \u00..)`
	}
	return errorAt(file, data, syntax.Offset-1, message)
}
