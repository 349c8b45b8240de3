package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"openclaw-auth/doctor"
)

// fixFlags are the flags of doctor that lead to a write.
func fixFlags() []cli.Flag {
	return writeFlags(
		toggle("fix", "show what can be repaired without a choice of yours, ask, and repair it"),
		toggle("yes", "don't ask before --fix"),
	)
}

// doctorFix shows what would be repaired, asks, and repairs it.
func doctorFix(s *session, d *diagnosis) error {
	if d.problem != nil {
		return &exitError{code: exitUsage, err: fmt.Errorf("nothing is repaired while the configuration can't be read: %w", d.problem)}
	}
	options, err := s.writeOptions("doctor --fix")
	if err != nil {
		return err
	}
	query := doctor.Query{Home: s.home, Config: s.config, Evidence: s.evidence, Now: s.now}
	findings := d.Findings
	if s.flags.String("severity-min") != "" {
		findings = d.shown
	}
	plan := options
	plan.DryRun = true
	fixed := doctor.Fix(query, findings, plan)
	if changes(fixed) > 0 && !options.DryRun {
		if !s.json {
			s.fixText(fixed)
		}
		if err := s.confirm("make these changes?"); err != nil {
			return err
		}
		fixed = doctor.Fix(query, findings, options)
	}
	failed := failures(fixed)
	switch {
	case s.json:
		err = s.fixJSON(fixed)
	case changes(fixed) == 0 && failed == nil:
		fmt.Fprintln(s.stdout, "nothing to repair: what doctor finds is left to you, or to openclaw doctor --fix")
	case options.DryRun:
		s.fixText(fixed)
	default:
		s.doneText(fixed)
	}
	if !s.json {
		for _, f := range fixed {
			if f.Left != "" {
				s.paragraph("note: ", "agent "+f.Agent.ID+": "+f.Left)
			}
		}
	}
	if failed != nil {
		return failed
	}
	return err
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
func failures(fixed []doctor.Fixed) error {
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

func changes(fixed []doctor.Fixed) int {
	count := 0
	for _, f := range fixed {
		if f.Written != nil {
			count += len(f.Written.Changes)
		}
	}
	return count
}

// fixText shows what is to be changed.
func (s *session) fixText(fixed []doctor.Fixed) {
	for _, f := range fixed {
		if f.Written != nil {
			s.changesText(f.Written, true)
		}
	}
}

// doneText says what has been written; the changes have been shown.
func (s *session) doneText(fixed []doctor.Fixed) {
	for _, f := range fixed {
		if f.Written == nil {
			continue
		}
		for _, change := range f.Written.Changes {
			fmt.Fprintf(s.stdout, "repaired %s\n", s.shownFile(change.File))
		}
		s.takeBackText(f.Written, s.warnings(f.Written))
	}
}

type fixDocument struct {
	Schema string     `json:"schema"`
	Rules  string     `json:"rules"`
	DryRun bool       `json:"dryRun"`
	Agents []fixAgent `json:"agents"`
}

type fixAgent struct {
	Agent any `json:"agent"` // null for modes of the whole home
	Write any `json:"write"` // null where nothing was to be done
	Left  any `json:"left"`  // why some of what was found stays, null if nothing does
	Error any `json:"error"` // why all of it stays, null if none does
}

func (s *session) fixJSON(fixed []doctor.Fixed) error {
	document := fixDocument{"openclaw-auth/doctor-fix/v1", s.home.Rules.Line, s.flags.Bool("dry-run"), []fixAgent{}}
	for _, f := range fixed {
		agent := fixAgent{Agent: nullable(f.Agent.ID), Left: nullable(f.Left)}
		if f.Written != nil {
			agent.Write = s.writtenJSON("doctor-fix", f.Agent, f.Written, s.warnings(f.Written))
		}
		if f.Err != nil {
			agent.Error = f.Err.Error()
		}
		document.Agents = append(document.Agents, agent)
	}
	return writeJSON(s.stdout, document)
}
