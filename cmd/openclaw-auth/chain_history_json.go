package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"openclaw-auth/chain"
	"openclaw-auth/chain/history"
)

type refJSON struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Profile  string `json:"profile,omitempty"`
}

func refOf(ref chain.Ref) *refJSON {
	if ref.IsZero() {
		return nil
	}
	return &refJSON{Provider: ref.Provider, Model: ref.Model}
}

type pastRunJSON struct {
	RunID      any             `json:"runId"`
	SessionID  any             `json:"sessionId"`
	SessionKey any             `json:"sessionKey"`
	Agent      any             `json:"agent"`
	StartedAt  any             `json:"startedAt" schema:"number"`
	Started    any             `json:"startedAtTime"`
	EndedAt    any             `json:"endedAt" schema:"number"`
	Ended      any             `json:"endedAtTime"`
	Kind       string          `json:"kind"` // turn, run or cron
	ByTime     bool            `json:"sessionByTime,omitempty"`
	Continued  bool            `json:"continued,omitempty"`
	Requested  *refJSON        `json:"requested"`
	Winner     *refJSON        `json:"winner"`
	Outcome    history.Outcome `json:"outcome"`
	Events     []pastStepJSON  `json:"events"`
}

type pastStepJSON struct {
	At            any               `json:"at" schema:"number"`
	Time          any               `json:"time"`
	Kind          history.StepKind  `json:"kind"`
	Provider      string            `json:"provider,omitempty"`
	Model         string            `json:"model,omitempty"`
	Next          *refJSON          `json:"next,omitempty"`
	Profile       string            `json:"profile,omitempty"`
	ProfileHash   string            `json:"profileHash,omitempty"`
	Reason        string            `json:"reason,omitempty"`
	Status        int               `json:"status,omitempty"`
	StatusKind    string            `json:"statusKind,omitempty"`
	Error         string            `json:"error,omitempty"`
	Requests      int               `json:"requests,omitempty"`
	Window        string            `json:"window,omitempty"`
	Until         any               `json:"until,omitempty" schema:"number"`
	UntilTime     any               `json:"untilTime,omitempty"`
	UntilComputed bool              `json:"untilComputed,omitempty"`
	Reused        bool              `json:"reused,omitempty"`
	Attempt       int               `json:"attempt,omitempty"`
	Total         int               `json:"total,omitempty"`
	ProfileCount  int               `json:"profileCount,omitempty"`
	Suppressed    int               `json:"suppressed,omitempty"`
	Blocked       []blockedJSON     `json:"blocked,omitempty"`
	Why           history.Why       `json:"why,omitempty"`
	Certainty     history.Certainty `json:"certainty"`
	Evidence      []evidenceRowJSON `json:"evidence"`
}

type blockedJSON struct {
	Profile   string `json:"profile"`
	Until     any    `json:"until" schema:"number"`
	UntilTime any    `json:"untilTime"`
	FromState bool   `json:"fromState"`
}

// evidenceRowJSON is a line of a source, or the seq of a row of a database.
type evidenceRowJSON struct {
	Source int   `json:"source"`
	Line   int64 `json:"line,omitempty"`
	Seq    int64 `json:"seq,omitempty"`
}

func (p *past) runJSON(run *history.Run) pastRunJSON {
	document := pastRunJSON{
		RunID: nullable(run.ID), SessionID: nullable(run.Session), SessionKey: nullable(run.SessionKey), Agent: nullable(run.Agent),
		Kind: "run", ByTime: run.SessionByTime, Continued: run.Continued,
		Requested: refOf(run.Requested), Winner: refOf(run.Winner), Outcome: run.Outcome, Events: []pastStepJSON{},
	}
	switch {
	case run.Cron:
		document.Kind = "cron"
	case run.Turn:
		document.Kind = "turn"
	}
	document.StartedAt, document.Started = timeJSON(float64(run.StartedAt))
	document.EndedAt, document.Ended = timeJSON(float64(run.EndedAt))
	if document.Winner != nil {
		document.Winner.Profile = run.WinnerProfile
	}
	for i := range run.Steps {
		document.Events = append(document.Events, p.stepJSON(&run.Steps[i]))
	}
	return document
}

func (p *past) stepJSON(step *history.Step) pastStepJSON {
	document := pastStepJSON{
		Kind: step.Kind, Provider: step.Ref.Provider, Model: step.Ref.Model, Next: refOf(step.Next), Profile: step.Profile,
		Reason: step.Reason, Status: step.Status, Error: step.Detail, Requests: step.Requests, Window: string(step.Window),
		UntilComputed: step.Computed, Reused: step.Reused, Attempt: step.Attempt, Total: step.Total, ProfileCount: step.Profiles,
		Suppressed: step.Suppressed, Why: step.Why, Certainty: step.Certainty, Evidence: []evidenceRowJSON{},
	}
	document.At, document.Time = timeJSON(float64(step.At))
	if step.Until != 0 {
		document.Until, document.UntilTime = timeJSON(float64(step.Until))
	}
	if step.Status != 0 {
		document.StatusKind = "http"
		if step.Class {
			document.StatusKind = "class"
		}
	}
	if step.Profile != "" {
		document.ProfileHash = step.Profile
		if !history.IsHash(step.Profile) {
			document.ProfileHash = history.Hash(step.Profile)
		}
	}
	for _, blocked := range step.Blocked {
		b := blockedJSON{Profile: blocked.Profile, FromState: blocked.FromState}
		b.Until, b.UntilTime = timeJSON(float64(blocked.Until))
		document.Blocked = append(document.Blocked, b)
	}
	for _, evidence := range step.Evidence {
		row := evidenceRowJSON{Source: evidence.Source, Line: evidence.Line}
		if evidence.Source < len(p.sources) && p.sources[evidence.Source].Rows {
			row = evidenceRowJSON{Source: evidence.Source, Seq: evidence.Line}
		}
		document.Evidence = append(document.Evidence, row)
	}
	return document
}

