package words

import (
	"fmt"
	"strconv"
	"strings"
)

// Plural returns the form of a word that goes with a number: Plural(2, "is", "are").
func Plural(count int, one, many string) string {
	if count == 1 {
		return one
	}
	return many
}

// Count is a number with its noun: "1 profile", "2 profiles", "3 entries".
func Count(count int, noun string) string {
	return strconv.Itoa(count) + " " + Plural(count, noun, plural(noun))
}

func plural(noun string) string {
	last := len(noun) - 1
	switch {
	case last < 1:
	case noun[last] == 'y' && !strings.ContainsRune("aeiou", rune(noun[last-1])):
		return noun[:last] + "ies"
	case noun[last] == 's', noun[last] == 'x', strings.HasSuffix(noun, "ch"):
		return noun + "es"
	}
	return noun + "s"
}

// List joins names with commas. Of more than limit only the first ones are
// named: "a, b and 3 more". A limit of 0 names them all.
func List[S ~string](names []S, limit int) string {
	shown, more := names, ""
	if limit > 0 && len(names) > limit {
		shown, more = names[:limit], fmt.Sprintf(" and %d more", len(names)-limit)
	}
	texts := make([]string, len(shown))
	for i, name := range shown {
		texts[i] = string(name)
	}
	return strings.Join(texts, ", ") + more
}

// Or joins alternatives: "a, b or c".
func Or(names ...string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
