package failure

import (
	"slices"

	"openclaw-auth/auth/release"
)

// table is the table of release lines: what each changes in the rules of the
// one before. The pattern files say the same of the patterns.
var table = release.NewTable(
	func(line string, r *Rules) {
		r.ReleaseLine = line
		r.compiled = &compiled{rows: func() []patternRow { return patternsOf(release.Place(line)) }}
	},
	release.Step[Rules]{Line: "2026.1.29", Change: line2026_1_30},
	release.Step[Rules]{Line: "2026.2.9", Change: line2026_2_9},
	release.Step[Rules]{Line: "2026.2.12", Change: line2026_2_12},
	release.Step[Rules]{Line: "2026.2.17", Change: line2026_2_17},
	release.Step[Rules]{Line: "2026.2.21", Change: line2026_2_21},
	release.Step[Rules]{Line: "2026.2.22", Change: line2026_2_22},
	release.Step[Rules]{Line: "2026.2.23", Change: line2026_2_23},
	release.Step[Rules]{Line: "2026.2.24", Change: line2026_2_24},
	release.Step[Rules]{Line: "2026.2.25", Change: line2026_2_25},
	release.Step[Rules]{Line: "2026.3.1", Change: line2026_3_1},
	release.Step[Rules]{Line: "2026.3.2", Change: line2026_3_2},
	release.Step[Rules]{Line: "2026.3.7", Change: line2026_3_7},
	release.Step[Rules]{Line: "2026.3.8", Change: line2026_3_8},
	release.Step[Rules]{Line: "2026.3.11", Change: line2026_3_11},
	release.Step[Rules]{Line: "2026.3.13", Change: line2026_3_13},
	release.Step[Rules]{Line: "2026.3.22", Change: line2026_3_22},
	release.Step[Rules]{Line: "2026.3.23", Change: line2026_3_23},
	release.Step[Rules]{Line: "2026.3.28", Change: line2026_3_28},
	release.Step[Rules]{Line: "2026.4.1", Change: line2026_4_1},
	release.Step[Rules]{Line: "2026.4.5", Change: line2026_4_5},
	release.Step[Rules]{Line: "2026.4.7", Change: line2026_4_7},
	release.Step[Rules]{Line: "2026.4.15", Change: line2026_4_15},
	release.Step[Rules]{Line: "2026.4.20", Change: line2026_4_20},
	release.Step[Rules]{Line: "2026.4.24", Change: line2026_4_24},
	release.Step[Rules]{Line: "2026.4.25", Change: line2026_4_25},
	release.Step[Rules]{Line: "2026.4.26", Change: line2026_4_26},
	release.Step[Rules]{Line: "2026.5.2", Change: line2026_5_2},
	release.Step[Rules]{Line: "2026.5.12", Change: line2026_5_12},
	release.Step[Rules]{Line: "2026.5.22", Change: line2026_5_22},
	release.Step[Rules]{Line: "2026.5.26", Change: line2026_5_26},
	release.Step[Rules]{Line: "2026.6.1", Change: line2026_6_1},
	release.Step[Rules]{Line: "2026.6.8", Change: line2026_6_11},
	release.Step[Rules]{Line: "2026.6.33", Change: line2026_6_33},
	release.Step[Rules]{Line: "2026.7.1", Change: line2026_7_1},
	release.Step[Rules]{Line: "2026.8.1", Change: line2026_8_2},
	release.Step[Rules]{Line: "2026.9.6", Change: line2026_9_6},
)

// RulesFor returns the rules of a release line; of a release between two lines,
// those of the older. It panics for a text that is no release.
func RulesFor(line string) *Rules { return table.At(line) }

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
