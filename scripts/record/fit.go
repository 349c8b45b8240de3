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
	// ask answers a question under such a struct.
	ask func(line string, rules reflect.Value, q answer.Question) any
	// leaves out fields that are none of this subject's.
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
}

// fit prints, for each release, the step of the table that leads to it, and the
// answers that no mix explains. Releases between the same two lines build on
// one another, oldest first.
func fit(out io.Writer, folder string, versions []string) error {
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
			f, err := s.between(version, before)
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
func (s subject) between(version string, before *fitting) (*fitting, error) {
	line, err := release.For(version)
	if err != nil {
		return nil, err
	}
	f := &fitting{subject: s, line: line.Name, lower: s.copyOf(line.Name)}
	if before != nil && len(s.differ(s.copyOf(before.line), f.lower)) == 0 {
		f.lower = before.fitted()
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
		group, _, _ := strings.Cut(each.name, ".")
		return slices.Contains(s.apart, group)
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
	rules := f.fitted()
	var wrong []answer.Question
	for _, q := range of {
		got := f.ask(f.line, rules, q)
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

// search takes over single rules of the newer line as long as more answers
// come out right; where no single one helps, two at once.
func (f *fitting) search() {
	wrong := f.wrong(f.questions)
	for len(wrong) > 0 {
		tries := make([][]int, 0, len(f.flips))
		for i := range f.flips {
			tries = append(tries, []int{i})
		}
		better, left := f.best(tries, wrong)
		if better == nil {
			better, left = f.best(pairs(len(f.flips)), wrong)
		}
		if better == nil {
			return
		}
		f.on, wrong = better.on, left
	}
}

func pairs(n int) (all [][]int) {
	for i := range n {
		for k := range i {
			all = append(all, []int{k, i})
		}
	}
	return all
}

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
		case !f.told(i):
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
	for _, q := range wrong[:min(len(wrong), shownUnexplained)] {
		fmt.Fprintf(out, "  %s (-release +ours)\n%s\n", q.ID, answer.Diff(q, f.ask(f.line, f.fitted(), q)))
	}
}

// told reports whether some answer depends on a flip.
func (f *fitting) told(i int) bool {
	now, turned := f.fitted(), f.with(i).fitted()
	return slices.ContainsFunc(f.questions, func(q answer.Question) bool {
		got := f.ask(f.line, now, q)
		if _, skipped := got.(answer.Skipped); skipped {
			return false
		}
		return !answer.Same(got, f.ask(f.line, turned, q))
	})
}

// shownUnexplained bounds the unexplained answers that are printed in full.
const shownUnexplained = 2

// subjects are what fit looks at. The engine looks the rules of the chain and of
// errors up by the line, so that those on trial take the place of the line's.
var subjects = []subject{{
	group: "profiles",
	rules: func(line string) reflect.Value {
		rules, _ := auth.RulesFor(line)
		return reflect.ValueOf(rules)
	},
	ask: func(line string, rules reflect.Value, q answer.Question) any {
		r := rules.Interface().(auth.Rules)
		return answer.Ask(&r, q)
	},
	apart: []string{"Store", "Rotation"},
}, {
	group: "chain",
	rules: func(line string) reflect.Value {
		rules, _ := auth.RulesFor(line)
		return reflect.ValueOf(lines.Of(rules))
	},
	ask: func(line string, rules reflect.Value, q answer.Question) any {
		profiles, _ := auth.RulesFor(line)
		own := lines.Of(profiles)
		before := *own
		defer func() { *own = before }()
		*own = rules.Interface().(lines.Rules)
		return answer.Ask(profiles, q)
	},
	apart: []string{"Persist"},
}, {
	group: "classify",
	rules: func(line string) reflect.Value { return reflect.ValueOf(failure.RulesFor(line)) },
	ask: func(_ string, rules reflect.Value, q answer.Question) any {
		r := rules.Interface().(failure.Rules)
		return answer.Classify(&r, q)
	},
	apart: []string{"ReleaseLine", "Consequences", "OverflowEndsRun", "AbortEndsRun", "UnmarkedProviders"},
}}
