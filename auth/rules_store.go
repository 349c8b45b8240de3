package auth

import "openclaw-auth/auth/release"

// StoreRules say how a release line reads the profiles and the state of a
// store, and which store a change goes to. Where stores lie is for package state.
type StoreRules struct {
	LocalFirst   bool `json:"localFirst" about:"an agent's own profiles come before the inherited ones"`
	DropDangling bool `json:"dropDangling" about:"state of profiles that neither the agent nor main has is dropped on load"`
	DriftRepair  bool `json:"driftRepair" about:"an agent's stale PROVIDER:default login gives way to main's newer one of the same account"`

	RunBehind      bool `json:"runBehind" about:"after a change from outside a running gateway makes one more run with the state that it had loaded; openclaw secrets reload ends that at once"`
	MergedUpdate   bool `json:"mergedUpdate" about:"an update starts from the merged store: what is recorded for an inherited profile goes to the agent's own store"`
	OwnerUpdate    bool `json:"ownerUpdate" about:"what is recorded for an inherited profile goes to the store that has it (before: nothing is recorded)"`
	InheritedOrder bool `json:"inheritedOrder" about:"an agent's own order may name profiles that it only inherits (before: a write drops them)"`

	MemberAliases bool     `json:"memberAliases" about:"hand-written mode and apiKey are read as type and key"`
	APIKeyType    bool     `json:"apiKeyType" about:"type apiKey is read as api_key"`
	RefValues     bool     `json:"refValues" about:"a reference written as key or token moves to keyRef or tokenRef"`
	RefWins       bool     `json:"refWins" about:"a key beside a keyRef is dropped on load"`
	Whitelist     bool     `json:"whitelist" about:"members that OpenClaw does not know are dropped on load"`
	ExtraMembers  []string `json:"extraMembers" about:"members that every credential may have besides those of its type"`
}

// storeTable is the table of release lines for StoreRules, as table is for the others.
var storeTable = release.NewTable(nil,
	release.Step[StoreRules]{Line: "2026.1.29", Change: func(r *StoreRules) {
		r.MergedUpdate = true
	}},
	release.Step[StoreRules]{Line: "2026.2.26", Change: func(r *StoreRules) {
		r.MemberAliases = true
	}},
	release.Step[StoreRules]{Line: "2026.3.31", Change: func(r *StoreRules) {
		r.MergedUpdate = false
	}},
	release.Step[StoreRules]{Line: "2026.4.9", Change: func(r *StoreRules) {
		r.RefValues = true
	}},
	release.Step[StoreRules]{Line: "2026.4.29", Change: func(r *StoreRules) {
		r.DriftRepair = true
	}},
	release.Step[StoreRules]{Line: "2026.5.18", Change: func(r *StoreRules) { r.Whitelist = true }},
	release.Step[StoreRules]{Line: "2026.5.26", Change: func(r *StoreRules) { r.DropDangling = true }},
	release.Step[StoreRules]{Line: "2026.6.5", Change: func(r *StoreRules) {
		r.LocalFirst = true
		r.APIKeyType, r.RefWins = true, true
	}},
	release.Step[StoreRules]{Line: "2026.8.1", Change: func(r *StoreRules) {
		r.OwnerUpdate = true
		r.InheritedOrder = true
	}},
	release.Step[StoreRules]{Line: "2026.9.6", Change: func(r *StoreRules) {
		r.ExtraMembers = []string{"setup"}
	}},
)
