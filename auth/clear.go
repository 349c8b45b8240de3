package auth

import (
	"math"

	"openclaw-auth/auth/document"
	"openclaw-auth/auth/failure"
)

// The members of a usage entry that belong to each window.
var (
	cooldownMembers = []string{"cooldownUntil", "cooldownReason", "cooldownModel", "cooldownClassification"}
	blockMembers    = []string{"blockedUntil", "blockedReason", "blockedSource", "blockedModel", "blockedScope"}
	disableMembers  = []string{"disabledUntil", "disabledReason"}
)

// ClearExpired returns the usage entries without the windows that have passed,
// and whether there were any. An entry left without a window loses its counters
// too. OpenClaw does this in memory whenever it computes an order (2026.2.26+);
// its next write persists it. The given entries stay as they are; those without
// a window that has passed are shared.
func (r *WindowRules) ClearExpired(usageStats *document.Object, now int64) (*document.Object, bool) {
	if !r.ClearsExpired {
		return usageStats, false
	}
	cleared, changed := usageStats, false
	for id, value := range usageStats.All() {
		stats, _ := value.(*document.Object)
		expired := r.expiredMembers(stats, now)
		if len(expired) == 0 {
			continue
		}
		if !changed {
			cleared, changed = usageStats.ShallowClone(), true
		}
		stats = stats.Clone()
		r.clearMembers(stats, expired)
		cleared.Set(id, stats)
	}
	return cleared, changed
}

// expiredMembers names the members of the windows that have passed. Unlike a
// window's test this one knows no last date.
func (r *WindowRules) expiredMembers(stats *document.Object, now int64) []string {
	var expired []string
	for _, window := range r.windows() {
		until, ok := stats.Number(window[0])
		if ok && until > 0 && !math.IsInf(until, 0) && float64(now) >= until {
			expired = append(expired, window...)
		}
	}
	return expired
}

// windows lists the members of each window that the line knows, its end first.
func (r *WindowRules) windows() [][]string {
	cooldown, block := cooldownMembers[:1], blockMembers[:4]
	if r.Reasons {
		cooldown = cooldownMembers[:3]
	}
	if r.Classification {
		cooldown = cooldownMembers
	}
	if r.BlockedScope {
		block = blockMembers
	}
	if !r.Blocked {
		return [][]string{cooldown, disableMembers}
	}
	return [][]string{cooldown, block, disableMembers}
}

func (r *WindowRules) clearMembers(stats *document.Object, members []string) {
	deleteAll(stats, members)
	if u := r.read(stats); u.until("") > 0 {
		return
	}
	stats.SetNumber("errorCount", 0)
	r.resetCounts(stats)
}

// resetCounts removes the failure counts, on 2026.9.6 all but the one of rate limits.
func (r *WindowRules) resetCounts(stats *document.Object) {
	rate, ok := stats.Object("failureCounts").Number(string(failure.RateLimit))
	if !r.ClearKeepsRate || !ok || rate == 0 {
		stats.Delete("failureCounts")
		return
	}
	kept := document.NewObject()
	kept.SetNumber(string(failure.RateLimit), rate)
	stats.Set("failureCounts", kept)
}

func deleteAll(object *document.Object, members []string) {
	for _, name := range members {
		object.Delete(name)
	}
}
