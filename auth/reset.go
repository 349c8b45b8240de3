package auth

import (
	"encoding/json"
	"slices"

	"openclaw-auth/auth/document"
)

// ResetKind is a part of a usage entry that a reset removes.
type ResetKind string

// The kinds of a reset.
const (
	ResetCooldown ResetKind = "cooldown"
	ResetDisabled ResetKind = "disabled"
	ResetBlocked  ResetKind = "blocked"
	ResetCounters ResetKind = "counters"
)

// ResetKinds lists the kinds there are.
func ResetKinds() []ResetKind {
	return []ResetKind{ResetCooldown, ResetDisabled, ResetBlocked, ResetCounters}
}

// Reset returns a usage entry without its windows and counters, or without
// those of the given kinds, and the names of the members that it had of them.
// Times of the last use and the last failure stay, as does what the line does
// not know. The given entry stays as it was.
func (r *Rules) Reset(stats *document.Object, kinds ...ResetKind) (*document.Object, []string) {
	if len(kinds) == 0 {
		kinds = ResetKinds()
	}
	reset := stats.Clone()
	var removed []string
	if errors, present := stats.Get("errorCount"); slices.Contains(kinds, ResetCounters) && stats != nil {
		if present && errors != json.Number("0") {
			removed = append(removed, "errorCount")
		}
		reset.SetNumber("errorCount", 0)
	}
	for _, name := range r.resetMembers(kinds) {
		if reset.Has(name) {
			removed = append(removed, name)
			reset.Delete(name)
		}
	}
	if len(removed) == 0 {
		return stats, nil
	}
	return reset, removed
}

func (r *Rules) resetMembers(kinds []ResetKind) []string {
	var members []string
	for _, window := range r.Windows.windows() {
		kind := ResetCooldown
		switch window[0] {
		case blockMembers[0]:
			kind = ResetBlocked
		case disableMembers[0]:
			kind = ResetDisabled
		}
		if slices.Contains(kinds, kind) {
			members = append(members, window...)
		}
	}
	if slices.Contains(kinds, ResetCounters) {
		members = append(members, "failureCounts")
	}
	return members
}
