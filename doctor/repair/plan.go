package repair

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"openclaw-auth/doctor"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// Plan is all that doctor --fix would do to a home: what a dry run shows, what the
// question is about, and what is written. What one write makes possible (the
// order that an import brings may name profiles that there are not) is planned on
// the home as that write would leave it.
type Plan struct {
	Fixed    []Fixed          // what each write changes, and what is left
	Repaired []doctor.Finding // those of the findings that it cures
	Moment   state.Moment     // when it was made
	Recovers bool             // it takes back an interrupted write, and is to be followed by another one

	query doctor.Query
	steps []planned
}

// planned is a write of a plan.
type planned struct {
	step
	digest string // of its changes
}

// maxRounds bounds how often the home is looked at again after a migration.
const maxRounds = 6

// Make plans the repairs of findings; those that come to light on the way are
// repaired too if they are as bad as least. Nothing is written, whatever options
// say. While the configuration can't be read, nobody knows which agents there
// are, and nothing is planned. A write of openclaw-auth that was interrupted is
// taken back first: the plan is that alone.
func Make(ctx context.Context, query doctor.Query, findings []doctor.Finding, least doctor.Severity, moment state.Moment, options state.WriteOptions) *Plan {
	plan := &Plan{query: query, Moment: moment}
	if query.Problem != nil {
		return plan
	}
	options.DryRun, options.Want, options.Moment, options.Progress = true, "", plan.momentOf(0), nil
	if query.Home.Unfinished() != "" {
		undo := step{run: func(ctx context.Context, query doctor.Query, options state.WriteOptions) Fixed {
			written, err := query.Home.Recover(ctx, options)
			return Fixed{Written: written, Err: err, Notes: []string{"takes back a write of openclaw-auth that was interrupted"}}
		}}
		if fixed := undo.run(ctx, query, options); fixed.changes() || fixed.Err != nil {
			plan.add(undo, fixed)
			plan.Recovers = true
			return plan
		}
	}
	before, changed := findings, false
	for range maxRounds {
		var done bool
		if query, done = plan.round(ctx, query, findings, options); done {
			break
		}
		changed = true
		findings = doctor.Examine(query).AtLeast(least)
	}
	if changed {
		plan.Repaired = cured(before, findings)
	}
	return plan
}

// round plans the steps that findings ask for, up to the first that migrates. It
// returns the home as they would leave it, and whether nothing changes any more.
func (p *Plan) round(ctx context.Context, query doctor.Query, findings []doctor.Finding, options state.WriteOptions) (doctor.Query, bool) {
	done := true
	var left []Fixed
	for _, step := range steps(query, findings) {
		options.Moment = p.momentOf(len(p.steps))
		fixed := step.run(ctx, query, options)
		switch {
		case fixed.changes():
			p.add(step, fixed)
			query = reopened(query, state.Planned(query.Home.FS, fixed.Written.Changes))
			done = false
		case fixed.Err != nil || len(fixed.Left) > 0:
			left = append(left, fixed)
		}
		if fixed.changes() && step.migrates {
			return query, false
		}
	}
	if done { // what is left now is left for good; what was left before may have been done since
		for i := range p.Fixed {
			p.Fixed[i].Left = nil
		}
		p.Fixed = append(p.Fixed, left...)
	}
	return query, done
}

// momentOf is the moment of a write of the plan: no two archive a file under the
// same name.
func (p *Plan) momentOf(write int) *state.Moment {
	return &state.Moment{Time: p.Moment.Time.Add(time.Duration(write) * time.Millisecond), Seed: fmt.Sprintf("%s/%d", p.Moment.Seed, write)}
}

func (p *Plan) add(step step, fixed Fixed) {
	p.Fixed = append(p.Fixed, fixed)
	if fixed.changes() {
		p.steps = append(p.steps, planned{step, fixed.Written.Digest()})
	}
}

