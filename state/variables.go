package state

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"openclaw-auth/auth/document"
)

// resolveVariables replaces ${NAME} in every string of the configuration. The
// configuration's own env block counts where the environment says nothing.
func (h *Home) resolveVariables(config *Config) error {
	if !hasVariable(config.doc) {
		return nil // as most: the pointers of all values would be made for nothing
	}
	own := FileVariables(config.doc)
	lookup := func(name string) string {
		if value := h.Getenv(name); strings.TrimSpace(value) != "" {
			return value
		}
		return own[name]
	}
	var missing error
	config.doc = substitute(config.doc, "", func(name, pointer string) (string, bool) {
		if value := lookup(name); value != "" {
			return value, true
		}
		message := fmt.Sprintf("environment variable %s, used at %s, is not set", name, nameOf(pointer))
		if RulesOf(h.Rules).VariablesRequired && missing == nil {
			origin := config.Locate(pointer)
			missing = document.ErrorAt(origin.File, config.sources[origin.File], origin.Pointer, message)
		}
		config.Warnings = append(config.Warnings, message)
		return "", false
	}).(*document.Object) // an object stays one
	return missing
}

// environmentOf returns the variables that the configuration's env block sets:
// direct ones win over those in vars, blank ones and such that need other
// variables don't count.
func FileVariables(config *document.Object) map[string]string {
	variables := map[string]string{}
	block := config.Object("env")
	for _, object := range []*document.Object{block.Object("vars"), block} {
		for name, value := range object.All() {
			text, ok := value.(string)
			if ok && name != "vars" && name != "shellEnv" && strings.TrimSpace(text) != "" && !strings.Contains(text, "${") {
				variables[name] = text
			}
		}
	}
	return variables
}

// reference is ${NAME}, or $${NAME}, which stands for ${NAME} itself.
var reference = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$?\$\{([A-Z_][A-Z0-9_]*)\}`) })

// substitute returns the value with its variables replaced. resolve tells a
// variable's value, and whether it has one; without one the text stays.
func substitute(value document.Value, pointer string, resolve func(name, pointer string) (string, bool)) document.Value {
	switch v := value.(type) {
	case string:
		if !strings.Contains(v, "${") {
			return v
		}
		return reference().ReplaceAllStringFunc(v, func(found string) string {
			if strings.HasPrefix(found, "$$") {
				return found[1:]
			}
			if text, ok := resolve(found[2:len(found)-1], pointer); ok {
				return text
			}
			return found
		})
	case []any:
		for i, item := range v {
			v[i] = substitute(item, pointer+document.Pointer(strconv.Itoa(i)), resolve)
		}
	case *document.Object:
		for key, item := range v.All() {
			switch item.(type) {
			case string, []any, *document.Object:
				v.Set(key, substitute(item, pointer+document.Pointer(key), resolve))
			}
		}
	}
	return value
}

// hasVariable reports whether a string in the value may name a variable.
func hasVariable(value document.Value) bool {
	switch v := value.(type) {
	case string:
		return strings.Contains(v, "${")
	case []any:
		return slices.ContainsFunc(v, hasVariable)
	case *document.Object:
		for _, item := range v.All() {
			if hasVariable(item) {
				return true
			}
		}
	}
	return false
}
