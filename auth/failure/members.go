package failure

import (
	"encoding/json"
	"strings"
)

// members calls yield with each key and raw value of a JSON object, in order;
// a repeated key comes more than once, and as in JSON.parse the last one
// counts. The text must be valid JSON and start with a brace; it is read
// without a copy, so a body of any size costs no memory.
func members(object string, yield func(key, value string)) {
	rest := skipSpace(object[1:])
	for rest != "" && rest[0] == '"' {
		size := valueSize(rest)
		key := unquote(rest[:size])
		rest = skipSpace(rest[size:])
		rest = skipSpace(rest[1:]) // the colon
		size = valueSize(rest)
		yield(key, rest[:size])
		rest = skipSpace(rest[size:])
		if rest != "" && rest[0] == ',' {
			rest = skipSpace(rest[1:])
		}
	}
}

// lastElement returns the last element of a JSON array, "" when it is empty or
// no array.
func lastElement(array string) string {
	if array == "" || array[0] != '[' {
		return ""
	}
	last := ""
	rest := skipSpace(array[1:])
	for rest != "" && rest[0] != ']' {
		size := valueSize(rest)
		last = rest[:size]
		rest = skipSpace(rest[size:])
		if rest != "" && rest[0] == ',' {
			rest = skipSpace(rest[1:])
		}
	}
	return last
}

func skipSpace(s string) string { return strings.TrimLeft(s, " \t\r\n") }

// valueSize returns the length of the JSON value that s starts with.
func valueSize(s string) int {
	switch s[0] {
	case '"':
		return stringSize(s)
	case '{', '[':
		return nestedSize(s)
	}
	if i := strings.IndexAny(s, ",]} \t\r\n"); i >= 0 {
		return i
	}
	return len(s)
}

func stringSize(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

func nestedSize(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			i += stringSize(s[i:]) - 1
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// unquote returns the text of a JSON string.
func unquote(s string) string {
	if !strings.Contains(s, `\`) {
		return s[1 : len(s)-1]
	}
	var text string
	if json.Unmarshal([]byte(s), &text) != nil {
		return ""
	}
	return text
}

// stringValue returns the text of a JSON value that is a string.
func stringValue(value string) (string, bool) {
	if value == "" || value[0] != '"' {
		return "", false
	}
	return unquote(value), true
}
