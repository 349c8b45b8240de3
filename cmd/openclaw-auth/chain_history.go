package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"openclaw-auth/chain/history"
)

func chainHistoryCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name:  "history",
		Usage: "what happened: which error moved a session to another model, which profile failed, for how long",
		Description: `Tells the past from what OpenClaw leaves behind: its log (the dated files of the
default directory, or logging.file), transcripts, trajectories, cron runs and the
state. With --session KEY the turns of a session one after the other; without it
the statistics of all.

A line that begins with ? is concluded; all others are logged or recorded.
Default logs live 24 hours. With --log only the named files are read (- is
standard input: JSON lines or the console form with any prefix), and a home only
names the profiles; add --state-dir to join them with its transcripts.

Examples:
  openclaw-auth chain history --session agent:main:main --since 24h
  openclaw-auth chain history --since 7d --by day
  openclaw-auth chain history --auth-profile anthropic:work --json
  journalctl -u openclaw -o cat | openclaw-auth chain history --log -
  openclaw-auth chain history --since 30d --html history.html

Exit codes: 0 also when nothing happened, 1 there is nothing to read, 2 usage or
unreadable input.`,
		Flags: append(pastFlags(),
			text("session", "one session: its `KEY`, a part of it, or its id"),
			text("auth-profile", "only runs in which this `PROFILE` failed, was passed over or answered; --profile too takes an id"),
			text("provider", "only runs with this `PROVIDER`"),
			text("model", "only runs with this `REF` (provider/model)"),
			text("by", "draw bars per `hour|day`"),
			toggle("plain", "one line per step, tab-separated, for scripts"),
			text("html", "write a page to `FILE` instead"),
		),
	}, chainHistory)
}

// pastFlags are the flags that say which part of the past is looked at.
func pastFlags() []cli.Flag {
	return []cli.Flag{
		text("since", "start: a duration (24h, 7d) or a `TIME` (RFC 3339, 2026-05-20, 15:04)"),
		text("until", "end, in the same forms as --since: `TIME`"),
		several("log", "read this `FILE` instead of OpenClaw's log, - for standard input; may be repeated"),
	}
}

func chainHistory(s *session) error {
	query, err := s.pastQuery()
	if err != nil {
		return err
	}
	if by := s.flags.String("by"); by != "" && by != "hour" && by != "day" {
		return usage("--by is hour or day, not %q", by)
	}
	if s.flags.String("html") != "" && (s.json || s.flags.Bool("plain")) {
		return usage("--html, --json and --plain each choose a form of the answer: give one of them")
	}
	p, err := s.openPast(query)
	if err != nil {
		return err
	}
	switch {
	case s.flags.String("html") != "":
		return s.writePage(p, s.flags.String("html"))
	case s.json:
		return s.streamJSON(func() error { return s.historyJSON(p) })
	case s.flags.Bool("plain"):
		return s.historyPlain(p)
	case query.session != "":
		return s.sessionText(p)
	}
	return s.statisticsText(p)
}

// pastQuery is which part of the past is asked for.
type pastQuery struct {
	since, until int64 // Unix ms; 0: open
	session      string
	profile      string
	provider     string
	model        string
	logs         []string
	zone         *time.Location
}

func (s *session) pastQuery() (pastQuery, error) {
	q := pastQuery{
		session: s.flags.String("session"), profile: s.profileAsked(),
		provider: s.flags.String("provider"), model: s.flags.String("model"), logs: s.flags.StringSlice("log"), zone: s.clock.Zone,
	}
	if q.zone == nil {
		q.zone = time.UTC
	}
	var err error
	if q.since, err = pastTime("--since", s.flags.String("since"), s.now, q.zone); err != nil {
		return q, err
	}
	if q.until, err = pastTime("--until", s.flags.String("until"), s.now, q.zone); err != nil {
		return q, err
	}
	if q.since != 0 && q.until != 0 && q.since >= q.until {
		return q, usage("--since is not before --until")
	}
	return q, nil
}

