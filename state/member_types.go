package state

import (
	"iter"
	"slices"

	"openclaw-auth/auth/document"
)

// shape is the JSON type that a member must have for a document to make sense:
// OpenClaw never writes another type.
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
			for keys, value := range s.mismatches(doc, path, nil) {
				return wrong(document.Pointer(keys...), s.expected, value)
			}
		}
	}
	return nil
}

// oddMembers yields the members that are of another type than the shapes say, by pointer.
func oddMembers(doc *document.Object, shapes []shape) iter.Seq2[string, Odd] {
	return func(yield func(string, Odd) bool) {
		for _, s := range shapes {
			for _, path := range s.paths {
				for keys, value := range s.mismatches(doc, path, nil) {
					if !yield(document.Pointer(keys...), Odd{Is: kindOf(value), Expected: s.expected}) {
						return
					}
				}
			}
		}
	}
}

// mismatches yields the members that a path names and that are of another type,
// with the keys that lead to them.
func (s *shape) mismatches(object *document.Object, path, above []string) iter.Seq2[[]string, document.Value] {
	return func(yield func([]string, document.Value) bool) {
		for key, value := range object.All() {
			if path[0] != "*" && path[0] != key {
				continue
			}
			keys := slices.Concat(above, []string{key})
			if len(path) == 1 {
				if !s.fits(value) && !yield(keys, value) {
					return
				}
				continue
			}
			inner, _ := value.(*document.Object)
			for found, value := range s.mismatches(inner, path[1:], keys) {
				if !yield(found, value) {
					return
				}
			}
		}
	}
}

func (s *shape) fits(value document.Value) bool {
	switch value.(type) {
	case nil:
		return true
	case *document.Object:
		return s.expected == "an object"
	case []any:
		return s.expected == "a list"
	}
	return false
}