// reopened is the query about a home whose files are others.
func reopened(query doctor.Query, files state.FS) doctor.Query {
	env := query.Home.Env
	env.FS = files
	opened, err := state.Open(env, query.Home.Rules.Line)
	home := opened.Home
	if home == nil {
		query.Problem = err
		return query
	}
	home.ForceRead = query.Home.ForceRead
	query.Home, query.Config, query.Evidence, query.Problem = home, opened.Config, opened.Evidence, err
	return query
}

// cured are the findings that can be repaired and are not found afterwards.
func cured(before, after []doctor.Finding) []doctor.Finding {
	type identity struct{ check, code, agent, profile, file, pointer string }
	of := func(f doctor.Finding) identity {
		return identity{f.Check, f.Code, f.Agent, f.Profile, f.Where.File, f.Where.Pointer}
	}
	still := map[identity]bool{}
	for _, f := range after {
		still[of(f)] = true
	}
	return slices.DeleteFunc(slices.Clone(before), func(f doctor.Finding) bool { return f.Repair == nil || still[of(f)] })
}

// Changes reports whether the plan changes anything.
func (p *Plan) Changes() bool { return len(p.steps) > 0 }

// Cures reports whether the plan repairs a finding.
func (p *Plan) Cures(finding doctor.Finding) bool {
	return slices.ContainsFunc(p.Repaired, func(f doctor.Finding) bool {
		return f.Check == finding.Check && f.Code == finding.Code && f.Agent == finding.Agent && f.Profile == finding.Profile && f.Where == finding.Where
	})
}

// Apply makes the plan's writes, and nothing else: where one of them would be
// another than was planned, or fails, those before it are taken back. The error
// then is state.ErrOtherPlan, or what the write failed of.
func (p *Plan) Apply(ctx context.Context, options state.WriteOptions) ([]Fixed, error) {
	var done []Fixed
	query := p.query
	for i, step := range p.steps {
		if i > 0 {
			query = reopened(query, query.Home.FS)
		}
		options.Want, options.Moment = step.digest, p.momentOf(i)
		if step.fleeting {
			options.Want = ""
		}
		fixed := step.run(ctx, query, options)
		if step.fleeting && !fixed.changes() && fixed.Err == nil {
			continue
		}
		if !fixed.changes() { // an agent that can't be written was left out of the plan already
			err := fixed.Err
			if err == nil {
				err = state.ErrOtherPlan
			}
			return nil, errors.Join(err, takeBack(ctx, query, done, options))
		}
		done = append(done, fixed)
	}
	return done, nil
}

// takeBack undoes writes, the last one first.
func takeBack(ctx context.Context, query doctor.Query, done []Fixed, options state.WriteOptions) error {
	options.Want, options.Moment, options.Why = "", nil, "taking back an unfinished doctor --fix"
	for _, fixed := range slices.Backward(done) {
		backup, err := query.Home.ReadBackup(fixed.Written.Backup)
		if err == nil {
			_, err = query.Home.Undo(ctx, backup, options)
		}
		if err != nil {
			return fmt.Errorf("%s made before it could not be taken back (undo %s): %w", words.Count(len(fixed.Written.Changes), "change"), fixed.Written.Backup, err)
		}
	}
	return nil
}

// Fix plans the repairs of findings and makes them, unless options ask for a dry
// run. It returns what each write did, or would do, and what is left.
func Fix(ctx context.Context, query doctor.Query, findings []doctor.Finding, options state.WriteOptions) []Fixed {
	plan := Make(ctx, query, findings, doctor.Info, NewMoment(options.Clock), options)
	if options.DryRun {
		return plan.Fixed
	}
	done, err := plan.Apply(ctx, options)
	if err != nil {
		done = append(done, Fixed{Err: err})
	}
	return append(done, plan.left()...)
}

// left is what the plan leaves as it is, and why.
func (p *Plan) left() []Fixed {
	return slices.DeleteFunc(slices.Clone(p.Fixed), func(f Fixed) bool { return f.changes() || f.Err == nil && len(f.Left) == 0 })
}

// NewMoment is the moment of a plan that is made now.
func NewMoment(clock state.Clock) state.Moment {
	return state.Moment{Time: clock.Now(), Seed: rand.Text()}
}