// historyJSON writes the document of chain history. Its runs are written as they
// end: their number has no bound, the memory for them has.
func (s *session) historyJSON(p *past) error {
	_, now := timeJSON(float64(s.now))
	head, err := json.MarshalIndent(struct {
		Schema  string `json:"schema"`
		Now     int64  `json:"now"`
		NowTime any    `json:"nowTime"`
		Zone    string `json:"zone"`
	}{"openclaw-auth/chain-history/v1", s.now, now, p.query.zone.String()}, "", "  ")
	if err != nil {
		return err
	}
	fmt.Fprintf(s.stdout, "%s,\n  \"runs\": [", strings.TrimSuffix(string(head), "\n}"))
	statistics := history.NewStatistics(s.flags.String("by"), p.query.zone)
	separator := "\n"
	var failed error
	story := p.tell(func(run *history.Run) {
		statistics.Add(run)
		text, err := encodeIndented(p.runJSON(run), "    ")
		if err != nil {
			failed = err
		}
		_, err = fmt.Fprintf(s.stdout, "%s    %s", separator, text)
		if err != nil {
			failed = err
		}
		separator = ",\n"
	})
	statistics.Close()
	if failed != nil {
		return failed
	}
	tail, err := encodeIndented(p.totalsJSON(statistics, story), "")
	if err != nil {
		return err
	}
	if separator != "\n" {
		fmt.Fprint(s.stdout, "\n  ")
	}
	_, err = fmt.Fprintf(s.stdout, "],%s\n", strings.TrimPrefix(tail, "{"))
	return err
}

// encodeIndented encodes a part of a document.
func encodeIndented(value any, indent string) (string, error) {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent(indent, "  ")
	err := encoder.Encode(value)
	return strings.TrimSuffix(b.String(), "\n"), err
}

type pastTotalsJSON struct {
	Statistics outcomesJSON               `json:"statistics"`
	Profiles   map[string]profilePastJSON `json:"profiles"`
	Models     map[string]modelPastJSON   `json:"models"`
	Periods    []periodJSON               `json:"periods,omitempty"`
	Away       []awayJSON                 `json:"away"`
	Sources    []pastSourceJSON           `json:"sources"`
	Notes      []string                   `json:"notes"`
	Warnings   []string                   `json:"warnings"`
}

type outcomesJSON struct {
	Turns     history.Outcomes `json:"turns"`
	Runs      history.Outcomes `json:"runs"`
	Decisions int              `json:"decisions"`
}

type profilePastJSON struct {
	Agent       string           `json:"agent,omitempty"`
	Provider    string           `json:"provider"`
	Failures    map[string]int   `json:"failures"`
	Windows     []pastWindowJSON `json:"windows"`
	MoreWindows int              `json:"moreWindowsBefore,omitempty"`
	CoolingMs   int64            `json:"unavailableMs"`
	LastUsed    any              `json:"lastUsed" schema:"number"`
	State       string           `json:"state"`
}

type pastWindowJSON struct {
	From      any    `json:"from"`
	FromTime  any    `json:"fromTime"`
	Until     any    `json:"until" schema:"number"`
	UntilTime any    `json:"untilTime"`
	Kind      string `json:"kind"`
	Reason    any    `json:"reason"`
	Computed  bool   `json:"untilComputed,omitempty"`
}

type modelPastJSON struct {
	Asked    int         `json:"asked"`
	Answered int         `json:"answered"`
	Failed   int         `json:"failed"`
	Skipped  int         `json:"skipped"`
	NotSent  int         `json:"notSent"`
	Requests map[int]int `json:"requests,omitempty"`
}

type periodJSON struct {
	From     int64            `json:"from"`
	FromTime any              `json:"fromTime"`
	Runs     history.Outcomes `json:"runs"`
	Failures map[string]int   `json:"failures"`
}

type awayJSON struct {
	Session  string   `json:"session"`
	From     any      `json:"from"`
	FromTime any      `json:"fromTime"`
	To       any      `json:"to"`
	ToTime   any      `json:"toTime"`
	Open     bool     `json:"open"`
	Selected *refJSON `json:"selected"`
	Fallback *refJSON `json:"fallback"`
	Turns    int      `json:"turns"`
}

type pastSourceJSON struct {
	Kind       history.SourceKind `json:"kind"`
	Path       string             `json:"path"`
	From       any                `json:"from"`
	FromTime   any                `json:"fromTime"`
	To         any                `json:"to"`
	ToTime     any                `json:"toTime"`
	Offset     int64              `json:"offset,omitempty"` // bytes before the first line that was read
	Lines      int64              `json:"lines"`
	Unreadable int64              `json:"unreadable"`
	Gaps       []gapJSON          `json:"gaps"`
}

type gapJSON struct {
	From  any               `json:"from"`
	To    any               `json:"to"`
	Why   history.GapReason `json:"why"`
	Count int64             `json:"count,omitempty"`
}
