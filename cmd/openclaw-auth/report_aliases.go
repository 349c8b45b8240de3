package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"openclaw-auth/chain/history"
	"openclaw-auth/state/traces"
)

// aliases replace what names a person or a machine in a report. An alias is made
// of a hash, so that it stays the same from report to report.
type aliases struct {
	names  map[string]string // what is replaced → its alias
	known  *regexp.Regexp    // any of the names; nil: none
	home   []string          // directories that are ~
	active bool              // ids are hidden
}

// commonNames are ids of agents that tell nothing of anybody, and that texts use
// as words: replacing them would make those unreadable.
var commonNames = []string{
	"main", "default", "agent", "work", "home", "personal", "test", "dev", "ops", "fallback", "primary", "skip", "probe", "profile", "model", "session",
	"auth", "billing", "timeout", "overloaded", "format", "order", "state", "config", "chain", "log", "none", "unknown", "error",
}

// newAliases collects the names of a home: profiles, agents and sessions.
func (s *session) newAliases(p *past) *aliases {
	a := &aliases{names: map[string]string{}}
	for _, dir := range []string{s.home.HomeDir, s.env.OSHome} {
		if dir = filepath.Clean(dir); len(dir) > 1 {
			a.home = append(a.home, dir)
		}
	}
	if s.flags.Bool("ids") {
		return a
	}
	a.active = true
	for _, id := range traces.ReadProfiles(s.home, s.config, s.home.Agents(s.config), s.now).Names {
		a.names[id] = profileAlias(id)
	}
	for _, agent := range s.home.Agents(s.config) {
		if !slices.Contains(commonNames, agent.ID) {
			a.names[agent.ID] = alias("agent", agent.ID)
		}
	}
	if p != nil {
		for _, session := range p.options.Sessions {
			if session.ID != "" {
				a.names[session.ID] = alias("session", session.Key)
			}
		}
	}
	a.compile()
	return a
}

// profileAlias keeps the provider, which the report is about, and hides the rest
// as OpenClaw's own log does.
func profileAlias(id string) string {
	provider, _, found := strings.Cut(id, ":")
	if !found {
		provider = "profile"
	}
	return provider + ":~" + strings.TrimPrefix(history.Hash(id), "sha256:")[:6]
}

func alias(kind, name string) string {
	sum := sha256.Sum256([]byte(name))
	return kind + "-" + hex.EncodeToString(sum[:3])
}

// compile makes one expression of all names, the longest first: one may be a part
// of another.
func (a *aliases) compile() {
	names := make([]string, 0, len(a.names))
	for name := range a.names {
		if name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return
	}
	slices.SortFunc(names, func(x, y string) int { return cmp.Or(cmp.Compare(len(y), len(x)), strings.Compare(x, y)) })
	for i := range names {
		names[i] = regexp.QuoteMeta(names[i])
	}
	a.known = regexp.MustCompile(strings.Join(names, "|"))
}

var (
	sessionKeyText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bagent:[^\s"'(),;]+`) })
	emailText      = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[\pL\pN._%+-]+@[\pL\pN-]+(?:\.[\pL\pN-]+)+`)
	})
)

// in replaces the names in a text.
func (a *aliases) in(text string) string {
	for _, dir := range a.home {
		text = strings.ReplaceAll(text, dir, "~")
	}
	if !a.active {
		return text
	}
	text = sessionKeyText().ReplaceAllStringFunc(text, func(key string) string { return alias("session", key) })
	text = a.replaceKnown(text)
	return emailText().ReplaceAllStringFunc(text, func(address string) string { return alias("email", address) })
}

// replaceKnown replaces names that stand as words of their own.
func (a *aliases) replaceKnown(text string) string {
	if a.known == nil {
		return text
	}
	var b strings.Builder
	last := 0
	for _, place := range a.known.FindAllStringIndex(text, -1) {
		if place[0] < last || isNamePart(text, place[0]-1) || isNamePart(text, place[1]) {
			continue
		}
		b.WriteString(text[last:place[0]])
		b.WriteString(a.names[text[place[0]:place[1]]])
		last = place[1]
	}
	b.WriteString(text[last:])
	return b.String()
}

// isNamePart reports whether the byte at a place belongs to a longer name.
func isNamePart(text string, at int) bool {
	if at < 0 || at >= len(text) {
		return false
	}
	c := text[at]
	return c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}
