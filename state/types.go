package state

import (
	"openclaw-auth/auth/document"
)

// shape is the JSON type that a member must have for a document to make sense:
// OpenClaw never writes another, and what it would read into one is anybody's guess.
type shape struct {
	expected string
	paths    [][]string // keys from the top; "*" stands for every member
}

var configShapes = []shape{
	{"an object", [][]string{
		{"auth"}, {"auth", "profiles"}, {"auth", "profiles", "*"}, {"auth", "order"}, {"auth", "cooldowns"}, {"agents"}, {"agents", "defaults"},
		{"agents", "defaults", "models"}, {"agents", "entries"}, {"agents", "entries", "*"}, {"models"}, {"models", "providers"}, {"models", "providers", "*"},
		{"meta"}, {"env"}, {"session"},
	}},
	{"a list", [][]string{{"auth", "order", "*"}, {"agents", "list"}}},
}

var stateShapes = []shape{
	{"an object", [][]string{{"profiles"}, {"order"}, {"lastGood"}, {"usageStats"}, {"usageStats", "*"}}},
	{"a list", [][]string{{"order", "*"}}},
}

// checkTypes reports the first member of the configuration that is of a wrong type.
func (c *Config) checkTypes() error {
	return checkShapes(c.doc, configShapes, c.wrongType)
}

func checkShapes(doc *document.Object, shapes []shape, wrong func(pointer, expected string, value document.Value) error) error {
	for _, s := range shapes {
		for _, path := range s.paths {
			if keys, value, found := s.mismatch(doc, path); found {
				return wrong(document.Pointer(keys...), s.expected, value)
			}
		}
	}
	return nil
}

// mismatch returns the first member that the path names and that is of another
// type, with the keys that lead to it.
func (s *shape) mismatch(object *document.Object, path []string) ([]string, document.Value, bool) {
	if path[0] != "*" {
		value, ok := object.Get(path[0])
		if !ok {
			return nil, nil, false
		}
		return s.mismatchAt(path[0], value, path[1:])
	}
	for key, value := range object.All() {
		if keys, wrong, found := s.mismatchAt(key, value, path[1:]); found {
			return keys, wrong, true
		}
	}
	return nil, nil, false
}

func (s *shape) mismatchAt(key string, value document.Value, rest []string) ([]string, document.Value, bool) {
	inner, isObject := value.(*document.Object)
	if len(rest) > 0 {
		keys, wrong, found := s.mismatch(inner, rest)
		if !found {
			return nil, nil, false
		}
		return append([]string{key}, keys...), wrong, true
	}
	_, isList := value.([]any)
	if value == nil || s.expected == "an object" && isObject || s.expected == "a list" && isList {
		return nil, nil, false
	}
	return []string{key}, value, true
}
