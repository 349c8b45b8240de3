package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"openclaw-auth/auth"
	"openclaw-auth/auth/failure"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

func authRecordCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name:      "record",
		Usage:     "record a failure or a success of a profile, as OpenClaw would",
		ArgsUsage: "PROFILE",
		Description: `Writes the counters, the window and its end that OpenClaw writes for such an
event. Where OpenClaw would ask the provider for the account's usage, the
question counts as failed: openclaw-auth uses no network.

Examples:
  openclaw-auth auth record anthropic:default --reason rate_limit --model claude-opus-4-6
  openclaw-auth auth record openai-codex:me@example.com --reason rate_limit --until 2026-05-20T14:00:00Z
  openclaw-auth auth record anthropic:default --success

` + writeExits,
		Flags: writeFlags(
			text("reason", "`REASON` why the request failed: "+reasonList()),
			text("model", "`MODEL` that was asked, without its provider"),
			toggle("success", "the request succeeded"),
			text("provider", "`PROVIDER` that was asked, with --success (default: the profile's own)"),
			text("until", "`TIME` at which the provider says that its limit ends, with --reason rate_limit: a block until then"),
			text("at", "`TIME` of the event (default: now)"),
		),
	}, authRecord)
}

func reasonList() string {
	var names []string
	for _, reason := range auth.Reasons() {
		names = append(names, string(reason))
	}
	return strings.Join(names, ", ")
}

func authRecord(s *session) error {
	event, err := s.event()
	if err != nil {
		return err
	}
	l, err := s.load()
	if err != nil {
		return err
	}
	if err := s.checkProfile(l, string(event.Profile)); err != nil {
		return err
	}
	what := string(event.Reason)
	if what == "" {
		what = "success"
	}
	options, err := s.writeOptions("auth record " + string(shownID(event.Profile)) + " " + what)
	if err != nil {
		return err
	}
	written, transition, err := s.home.Record(s.flags.Context, l.Loaded, s.config, event, options)
	if err != nil {
		return writeError(err)
	}
	if transition.Ignored != "" {
		return refused("nothing is recorded: %s", s.ignoredText(l, event, transition.Ignored))
	}
	var notes []string
	if transition.Probed {
		notes = append(notes, "OpenClaw would ask the provider for the account's usage here; this is what it records without an answer")
	}
	notes = s.warnings(written, notes...)
	if s.json {
		return s.writeJSON(recordDocument{s.writtenJSON("auth-record", l.Agent, written, notes), shownID(event.Profile), what, transition.Probed})
	}
	if len(written.Changes) == 0 {
		fmt.Fprintln(s.stdout, "nothing to change")
	}
	s.writtenText(written, notes)
	return nil
}

// event is what the flags say has happened.
func (s *session) event() (state.Event, error) {
	reason, success := s.flags.String("reason"), s.flags.Bool("success")
	event := state.Event{Failure: auth.Failure{Profile: auth.ProfileID(words.Unquote(s.flags.Args().First())), Reason: auth.Reason(reason), Now: s.now}, Provider: s.flags.String("provider")}
	switch {
	case s.flags.NArg() != 1:
		return event, usage("auth record needs one profile, such as: auth record anthropic:default --reason rate_limit")
	case success == (reason != ""):
		return event, usage("auth record needs --reason REASON or --success (one of them)")
	case reason != "" && !slices.Contains(auth.Reasons(), event.Reason):
		return event, usage("--reason %q is none that OpenClaw stores: %s", reason, reasonList())
	case event.Provider != "" && !success:
		return event, usage("--provider goes with --success only")
	}
	if s.flags.IsSet("model") {
		model := s.flags.String("model")
		event.Model = &model
	}
	if text := s.flags.String("until"); text != "" {
		until, err := parseTime(text, s.clock.Zone)
		switch {
		case err != nil:
			return event, usage("--until: %q is neither RFC 3339 (2026-05-20T14:00:00Z) nor Unix ms", text)
		case event.Reason != failure.RateLimit:
			return event, usage("--until goes with --reason rate_limit only")
		}
		event.Until = float64(until)
	}
	if text := s.flags.String("at"); text != "" {
		at, err := parseTime(text, s.clock.Zone)
		if err != nil {
			return event, usage("--at: %w", err)
		}
		event.Now = at
	}
	return event, nil
}

// ignoredText says why OpenClaw records nothing.
func (s *session) ignoredText(l *loaded, event state.Event, ignored auth.Ignored) string {
	id := string(shownID(event.Profile))
	switch ignored {
	case auth.IgnoredMissing:
		if l.Inherited(event.Profile) {
			return fmt.Sprintf("agent %s only inherits %s, and OpenClaw %s records nothing for an inherited profile; where it stands: --agent main", l.Agent.ID, id, s.home.Rules.Line)
		}
		return id + " is not in the agent's own store"
	case auth.IgnoredBypass:
		return "profiles of " + l.Store.Profiles.Object(string(event.Profile)).Text("provider") + " are never held back"
	case auth.IgnoredNoDetails:
		return "OpenClaw " + s.home.Rules.Line + " does not count failures without details"
	case auth.IgnoredSetup:
		return id + " belongs to an unfinished setup"
	case auth.IgnoredProvider:
		return id + " serves another provider"
	case auth.IgnoredTime:
		return "--until does not lie ahead of the event"
	case auth.IgnoredUnsupported:
		return "OpenClaw " + s.home.Rules.Line + " knows no block until a given time (2026.5.12 and later do)"
	}
	return string(ignored)
}

// recordDocument is the answer of auth record.
type recordDocument struct {
	writtenJSON
	Profile auth.ProfileID `json:"profile"`
	Event   string         `json:"event"`
	Probed  bool           `json:"probed"`
}
