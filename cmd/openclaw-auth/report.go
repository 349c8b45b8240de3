package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
	"openclaw-auth/chain/history"
	"openclaw-auth/doctor"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

func reportCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name: "report",
		Description: `Writes a summary to attach to a bug report, safe to publish: the release, the files
in use, every agent's profiles, orders and chain, doctor's findings, locks, and
the history with the last turns that failed or fell back. It contains no
secret, prompt or answer. Profiles, agents, sessions and e-mail addresses are
replaced by aliases that stay the same from report to report; --ids keeps them.

Examples:
  openclaw-auth report > report.md
  openclaw-auth report --html --output report.html --since 7d
  openclaw-auth report --json --agent work

Exit codes: 0, or 2 for usage or unreadable input.`,
		Flags: append(pastFlags(),
			toggle("markdown", "as Markdown (the default)"),
			toggle("html", "as one HTML page"),
			text("output", "write to `FILE`"),
			toggle("ids", "keep the ids of profiles, agents and sessions"),
		),
	}, report)
}

// reportDocument is a report: sections of lines and tables.
type reportDocument struct {
	Schema   string          `json:"schema"`
	Made     string          `json:"made"`
	Version  string          `json:"version"`
	Rules    string          `json:"rules"`
	Evidence string          `json:"rulesEvidence"`
	Aliases  bool            `json:"aliases"`
	Sections []reportSection `json:"sections"`
}

