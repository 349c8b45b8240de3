package main

import (
	"errors"

	"github.com/urfave/cli/v2"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

func chainPinCommand(w world) *cli.Command {
	pin := group("pin", `A pinned profile is the one that a session uses first.

Example: openclaw-auth chain pin set agent:main:main anthropic:work

`+writeExits, chainPinSetCommand(w), chainPinClearCommand(w))
	pin.Usage = "pin a profile in a session, or remove the pin"
	return pin
}

func chainPinSetCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name:      "set",
		Usage:     "pin a profile in a session, as its user would",
		ArgsUsage: "SESSION PROFILE",
		Description: `SESSION is a key, a part of one, or the id of a transcript. Only releases up to
2026.4.29 lock their sessions so that another program can write them; on later
ones this is refused, and the way that is left is told.

Example: openclaw-auth chain pin set agent:main:main anthropic:work

` + writeExits,
		Flags: writeFlags(),
	}, chainPinSet)
}

func chainPinClearCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name:      "clear",
		Usage:     "remove a session's pinned profile",
		ArgsUsage: "SESSION",
		Description: `Example: openclaw-auth chain pin clear agent:main:main

` + writeExits,
		Flags: writeFlags(),
	}, chainPinClear)
}

// The members of a session's entry that make a pin.
var pinMembers = []string{"authProfileOverride", "authProfileOverrideSource", "authProfileOverrideCompactionCount"}

func chainPinSet(s *session) error {
	if s.flags.NArg() != 2 {
		return usage("chain pin set needs a session and a profile, such as: chain pin set agent:main:main anthropic:work")
	}
	l, err := s.load()
	if err != nil {
		return err
	}
	id := auth.ProfileID(words.Unquote(s.flags.Args().Get(1)))
	if err := s.checkProfile(l, string(id)); err != nil {
		return err
	}
	return s.pin(l, "set", func(entry *document.Object) {
		entry.Set("authProfileOverride", string(id))
		entry.Set("authProfileOverrideSource", "user")
		entry.Delete("authProfileOverrideCompactionCount")
		entry.SetNumber("updatedAt", float64(s.now))
	})
}

func chainPinClear(s *session) error {
	if s.flags.NArg() != 1 {
		return usage("chain pin clear needs one session, such as: chain pin clear agent:main:main")
	}
	l, err := s.load()
	if err != nil {
		return err
	}
	return s.pin(l, "clear", func(entry *document.Object) {
		pinned := false
		for _, name := range pinMembers {
			pinned = pinned || entry.Has(name)
			entry.Delete(name)
		}
		if pinned {
			entry.SetNumber("updatedAt", float64(s.now))
		}
	})
}

func (s *session) pin(l *loaded, verb string, change func(entry *document.Object)) error {
	if !state.RulesOf(s.home.Rules).SessionLock {
		return refused("OpenClaw %s does not lock its sessions, so a write from outside could be lost or lose another: in the session itself, /model MODEL@PROFILE pins and /model MODEL unpins", s.home.Rules.Line)
	}
	name := s.flags.Args().First()
	store := s.home.Sessions(s.config, l.Agent)
	found, err := state.FindSession(store, l.Agent.ID, name)
	if errors.Is(err, state.ErrNoSession) {
		return usage("%w", err)
	}
	if err != nil {
		return err
	}
	options, err := s.writeOptions("chain pin " + verb + " " + found.Key)
	if err != nil {
		return err
	}
	written, err := s.home.UpdateSession(s.flags.Context, store, found.Key, func(entry *document.Object) error { change(entry); return nil }, options)
	if err != nil {
		return writeError(err)
	}
	notes := s.warnings(written)
	if s.json {
		return s.writeJSON(pinDocument{s.writtenJSON("chain-pin-"+verb, l.Agent, written, notes), found.Key})
	}
	if len(written.Changes) == 0 {
		words.Printf(s.stdout, "nothing to change in %s\n", found.Key)
	}
	s.writtenText(written, notes)
	return nil
}

// pinDocument is the answer of chain pin set and chain pin clear.
type pinDocument struct {
	writtenJSON
	Session string `json:"session"`
}
