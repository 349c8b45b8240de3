package failure

import (
	"maps"
	"slices"
	"sync"
)

// lines is the table of release lines: what each changes in the rules of the
// one before. The pattern files say the same of the patterns.
var lines = [...]struct {
	name   string
	change func(*Rules)
}{
	{"2026.1.30", line2026_1_30},
	{"2026.2.26", line2026_2_26},
	{"2026.3.13", line2026_3_13},
	{"2026.3.31", line2026_3_31},
	{"2026.4.9", line2026_4_9},
	{"2026.4.29", line2026_4_29},
	{"2026.5.12", line2026_5_12},
	{"2026.5.28", line2026_5_28},
	{"2026.6.11", line2026_6_11},
	{"2026.7.1", line2026_7_1},
	{"2026.8.2", line2026_8_2},
	{"2026.9.6", line2026_9_6},
}

// Lines returns the names of the release lines, oldest first.
func Lines() []string {
	names := make([]string, len(lines))
	for i := range lines {
		names[i] = lines[i].name
	}
	return names
}

// RulesFor returns the rules of a release line by its exact name, nil for a
// name that is none.
func RulesFor(line string) *Rules {
	if place := placeOf(line); place >= 0 {
		return table()[place]
	}
	return nil
}

// placeOf returns a line's place in the table, -1 for a name that has none.
func placeOf(name string) int {
	for i := range lines {
		if lines[i].name == name {
			return i
		}
	}
	return -1
}

// table applies the changes one after the other.
var table = sync.OnceValue(func() []*Rules {
	all := make([]*Rules, len(lines))
	previous := &Rules{}
	for i, line := range lines {
		r := previous.clone()
		r.ReleaseLine = line.name
		line.change(r)
		r.compiled = &compiled{place: i}
		all[i], previous = r, r
	}
	return all
})

// clone copies rules so that a change to the copy leaves the original alone.
// Slices are replaced by changes, never written to.
func (r *Rules) clone() *Rules {
	c := *r
	c.LeadReasons = cloneMap(r.LeadReasons)
	c.Status = cloneMap(r.Status)
	c.Codes = cloneMap(r.Codes)
	c.Types = cloneMap(r.Types)
	c.CertificateCodes = cloneMap(r.CertificateCodes)
	c.LockCodes = cloneMap(r.LockCodes)
	c.ReasonStatus = cloneMap(r.ReasonStatus)
	c.Consequences = cloneMap(r.Consequences)
	return &c
}

func cloneMap[K comparable, V any](m map[K]V) map[K]V {
	if m == nil {
		return map[K]V{}
	}
	return maps.Clone(m)
}

// before puts checks in front of another.
func (r *Rules) before(at Check, checks ...Check) {
	r.Checks = slices.Insert(slices.Clone(r.Checks), slices.Index(r.Checks, at), checks...)
}

// without takes checks out.
func (r *Rules) without(checks ...Check) {
	r.Checks = slices.DeleteFunc(slices.Clone(r.Checks), func(c Check) bool { return slices.Contains(checks, c) })
}

// on sets the rule of some statuses.
func (r *Rules) on(rule StatusRule, statuses ...int) {
	for _, status := range statuses {
		r.Status[status] = rule
	}
}

// lead sets the reason of statuses at the head of a message.
func (r *Rules) leadMeans(reason Reason, statuses ...int) {
	for _, status := range statuses {
		r.LeadReasons[status] = reason
	}
}

// codes sets the reason of codes.
func (r *Rules) codes(reason Reason, codes ...string) {
	for _, code := range codes {
		r.Codes[code] = reason
	}
}
