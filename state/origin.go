package state

import (
	"fmt"
	"slices"
	"strings"

	"openclaw-auth/auth"
)

// Origin is where a value stands: a file and a JSON pointer into it, and the
// table row where the file is a database.
type Origin struct {
	File    string `json:"file"`
	Table   string `json:"table,omitempty"`
	Pointer string `json:"pointer"`
	Line    int    `json:"line,omitempty"` // of the configuration's files, from 1
}

// Locate returns the file that a value of the resolved configuration comes
// from. Values that several files merge into are the last one's.
func (c *Config) Locate(pointer string) Origin {
	if len(c.mounts) == 1 {
		return Origin{File: c.Path, Pointer: pointer}
	}
	for _, m := range slices.Backward(c.mounts) {
		rest, ok := strings.CutPrefix(pointer, m.pointer)
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		inner := m.inner + rest
		if structure, err := skim(bytesAfterMark(c.sources[m.file])); err == nil {
			if _, found := structure.locate(splitPointer(inner)); found {
				return Origin{File: m.file, Pointer: inner}
			}
		}
	}
	return Origin{File: c.Path, Pointer: pointer}
}

// Where is Locate with the line of the value.
func (c *Config) Where(pointer string) Origin {
	origin := c.Locate(pointer)
	origin.Line = c.Line(origin)
	return origin
}

// Line returns the line of an origin within the configuration's files, 0 where it is not there.
func (c *Config) Line(origin Origin) int {
	data := bytesAfterMark(c.sources[origin.File])
	structure, err := skim(data)
	if err != nil {
		return 0
	}
	offset, found := structure.locate(splitPointer(origin.Pointer))
	if !found {
		return 0
	}
	line, _ := position(data, int64(offset))
	return line
}

func bytesAfterMark(data []byte) []byte {
	if len(data) >= len(byteOrderMark) && string(data[:len(byteOrderMark)]) == string(byteOrderMark) {
		return data[len(byteOrderMark):]
	}
	return data
}

// errorAtPointer places a message at the value of a pointer, or at the nearest
// one around it that the document has.
func errorAtPointer(file string, data []byte, pointer, message string) error {
	data = bytesAfterMark(data)
	offset := 0
	if structure, err := skim(data); err == nil {
		offset, _ = structure.locate(splitPointer(pointer))
	}
	return errorAt(file, data, int64(offset), message)
}

// kindOf names the JSON type of a value, for messages.
func kindOf(value auth.Value) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string, auth.Secret:
		return "a string"
	case []any:
		return "a list"
	case *auth.Object:
		return "an object"
	default:
		_ = v
		return "a number"
	}
}

func (c *Config) wrongType(pointer, expected string, value auth.Value) error {
	origin := c.Locate(pointer)
	message := fmt.Sprintf("%s is %s, expected %s", nameOf(pointer), kindOf(value), expected)
	return errorAtPointer(origin.File, c.sources[origin.File], origin.Pointer, message)
}

// nameOf is how messages call the value of a pointer: auth.order.anthropic.
func nameOf(pointer string) string {
	if pointer == "" {
		return "the document"
	}
	return strings.Join(splitPointer(pointer), ".")
}

// Includes lists the files that the configuration includes, each once.
func (c *Config) Includes() []string {
	var files []string
	for _, m := range c.mounts {
		if m.file != c.Path && !slices.Contains(files, m.file) {
			files = append(files, m.file)
		}
	}
	return files
}