// profileAsked is the auth profile that the answer is about. --profile is also
// OpenClaw's own flag, whose names have no colon: with one it is an auth profile.
func (s *session) profileAsked() string {
	if id := s.flags.String("profile"); strings.Contains(id, ":") {
		s.flags.Set("profile", "")
		return id
	}
	return s.flags.String("auth-profile")
}

// pastTime reads a time of the past: a duration before now, or a time. Without a
// zone of its own it is of the given one.
func pastTime(flag, text string, now int64, zone *time.Location) (int64, error) {
	if text == "" {
		return 0, nil
	}
	if ago, ok := durationOf(text); ok {
		return now - ago, nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t.UnixMilli(), nil
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02"} {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			return t.UnixMilli(), nil
		}
	}
	for _, layout := range []string{"15:04", "15:04:05"} {
		if t, err := time.Parse(layout, text); err == nil {
			today := time.UnixMilli(now).In(zone)
			at := time.Date(today.Year(), today.Month(), today.Day(), t.Hour(), t.Minute(), t.Second(), 0, zone)
			if at.UnixMilli() > now {
				at = at.AddDate(0, 0, -1)
			}
			return at.UnixMilli(), nil
		}
	}
	return 0, usage("%s: %q is neither a duration (24h, 7d) nor a time (2026-05-20T14:00:00Z, 2026-05-20, 14:00)", flag, text)
}

// durationOf reads 90s, 30m, 24h, 7d or 2w as ms.
func durationOf(text string) (int64, bool) {
	units := map[byte]int64{'s': 1000, 'm': 60_000, 'h': 3_600_000, 'd': 86_400_000, 'w': 7 * 86_400_000}
	unit, ok := units[text[len(text)-1]]
	if !ok {
		return 0, false
	}
	number, err := strconv.ParseFloat(text[:len(text)-1], 64)
	if err != nil || number < 0 || number*float64(unit) > 8.64e15 || number != number {
		return 0, false
	}
	return int64(number * float64(unit)), true
}

// matches reports whether a run is one of those that are asked for.
func (q *pastQuery) matches(run *history.Run) bool {
	if q.since != 0 && run.EndedAt != 0 && run.EndedAt < q.since || q.until != 0 && run.StartedAt > q.until {
		return false
	}
	if q.profile == "" && q.provider == "" && q.model == "" {
		return true
	}
	profile := q.profile == "" || run.WinnerProfile == q.profile
	provider := q.provider == "" || run.Requested.Provider == q.provider || run.Winner.Provider == q.provider
	model := q.model == "" || run.Requested.String() == q.model || run.Winner.String() == q.model
	for i := range run.Steps {
		step := &run.Steps[i]
		profile = profile || step.Profile == q.profile || history.Hash(q.profile) == step.Profile
		provider = provider || step.Ref.Provider == q.provider
		model = model || step.Ref.String() == q.model
	}
	return profile && provider && model
}

// clockText is a time of day in the zone of the answer.
func (q *pastQuery) clockText(at int64) string {
	if at == 0 {
		return "--:--:--"
	}
	return time.UnixMilli(at).In(q.zone).Format("15:04:05")
}

// dayText is a date in the zone of the answer.
func (q *pastQuery) dayText(at int64) string {
	if at == 0 {
		return ""
	}
	return time.UnixMilli(at).In(q.zone).Format("2006-01-02")
}

// timeText is a time beside another: the time of day alone on the same day.
func (q *pastQuery) timeText(at, beside int64) string {
	switch {
	case at > 253402300799000:
		return "the end of time"
	case at != 0 && q.dayText(at) != q.dayText(beside):
		return q.dayText(at) + " " + q.clockText(at)
	}
	return q.clockText(at)
}

func (q *pastQuery) zoneText(at int64) string {
	name, _ := time.UnixMilli(at).In(q.zone).Zone()
	return name
}

// rangeText is a time from-to.
func (q *pastQuery) rangeText(from, to int64) string {
	if from == 0 {
		return "without times"
	}
	return fmt.Sprintf("%s %s–%s", q.dayText(from), q.clockText(from), q.timeText(to, from))
}
