package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"openclaw-auth/auth"
	"openclaw-auth/doctor/words"
)

func authOrderSetCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name:      "set",
		Usage:     "give the agent an order of its own for a provider",
		ArgsUsage: "PROVIDER PROFILE…",
		Description: `Profiles that are left out are no longer used for the provider. Warns
before writing about anything that OpenClaw would not keep.

Example: openclaw-auth auth order set anthropic anthropic:me@example.com anthropic:default --dry-run

` + writeExits,
		Flags: writeFlags(),
	}, authOrderSet)
}

func authOrderClearCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name:      "clear",
		Usage:     "remove the agent's own order of a provider",
		ArgsUsage: "PROVIDER",
		Description: `The configuration's auth.order, or else the stored profiles, decide again.

Example: openclaw-auth auth order clear anthropic

` + writeExits,
		Flags: writeFlags(),
	}, authOrderClear)
}

func authOrderSet(s *session) error {
	args := s.flags.Args().Slice()
	if len(args) < 2 {
		return usage("auth order set needs a provider and its profiles, such as: auth order set anthropic anthropic:default")
	}
	l, err := s.load()
	if err != nil {
		return err
	}
	ids := make([]auth.ProfileID, len(args)-1)
	for i, id := range args[1:] {
		ids[i] = auth.ProfileID(words.Unquote(strings.TrimSpace(id)))
		if err := s.checkOrdered(l, args[0], ids[i]); err != nil {
			return err
		}
	}
	return s.setOrder(l, args[0], ids)
}

// checkOrdered refuses a profile that an order of the provider can't have.
func (s *session) checkOrdered(l *loaded, provider string, id auth.ProfileID) error {
	credential := l.Store.Profiles.Object(string(id))
	if credential == nil {
		return s.checkProfile(l, string(id))
	}
	rules := &l.engine.Rules.Providers
	if own := credential.Text("provider"); rules.Normalize(own) != rules.Normalize(provider) {
		return usage("profile %q is for %s, not for %s", shownID(id), own, provider)
	}
	return nil
}

func authOrderClear(s *session) error {
	if s.flags.NArg() != 1 {
		return usage("auth order clear needs one provider, such as: auth order clear anthropic")
	}
	l, err := s.load()
	if err != nil {
		return err
	}
	if err := s.checkProvider(l, s.flags.Args().First()); err != nil {
		return err
	}
	return s.setOrder(l, s.flags.Args().First(), nil)
}

func (s *session) setOrder(l *loaded, provider string, ids []auth.ProfileID) error {
	command := "auth order set " + provider
	if len(ids) == 0 {
		command = "auth order clear " + provider
	}
	options, err := s.writeOptions(command)
	if err != nil {
		return err
	}
	written, dropped, err := s.home.SetOrder(s.flags.Context, l.Agent, provider, ids, options)
	if err != nil {
		return writeError(err)
	}
	var notes []string
	if len(dropped) > 0 {
		notes = append(notes, fmt.Sprintf("left out: %s; the agent only inherits it, and OpenClaw %s keeps no such id in an agent's order", shownList(dropped), s.home.Rules.Line))
	}
	notes = append(notes, s.orderNotes(l, provider, len(ids) == 0)...)
	notes = s.warnings(written, notes...)
	if s.json {
		return s.writeJSON(orderSetDocument{s.writtenJSON("auth-order-set", l.Agent, written, notes), s.home.Rules.Providers.Normalize(provider), shownIDs(dropped)})
	}
	if len(written.Changes) == 0 {
		words.Printf(s.stdout, "nothing to change: the agent has no other order of %s\n", provider)
	}
	s.writtenText(written, notes)
	return nil
}

// orderNotes say where the order in force is stored, if it is another.
func (s *session) orderNotes(l *loaded, provider string, cleared bool) []string {
	if !cleared {
		return nil
	}
	if l.Main != nil && l.Main.Store != nil && l.Main.Store.Order.Has(string(s.home.Rules.Providers.Normalize(provider))) {
		return []string{"the agent inherits an order of " + provider + " from main, which is in force now"}
	}
	return nil
}

func shownIDs(ids []auth.ProfileID) []auth.ProfileID {
	shown := []auth.ProfileID{}
	for _, id := range ids {
		shown = append(shown, shownID(id))
	}
	return shown
}

func shownList(ids []auth.ProfileID) string { return listOf(shownIDs(ids)) }

// orderSetDocument is the answer of auth order set and auth order clear.
type orderSetDocument struct {
	writtenJSON
	Provider auth.ProviderID  `json:"provider"`
	Dropped  []auth.ProfileID `json:"dropped"`
}
