package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"openclaw-auth/doctor/repair"
	"openclaw-auth/state"
)

// scope is the part of a home's health that doctor is asked about.
type scope struct {
	Only        []string `json:"only,omitempty"`
	Skip        []string `json:"skip,omitempty"`
	SeverityMin string   `json:"severityMin,omitempty"`
	Agent       string   `json:"agent,omitempty"`
	To          string   `json:"to,omitempty"`
}

// savedPlan is a plan of doctor --fix in a file, to be reviewed and carried out
// later. It holds hashes of what changes, and no secret.
type savedPlan struct {
	Schema   string    `json:"schema"`
	StateDir string    `json:"stateDir"`
	Rules    string    `json:"rules"`
	Time     time.Time `json:"time"` // of the plan: names and records carry it
	Seed     string    `json:"seed"` // of the random parts of names
	Scope    scope     `json:"scope"`

	Writes []savedWrite `json:"writes"`
	Notes  []string     `json:"notes"`
	Left   []string     `json:"left"`
}

// savedWrite is one write of a plan: all of it happens, or nothing.
type savedWrite struct {
	Agent   string        `json:"agent,omitempty"`
	Changes []savedChange `json:"changes"`
}

type savedChange struct {
	File   string `json:"file"`
	Part   string `json:"part,omitempty"`
	Action string `json:"action"`
	To     string `json:"to,omitempty"`
	Before string `json:"before,omitempty"` // SHA-256, "" for nothing
	After  string `json:"after,omitempty"`
}

const planSchema = "openclaw-auth/doctor-plan/v1"

// scope is what the flags ask for or, with --apply, what the plan was made for.
func (s *session) scope() (scope, *savedPlan, error) {
	file := s.flags.String("apply")
	if file == "" {
		return scope{s.flags.StringSlice("only"), s.flags.StringSlice("skip"), s.flags.String("severity-min"), s.flags.String("agent"), s.flags.String("to")}, nil, nil
	}
	text, err := readPlanFile(file)
	if err != nil {
		return scope{}, nil, usage("--apply: %w", err)
	}
	saved := parsePlan(text)
	if saved == nil {
		return scope{}, nil, usage("--apply: %s is not a plan saved by doctor --fix --plan", file)
	}
	s.rules, s.now = saved.Rules, saved.Time.UnixMilli()
	saved.Scope.To = ""
	return saved.Scope, saved, nil
}

// maxPlan is far above what the plan for a thousand agents takes.
const maxPlan = 1 << 28

// readPlanFile reads a file that may be anything, /dev/zero too.
func readPlanFile(file string) ([]byte, error) {
	opened, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	text, err := io.ReadAll(io.LimitReader(opened, maxPlan+1))
	if err == nil && len(text) > maxPlan {
		err = fmt.Errorf("%s: too large for a plan (over %d MB)", file, maxPlan>>20)
	}
	return text, err
}

// parsePlan reads a saved plan; nil for anything else.
func parsePlan(text []byte) *savedPlan {
	saved := &savedPlan{}
	if err := json.Unmarshal(text, saved); err != nil || saved.Schema != planSchema {
		return nil
	}
	return saved
}

// saved is a plan as it is saved.
func (s *session) saved(plan *repair.Plan, scope scope) savedPlan {
	saved := savedPlan{
		Schema: planSchema, StateDir: s.home.StateDir, Rules: s.home.Rules.Line, Time: plan.Moment.Time, Seed: plan.Moment.Seed, Scope: scope,
		Writes: []savedWrite{}, Notes: []string{}, Left: []string{},
	}
	for _, f := range plan.Fixed {
		saved.Notes, saved.Left = append(saved.Notes, f.Notes...), append(saved.Left, f.Left...)
		if f.Written == nil || len(f.Written.Changes) == 0 {
			continue
		}
		write := savedWrite{Agent: f.Agent.ID}
		for _, change := range f.Written.Changes {
			_, to := change.Move()
			write.Changes = append(write.Changes, savedChange{
				File: change.File, Part: change.Part, Action: actionOf(change), To: to, Before: state.Hash(change.Before), After: state.Hash(change.After),
			})
		}
		saved.Writes = append(saved.Writes, write)
	}
	return saved
}

// savePlan writes a plan into a new file, for its owner alone.
func (s *session) savePlan(file string, plan *repair.Plan, scope scope) error {
	text, err := json.MarshalIndent(s.saved(plan, scope), "", "  ")
	if err != nil {
		return err
	}
	to, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return usage("--plan: %s exists already; name a new file", file)
	}
	if err != nil {
		return usage("--plan: %w", err)
	}
	if _, err = to.Write(append(text, '\n')); err == nil {
		err = to.Close()
	} else {
		to.Close()
	}
	if err == nil && !s.json {
		fmt.Fprintf(s.stderr, "plan saved in %s; to carry it out: %s\n", file, s.command("doctor", "--fix", "--apply", file))
	}
	return err
}

func (p *savedPlan) moment() state.Moment { return state.Moment{Time: p.Time, Seed: p.Seed} }

// compare refuses a home on which another plan would be made now.
func (p *savedPlan) compare(s *session, now *repair.Plan) error {
	if s.home.StateDir != p.StateDir {
		return usage("--apply: the plan is for %s, and this home is %s", p.StateDir, s.home.StateDir)
	}
	was, is := p.lines(), (&savedPlan{Writes: s.saved(now, p.Scope).Writes}).lines()
	for i := range max(len(was), len(is)) {
		switch {
		case i >= len(was):
			return refused("%w: %s would change too; make a new plan", state.ErrOtherPlan, is[i].File)
		case i >= len(is):
			return refused("%w: %s would not change any more; make a new plan", state.ErrOtherPlan, was[i].File)
		case was[i] != is[i]:
			return refused("%w: the change of %s would be another one; make a new plan", state.ErrOtherPlan, strings.TrimSpace(was[i].File+" "+was[i].Part))
		}
	}
	return nil
}

func (p *savedPlan) lines() []savedChange {
	var all []savedChange
	for _, write := range p.Writes {
		all = append(all, write.Changes...)
	}
	return all
}
