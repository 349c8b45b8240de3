package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/failure"
	"openclaw-auth/auth/release"
	"openclaw-auth/chain/lines"
	"openclaw-auth/scripts/record/answer"
)

// A subject is a group of questions and the rules that answer them.
type subject struct {
	group string
	// rules returns the rules of a line: a pointer to a struct whose fields are
	// tried one by one.
	rules func(line string) reflect.Value
	// under answers questions under such a struct.
	under func(line string, rules reflect.Value) func(answer.Question) any
	// apart are fields, or the heads of their names, that are none of this subject's.
	apart []string
}

// fitting looks for the mix of two neighbours' rules that explains a release.
type fitting struct {
	subject
	line      string // a line that lends its name to the rules
	questions []answer.Question
	flips     []flip
	lower     reflect.Value
	on        []bool // flips that are taken from the newer line
	wide      bool   // the lines were given: much differs between them that no answer tells
}

// fit prints, for each release, the step of the table that leads to it, and the
// answers that no mix explains. Releases between the same two lines build on
// one another, oldest first. from and to name other lines to look between than
// the table's neighbours; "" for those.
func fit(out io.Writer, folder string, versions []string, from, to string) error {
	slices.SortFunc(versions, compareReleases)
	for _, s := range subjects {
		var before *fitting
		for _, version := range versions {
			questions, err := s.recorded(folder, version)
			if err != nil {
				return err
			}
			if len(questions) == 0 {
				continue
			}
			f, err := s.between(version, before, from, to)
			if err != nil {
				return err
			}
			f.questions = questions
			f.search()
			f.report(out, version, before)
			before = f
		}
	}
	return nil
}

// recorded reads what a release answered to the questions of the subject.
func (s subject) recorded(folder, version string) ([]answer.Question, error) {
	file := filepath.Join(folder, version, s.group+".jsonl")
	if _, err := os.Stat(file); os.IsNotExist(err) {
		return nil, nil
	}
	all, err := answer.Read(file)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(q answer.Question) bool { return !answer.Knows(q.Fn) || answer.Threw(q) }), nil
}

// between starts at the rules that the table has for a release, or those that
// were found for the one before it where the table has the same for both. The
// newer neighbour is the next line whose rules are others.
func (s subject) between(version string, before *fitting, from, to string) (*fitting, error) {
	line, err := release.For(version)
	if err != nil {
		return nil, err
	}
	f := &fitting{subject: s, line: line.Name, lower: s.copyOf(cmp.Or(from, line.Name))}
	if before != nil && (from != "" || len(s.differ(s.copyOf(before.line), f.lower)) == 0) {
		f.lower = before.fitted()
	}
	if f.wide = to != ""; f.wide {
		f.flips = s.differ(f.lower, s.copyOf(to))
		f.on = make([]bool, len(f.flips))
		return f, nil
	}
	for _, newer := range release.Names()[release.Place(line.Name)+1:] {
		if f.flips = s.differ(f.lower, s.copyOf(newer)); len(f.flips) > 0 {
			break
		}
	}
	f.on = make([]bool, len(f.flips))
	return f, nil
}

// copyOf is a copy of a line's rules that may be changed.
func (s subject) copyOf(line string) reflect.Value {
	shared := s.rules(line).Elem()
	rules := reflect.New(shared.Type()).Elem()
	rules.Set(shared)
	return rules
}

// differ lists the rules of this subject in which two sets differ.
func (s subject) differ(older, newer reflect.Value) []flip {
	return slices.DeleteFunc(flips(older, newer), func(each flip) bool {
		return slices.ContainsFunc(s.apart, func(head string) bool { return strings.HasPrefix(each.name, head) })
	})
}

// fitted are the rules of the mix.
func (f *fitting) fitted() reflect.Value {
	rules := reflect.New(f.lower.Type()).Elem()
	rules.Set(f.lower)
	for i, each := range f.flips {
		if f.on[i] {
			each.set(rules)
		}
	}
	return rules
}

// wrong lists the questions, of those given, that the mix answers otherwise than
// the release did.
func (f *fitting) wrong(of []answer.Question) []answer.Question {
	ask := f.under(f.line, f.fitted())
	var wrong []answer.Question
	for _, q := range of {
		got := ask(q)
		if _, skipped := got.(answer.Skipped); !skipped && !answer.Right(q, got) {
			wrong = append(wrong, q)
		}
	}
	return wrong
}

// with is the mix with some flips turned.
func (f *fitting) with(flips ...int) *fitting {
	changed := *f
	changed.on = slices.Clone(f.on)
	for _, i := range flips {
		changed.on[i] = !changed.on[i]
	}
	return &changed
}

// search looks for the mix from both ends: it takes over single rules of the
// newer line as long as more answers come out right, and gives up single ones of
// all of them; rules that only work together are found from one end or the other.
func (f *fitting) search() {
	left := f.climb()
	if left == 0 {
		return
	}
	other := *f
	other.on = make([]bool, len(f.flips))
	for i := range other.on {
		other.on[i] = true
	}
	if other.climb() < left {
		other.shed()
		f.on = other.on
	}
}

// climb turns single flips as long as fewer answers are wrong; where no single
// one helps, those of one topic, or two at once. It returns how many answers are
// left wrong.
func (f *fitting) climb() int {
	wrong := f.wrong(f.questions)
	for len(wrong) > 0 {
		var better *fitting
		left := wrong
		for _, tries := range []func() [][]int{f.singles, f.topics, f.pairs} {
			if better, left = f.best(tries(), wrong); better != nil {
				break
			}
		}
		if better == nil {
			break
		}
		f.on, wrong = better.on, left
	}
	return len(wrong)
}

