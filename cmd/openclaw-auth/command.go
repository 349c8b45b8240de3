package main

import (
	"strings"
)

// command is a command line to type next, about the same home: with the flags
// that chose it.
func (s *session) command(arguments ...string) string {
	line := []string{"openclaw-auth"}
	for _, name := range []string{"state-dir", "config", "profile"} {
		if s.given(name) {
			line = append(line, "--"+name, shellWord(s.flags.String(name)))
		}
	}
	for _, argument := range arguments {
		line = append(line, shellWord(argument))
	}
	return strings.Join(line, " ")
}

// plainWord has the characters that no shell reads as anything else.
const plainWord = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:@%+,="

// shellWord quotes a word for a shell where it needs that.
func shellWord(word string) string {
	if word != "" && strings.Trim(word, plainWord) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
