package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/urfave/cli/v2"

	"openclaw-auth/auth"
	"openclaw-auth/chain/lines"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

func rulesCommand(w world) *cli.Command {
	return group("rules", `OpenClaw changed its rules from release to release;
each release here has the rules that it follows.

Examples:
  openclaw-auth rules list
  openclaw-auth rules diff 2026.5.12 2026.9.6

Exit codes: 0 yes, 1 something differs, 2 usage.`,
		leaf(w, cli.Command{
			Name: "list", Usage: "the releases that are known, and where their rules come from", Category: homeless,
			Description: `Every stable release was asked by running its own functions, and
the rules explain nearly all of its answers; what they don't explain is counted
in the project's test data. A rule that no answer shows is inferred from the
release before.

Example: openclaw-auth rules list

Exit codes: 0, or 2 for a usage error.`,
		}, rulesList),
		leaf(w, cli.Command{
			Name: "show", Usage: "the rules of a release, each with what it means", Category: agentless, ArgsUsage: "[RELEASE]",
			Description: `Without RELEASE: that of --rules, or the one that the home shows.

Examples:
  openclaw-auth rules show 2026.5.12
  openclaw-auth rules show 2026.9.6 --json
  openclaw-auth rules show --effective

Exit codes: 0, or 2 for an unknown release.`,
			Flags: []cli.Flag{toggle("effective", "only the lengths of windows and the rotations as auth.cooldowns of this home sets them")},
		}, rulesShow),
		leaf(w, cli.Command{
			Name: "diff", Usage: "what changed between two releases", Category: homeless, ArgsUsage: "RELEASE RELEASE",
			Description: `Example: openclaw-auth rules diff 2026.5.12 2026.9.6

Exit codes: 0 nothing differs, 1 something does, 2 usage.`,
		}, rulesDiff),
	)
}

func rulesList(s *session) error {
	lines := []ruleLineJSON{}
	var before *auth.Rules
	for _, rules := range auth.Lines() {
		changes := 0
		if before != nil {
			changes = len(changedFields(before, rules))
		}
		lines = append(lines, ruleLineJSON{rules.Line, changes})
		before = rules
	}
	if s.json {
		return s.writeJSON(rulesListDocument{"openclaw-auth/rules-list/v1", lines})
	}
	var rows words.Table
	for i, line := range lines {
		changes := fmt.Sprintf("%d rules changed", line.Changes)
		if i == 0 {
			changes = "the oldest known line"
		}
		rows.Add(line.Line, changes)
	}
	s.screen.Table("", &rows)
	return nil
}

func rulesShow(s *session) error {
	if s.flags.Bool("effective") {
		return s.effectiveRules()
	}
	rules, err := s.rulesNamed(s.flags.Args().First())
	if err != nil {
		return err
	}
	if s.json {
		return s.writeJSON(rulesShowDocument{"openclaw-auth/rules-show/v1", rules, lines.Of(rules), state.RulesOf(rules), differencesOf(rules)})
	}
	words.Printf(s.stdout, "rules of OpenClaw %s\n", rules.Line)
	group := ""
	for _, f := range fieldsOf(rules) {
		if before, _, _ := strings.Cut(f.name, "."); before != group {
			group = before
			words.Printf(s.stdout, "\n%s\n", group)
		}
		words.Printf(s.stdout, "  %s = %s\n", f.name, f.value)
		s.paragraph("      ", f.about)
	}
	if differences := differencesOf(rules); len(differences) > 0 {
		fmt.Fprintln(s.stdout, "\nwhere the program differs from OpenClaw's documentation")
		for _, difference := range differences {
			s.paragraph("  ", string(difference.Code)+": "+difference.Text)
		}
	}
	return nil
}

// differenceWords say what OpenClaw's documentation says, and what its program does.
var differenceWords = map[auth.Difference]string{
	auth.DiffLadder:      "the documentation lets cooldowns and billing disables grow with every failure; in the program a failure that comes after the end of its window counts from one again, so five failures in a row, each after its window, open the first window five times",
	auth.DiffExhausted:   "the documentation counts the text \"resource exhausted\" among rate limits; the program finds no reason in it",
	auth.DiffDeactivated: "the documentation calls a deactivated workspace a permanent failure; in the program only the code deactivated_workspace is one, not the text",
	auth.DiffUserPin:     "the documentation says that a profile which the user has pinned stays; in the program another usable profile takes the place of one that is unavailable",
}

// differenceJSON is a difference between program and documentation.
type differenceJSON struct {
	Code auth.Difference `json:"code"`
	Text string          `json:"text"`
}

func differencesOf(rules *auth.Rules) []differenceJSON {
	documents := []differenceJSON{}
	for _, difference := range rules.Differences() {
		documents = append(documents, differenceJSON{difference, differenceWords[difference]})
	}
	return documents
}

