package main

import (
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"openclaw-auth/auth/release"
	"openclaw-auth/doctor"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

func doctorCommand(w world) *cli.Command {
	command := leaf(w, cli.Command{
		Name: "doctor",
		Description: `Looks at the whole home, every agent of it or the one that --agent names, and
says what is wrong, where (file, line and column), how OpenClaw treats it on
this release, and what to do. No secret is shown. A file that can't be read
is a finding too; the rest is still checked. Nothing is changed without --fix.

--fix shows everything it would change, asks once, and does exactly that. It
repairs what needs no decision of yours: it makes files with secrets private,
removes locks of dead processes, and removes references to missing profiles and
windows that no release would open. It also migrates: it imports files of older
releases and moves them aside, and renames what a release has renamed, in
profiles, orders, usage, models and session pins alike, in one write that
happens completely or not at all. It never changes the choice of a model, never
overwrites what it cannot read, and never creates a database. "openclaw-auth
undo" reverts all of it. --dry-run only shows it. Migrate with the gateway stopped.

--plan FILE saves what --fix would do, for review: hashes of what changes, no
secret. --apply FILE does exactly that, or refuses because something has changed
since.

--to RELEASE looks at the home, and migrates it, for the release that it is to be
upgraded to.

--lint is for pipelines: a line per finding and, with --json, OpenClaw's own
form of doctor --lint. "doctor checks" lists the checks.

Examples:
  openclaw-auth doctor
  openclaw-auth doctor --lint --json --severity-min error
  openclaw-auth doctor --only order --only profiles/mode-mismatch
  openclaw-auth doctor --fix --only order --dry-run
  openclaw-auth doctor --fix --to 2026.9.6
  openclaw-auth doctor --fix --plan plan.json
  openclaw-auth doctor --fix --apply plan.json
  openclaw-auth doctor --format sarif --skip secrets > doctor.sarif

Exit codes: 0 nothing found, 1 findings of --severity-min or worse, 2 usage, or
a configuration that can't be read (everything else is still reported). With
--fix: 0 done (or nothing to do), 1 refused, 2 a file can't be written, 3 busy.`,
		Flags: append([]cli.Flag{
			toggle("lint", "a line per finding, for pipelines"),
			text("severity-min", "findings from this severity on: `info|warning|error` (default: warning)"),
			several("only", "only this `CHECK`, or this group of checks"),
			several("skip", "all but this `CHECK`, or this group of checks"),
			text("format", "for a code host: `github|sarif|markdown`"),
			text("to", "the `RELEASE` that the home is to be upgraded to, such as 2026.9.6 (default: that of the home, or --rules)"),
		}, fixFlags()...),
	}, doctorReport)
	undo := undoCommand(w) // where people look for it after --fix
	undo.Usage = "the same as openclaw-auth undo"
	command.Subcommands = []*cli.Command{doctorChecksCommand(w), undo}
	return command
}

// diagnosis is what doctor has found, and which part of it is asked for.
type diagnosis struct {
	*doctor.Report
	shown    []doctor.Finding
	least    doctor.Severity
	problem  error // why the configuration could not be read
	selected []*doctor.Check
	agent    string // the one agent that is looked at, "" for all
}

func doctorReport(s *session) error {
	if s.flags.NArg() > 0 {
		return usage("doctor takes no arguments, not %q", s.flags.Args().First())
	}
	format := s.flags.String("format")
	if format != "" && format != "github" && format != "sarif" && format != "markdown" {
		return usage("--format is github, sarif or markdown, not %q", format)
	}
	scope, saved, err := s.scope()
	if err != nil {
		return err
	}
	if scope.To != "" {
		if s.rules != "auto" && s.rules != scope.To {
			return usage("--to and --rules name different releases: one or the other")
		}
		if _, err := release.For(scope.To); err != nil {
			return usage("--to: %w", err)
		}
		if release.Newer(scope.To) {
			return usage("--to %s is newer than the newest release that is known, %s", scope.To, release.Newest())
		}
		s.rules = scope.To
	}
	fix := s.flags.Bool("fix") || s.flags.Bool("dry-run") || s.flags.String("plan") != "" || saved != nil
	if !fix && s.flags.Bool("yes") {
		return usage("--yes requires --fix")
	}
	if fix {
		if err := s.fixMisuse(); err != nil {
			return err
		}
	}
	d, err := s.diagnose(scope)
	if err != nil {
		return err
	}
	if fix {
		return doctorFix(s, d, scope, saved)
	}
	switch {
	case format == "github":
		s.githubText(d)
	case format == "markdown":
		s.markdownText(d)
	case format == "sarif":
		err = s.writeJSON(s.sarif(d))
	case s.json:
		err = s.lintJSON(d)
	case s.flags.Bool("lint"):
		s.lintText(d)
	default:
		s.doctorText(d, scope)
	}
	switch {
	case err != nil:
		return err
	case d.problem != nil:
		return d.unreadable()
	case len(d.shown) > 0:
		return errNo
	}
	return nil
}

// unreadable ends the program for a configuration that can't be read. It is a
// finding already, unless nobody asked for those.
func (d *diagnosis) unreadable() error {
	if slices.ContainsFunc(d.shown, func(f doctor.Finding) bool { return f.Check == "files/unreadable" }) {
		return &exitError{code: exitUsage}
	}
	return &exitError{code: exitUsage, err: d.problem}
}

// diagnose examines the home.
func (s *session) diagnose(scope scope) (*diagnosis, error) {
	d := &diagnosis{least: doctor.Warning}
	if text := scope.SeverityMin; text != "" {
		if d.least = doctor.Severity(text); !slices.Contains(doctor.Severities, d.least) {
			return nil, usage("--severity-min is info, warning or error, not %q", text)
		}
	}
	var unknown string
	if d.selected, unknown = doctor.Select(scope.Only, scope.Skip); unknown != "" {
		if near := nearest(unknown, namesOf(checkValues())); near != "" {
			return nil, usage("no check %q (did you mean %q? openclaw-auth doctor checks lists them)", unknown, near)
		}
		return nil, usage("no check %q (openclaw-auth doctor checks lists them)", unknown)
	}
	err := s.open()
	if exit, misused := errors.AsType[*exitError](err); misused {
		return nil, exit
	}
	if err != nil && s.home == nil {
		return nil, err
	}
	d.problem = err
	if _, err := s.home.FS.Stat(s.home.StateDir); err != nil && d.problem == nil && !s.config.Exists {
		return nil, usage("%s: there is no state directory", s.home.StateDir)
	}
	if scope.Agent != "" && s.config != nil {
		agent, err := state.FindAgent(s.home.Agents(s.config), scope.Agent)
		if err != nil {
			return nil, err
		}
		d.agent = agent.ID
	}
	query := s.query(d)
	report, end := s.working("looking at agents")
	query.Progress = report
	d.Report = doctor.Examine(query)
	end()
	d.shown = d.AtLeast(d.least)
	return d, nil
}

// query is what doctor examines.
func (s *session) query(d *diagnosis) doctor.Query {
	return doctor.Query{Home: s.home, Config: s.config, Evidence: s.evidence, Problem: d.problem, Now: s.now, Checks: d.selected, Agent: d.agent, Commands: s.target()}
}

func doctorChecksCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name: "checks", Category: homeless, Usage: "what doctor looks at, and why",
		Description: `Lists the checks: id, usual severity, what each looks at, why that matters, and
what is done about it.

Example: openclaw-auth doctor checks

Exit codes: 0, or 2 for usage.`,
	}, doctorChecks)
}

// checksDocument is the answer of doctor checks.
type checksDocument struct {
	Schema string      `json:"schema"`
	Checks []checkJSON `json:"checks"`
}

type checkJSON struct {
	ID       string          `json:"id"`
	Severity doctor.Severity `json:"severity"`
	Title    string          `json:"title"`
	Why      string          `json:"why"`
	Fix      string          `json:"fix"`
}

func doctorChecks(s *session) error {
	doc := checksDocument{Schema: "openclaw-auth/doctor-checks/v1"}
	for _, check := range doctor.Checks() {
		doc.Checks = append(doc.Checks, checkJSON{check.ID, check.Severity, check.Title, check.Why, check.Fix})
	}
	if s.json {
		return s.writeJSON(doc)
	}
	for _, check := range doc.Checks {
		words.Printf(s.stdout, "%s (%s)\n", check.ID, check.Severity)
		s.paragraph("  looks at  ", check.Title)
		s.paragraph("  because   ", check.Why)
		s.paragraph("  fix       ", check.Fix)
	}
	return nil
}