func (f *fitting) singles() [][]int {
	tries := make([][]int, len(f.flips))
	for i := range f.flips {
		tries[i] = []int{i}
	}
	return tries
}

// topics are the flips that are not turned yet, by what their names have in
// brackets: a group of patterns goes with the check that asks for it.
func (f *fitting) topics() (tries [][]int) {
	places := map[string]int{}
	for i, each := range f.flips {
		topic := each.topic()
		if topic == "" || f.on[i] {
			continue
		}
		place, known := places[topic]
		if !known {
			place = len(tries)
			places[topic], tries = place, append(tries, nil)
		}
		tries[place] = append(tries[place], i)
	}
	return tries
}

// pairs are every two flips where there are few, else every two of one topic.
func (f *fitting) pairs() (tries [][]int) {
	for i := range f.flips {
		for k := range i {
			if len(f.flips) <= maxPaired || f.flips[i].topic() != "" && f.flips[i].topic() == f.flips[k].topic() {
				tries = append(tries, []int{k, i})
			}
		}
	}
	return tries
}

// shed gives back every rule of the newer line that no answer asks for.
func (f *fitting) shed() {
	left := len(f.wrong(f.questions))
	for i := range f.flips {
		if without := f.with(i); f.on[i] && len(without.wrong(f.questions)) <= left {
			f.on = without.on
		}
	}
}

// maxPaired bounds the rules of which every two are tried at once.
const maxPaired = 60

// best returns the try after which the fewest answers are wrong, if that is
// fewer than now.
func (f *fitting) best(tries [][]int, wrong []answer.Question) (*fitting, []answer.Question) {
	type candidate struct {
		mix   *fitting
		fixed int
	}
	var candidates []candidate
	for _, try := range tries {
		mix := f.with(try...)
		if fixed := len(wrong) - len(mix.wrong(wrong)); fixed > 0 {
			candidates = append(candidates, candidate{mix, fixed})
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(b.fixed, a.fixed) })
	var better *fitting
	left := wrong
	for _, c := range candidates {
		if c.fixed <= len(wrong)-len(left) {
			break // it can't be better than what was found
		}
		if now := c.mix.wrong(f.questions); len(now) < len(left) {
			better, left = c.mix, now
		}
	}
	return better, left
}

// report prints the step and what is left unexplained.
func (f *fitting) report(out io.Writer, version string, before *fitting) {
	wrong := f.wrong(f.questions)
	fmt.Fprintf(out, "%s %s: %d answers, %d unexplained\n", version, f.group, len(f.questions), len(wrong))
	for i, each := range f.flips {
		switch {
		case f.on[i]:
			fmt.Fprintf(out, "  step: %s = %s\n", each.name, each.source)
		case !f.wide && !f.told(i):
			fmt.Fprintf(out, "  no answer tells: %s = %s\n", each.name, each.source)
		}
	}
	kinds := map[string]int{}
	for _, q := range wrong {
		kinds[q.Fn]++
	}
	for _, fn := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Fprintf(out, "  unexplained: %s %d\n", fn, kinds[fn])
	}
	ask := f.under(f.line, f.fitted())
	for _, q := range wrong[:min(len(wrong), shownUnexplained)] {
		fmt.Fprintf(out, "  %s (-release +ours)\n%s\n", q.ID, answer.Diff(q, ask(q)))
	}
}

// told reports whether some answer depends on a flip.
func (f *fitting) told(i int) bool {
	now, turned := f.under(f.line, f.fitted()), f.under(f.line, f.with(i).fitted())
	return slices.ContainsFunc(f.questions, func(q answer.Question) bool {
		got := now(q)
		if _, skipped := got.(answer.Skipped); skipped {
			return false
		}
		return !answer.Same(got, turned(q))
	})
}

// shownUnexplained bounds the unexplained answers that are printed in full.
const shownUnexplained = 2

// subjects are what fit looks at. The engine looks the rules of the chain up by
// the line, so that those on trial take the place of the line's.
var subjects = []subject{{
	group: "profiles",
	rules: func(line string) reflect.Value {
		rules, _ := auth.RulesFor(line)
		return reflect.ValueOf(rules)
	},
	under: func(line string, rules reflect.Value) func(answer.Question) any {
		r := rules.Interface().(auth.Rules)
		return func(q answer.Question) any { return answer.Ask(&r, q) }
	},
	apart: []string{"Store.", "Rotation."},
}, {
	group: "chain",
	rules: func(line string) reflect.Value {
		rules, _ := auth.RulesFor(line)
		return reflect.ValueOf(lines.Of(rules))
	},
	under: func(line string, rules reflect.Value) func(answer.Question) any {
		profiles, _ := auth.RulesFor(line)
		own, trial := lines.Of(profiles), rules.Interface().(lines.Rules)
		return func(q answer.Question) any {
			before := *own
			defer func() { *own = before }()
			*own = trial
			return answer.Ask(profiles, q)
		}
	},
	apart: []string{"Persist.", "Retry.", "Runtime.", "Follows"},
}, {
	group: "classify",
	rules: func(line string) reflect.Value {
		return reflect.ValueOf(&classifying{*failure.RulesFor(line), failure.Patterns(line)})
	},
	under: func(_ string, rules reflect.Value) func(answer.Question) any {
		trial := rules.Interface().(classifying)
		r := trial.Rules.WithPatterns(trial.Patterns)
		return func(q answer.Question) any { return answer.Classify(r, q) }
	},
	apart: []string{
		"Rules.ReleaseLine", "Rules.Consequences", "Rules.OverflowEndsRun", "Rules.AbortEndsRun", "Rules.UnmarkedProviders",
	},
}}

// classifying are the rules for errors, with what they look for in texts.
type classifying struct {
	Rules    failure.Rules
	Patterns []string
}
