// Package doctor finds what is wrong with the auth profiles and the failover
// state of a home and says how OpenClaw treats it on the home's release line.
//
// What there is to find is a registry of checks (Checks): each has an id, what
// it looks at, why that matters and what is done about it. A check reads what
// package state has loaded and returns findings; nothing is printed, nothing is
// written, no network is asked. A file that can't be read is a finding with its
// place, and everything else is still checked. Findings never hold a secret:
// profile ids that are keys are masked, and of a secret only its kind and its
// place are told.
package doctor

import (
	"cmp"
	"slices"
	"strings"

	"openclaw-auth/doctor/command"
	"openclaw-auth/doctor/internal/lines"
	"openclaw-auth/state"
)

// Severity says how bad a finding is, in OpenClaw's words.
type Severity string

// The severities.
const (
	Info    Severity = "info"    // worth knowing; OpenClaw copes with it
	Warning Severity = "warning" // something does not work as it looks, or soon will not
	Error   Severity = "error"   // something does not work
)

// Severities lists the severities, the mildest first.
var Severities = []Severity{Info, Warning, Error}

// AtLeast reports whether a severity is as bad as another, or worse.
func (s Severity) AtLeast(other Severity) bool {
	return slices.Index(Severities, s) >= slices.Index(Severities, other)
}

// Check is something that doctor looks at.
type Check struct {
	ID       string
	Severity Severity // of most of its findings
	Title    string   // what it looks at
	Why      string   // why that matters
	Fix      string   // what is done about it, or why nothing can be

	home    func(*examination)                                 // once, before the agents
	agent   func(*examination, *examinedAgent)                 // for every agent
	session func(*examination, *examinedAgent, *state.Session) // for every session of an agent
	after   func(*examination)                                 // once, after the agents
}

// Finding is something that a check has found.
type Finding struct {
	Check    string
	Severity Severity
	Code     string // what exactly, for programs
	Agent    string // "" where it concerns the whole home
	Profile  string // id, safe to show; "" where it concerns none
	Message  string
	Where    state.Origin // safe to show; without a File where there is no place
	Line     int          // of the value in the file, 0 where that is not to be had
	Column   int
	Treats   string   // how OpenClaw treats it on this line
	Fix      string   // what to do, or why nothing can be done
	Commands []string // that do it, ready to be pasted; nil where none is enough
	Repair   *Repair  // what package repair does about it, nil where that is left to the user
}

// Query says what is examined.
type Query struct {
	Home     *state.Home
	Config   *state.Config
	Evidence state.Evidence
	Problem  error          // why the configuration could not be read, nil if it was
	Now      int64          // Unix ms
	Commands command.Target // what the commands in findings say of the home

	Checks   []*Check // those to run; nil for all
	Agent    string   // the one agent to look at, "" for all
	Progress func(done, total int)
}

// Report is what an examination has found.
type Report struct {
	Findings []Finding // the worst first, then by check and place
	Run      int       // how many checks were run
	Skipped  int       // how many were not
	Agents   int
	Sessions int
}

// Count returns how many findings are of a severity.
func (r *Report) Count(severity Severity) int {
	count := 0
	for i := range r.Findings {
		if r.Findings[i].Severity == severity {
			count++
		}
	}
	return count
}

// AtLeast returns the findings that are as bad as the severity, or worse.
func (r *Report) AtLeast(severity Severity) []Finding {
	end := slices.IndexFunc(r.Findings, func(f Finding) bool { return !f.Severity.AtLeast(severity) })
	if end < 0 {
		return r.Findings
	}
	return r.Findings[:end]
}

// Examine runs the checks. It takes time and memory in proportion to the number
// of agents and sessions; one agent is looked at after the other.
func Examine(query Query) *Report {
	if query.Checks == nil {
		query.Checks = Checks()
	}
	x := &examination{Query: query, rules: query.Home.Rules, line: lines.Of(query.Home.Rules)}
	if x.Config == nil {
		x.Config = &state.Config{Path: query.Home.ConfigPath}
	}
	x.run()
	report := &Report{
		Findings: x.findings, Run: len(query.Checks), Skipped: len(Checks()) - len(query.Checks),
		Agents: len(x.agents), Sessions: x.sessions,
	}
	slices.SortStableFunc(report.Findings, compare)
	return report
}

func compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(slices.Index(Severities, b.Severity), slices.Index(Severities, a.Severity)),
		strings.Compare(a.Check, b.Check),
		strings.Compare(a.Where.File, b.Where.File),
		cmp.Compare(a.Line, b.Line),
		strings.Compare(a.Agent, b.Agent),
		strings.Compare(a.Message, b.Message),
	)
}

// CheckByID returns the check of an id, nil for none.
func CheckByID(id string) *Check {
	for _, check := range Checks() {
		if check.ID == id {
			return check
		}
	}
	return nil
}

// Select returns the checks that only names and skip does not: by id, or all of
// a group ("order"). Without only it is all of them. The second result is the
// first name that no check has.
func Select(only, skip []string) ([]*Check, string) {
	for _, name := range slices.Concat(only, skip) {
		if !slices.ContainsFunc(Checks(), func(c *Check) bool { return c.isNamed(name) }) {
			return nil, name
		}
	}
	chosen := []*Check{}
	for _, check := range Checks() {
		if (len(only) == 0 || slices.ContainsFunc(only, check.isNamed)) && !slices.ContainsFunc(skip, check.isNamed) {
			chosen = append(chosen, check)
		}
	}
	return chosen, ""
}

// isNamed reports whether a name is the check's id or that of its group.
func (c *Check) isNamed(name string) bool { return c.ID == name || strings.HasPrefix(c.ID, name+"/") }
