package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"openclaw-auth/chain"
	"openclaw-auth/chain/history"
	"openclaw-auth/doctor/words"
)

//go:embed chain_history.html
var pageSource string

// historyPage is what the page of chain history shows. It is complete in itself and
// needs no script.
type historyPage struct {
	Title, Range, Zone, Made string
	Summary                  []string
	Ticks                    []pageTick
	Lanes                    []pageLane
	Legend                   []pageReason
	Profiles, Models         [][]string
	Outages                  [][]string
	Runs                     []pageRun
	MoreRuns                 int
	Sources, Gaps, Notes     []string
}

type pageTick struct {
	Place template.CSS
	Text  string
	Last  bool // its text stands on the left: there is no room behind it
}

// pageLane is a line of the picture: a profile, a model, or a session.
type pageLane struct {
	Group, Name string
	Bars        []pageBar
	Marks       []pageMark
}

type pageBar struct {
	Place template.CSS
	Class string
	Text  string
}

type pageMark struct {
	Place  template.CSS
	Letter string
	Class  string
	Text   string
}

type pageReason struct{ Letter, Class, Text string }

type pageRun struct {
	When, Session, Text, Class string
	Lines                      []pageLine
}

type pageLine struct {
	When, Subject, Text string
	Inferred            bool
}

// mostPageOutages is how many of the longest outages a page lists.
const mostPageOutages = 10

// mostPageRuns bounds the runs that a page shows one by one.
const mostPageRuns = 300

// writePage writes the page to a file, or to standard output for "-".
func (s *session) writePage(p *past, file string) error {
	made, err := template.New("page").Parse(pageSource)
	if err != nil {
		return err
	}
	document := s.page(p)
	for _, text := range p.errors {
		words.Printf(s.stderr, "openclaw-auth: warning: %s\n", text)
	}
	return s.writeOutput(file, func(w io.Writer) error { return made.Execute(w, document) })
}

func (s *session) page(p *past) *historyPage {
	statistics := history.NewStatistics("", p.query.zone)
	var runs []*history.Run
	dropped := 0
	story := p.tell(func(run *history.Run) {
		statistics.Add(run)
		if run.IsQuiet() && p.query.session == "" {
			return
		}
		if runs = append(runs, run); len(runs) >= 2*mostPageRuns {
			dropped += mostPageRuns
			runs = slices.Delete(runs, 0, mostPageRuns)
		}
	})
	statistics.Close()
	slices.SortStableFunc(runs, func(a, b *history.Run) int { return cmp.Compare(a.StartedAt, b.StartedAt) })
	if more := len(runs) - mostPageRuns; more > 0 {
		dropped += more
		runs = runs[more:]
	}
	title := "What happened"
	if p.query.session != "" {
		title = cmp.Or(p.session.Key, p.query.session)
	}
	from, to := p.pageRange(statistics)
	document := &historyPage{
		Title: words.Escape(title), Zone: p.query.zoneText(from), Range: p.query.rangeText(from, to), MoreRuns: dropped,
		Made: p.query.dayText(s.now) + " " + p.query.clockText(s.now), Gaps: p.gaps(), Notes: p.notes,
	}
	if turns := statistics.Turns; turns.Total() > 0 {
		document.Summary = append(document.Summary, words.Count(turns.Total(), "turn")+outcomesText(turns))
	}
	if runs := statistics.Runs; runs.Total() > 0 {
		document.Summary = append(document.Summary, words.Count(runs.Total(), "run id")+" of the log alone"+outcomesText(runs))
	}
	axis := axis{from, to, p}
	document.Ticks = axis.ticks()
	document.Lanes, document.Legend = axis.lanes(statistics, story)
	document.Profiles, document.Models = textRows(p.profileRows(story)), textRows(modelRows(statistics, story.Requests()))
	outages := p.outages(statistics, story)
	if len(outages) > 0 {
		document.Outages = [][]string{{"length", "time", "what"}}
	}
	for _, outage := range outages[:min(len(outages), mostPageOutages)] {
		end := p.query.timeText(outage.to, outage.from)
		if outage.open {
			end += ", not over"
		}
		document.Outages = append(document.Outages, []string{lengthText(outage.to - outage.from), p.query.dayText(outage.from) + " " + p.query.clockText(outage.from) + " – " + end, words.Escape(outage.what)})
	}
	for _, run := range runs {
		document.Runs = append(document.Runs, p.pageRun(run))
	}
	for _, source := range p.sources {
		if source.Kind != history.SourceLog && source.Events+source.Unreadable == 0 {
			continue
		}
		document.Sources = append(document.Sources, fmt.Sprintf("%s %s: %s", source.Kind, words.Escape(source.Path), words.Count(int(source.Lines), "line")))
	}
	return document
}

