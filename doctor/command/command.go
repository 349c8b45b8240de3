// Package command builds the commands that the program prints for people to
// paste. They name the home, the agent and the profile they are about, so that
// they do the same from any directory and in any shell that has the user's
// environment, and every word is quoted for a POSIX shell.
package command

import (
	"strconv"
	"strings"
	"unicode"

	"openclaw-auth/auth"
)

// Target says which home the commands are about.
type Target struct {
	Flags []string // of openclaw-auth, as the user gave them: "--state-dir", "/srv/state"
	Env   []string // for openclaw, which has no such flags: "OPENCLAW_STATE_DIR=/srv/state"
	// Profile is openclaw's own --profile, "" for none.
	Profile string
}

// Own is a command of openclaw-auth. agent is the agent that it is about, ""
// where there is no choice. The command is "" if a word holds a key: what may not
// be shown can't be pasted.
func (t Target) Own(agent string, words ...string) string {
	line := append([]string{"openclaw-auth"}, words...)
	if agent != "" {
		line = append(line, "--agent", agent)
	}
	return join(append(line, t.Flags...))
}

// Login is OpenClaw's command to log in to a provider. Every release from 2026.4
// on takes --agent after "models auth", only some after "login".
func (t Target) Login(agent, provider string) string {
	words := []string{"models", "auth"}
	if agent != "" {
		words = append(words, "--agent", agent)
	}
	return t.OpenClaw(append(words, "login", "--provider", provider)...)
}

// OpenClaw is a command of OpenClaw itself.
func (t Target) OpenClaw(words ...string) string {
	line := []string{"openclaw"}
	if t.Profile != "" {
		line = append(line, "--profile", t.Profile)
	}
	text := join(append(line, words...))
	if text == "" {
		return ""
	}
	var env []string
	for _, variable := range t.Env {
		name, value, _ := strings.Cut(variable, "=")
		env = append(env, name+"="+Quote(value))
	}
	return strings.Join(append(env, text), " ")
}

func join(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		if !strings.ContainsAny(word, `/\`) && auth.MaskID(word) != word { // a path is shown as it is
			return ""
		}
		quoted[i] = Quote(word)
	}
	return strings.Join(quoted, " ")
}

// plain are the characters that mean nothing to a shell.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+=,"

// Quote is a word as a POSIX shell reads it back. A word with characters that a
// terminal would act on is written with escapes ($'…', which bash, zsh and
// ksh read).
func Quote(word string) string {
	switch {
	case word == "":
		return "''"
	case strings.Trim(word, plain) == "" && !strings.HasPrefix(word, "="):
		return word
	case strings.IndexFunc(word, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) < 0:
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	var b strings.Builder
	b.WriteString("$'")
	for _, c := range []byte(word) {
		switch {
		case c == '\'' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c >= ' ' && c < 0x7f:
			b.WriteByte(c)
		default:
			b.WriteString(`\` + octal(c))
		}
	}
	b.WriteString("'")
	return b.String()
}

// octal is a byte as three octal digits.
func octal(c byte) string {
	text := strconv.FormatInt(int64(c), 8)
	return strings.Repeat("0", 3-len(text)) + text
}
