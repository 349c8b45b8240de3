package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"openclaw-auth/doctor"
	"openclaw-auth/doctor/repair"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// fixFlags are the flags of doctor that lead to a write.
func fixFlags() []cli.Flag {
	return writeFlags(
		toggle("fix", "show what can be repaired without a choice of yours, ask, and repair it"),
		toggle("yes", "don't ask before --fix"),
	)
}

// maxRounds bounds how often doctor --fix looks again: what a migration brings
// may have to be repaired in its turn, but not for ever.
const maxRounds = 4

// doctorFix shows what would be repaired, asks, and repairs it; then it looks
// whether that has brought anything to light.
func doctorFix(s *session, d *diagnosis) error {
	if d.problem != nil {
		return &exitError{code: exitUsage, err: fmt.Errorf("nothing is repaired while the configuration can't be read: %w", d.problem)}
	}
	options, err := s.writeOptions("doctor --fix")
	if err != nil {
		return err
	}
	options.Run = state.NewRun(options.Clock.Now())
	var all []repair.Fixed
	for round := 1; ; round++ {
		fixed, err := s.fixOnce(d, options)
		if err != nil {
			return s.stopped(all, err)
		}
		all = append(all, fixed...)
		if changes(fixed) == 0 || options.DryRun || failures(fixed) != nil || round == maxRounds {
			return s.fixed(all, options)
		}
		if d, err = s.diagnose(); err != nil {
			return err
		}
	}
}

// stopped reports what was done before a later round was refused.
func (s *session) stopped(done []repair.Fixed, err error) error {
	if changes(done) > 0 && !s.json {
		s.doneText(done)
	}
	return err
}

// fixOnce shows what would be repaired, asks, and repairs it.
func (s *session) fixOnce(d *diagnosis, options state.WriteOptions) ([]repair.Fixed, error) {
	query := doctor.Query{Home: s.home, Config: s.config, Evidence: s.evidence, Now: s.now, Checks: d.selected, Agent: d.agent, Commands: s.target()}
	findings := d.Findings
	if s.flags.String("severity-min") != "" {
		findings = d.shown
	}
	plan := options
	plan.DryRun = true
	fixed := repair.Fix(query, findings, plan)
	if changes(fixed) == 0 || options.DryRun {
		return fixed, nil
	}
	if !s.json {
		s.fixText(fixed)
		s.upgradeText()
	}
	if err := s.confirm("make these changes?"); err != nil {
		return nil, err
	}
	var done func()
	options.Progress, done = s.counted("changes")
	defer done()
	return repair.Fix(query, findings, options), nil
}

// fixed reports what has been done, or would be.
func (s *session) fixed(fixed []repair.Fixed, options state.WriteOptions) error {
	failed := failures(fixed)
	switch {
	case s.json:
		if err := s.fixJSON(fixed); err != nil {
			return err
		}
	case changes(fixed) == 0 && failed == nil:
		fmt.Fprintln(s.stdout, "nothing to repair: what doctor finds is left to you, or to openclaw doctor --fix")
	case options.DryRun:
		s.fixText(fixed)
		s.upgradeText()
	default:
		s.doneText(fixed)
		s.runText(fixed, options.Run)
	}
	if !s.json {
		s.leftText(fixed)
	}
	return failed
}

// upgradeText says that a home is being made ready for another release than the
// one that it is of.
func (s *session) upgradeText() {
	if s.flags.String("to") == "" {
		return
	}
	if home, _, evidence, err := state.Open(s.located, "auto"); err == nil && home.Rules != s.home.Rules {
		s.paragraph("note: ", fmt.Sprintf("the home looks like one of %s (%s): this makes it one of %s, so upgrade OpenClaw before it starts again",
			home.Rules.Line, evidence.Detail, s.home.Rules.Line))
	}
}

// leftText says what is left as it is, and why; each reason once.
func (s *session) leftText(fixed []repair.Fixed) {
	told := map[string]bool{}
	for _, f := range fixed {
		for _, left := range f.Left {
			if f.Agent.ID != "" {
				left = "agent " + f.Agent.ID + ": " + left
			}
			if !told[left] {
				s.paragraph("note: ", left)
			}
			told[left] = true
		}
	}
}