// textRows are the cells of a table.
func textRows(t *words.Table) [][]string {
	if t.Len() < 2 {
		return nil
	}
	return t.Texts()
}

// pageRange is the time that the picture shows: what is asked for, or what there
// is, with a little room behind it.
func (p *past) pageRange(statistics *history.Statistics) (from, to int64) {
	from, to = cmp.Or(p.query.since, statistics.From), cmp.Or(p.query.until, statistics.To)
	if p.query.since != 0 && p.query.until == 0 {
		to = max(to, p.options.Now)
	}
	if to <= from {
		to = from + 60_000
	}
	if p.query.until == 0 {
		to += (to - from) / 25
	}
	return from, to
}

func (p *past) pageRun(run *history.Run) pageRun {
	lines := p.query.runLines(run)
	told := pageRun{
		When: p.query.dayText(run.StartedAt) + " " + p.query.clockText(run.StartedAt), Session: words.Escape(cmp.Or(run.SessionKey, run.Session)),
		Text: words.Escape(lines[0].text), Class: string(run.Outcome),
	}
	for _, line := range lines[1:] {
		told.Lines = append(told.Lines, pageLine{p.query.timeText(line.at, run.StartedAt), words.Escape(line.subject), words.Escape(line.text), line.inferred})
	}
	return told
}

// axis places times in the picture.
type axis struct {
	from, to int64
	p        *past
}

// place is the share of the picture that lies before a time, in percent.
func (a axis) place(at int64) float64 {
	return 100 * float64(min(max(at, a.from), a.to)-a.from) / float64(a.to-a.from)
}

