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
		toggle("fix", "show what can be repaired without a decision of yours, ask, and repair it"),
		toggle("yes", "don't ask before --fix"),
		text("plan", "save what --fix would do in `FILE`, and change nothing"),
		text("apply", "carry out the plan in `FILE`, or refuse if something has changed since"),
	)
}

// doctorFix shows what would be repaired, asks once, and repairs exactly that.
func doctorFix(s *session, d *diagnosis, scope scope, saved *savedPlan, earlier ...repair.Fixed) error {
	if d.problem != nil {
		return &exitError{code: exitUsage, err: fmt.Errorf("cannot repair anything while the configuration can't be read: %w", d.problem)}
	}
	options, err := s.writeOptions("doctor --fix")
	if err != nil {
		return err
	}
	options.Run = state.NewRun(options.Clock.Now())
	moment := repair.NewMoment(options.Clock)
	if saved != nil {
		moment = saved.moment()
	}
	plan := s.plan(d, scope, moment, options)
	switch file := s.flags.String("plan"); {
	case saved != nil:
		if err := saved.compare(s, plan); err != nil {
			return err
		}
	case file != "":
		if err := s.savePlan(file, plan, scope); err != nil {
			return err
		}
		return s.planned(plan)
	case len(earlier) > 0 && !plan.Changes():
		return s.fixed(plan, earlier, options)
	case options.DryRun || !plan.Changes():
		return s.planned(plan)
	default:
		if !s.json {
			s.planText(plan)
		}
		if err := s.confirm("make these changes?"); err != nil {
			return err
		}
	}
	report, end := s.working("writing changes")
	options.Progress = report
	done, err := plan.Apply(s.flags.Context, options)
	end()
	if errors.Is(err, state.ErrOtherPlan) {
		return refused("%w; nothing is changed", err)
	}
	if err != nil {
		return writeError(err)
	}
	if done = append(earlier, done...); plan.Recovers { // what else there is to do shows only now
		if !s.json {
			s.doneText(done)
		}
		if d, err = s.diagnose(scope); err != nil {
			return err
		}
		return doctorFix(s, d, scope, nil, done...)
	}
	return s.fixed(plan, done, options)
}

// plan is what doctor --fix would do about the findings that are asked for.
func (s *session) plan(d *diagnosis, scope scope, moment state.Moment, options state.WriteOptions) *repair.Plan {
	least := doctor.Info
	if scope.SeverityMin != "" {
		least = d.least
	}
	report, end := s.working("planning repairs of agents")
	defer end()
	query := s.query(d)
	query.Progress = report
	return repair.Make(s.flags.Context, query, d.AtLeast(least), least, moment, options)
}

// planned reports a plan that is not carried out.
func (s *session) planned(plan *repair.Plan) error {
	if s.json {
		if err := s.fixJSON(plan.Fixed); err != nil {
			return err
		}
		return failures(plan.Fixed)
	}
	if !plan.Changes() && failures(plan.Fixed) == nil {
		fmt.Fprintln(s.stdout, "nothing to repair here: the findings need a decision of yours, or openclaw doctor --fix")
	}
	s.planText(plan)
	return failures(plan.Fixed)
}

// planText shows all that a plan changes, and what it leaves.
func (s *session) planText(plan *repair.Plan) {
	s.fixText(plan.Fixed)
	if plan.Changes() {
		s.upgradeText()
	}
	s.leftText(plan.Fixed)
}

// fixed reports what has been done; the plan has been shown, unless nobody was
// asked.
func (s *session) fixed(plan *repair.Plan, done []repair.Fixed, options state.WriteOptions) error {
	failed := failures(plan.Fixed)
	if s.json {
		all := done
		for _, f := range plan.Fixed { // what is left
			if f.Written == nil || len(f.Written.Changes) == 0 {
				all = append(all, f)
			}
		}
		if err := s.fixJSON(all); err != nil {
			return err
		}
		return failed
	}
	if s.flags.String("apply") != "" { // otherwise it has been shown
		s.planText(plan)
	}
	s.doneText(done)
	s.runText(done, options.Run)
	return failed
}

// upgradeText says that a home is being made ready for another release than the
// one that it is of.
func (s *session) upgradeText() {
	if s.flags.String("to") == "" {
		return
	}
	if opened, err := state.Open(s.located, "auto"); err == nil && opened.Home.Rules != s.home.Rules {
		s.paragraph("note: ", fmt.Sprintf("the home looks like one of %s (%s): this makes it one of %s, so upgrade OpenClaw before it starts again",
			opened.Home.Rules.Line, opened.Evidence.Detail, s.home.Rules.Line))
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
	case s.json && !dry && !s.flags.Bool("yes") && s.flags.String("plan")+s.flags.String("apply") == "":
		return usage("--fix --json cannot prompt; add --yes, or look with --dry-run")
	case s.flags.String("plan") != "" && s.flags.String("apply") != "":
		return usage("--plan saves a plan and --apply carries one out: one or the other")
	case s.flags.String("apply") != "" && (s.given("only") || s.given("skip") || s.given("severity-min") || s.given("to")):
		return usage("--apply carries out the plan as it was made: leave out --only, --skip, --severity-min and --to")
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
		if this := codeOf(writeError(f.Err)); this == exitUsage || code == exitNo {
			code = this
		}
	}
	if len(all) == 0 {
		return nil
	}
	return &exitError{code: code, err: errors.Join(all...)}
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
	Agent any      `json:"agent"`                 // null for modes of the whole home
	Write any      `json:"write" schema:"object"` // null where nothing was to be done
	Notes []string `json:"notes"`                 // what should be known of what is done
	Left  []string `json:"left"`                  // what of what was found stays, and why
	Error any      `json:"error"`                 // why all of it stays, null if none does
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
	return s.writeJSON(doc)
}
