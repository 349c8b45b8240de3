package repair

import (
	"crypto/sha256"
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/state"
)

// holding is something that a store has and that a repair must not lose.
type holding struct {
	kind    state.RepairKind // "" for a credential
	key     string
	profile auth.ProfileID
}

// holdings are everything of a store that counts: credentials by a hash, the
// entries of orders and lastGood, the usage of profiles.
type holdings map[holding][sha256.Size]byte

func holdingsOf(store *auth.Store) holdings {
	all := holdings{}
	for id, value := range store.Profiles.All() {
		all[holding{"", "", auth.ProfileID(id)}] = hashOf(value)
	}
	for key, value := range store.Order.All() {
		items, _ := value.([]any)
		for _, item := range items {
			if id, ok := item.(string); ok {
				all[holding{state.RepairOrder, key, auth.ProfileID(id)}] = [sha256.Size]byte{}
			}
		}
	}
	for key := range store.LastGood.All() {
		all[holding{state.RepairLastGood, key, auth.ProfileID(store.LastGood.Text(key))}] = [sha256.Size]byte{}
	}
	for id := range store.UsageStats.All() {
		all[holding{state.RepairUsage, "", auth.ProfileID(id)}] = [sha256.Size]byte{}
	}
	return all
}

func hashOf(value document.Value) [sha256.Size]byte {
	return sha256.Sum256(document.EncodeCompact(value))
}

// lost names what is missing afterwards, or is another credential, and that no
// repair was to take out.
func (before holdings) lost(after holdings, removals []state.Repair) []string {
	var lost []string
	for held, hash := range before {
		if now, ok := after[held]; ok && now == hash {
			continue
		}
		meant := slices.ContainsFunc(removals, func(r state.Repair) bool {
			return r.Kind == held.kind && r.Profile == held.profile && (r.Key == held.key || held.kind == state.RepairOrder)
		})
		if !meant {
			lost = append(lost, lossText(held))
		}
	}
	slices.Sort(lost)
	return lost
}

func lossText(held holding) string {
	id := mask.ID(string(held.profile))
	switch held.kind {
	case state.RepairOrder:
		return id + " of the order of " + held.key
	case state.RepairLastGood:
		return id + " as lastGood of " + held.key
	case state.RepairUsage:
		return "the usage of " + id
	}
	return "the credential of " + id
}