// ticks are round times, about six of them.
func (a axis) ticks() []pageTick {
	steps := []time.Duration{
		time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute,
		time.Hour, 2 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 2 * 24 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour, 365 * 24 * time.Hour,
	}
	step := steps[len(steps)-1]
	for _, s := range steps {
		if (a.to-a.from)/s.Milliseconds() <= 6 {
			step = s
			break
		}
	}
	layout := "15:04"
	switch {
	case step < time.Minute:
		layout = "15:04:05"
	case step >= 24*time.Hour:
		layout = "Jan 2"
	case a.to-a.from > 86_400_000:
		layout = "Jan 2 15:04"
	}
	_, offset := time.UnixMilli(a.from).In(a.p.query.zone).Zone()
	shift, width := int64(offset)*1000, step.Milliseconds()
	var ticks []pageTick
	for at := (a.from+shift+width-1)/width*width - shift; at <= a.to && len(ticks) < 12; at += width {
		place := a.place(at)
		tick := pageTick{template.CSS(fmt.Sprintf("left:%.3f%%", place)), time.UnixMilli(at).In(a.p.query.zone).Format(layout), place > lastTickPlace}
		if tick.Last {
			tick.Place = template.CSS(fmt.Sprintf("right:%.3f%%", 100-place))
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

// lastTickPlace is where, in percent, the text of a tick no longer fits behind it.
const lastTickPlace = 72

// reasonLetters are how the picture marks reasons: a letter each, so that it is
// read without colours too.
var reasonLetters = map[string]string{
	"rate_limit": "R", "overloaded": "O", "billing": "B", "auth": "A", "auth_permanent": "P", "timeout": "T", "model_not_found": "M", "format": "F", "session_expired": "S", "": "?",
}

func reasonLetter(reason string) string {
	if letter, ok := reasonLetters[reason]; ok {
		return letter
	}
	return "X"
}

// lanes builds the picture: profiles with their windows and failures, models
// with their failures, sessions with the times on a fallback.
func (a axis) lanes(statistics *history.Statistics, story *history.Story) ([]pageLane, []pageReason) {
	marks := statistics.Marks.All()
	reasons := map[string]bool{}
	for _, mark := range marks {
		reasons[mark.Reason] = true
	}
	var lanes []pageLane
	for key, profile := range a.p.windows(story) {
		lane := pageLane{Group: "profile", Name: words.Escape(a.p.profileName(story, key)), Bars: a.windowBars(profile)}
		lane.Marks = a.marks(marks, func(mark *history.Mark) bool { return mark.Profile == key.ID })
		if len(lane.Bars)+len(lane.Marks) > 0 {
			lanes = append(lanes, lane)
		}
	}
	refs := slices.SortedFunc(maps.Keys(statistics.Models), func(x, y chain.Ref) int { return cmp.Compare(x.String(), y.String()) })
	for _, ref := range refs {
		lane := pageLane{Group: "model", Name: words.Escape(ref.String())}
		if lane.Marks = a.marks(marks, func(mark *history.Mark) bool { return mark.Ref == ref }); len(lane.Marks) > 0 {
			lanes = append(lanes, lane)
		}
	}
	lanes = append(lanes, a.sessionLanes(statistics.Away)...)
	var legend []pageReason
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		legend = append(legend, pageReason{reasonLetter(reason), "r-" + reasonLetter(reason), words.Escape(cmp.Or(reason, "unclassified"))})
	}
	return lanes, legend
}

func (a axis) windowBars(profile *history.ProfileHistory) []pageBar {
	var bars []pageBar
	for _, window := range profile.Windows {
		if window.Until <= a.from || window.From >= a.to {
			continue
		}
		class := cmp.Or(string(window.Kind), "cooldown")
		text := fmt.Sprintf("%s: %s, %s – %s", class, cmp.Or(window.Reason, "unclassified"), a.p.query.clockText(window.From), a.p.query.timeText(window.Until, window.From))
		bars = append(bars, a.bar(window.From, window.Until, class, text))
	}
	return bars
}

func (a axis) bar(from, to int64, class, text string) pageBar {
	left := a.place(from)
	if to > a.to {
		class += " on"
	}
	return pageBar{template.CSS(fmt.Sprintf("left:%.3f%%;width:%.3f%%", left, max(a.place(to)-left, 0.3))), class, words.Escape(text)}
}

// markPlaces is how many marks a lane has room for.
const markPlaces = 36

// marks puts the failures of a lane into places that don't overlap.
func (a axis) marks(all []history.Mark, wanted func(*history.Mark) bool) []pageMark {
	type bin struct {
		counts map[string]int
		from   int64
	}
	bins := map[int]*bin{}
	for i := range all {
		mark := &all[i]
		if !wanted(mark) || mark.At < a.from-statisticsSlack || mark.At > a.to {
			continue
		}
		place := min(int(a.place(mark.At)*markPlaces/100), markPlaces-1)
		if bins[place] == nil {
			bins[place] = &bin{map[string]int{}, mark.At}
		}
		bins[place].counts[mark.Reason] += mark.Count
	}
	var marks []pageMark
	last := -100.0
	for _, bin := range slices.Sorted(maps.Keys(bins)) {
		b := bins[bin]
		reasons := slices.SortedFunc(maps.Keys(b.counts), func(x, y string) int {
			return cmp.Or(cmp.Compare(b.counts[y], b.counts[x]), cmp.Compare(x, y))
		})
		letter := reasonLetter(reasons[0])
		text := fmt.Sprintf("%s: %s", a.p.query.timeText(b.from, a.from), failuresText(b.counts))
		last = max(a.place(b.from), last+100.0/markPlaces)
		marks = append(marks, pageMark{
			template.CSS(fmt.Sprintf("left:%.3f%%", min(last, 100-50.0/markPlaces))), letter, "r-" + letter, words.Escape(text),
		})
	}
	return marks
}

// statisticsSlack is how much before its begin a coarse mark may be counted.
const statisticsSlack = 60_000

func (a axis) sessionLanes(away []history.Away) []pageLane {
	lanes := map[string]*pageLane{}
	for _, spell := range away {
		if spell.To <= a.from || spell.From >= a.to {
			continue
		}
		lane := lanes[spell.Session]
		if lane == nil {
			lane = &pageLane{Group: "session", Name: words.Escape(spell.Session)}
			lanes[spell.Session] = lane
		}
		text := fmt.Sprintf("on %s in place of %s, %s – %s, %s", spell.Fallback, spell.Selected, a.p.query.clockText(spell.From), a.p.query.timeText(spell.To, spell.From), words.Count(spell.Turns, "turn"))
		class := "away"
		if spell.Open {
			class += " open"
		}
		lane.Bars = append(lane.Bars, a.bar(spell.From, spell.To, class, text))
	}
	var sorted []pageLane
	for _, name := range slices.SortedFunc(maps.Keys(lanes), strings.Compare) {
		sorted = append(sorted, *lanes[name])
	}
	return sorted
}
