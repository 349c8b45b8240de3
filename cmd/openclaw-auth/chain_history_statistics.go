package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"openclaw-auth/chain"
	"openclaw-auth/chain/history"
	"openclaw-auth/doctor/words"
)

// statisticsText shows the statistics of all runs.
func (s *session) statisticsText(p *past) error {
	statistics := history.NewStatistics(s.flags.String("by"), p.query.zone)
	story := p.tell(statistics.Add)
	statistics.Close()
	screen := &s.screen
	s.statisticsHead(p, screen, statistics)
	s.sourcesText(p, screen)
	if rows := p.profileRows(story); rows.Len() > 1 {
		fmt.Fprintln(s.stdout)
		screen.Table("", rows)
	}
	if rows := modelRows(statistics, story.Requests()); rows.Len() > 1 {
		fmt.Fprintln(s.stdout)
		screen.Table("", rows)
	}
	s.longest(p, screen, statistics, story)
	if by := s.flags.String("by"); by != "" {
		fmt.Fprintln(s.stdout)
		p.bars(screen, statistics, by)
	}
	s.pastNotes(p, screen)
	return nil
}

func (s *session) statisticsHead(p *past, screen *words.Screen, statistics *history.Statistics) {
	head := p.query.rangeText(statistics.From, statistics.To)
	if statistics.From != 0 {
		head += " " + p.query.zoneText(statistics.From)
	}
	if statistics.Turns.Total() > 0 {
		screen.Line(words.In(words.Bold, head), "   ", words.Count(statistics.Turns.Total(), "turn"), outcomesText(statistics.Turns))
		head = ""
	}
	if runs := statistics.Runs.Total(); runs > 0 {
		if head != "" {
			screen.Line(words.In(words.Bold, head))
		}
		screen.Line(words.Count(statistics.Decisions, "decision"), " under ", words.Count(runs, "run id"), " of the log alone", outcomesText(statistics.Runs))
		head = ""
	}
	if head != "" {
		screen.Line("nothing happened in the range, as far as the sources tell")
	}
}

// profileRows is a row per profile that failed or was unavailable.
func (p *past) profileRows(story *history.Story) *words.Table {
	rows := &words.Table{}
	rows.AddIn(words.Bold, "profile", "failures", "unavailable", "now")
	names := map[string]int{}
	for key := range p.windows(story) {
		names[key.ID]++
	}
	for key, profile := range p.windows(story) {
		if len(profile.Failures) == 0 && len(profile.Windows) == 0 {
			continue
		}
		name := key.ID
		if names[name] > 1 && key.Store != "" {
			name += " (" + key.Store + ")"
		}
		text, style := p.stateText(profile)
		rows.Add(name, failuresText(profile.Failures), unavailableText(profile), words.In(style, text))
	}
	return rows
}

// failuresText lists failures by reason, the most frequent first.
func failuresText(failures map[string]int) string {
	reasons := slices.SortedFunc(maps.Keys(failures), func(a, b string) int {
		return cmp.Or(cmp.Compare(failures[b], failures[a]), cmp.Compare(a, b))
	})
	parts := make([]string, len(reasons))
	for i, reason := range reasons {
		parts[i] = fmt.Sprintf("%d %s", failures[reason], cmp.Or(reason, "unclassified"))
	}
	return orDash(strings.Join(parts, ", "))
}

// unavailableText sums up the windows of a profile.
func unavailableText(profile *history.ProfileHistory) string {
	count, unknown := 0, 0
	for _, window := range profile.Windows {
		if window.Until == 0 {
			unknown++
		} else {
			count++
		}
	}
	count += profile.MoreBefore
	text := ""
	if count > 0 {
		text = lengthText(profile.Cooling)
		if count > 1 {
			text += fmt.Sprintf(" in %d windows", count)
		}
	}
	if unknown > 0 {
		text = strings.TrimPrefix(fmt.Sprintf("%s, %s whose end is not told", text, words.Count(unknown, "window")), ", ")
	}
	return orDash(text)
}

// lengthText is a length that is known to about a second: the log's lines come
// a little after what they report.
func lengthText(ms int64) string {
	if ms > 5000 {
		ms = (ms + 500) / 1000 * 1000
	}
	return words.Duration(ms)
}

// modelRows is a row per model.
func modelRows(statistics *history.Statistics, requests map[chain.Ref]map[int]int) *words.Table {
	rows := &words.Table{}
	rows.AddIn(words.Bold, "model", "asked", "answered", "failed", "skipped", "HTTP answers")
	refs := slices.SortedFunc(maps.Keys(statistics.Models), func(a, b chain.Ref) int {
		x, y := statistics.Models[a], statistics.Models[b]
		return cmp.Or(cmp.Compare(y.Asked, x.Asked), cmp.Compare(a.String(), b.String()))
	})
	for _, ref := range refs {
		count := statistics.Models[ref]
		failed := fmt.Sprint(count.Failed)
		if count.NotSent > 0 {
			failed += fmt.Sprintf(" (%d without a request)", count.NotSent)
		}
		rows.Add(ref.String(), dash(count.Asked), count.Answered, failed, count.Skipped, requestsText(requests[ref]))
	}
	rows.DropIf(5, "HTTP answers", "")
	return rows
}