// reportSection is a part of a report. Rows have as many cells as Columns.
type reportSection struct {
	Title   string     `json:"title"`
	Lines   []string   `json:"lines"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}

func report(s *session) error {
	if chosen := boolToInt(s.flags.Bool("html")) + boolToInt(s.flags.Bool("markdown")) + boolToInt(s.json); chosen > 1 {
		return usage("--html, --markdown and --json each choose a form of the report: give one of them")
	}
	query, err := s.pastQuery()
	if err != nil {
		return err
	}
	document, err := s.report(query)
	if err != nil {
		return err
	}
	output := cmp.Or(s.flags.String("output"), "-")
	return s.writeOutput(output, func(w io.Writer) error {
		switch {
		case s.json:
			s.stdout = w
			return s.writeJSON(document)
		case s.flags.Bool("html"):
			return document.html(w)
		}
		return document.markdown(w)
	})
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// report collects a report and puts aliases into it.
func (s *session) report(query pastQuery) (*reportDocument, error) {
	d, err := s.diagnose(scope{Agent: s.flags.String("agent")})
	if err != nil {
		return nil, err
	}
	if s.config == nil { // it can't be read, which the findings say
		s.config = &state.Config{Path: s.home.ConfigPath}
	}
	document := &reportDocument{
		Schema: "openclaw-auth/report/v1", Made: time.UnixMilli(s.now).UTC().Format(time.RFC3339), Version: versionText(),
		Rules: s.home.Rules.Line, Evidence: s.evidence.Detail, Aliases: !s.flags.Bool("ids"),
	}
	agents := s.home.Agents(s.config)
	if name := s.flags.String("agent"); name != "" {
		agent, err := findAgent(agents, name)
		if err != nil {
			return nil, err
		}
		agents = []state.Agent{agent}
	}
	document.add(s.reportFiles())
	for _, agent := range agents {
		document.add(s.reportAgent(agent)...)
	}
	document.add(reportFindings(d), s.reportLocks())
	sections, p := s.reportPast(query)
	document.add(sections...)
	document.hide(s.newAliases(p))
	return document, nil
}

func (r *reportDocument) add(sections ...reportSection) { r.Sections = append(r.Sections, sections...) }

// hide replaces what names people and their machine in every text.
func (r *reportDocument) hide(aliases *aliases) {
	r.Evidence = aliases.in(r.Evidence)
	for i := range r.Sections {
		section := &r.Sections[i]
		section.Title = aliases.in(section.Title)
		for j := range section.Lines {
			section.Lines[j] = aliases.in(section.Lines[j])
		}
		for _, row := range section.Rows {
			for j := range row {
				row[j] = aliases.in(row[j])
			}
		}
		if section.Lines == nil {
			section.Lines = []string{}
		}
		if section.Columns == nil {
			section.Columns = []string{}
		}
		if section.Rows == nil {
			section.Rows = [][]string{}
		}
	}
}

func (s *session) reportFiles() reportSection {
	section := reportSection{Title: "Files", Columns: []string{"what", "path", "why"}}
	section.Rows = [][]string{
		{"state directory", s.home.StateDir, s.home.StateDirFrom},
		{"configuration", s.home.ConfigPath, s.home.ConfigFrom},
	}
	for _, file := range s.config.Includes() {
		section.Rows = append(section.Rows, []string{"included", file, "$include"})
	}
	return section
}

// reportAgent is an agent's profiles, its orders and its chain.
func (s *session) reportAgent(agent state.Agent) []reportSection {
	profiles := reportSection{Title: "Profiles of " + agent.ID, Columns: []string{"provider", "place", "profile", "type", "state", "why"}}
	l, err := s.loadAgent(agent)
	if err != nil {
		profiles.Lines = append(profiles.Lines, oneLine(err.Error()))
		return []reportSection{profiles}
	}
	if s.blocked != nil {
		profiles.Lines = append(profiles.Lines, "blocked: "+oneLine(s.blocked.Error()))
	}
	for _, provider := range s.providers(l) {
		answer := s.explain(l, provider)
		if !slices.ContainsFunc(answer.placements, isStored) {
			continue // of another agent, or not logged in
		}
		for _, placement := range answer.placements {
			if !isStored(placement) {
				continue
			}
			place := "-"
			if placement.Position > 0 {
				place = fmt.Sprint(placement.Position)
			}
			profiles.Rows = append(profiles.Rows, []string{
				provider, place, string(shownID(placement.ID)), orDash(placement.Type), string(placement.State), placeText(placement, s.clock),
			})
		}
		for _, note := range answer.notes {
			profiles.Lines = append(profiles.Lines, provider+": "+note.Text)
		}
	}
	if len(profiles.Rows)+len(profiles.Lines) == 0 {
		profiles.Lines = append(profiles.Lines, "none")
	}
	return []reportSection{profiles, s.reportChain(agent, l)}
}

// isStored reports whether the agent has the profile.
func isStored(placement auth.Placement) bool { return placement.Code != auth.ProfileMissing }

// reportChain is the chain of an agent's main session.
func (s *session) reportChain(agent state.Agent, l *loaded) reportSection {
	section := reportSection{Title: "Chain of " + agent.ID, Columns: []string{"place", "model", "role", "now"}}
	run := &chainRun{loaded: l, models: s.models(agent), store: s.home.Sessions(s.config, agent)}
	if err := s.fillQuery(run); err != nil {
		section.Lines = append(section.Lines, oneLine(err.Error()))
		return section
	}
	e := run.models.Explain(chain.ExplainQuery{Session: run.query, Profiles: run.engine, Now: s.now})
	for i, candidate := range e.Candidates {
		text := string(candidate.Decision.Action)
		if candidate.Decision.Reason != "" {
			text += " (" + string(candidate.Decision.Reason) + ")"
		}
		section.Rows = append(section.Rows, []string{fmt.Sprint(i + 1), candidate.Ref.String(), string(candidate.Role), text})
	}
	if e.Err != nil {
		section.Lines = append(section.Lines, "error: "+e.Err.Error())
	}
	section.Lines = append(section.Lines, chainNoteTexts(e.Notes)...)
	return section
}

func reportFindings(d *diagnosis) reportSection {
	section := reportSection{Title: "Findings of doctor", Columns: []string{"severity", "check", "agent", "what", "where"}}
	if d.problem != nil {
		section.Lines = append(section.Lines, "the configuration can't be read: "+oneLine(d.problem.Error()))
	}
	for _, finding := range d.AtLeast(doctor.Info) {
		section.Rows = append(section.Rows, []string{
			string(finding.Severity), finding.Check, orDash(finding.Agent), finding.Message, strings.TrimSpace(finding.Where.File + " " + finding.Where.Pointer),
		})
	}
	if len(section.Rows) == 0 {
		section.Lines = append(section.Lines, "nothing found")
	}
	return section
}

func (s *session) reportLocks() reportSection {
	section := reportSection{Title: "Locks", Columns: []string{"file", "state", "by"}}
	now := time.UnixMilli(s.now)
	locks, err := s.home.Locks(s.config, now)
	if err != nil {
		section.Lines = append(section.Lines, oneLine(err.Error()))
	}
	for _, lock := range locks {
		state := "held"
		if lock.Stale {
			state = "stale: " + lock.Why
		}
		section.Rows = append(section.Rows, []string{lock.File, state, lock.Describe(now)})
	}
	if len(section.Rows) == 0 {
		section.Lines = append(section.Lines, "none")
	}
	return section
}

// mostReportRuns is how many of the last runs with trouble a report shows.
const mostReportRuns = 40

// reportPast is what happened, and the past itself for its names; nil where there
// is nothing to read.
func (s *session) reportPast(query pastQuery) ([]reportSection, *past) {
	p, err := s.openPast(query)
	if err != nil {
		return []reportSection{{Title: "History", Lines: []string{oneLine(err.Error())}}}, nil
	}
	statistics := history.NewStatistics("", p.query.zone)
	var runs []*history.Run
	story := p.tell(func(run *history.Run) {
		statistics.Add(run)
		if run.IsQuiet() {
			return
		}
		if runs = append(runs, run); len(runs) > 2*mostReportRuns {
			runs = slices.Delete(runs, 0, len(runs)-mostReportRuns)
		}
	})
	statistics.Close()
	slices.SortStableFunc(runs, func(a, b *history.Run) int { return cmp.Compare(a.StartedAt, b.StartedAt) })
	runs = runs[max(0, len(runs)-mostReportRuns):]
	summary := reportSection{Title: "History", Lines: slices.Concat(p.gaps(), p.notes, p.errors)}
	if statistics.From != 0 {
		summary.Lines = append(summary.Lines, p.query.rangeText(statistics.From, statistics.To)+" "+p.query.zoneText(statistics.From))
	}
	summary.Lines = append(summary.Lines, words.Count(statistics.Turns.Total(), "turn")+outcomesText(statistics.Turns))
	if total := statistics.Runs.Total(); total > 0 {
		summary.Lines = append(summary.Lines, words.Count(total, "run id")+" of the log alone"+outcomesText(statistics.Runs))
	}
	outages := p.outages(statistics, story)
	for _, outage := range outages[:min(len(outages), longestShownOutages)] {
		summary.Lines = append(summary.Lines, "unavailable for "+lengthText(outage.to-outage.from)+": "+outage.what)
	}
	sections := []reportSection{summary}
	for title, rows := range map[string]*words.Table{"History of profiles": p.profileRows(story), "History of models": modelRows(statistics, story.Requests())} {
		if texts := textRows(rows); texts != nil {
			sections = append(sections, reportSection{Title: title, Columns: texts[0], Rows: texts[1:]})
		}
	}
	slices.SortFunc(sections[1:], func(a, b reportSection) int { return strings.Compare(b.Title, a.Title) })
	return append(sections, p.reportRuns(runs)), p
}

// reportRuns shows the last runs with trouble, a row per step.
func (p *past) reportRuns(runs []*history.Run) reportSection {
	section := reportSection{Title: "Last runs with trouble", Columns: []string{"time", "session", "about", "what"}}
	for _, run := range runs {
		session := cmp.Or(run.SessionKey, run.Session, "-")
		for _, line := range p.query.runLines(run) {
			mark := ""
			if line.inferred {
				mark = "? "
			}
			section.Rows = append(section.Rows, []string{mark + p.query.dayText(line.at) + " " + p.query.clockText(line.at), session, line.subject, line.text})
		}
	}
	if len(runs) == 0 {
		section.Lines = append(section.Lines, "none")
	}
	return section
}