// runText says how all of it is taken back.
func (s *session) runText(fixed []repair.Fixed, run string) {
	var ids []string
	for _, f := range fixed {
		if f.Written != nil && f.Written.Backup != "" {
			ids = append(ids, f.Written.Backup)
		}
	}
	switch {
	case len(ids) == 1:
		words.Printf(s.stdout, "to take it back: %s\n", s.command("undo", ids[0]))
	case len(ids) > 1:
		words.Printf(s.stdout, "to take all of it back: %s\n", s.command("undo", run))
	}
}

// fixMisuse is the error in a use of --fix that makes no sense, nil for none.
func (s *session) fixMisuse() error {
	dry := s.flags.Bool("dry-run")
	switch {
	case s.flags.Bool("lint") || s.flags.String("format") != "":
		return usage("--fix and --dry-run repair, --lint and --format report: one or the other")
	case s.flags.String("now") != "" && !dry:
		return usage("--fix repairs for the present: leave out --now and OPENCLAW_AUTH_NOW, or add --dry-run")
	case s.json && !dry && !s.flags.Bool("yes"):
		return usage("--fix --json asks nothing: add --yes, or look with --dry-run")
	}
	return nil
}

// failures says which agents were left as they were, and why. The exit code is
// that of the worst.
func failures(fixed []repair.Fixed) error {
	var all []error
	code := exitNo
	for _, f := range fixed {
		if f.Err == nil {
			continue
		}
		err := f.Err
		if f.Agent.ID != "" {
			err = fmt.Errorf("agent %s: %w", f.Agent.ID, err)
		}
		all = append(all, err)
		if this := codeOf(orderError(f.Err)); this == exitUsage || code == exitNo {
			code = this
		}
	}
	if len(all) == 0 {
		return nil
	}
	return &exitError{code: code, err: errors.Join(all...)}
}

func changes(fixed []repair.Fixed) int {
	count := 0
	for _, f := range fixed {
		if f.Written != nil {
			count += len(f.Written.Changes)
		}
	}
	return count
}

// fixText shows what is to be changed.
func (s *session) fixText(fixed []repair.Fixed) {
	for _, f := range fixed {
		if f.Written != nil {
			s.changesText(f.Written, true)
		}
		for _, note := range f.Notes {
			s.paragraph("note: ", note)
		}
	}
}

// doneText says what has been written; the changes have been shown.
func (s *session) doneText(fixed []repair.Fixed) {
	for _, f := range fixed {
		if f.Written == nil {
			continue
		}
		told := map[string]bool{}
		for _, change := range f.Written.Changes {
			line := "repaired " + s.shownFile(change.File)
			if from, to := change.Move(); to != "" {
				line = fmt.Sprintf("moved %s to %s", s.shownFile(from), s.shownFile(to))
			}
			if !told[line] {
				words.Println(s.stdout, line)
			}
			told[line] = true
		}
		for _, warning := range s.warnings(f.Written) {
			s.paragraph("note: ", warning)
		}
	}
}

type fixDocument struct {
	Schema string     `json:"schema"`
	Rules  string     `json:"rules"`
	DryRun bool       `json:"dryRun"`
	Agents []fixAgent `json:"agents"`
}

type fixAgent struct {
	Agent any      `json:"agent"` // null for modes of the whole home
	Write any      `json:"write"` // null where nothing was to be done
	Notes []string `json:"notes"` // what should be known of what is done
	Left  []string `json:"left"`  // what of what was found stays, and why
	Error any      `json:"error"` // why all of it stays, null if none does
}

func (s *session) fixJSON(fixed []repair.Fixed) error {
	doc := fixDocument{"openclaw-auth/doctor-fix/v1", s.home.Rules.Line, s.flags.Bool("dry-run"), []fixAgent{}}
	for _, f := range fixed {
		agent := fixAgent{Agent: nullable(f.Agent.ID), Notes: append([]string{}, f.Notes...), Left: append([]string{}, f.Left...)}
		if f.Written != nil {
			agent.Write = s.writtenJSON("doctor-fix", f.Agent, f.Written, s.warnings(f.Written))
		}
		if f.Err != nil {
			agent.Error = f.Err.Error()
		}
		doc.Agents = append(doc.Agents, agent)
	}
	return writeJSON(s.stdout, doc)
}
