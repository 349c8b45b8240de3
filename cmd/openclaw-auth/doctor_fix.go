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
	plan := options
	plan.DryRun = true
	fixed := doctor.Fix(query, d.Findings, plan)
	if !options.DryRun && changes(fixed) > 0 {
		if !s.json {
			s.fixText(fixed)
		}
		if err := s.confirm("make these changes?"); err != nil {
			return err
		}
		fixed = doctor.Fix(query, d.Findings, options)
	}
	failed := failures(fixed)
	switch {
	case s.json:
		err = s.fixJSON(fixed)
	case changes(fixed) == 0 && failed != nil:
	case changes(fixed) == 0 || options.DryRun:
		s.fixText(fixed)
	default:
		s.doneText(fixed)
	}
	if failed != nil {
		return orderError(failed)
	}
	return err
}

// failures says which agents were left as they were, and why.
func failures(fixed []doctor.Fixed) error {
	var all []error
	for _, f := range fixed {
		if f.Err != nil {
			err := f.Err
			if f.Agent.ID != "" {
				err = fmt.Errorf("agent %s: %w", f.Agent.ID, err)
			}
			all = append(all, err)
		}
	}
	return errors.Join(all...)
}

func changes(fixed []doctor.Fixed) int {
	count := 0
	for _, f := range fixed {
		for _, written := range f.Written {
			count += len(written.Changes)
		}
	}
	return count
}

// fixText shows what is to be changed.
func (s *session) fixText(fixed []doctor.Fixed) {
	if changes(fixed) == 0 {
		fmt.Fprintln(s.stdout, "nothing to repair: what doctor finds is left to you, or to openclaw doctor --fix")
		return
	}
	for _, f := range fixed {
		for _, i := range f.Imported {
			if i.Skipped != "" {
				fmt.Fprintf(s.stdout, "%s of %s: skipped, %s\n", shownID(i.Profile), s.shownFile(i.From.File), i.Skipped)
			}
		}
		for _, written := range f.Written {
			s.changesText(written, true)
		}
	}
}

// doneText says what has been written; the changes have been shown.
func (s *session) doneText(fixed []doctor.Fixed) {
	for _, f := range fixed {
		for _, written := range f.Written {
			for _, change := range written.Changes {
				fmt.Fprintf(s.stdout, "repaired %s\n", s.shownFile(change.File))
			}
			s.takeBackText(written, s.warnings(written))
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
	Agent  any           `json:"agent"` // null for modes of the whole home
	Writes []writtenJSON `json:"writes"`
	Lost   []string      `json:"lost"`
	Error  any           `json:"error"`
}

func (s *session) fixJSON(fixed []doctor.Fixed) error {
	document := fixDocument{"openclaw-auth/doctor-fix/v1", s.home.Rules.Line, s.flags.Bool("dry-run"), []fixAgent{}}
	for _, f := range fixed {
		agent := fixAgent{nullable(f.Agent.ID), []writtenJSON{}, append([]string{}, f.Lost...), nil}
		if f.Err != nil {
			agent.Error = f.Err.Error()
		}
		for _, written := range f.Written {
			agent.Writes = append(agent.Writes, s.writtenJSON("doctor-fix", f.Agent, written, s.warnings(written)))
		}
		document.Agents = append(document.Agents, agent)
	}
	return writeJSON(s.stdout, document)
}
