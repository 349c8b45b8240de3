package state

import "openclaw-auth/auth"

// shape is the JSON type that a member must have for a document to make sense:
// OpenClaw never writes another, and what it would read into one is anybody's guess.
type shape struct {
	expected string
	pointers []string // below which "*" stands for every member
}

var configShapes = []shape{
	{"an object", []string{
		"/auth", "/auth/profiles", "/auth/profiles/*", "/auth/order", "/auth/cooldowns", "/agents", "/agents/defaults",
		"/agents/defaults/models", "/agents/entries", "/agents/entries/*", "/models", "/models/providers", "/models/providers/*",
		"/meta", "/env", "/session",
	}},
	{"a list", []string{"/auth/order/*", "/agents/list"}},
}

var stateShapes = []shape{
	{"an object", []string{"/profiles", "/order", "/lastGood", "/usageStats", "/usageStats/*"}},
	{"a list", []string{"/order/*"}},
}

// checkTypes reports the first member of the configuration that is of a wrong type.
func (c *Config) checkTypes() error {
	return checkShapes(c.document, configShapes, c.wrongType)
}

func checkShapes(document *auth.Object, shapes []shape, wrong func(pointer, expected string, value auth.Value) error) error {
	for _, s := range shapes {
		for _, pattern := range s.pointers {
			for pointer, value := range matches(document, "", splitPointer(pattern)) {
				_, isObject := value.(*auth.Object)
				_, isList := value.([]any)
				if value != nil && (s.expected == "an object" && !isObject || s.expected == "a list" && !isList) {
					return wrong(pointer, s.expected, value)
				}
			}
		}
	}
	return nil
}

// matches yields the members that a pattern of tokens names, with their pointers.
func matches(object *auth.Object, pointer string, tokens []string) func(yield func(string, auth.Value) bool) {
	return func(yield func(string, auth.Value) bool) {
		for key, value := range object.All() {
			if tokens[0] != "*" && key != tokens[0] {
				continue
			}
			at := pointer + Pointer(key)
			if len(tokens) == 1 {
				if !yield(at, value) {
					return
				}
				continue
			}
			inner, _ := value.(*auth.Object)
			for p, v := range matches(inner, at, tokens[1:]) {
				if !yield(p, v) {
					return
				}
			}
		}
	}
}
