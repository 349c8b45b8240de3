package auth

import (
	"slices"

	"openclaw-auth/auth/document"
)

// usageMembers() are all members of a usage entry that some line knows.
func usageMembers() []string {
	return slices.Concat([]string{"lastUsed", "errorCount", "failureCounts", "lastFailureAt", "lastProbeAt"}, cooldownMembers, blockMembers, disableMembers)
}

// WrittenUsage returns a usage entry as the line writes it in place of the raw
// one: what OpenClaw knows in its own order where the line has one (2026.5.28+),
// then the members that it does not know, which the raw entry had.
func (r *Rules) WrittenUsage(raw, stats *document.Object) *document.Object {
	if !r.Failures.Coerce {
		return stats
	}
	written := r.coerceUsage(stats)
	for name, value := range raw.All() {
		if !slices.Contains(usageMembers(), name) {
			written.Set(name, value)
		}
	}
	return written
}

// WrittenOrder returns the ids of an order as the line's own operation stores
// them in an agent's store, and the ids that it leaves out: where a write drops
// what the store itself has not (2026.4.29–7.1), those of other stores, unless
// an order there has them already (2026.6.11+).
func (r *Rules) WrittenOrder(ids []ProfileID, store *Store) (written, dropped []ProfileID) {
	for _, id := range ids {
		id = ProfileID(document.Trim(string(id)))
		switch {
		case id == "" || slices.Contains(written, id):
		case r.Failures.PruneOnWrite && !r.Store.InheritedOrder && !store.Profiles.Has(string(id)) && (r.Failures.PruneOrder || !isOrdered(store, id)):
			dropped = append(dropped, id)
		default:
			written = append(written, id)
		}
	}
	return written, dropped
}

func isOrdered(store *Store, id ProfileID) bool {
	for _, value := range store.Order.All() {
		if list, _ := value.([]any); slices.Contains(list, any(string(id))) {
			return true
		}
	}
	return false
}

// Reasons lists the failures that OpenClaw stores.
func Reasons() []Reason { return slices.Clone(reasons) }
