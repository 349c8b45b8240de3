package release

import (
	"cmp"
	"fmt"
	"sync"
)

// Step is what changed at a line in rules of type R.
type Step[R any] struct {
	Line   string
	Change func(*R)
}

// Table builds the rules of a line by making all changes up to it, on a zero R.
// Rules are built when they are first asked for, each line's from scratch, so a
// change may write to the maps and slices that an earlier one has made.
type Table[R any] struct {
	steps  []Step[R]
	finish func(line string, rules *R)

	mu    sync.Mutex
	built map[string]*R
}

// NewTable returns the table of the steps, oldest first. Finish, if it is not
// nil, is called last for each line, with its name.
func NewTable[R any](finish func(line string, rules *R), steps ...Step[R]) *Table[R] {
	return &Table[R]{steps: steps, finish: finish}
}

// At returns the rules of a line; of a release between two lines, those of the
// older. The rules are shared: nobody may change them. At panics for a text that
// is no release and for a step at a line that is not in the list, which are
// mistakes of the program.
func (t *Table[R]) At(line string) *R {
	t.mu.Lock()
	defer t.mu.Unlock()
	if rules := t.built[line]; rules != nil {
		return rules
	}
	place := Place(line)
	if place < 0 {
		found, err := For(line)
		if err != nil {
			panic(err)
		}
		place = Place(found.Name)
	}
	name := lines[place].Name
	if rules := t.built[name]; rules != nil {
		return rules
	}
	rules, last := new(R), -1
	for _, step := range t.steps {
		at := Place(step.Line)
		if at < 0 || at <= last {
			panic(fmt.Sprintf("release: a step at %q is not a line, or is out of order", step.Line))
		}
		if last = at; at <= place {
			step.Change(rules)
		}
	}
	if t.finish != nil {
		t.finish(name, rules)
	}
	if t.built == nil {
		t.built = map[string]*R{}
	}
	t.built[name] = rules
	return rules
}

// Span returns the first and the last line for which the rules hold something;
// both are "" if there is none. It makes each change once and calls holds on the
// rules between the changes, so it costs as much as one line's rules. They are
// not finished, and holds may not keep them.
func (t *Table[R]) Span(holds func(*R) bool) (first, last string) {
	rules, step, held := new(R), 0, false
	for _, line := range lines {
		if step < len(t.steps) && t.steps[step].Line == line.Name {
			t.steps[step].Change(rules)
			held = holds(rules)
			step++
		}
		if held {
			first, last = cmp.Or(first, line.Name), line.Name
		}
	}
	return first, last
}