// rulesAnyway finds the rules for an answer that needs no configuration: where
// it can't be read the other files of the home tell the release.
func (s *session) rulesAnyway() (*auth.Rules, error) {
	rules, err := s.rulesNamed("")
	if _, misused := errors.AsType[*exitError](err); err == nil || misused || s.home == nil {
		return rules, err
	}
	words.Printf(s.stderr, "openclaw-auth: warning: %s; going by %s\n", words.Line(err.Error()), s.evidence.Detail)
	return s.home.Rules, nil
}

// rulesNamed finds the rules of a release, or those of the home for "".
func (s *session) rulesNamed(release string) (*auth.Rules, error) {
	if release == "" && s.rules == "auto" {
		err := s.open()
		if err != nil {
			return nil, err
		}
		return s.home.Rules, nil
	}
	if release == "" {
		release = s.rules
	}
	rules, err := auth.RulesFor(release)
	if err != nil {
		return nil, usage("%w", err)
	}
	return rules, nil
}

func rulesDiff(s *session) error {
	if s.flags.NArg() != 2 {
		return usage("rules diff needs two releases, such as: rules diff 2026.5.12 2026.9.6")
	}
	older, err := s.rulesNamed(s.flags.Args().Get(0))
	if err != nil {
		return err
	}
	newer, err := s.rulesNamed(s.flags.Args().Get(1))
	if err != nil {
		return err
	}
	changes := changedFields(older, newer)
	if s.json {
		list := []ruleChangeJSON{}
		for _, c := range changes {
			list = append(list, ruleChangeJSON{c.name, c.about, json.RawMessage(c.before), json.RawMessage(c.value)})
		}
		err = s.writeJSON(rulesDiffDocument{"openclaw-auth/rules-diff/v1", older.Line, newer.Line, list})
	} else {
		words.Printf(s.stdout, "%s -> %s: %s\n", older.Line, newer.Line, words.Plural(len(changes), "1 rule differs", fmt.Sprintf("%d rules differ", len(changes))))
		for _, c := range changes {
			words.Printf(s.stdout, "\n%s\n", c.name)
			s.paragraph("    ", c.about)
			words.Printf(s.stdout, "  - %s\n  + %s\n", c.before, c.value)
		}
	}
	if err == nil && len(changes) > 0 {
		return errNo
	}
	return err
}

// field is a rule with its value as JSON.
type field struct {
	name, about, value string
	before             string // the value on another line
}

// fieldsOf lists the rules of a line, named as in the JSON document.
func fieldsOf(rules *auth.Rules) []field {
	var fields []field
	collect(reflect.ValueOf(*rules), "", &fields)
	collect(reflect.ValueOf(*state.RulesOf(rules)), "storage.", &fields)
	collect(reflect.ValueOf(*lines.Of(rules)), "chain.", &fields)
	return fields
}

func collect(value reflect.Value, prefix string, fields *[]field) {
	for i := range value.NumField() {
		info := value.Type().Field(i)
		name, _, _ := strings.Cut(info.Tag.Get("json"), ",")
		about := info.Tag.Get("about")
		switch {
		case info.Type.Kind() == reflect.Struct:
			collect(value.Field(i), prefix+name+".", fields)
		case about != "":
			text, _ := json.Marshal(value.Field(i).Interface())
			*fields = append(*fields, field{name: prefix + name, about: about, value: string(text)})
		}
	}
}

func changedFields(older, newer *auth.Rules) []field {
	before := fieldsOf(older)
	var changed []field
	for i, f := range fieldsOf(newer) {
		if f.before = before[i].value; f.before != f.value {
			changed = append(changed, f)
		}
	}
	return changed
}

// rulesListDocument is the answer of rules list.
type rulesListDocument struct {
	Schema string         `json:"schema"`
	Lines  []ruleLineJSON `json:"lines"`
}

// rulesShowDocument is the answer of rules show.
type rulesShowDocument struct {
	Schema  string       `json:"schema"`
	Rules   *auth.Rules  `json:"rules" schema:"object"`
	Chain   *lines.Rules `json:"chain" schema:"object"`
	Storage *state.Rules `json:"storage" schema:"object"`

	Differences []differenceJSON `json:"documentationDifferences"`
}

// rulesDiffDocument is the answer of rules diff.
type rulesDiffDocument struct {
	Schema  string           `json:"schema"`
	Older   string           `json:"older"`
	Newer   string           `json:"newer"`
	Changes []ruleChangeJSON `json:"changes"`
}

// ruleLineJSON is a release line in a JSON document.
type ruleLineJSON struct {
	Line    string `json:"line"`
	Changes int    `json:"changes"`
}

// ruleChangeJSON is a rule that differs between two releases.
type ruleChangeJSON struct {
	Rule   string          `json:"rule"`
	About  string          `json:"about"`
	Before json.RawMessage `json:"before"`
	After  json.RawMessage `json:"after"`
}