func dash(count int) string {
	if count == 0 {
		return "–"
	}
	return fmt.Sprint(count)
}

// requestsText is the HTTP answers by status: "5: 200×3 429×2".
func requestsText(answers map[int]int) string {
	total := 0
	var parts []string
	for _, status := range slices.Sorted(maps.Keys(answers)) {
		total += answers[status]
		parts = append(parts, fmt.Sprintf("%d×%d", status, answers[status]))
	}
	if total == 0 {
		return ""
	}
	return fmt.Sprintf("%d: %s", total, strings.Join(parts, " "))
}

// longestShownOutages is how many of the longest outages are listed.
const longestShownOutages = 5

// outage is a time in which a profile was unavailable, or a session on a fallback.
type outage struct {
	from, to int64
	open     bool
	what     string
}

func (p *past) outages(statistics *history.Statistics, story *history.Story) []outage {
	var outages []outage
	for key, profile := range p.windows(story) {
		for _, window := range profile.Windows {
			if window.Until != 0 {
				word := cmp.Or(string(window.Kind), "cooldown")
				outages = append(outages, outage{window.From, window.Until, window.Until > p.options.Now, fmt.Sprintf("%s %s: %s", key.ID, word, cmp.Or(window.Reason, "unclassified"))})
			}
		}
	}
	for _, away := range statistics.Away {
		outages = append(outages, outage{away.From, away.To, away.Open, fmt.Sprintf("session %s on %s in place of %s, %s", away.Session, away.Fallback, away.Selected, words.Count(away.Turns, "turn"))})
	}
	slices.SortFunc(outages, func(a, b outage) int {
		return cmp.Or(cmp.Compare(b.to-b.from, a.to-a.from), cmp.Compare(a.from, b.from), cmp.Compare(a.what, b.what))
	})
	return outages
}

// longest lists the longest outages.
func (s *session) longest(p *past, screen *words.Screen, statistics *history.Statistics, story *history.Story) {
	outages := p.outages(statistics, story)
	if len(outages) == 0 {
		return
	}
	fmt.Fprintln(s.stdout)
	screen.Line(words.In(words.Bold, "longest outages"))
	var rows words.Table
	for _, outage := range outages[:min(len(outages), longestShownOutages)] {
		end := p.query.timeText(outage.to, outage.from)
		if outage.open {
			end += ", not over"
		}
		rows.Add(lengthText(outage.to-outage.from), p.query.dayText(outage.from)+" "+p.query.clockText(outage.from)+"–"+end, outage.what)
	}
	screen.Table("  ", &rows)
}

// barWidth is the length of the longest bar.
const barWidth = 40

// bars draws who answered per hour or day. Empty periods between are drawn too.
func (p *past) bars(screen *words.Screen, statistics *history.Statistics, by string) {
	begins := slices.Sorted(maps.Keys(statistics.Periods))
	if len(begins) == 0 {
		return
	}
	most := 1
	for _, period := range statistics.Periods {
		most = max(most, period.Outcomes.Total())
	}
	screen.Line("█ selected model  ▒ fallback  ░ failed  · not told")
	layout := "2006-01-02 15:04"
	if by == "day" {
		layout = "2006-01-02"
	}
	rows := &words.Table{}
	for i, begin := range begins {
		if i > 0 {
			if empty := p.periodsBetween(begins[i-1], begin, by); empty > 0 {
				rows.Add(words.In(words.Faint, fmt.Sprintf("(%s without a run)", words.Count(empty, by))), "", "")
			}
		}
		period := statistics.Periods[begin]
		o := period.Outcomes
		bar := strings.Repeat("█", scaled(o.Selected, most)) + strings.Repeat("▒", scaled(o.Fallback, most)) +
			strings.Repeat("░", scaled(o.Failed, most)) + strings.Repeat("·", scaled(o.Unknown, most))
		text := fmt.Sprint(o.Total())
		if failures := failuresText(period.Failures); failures != "-" {
			text += ", failures: " + failures
		}
		rows.Add(time.UnixMilli(begin).In(p.query.zone).Format(layout), bar, text)
	}
	screen.Table("", rows)
}

// periodsBetween counts the periods between two that have runs.
func (p *past) periodsBetween(from, to int64, by string) int {
	count := 0
	for t := time.UnixMilli(from).In(p.query.zone); count < 100_000; count++ {
		if by == "day" {
			t = t.AddDate(0, 0, 1)
		} else {
			t = t.Add(time.Hour)
		}
		if t.UnixMilli() >= to {
			break
		}
	}
	return count
}

// scaled is the length of a part of a bar: a part that is not empty is seen.
func scaled(count, most int) int {
	if count == 0 {
		return 0
	}
	return max(1, count*barWidth/most)
}
