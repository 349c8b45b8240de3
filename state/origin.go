package state

import (
	"fmt"
	"slices"
	"strings"

	"openclaw-auth/auth/document"
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
		if _, found := document.LineOf(c.sources[m.file], inner); found {
			return Origin{File: m.file, Pointer: inner}
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
	line, found := document.LineOf(c.sources[origin.File], origin.Pointer)
	if !found {
		return 0
	}
	return line
}

// kindOf names the JSON type of a value, for messages.
func kindOf(value document.Value) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string, document.Secret:
		return "a string"
	case []any:
		return "a list"
	case *document.Object:
		return "an object"
	default:
		_ = v
		return "a number"
	}
}

func (c *Config) wrongType(pointer, expected string, value document.Value) error {
	origin := c.Locate(pointer)
	message := fmt.Sprintf("%s is %s, expected %s", nameOf(pointer), kindOf(value), expected)
	return document.ErrorAt(origin.File, c.sources[origin.File], origin.Pointer, message)
}

// nameOf is how messages call the value of a pointer: auth.order.anthropic.
func nameOf(pointer string) string {
	if pointer == "" {
		return "the document"
	}
	return strings.Join(document.SplitPointer(pointer), ".")
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
