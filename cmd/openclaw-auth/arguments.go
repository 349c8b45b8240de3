package main

import (
	"fmt"
	"strings"
)

// argument is a word that a command takes, as its ArgsUsage names it.
type argument struct {
	name    string // "PROVIDER", or the values with | between
	repeats bool
}

// argumentsOf reads an ArgsUsage such as "[PROVIDER…]" or "SESSION PROFILE".
func argumentsOf(argsUsage string) []argument {
	var list []argument
	for word := range strings.FieldsSeq(argsUsage) {
		name, rest, repeats := strings.Cut(strings.Trim(word, "[]"), "…")
		if name+rest != "--" {
			list = append(list, argument{name + rest, repeats})
		}
	}
	return list
}

// mostArguments is how many words a command takes, -1 for any number.
func mostArguments(argsUsage string) int {
	list := argumentsOf(argsUsage)
	for _, argument := range list {
		if argument.repeats {
			return -1
		}
	}
	return len(list)
}

// tooManyArguments refuses a word that the command would ignore, and says what
// could be meant by it.
func (s *session) tooManyArguments(command string, most int) error {
	command = strings.TrimPrefix(command, "openclaw-auth ")
	word := s.flags.Args().Get(most)
	takes := "takes no arguments"
	if most > 0 {
		takes = "takes " + strings.Join(strings.Fields(s.flags.Command.ArgsUsage), " ")
	}
	return usage("%s %s, not %q%s", command, takes, word, s.meantBy(command, word))
}

// meantBy is the end of an error about a word that is out of place: what in
// this home has that name, and how to ask for it.
func (s *session) meantBy(command, word string) string {
	meanings := []struct {
		kind string
		hint func(name string) string
	}{
		{"PROFILE", func(name string) string { return "openclaw-auth state show " + name }},
		{"PROVIDER", func(name string) string { return "openclaw-auth auth order " + name }},
		{"AGENT", func(name string) string { return "openclaw-auth " + command + " --agent " + name }},
		{"SESSION", func(name string) string { return "openclaw-auth chain explain --session " + name }},
		{"CHECK", func(name string) string { return "openclaw-auth doctor --only " + name }},
		{"RELEASE", func(name string) string { return "openclaw-auth " + command + " --rules " + name }},
	}
	for _, meaning := range meanings {
		names := namesOf(s.values(meaning.kind))
		for _, name := range names {
			if strings.EqualFold(name, word) || meaning.kind == "SESSION" && strings.Contains(name, word) && len(word) > 2 {
				return fmt.Sprintf(" (%s: %s)", article(strings.ToLower(meaning.kind)), meaning.hint(word))
			}
		}
	}
	return " (see openclaw-auth " + command + " --help)"
}

// article is a noun with a or an.
func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}
