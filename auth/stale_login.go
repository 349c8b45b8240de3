package auth

import (
	"cmp"
	"slices"
	"strings"

	"openclaw-auth/auth/document"
)

// freshFor is how long an access token must still be valid to count as usable.
const freshFor = 5 * msMinute

// repairDrift replaces an agent's own PROVIDER:default login where main has a
// newer one of the same account under another id: an older release copied
// logins to every agent, and copies go stale when another agent refreshes
// (2026.4.29+). The merged store is changed in place.
func (r *Rules) repairDrift(merged, main, own *Store, now int64) {
	for _, id := range own.Profiles.Keys() {
		credential := own.Profiles.Object(id)
		provider := r.Providers.Normalize(credential.Text("provider"))
		if credential.Text("type") != TypeOAuth || id != string(provider)+":default" {
			continue
		}
		if replacement := r.freshest(main, credential, id, provider, now); replacement != "" {
			replaceProfile(merged, main, id, replacement)
		}
	}
}

// freshest returns the profile of main that replaces a login, "" for none.
func (r *Rules) freshest(main *Store, stale *document.Object, id string, provider ProviderID, now int64) string {
	usable := isFresh(stale, now)
	var candidates []string
	for other, value := range main.Profiles.All() {
		credential, _ := value.(*document.Object)
		if other == id || credential.Text("type") != TypeOAuth || r.Providers.Normalize(credential.Text("provider")) != provider ||
			!isFresh(credential, now) || usable && expiry(credential) <= expiry(stale) {
			continue
		}
		candidates = append(candidates, other)
	}
	slices.SortFunc(candidates, func(a, b string) int {
		later := cmp.Compare(expiry(main.Profiles.Object(b)), expiry(main.Profiles.Object(a)))
		return cmp.Or(later, strings.Compare(a, b))
	})
	var same, possible []string
	for _, other := range candidates {
		switch compareIdentity(stale, main.Profiles.Object(other)) {
		case identitySame:
			same = append(same, other)
		case identityUnknown:
			possible = append(possible, other)
		}
	}
	anonymous := stale.Text("accountId") == "" && stale.Text("email") == ""
	switch {
	case anonymous && len(same) > 1:
		return ""
	case len(same) > 0:
		return same[0]
	case !usable && len(possible) == 1:
		return possible[0]
	}
	return ""
}

func isFresh(credential *document.Object, now int64) bool {
	return !document.IsBlank(credential.Text("access")) && expiry(credential) > float64(now)+freshFor
}

func expiry(credential *document.Object) float64 {
	expires, _ := credential.Number("expires")
	return expires
}

type identity int

const (
	identityUnknown identity = iota
	identitySame
	identityOther
)

// compareIdentity tells whether two logins are of one account: the account id
// decides where both have one, else the e-mail address. A stale login without
// either may be anybody's.
func compareIdentity(stale, other *document.Object) identity {
	account, email := document.Trim(stale.Text("accountId")), document.Lower(document.Trim(stale.Text("email")))
	otherAccount, otherEmail := document.Trim(other.Text("accountId")), document.Lower(document.Trim(other.Text("email")))
	switch {
	case account == "" && email == "":
		return identitySame
	case account != "" && otherAccount != "":
		return identityIf(account == otherAccount)
	case email != "" && otherEmail != "":
		return identityIf(email == otherEmail)
	}
	return identityUnknown
}

func identityIf(same bool) identity {
	if same {
		return identitySame
	}
	return identityOther
}

// replaceProfile takes a profile out of a merged store: main's credential and
// usage of that id come back, if it has any, and what named the id names the
// replacement.
func replaceProfile(merged, main *Store, id, replacement string) {
	restore(merged.Profiles, main.Profiles, id)
	restore(merged.UsageStats, main.UsageStats, id)
	for provider, value := range merged.Order.All() {
		ids := profileIDs(value)
		if i := slices.Index(ids, ProfileID(id)); i >= 0 {
			ids[i] = ProfileID(replacement)
			merged.Order.Set(provider, valuesOf(unique(ids)))
		}
	}
	for provider, value := range merged.LastGood.All() {
		if value == id {
			merged.LastGood.Set(provider, replacement)
		}
	}
}

func restore(merged, main *document.Object, id string) {
	if value, ok := main.Get(id); ok {
		merged.Set(id, value)
		return
	}
	merged.Delete(id)
}
