// Package dotenv reads .env files as the dotenv package of Node does.
package dotenv

import (
	"regexp"
	"strings"
	"sync"
)

// line is NAME=VALUE as the dotenv package of Node reads it: a value in
// quotes may have several lines, any other ends at a "#".
var line = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?m)^\\s*(?:export\\s+)?([\\w.-]+)(?:\\s*=\\s*?|:\\s+?)" +
		"(\\s*'(?:\\\\'|[^'])*'|\\s*\"(?:\\\\\"|[^\"])*\"|\\s*`(?:\\\\`|[^`])*`|[^#\\r\\n]+)?\\s*(?:#.*)?$")
})

// name is what OpenClaw takes for the name of a variable.
var name = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`) })

// Parse reads the variables of a .env file; of two of one name the last
// one counts.
func Parse(text string) map[string]string {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	variables := map[string]string{}
	for _, found := range line().FindAllStringSubmatch(text, -1) {
		if name().MatchString(found[1]) {
			variables[found[1]] = unquote(found[2])
		}
	}
	return variables
}

func unquote(value string) string {
	value = strings.TrimSpace(value)
	if len(value) < 2 || !strings.ContainsRune("'\"`", rune(value[0])) {
		return value
	}
	quote := value[0]
	if value[len(value)-1] == quote {
		value = value[1 : len(value)-1]
	}
	if quote == '"' {
		value = strings.ReplaceAll(strings.ReplaceAll(value, `\n`, "\n"), `\r`, "\r")
	}
	return value
}
