package auth

// StoreRules say where a release line keeps profiles and state, and how it reads them.
type StoreRules struct {
	MemberAliases bool     `json:"memberAliases" about:"hand-written mode and apiKey are read as type and key"`
	APIKeyType    bool     `json:"apiKeyType" about:"type apiKey is read as api_key"`
	RefValues     bool     `json:"refValues" about:"a reference written as key or token moves to keyRef or tokenRef"`
	RefWins       bool     `json:"refWins" about:"a key beside a keyRef is dropped on load"`
	Whitelist     bool     `json:"whitelist" about:"members that OpenClaw does not know are dropped on load"`
	ExtraMembers  []string `json:"extraMembers" about:"members that every credential may have besides those of its type"`
}

// storeSteps is the table of release lines for StoreRules, as steps is for the others.
var storeSteps = map[string]func(r *StoreRules){
	"2026.2.26": func(r *StoreRules) { r.MemberAliases = true },
	"2026.4.9":  func(r *StoreRules) { r.RefValues = true },
	"2026.5.28": func(r *StoreRules) { r.Whitelist = true },
	"2026.6.11": func(r *StoreRules) { r.APIKeyType, r.RefWins = true, true },
	"2026.9.6":  func(r *StoreRules) { r.ExtraMembers = []string{"setup"} },
}
