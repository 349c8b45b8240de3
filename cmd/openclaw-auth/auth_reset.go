package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"openclaw-auth/auth"
)

func authResetCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name:      "reset",
		Usage:     "end cooldowns, blocks and disables of profiles, and their counters",
		ArgsUsage: "[PROFILE…]",
		Description: `Removes them from the agent's own store and from the one that
it inherits from. The times of the last use and the last failure are kept.

Examples:
  openclaw-auth auth reset anthropic:default
  openclaw-auth auth reset --provider anthropic --kind disabled --dry-run

` + writeExits,
		Flags: writeFlags(
			text("provider", "all profiles of this `PROVIDER`"),
			toggle("all", "every profile"),
			text("kind", "only this `KIND` (or several, with commas): cooldown, disabled, blocked, counters"),
			toggle("yes", "don't ask before --all"),
		),
	}, authReset)
}

type resetJSON struct {
	Profile auth.ProfileID `json:"profile"`
	File    string         `json:"file"`
	Removed []string       `json:"removed"`
}

func authReset(s *session) error {
	kinds, err := resetKinds(s.flags.String("kind"))
	if err != nil {
		return err
	}
	l, err := s.load()
	if err != nil {
		return err
	}
	match, command, err := s.resetWhich(l)
	if err != nil {
		return err
	}
	options, err := s.writeOptions(command)
	if err != nil {
		return err
	}
	if s.flags.Bool("all") && !s.flags.Bool("yes") && !options.DryRun {
		plan := options
		plan.DryRun = true
		written, resets, err := s.home.ResetProfiles(s.flags.Context, l.Loaded, match, kinds, plan)
		if err != nil {
			return writeError(err)
		}
		if len(resets) > 0 && !s.json {
			s.changesText(written, true)
		}
		if err := s.confirm("reset every profile of agent " + l.Agent.ID + "?"); err != nil {
			return err
		}
	}
	written, resets, err := s.home.ResetProfiles(s.flags.Context, l.Loaded, match, kinds, options)
	if err != nil {
		return writeError(err)
	}
	notes := s.warnings(written)
	if s.json {
		list := []resetJSON{}
		for _, r := range resets {
			list = append(list, resetJSON{shownID(r.Profile), r.File, r.Members})
		}
		return s.writeJSON(resetDocument{s.writtenJSON("auth-reset", l.Agent, written, notes), list})
	}
	if len(resets) == 0 {
		fmt.Fprintln(s.stdout, "nothing to reset: no window is set and no failure is counted")
	}
	s.writtenText(written, notes)
	return nil
}

func resetKinds(text string) ([]auth.ResetKind, error) {
	if text == "" {
		return nil, nil
	}
	var kinds []auth.ResetKind
	for name := range strings.SplitSeq(text, ",") {
		kind := auth.ResetKind(strings.TrimSpace(name))
		if !slices.Contains(auth.ResetKinds(), kind) {
			return nil, usage("--kind is cooldown, disabled, blocked or counters, not %q", name)
		}
		kinds = append(kinds, kind)
	}
	return kinds, nil
}

// resetWhich returns the test for the profiles that the user names, and the command.
func (s *session) resetWhich(l *loaded) (func(auth.ProfileID) bool, string, error) {
	ids, provider, all := s.flags.Args().Slice(), s.flags.String("provider"), s.flags.Bool("all")
	chosen := 0
	for _, is := range []bool{len(ids) > 0, provider != "", all} {
		if is {
			chosen++
		}
	}
	switch {
	case chosen != 1:
		return nil, "", usage("auth reset needs profiles, or --provider PROVIDER, or --all (one of them)")
	case all:
		return func(auth.ProfileID) bool { return true }, "auth reset --all", nil
	case provider != "":
		if err := s.checkProvider(l, provider); err != nil {
			return nil, "", err
		}
		rules := &s.home.Rules.Providers
		key := rules.AuthKey(provider)
		return func(id auth.ProfileID) bool {
			return rules.AuthKey(l.Store.Profiles.Object(string(id)).Text("provider")) == key && l.Store.Profiles.Has(string(id))
		}, "auth reset --provider " + provider, nil
	}
	for _, id := range ids {
		if err := s.checkProfile(l, id); err != nil && !l.Store.UsageStats.Has(id) {
			return nil, "", err
		}
	}
	shown := make([]string, len(ids))
	for i, id := range ids {
		shown[i] = auth.MaskID(id)
	}
	return func(id auth.ProfileID) bool { return slices.Contains(ids, string(id)) }, "auth reset " + strings.Join(shown, " "), nil
}

// resetDocument is the answer of auth reset.
type resetDocument struct {
	writtenJSON
	Resets []resetJSON `json:"resets"`
}
