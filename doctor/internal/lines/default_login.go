package lines

import (
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
)

// RenameOf returns the id that a declared PROVIDER:default login gets, "" where
// it keeps its own.
func RenameOf(rules *auth.Rules, line *Rules, store *auth.Store, profiles *document.Object, provider string) string {
	declared := profiles.Object(provider + ":default")
	if declared.Text("mode") != auth.TypeOAuth || rules.Providers.Normalize(declared.Text("provider")) != auth.ProviderID(provider) {
		return ""
	}
	target := loginOf(rules, store, declared, provider)
	if target == provider+":default" || line.keepsDeclared && profiles.Has(target) {
		return ""
	}
	return target
}

// loginOf finds the login that PROVIDER:default stands for, by OpenClaw's rules:
// that of the declared e-mail address, else lastGood, else the only other login,
// else the only one with an address in its id.
func loginOf(rules *auth.Rules, store *auth.Store, declared *document.Object, provider string) string {
	var others, addressed []string
	isLogin := func(id string) bool {
		credential := store.Profiles.Object(id)
		return credential.Text("type") == auth.TypeOAuth && rules.Providers.Normalize(credential.Text("provider")) == auth.ProviderID(provider)
	}
	email := strings.ToLower(strings.TrimSpace(declared.Text("email")))
	for id := range store.Profiles.All() {
		if !isLogin(id) {
			continue
		}
		suffix := strings.TrimPrefix(id, provider+":")
		if email != "" && (strings.EqualFold(store.Profiles.Object(id).Text("email"), email) || strings.EqualFold(suffix, email)) {
			return id
		}
		if id == provider+":default" {
			continue
		}
		others = append(others, id)
		if strings.Contains(suffix, "@") && strings.Contains(suffix, ".") {
			addressed = append(addressed, id)
		}
	}
	switch good := store.LastGood.Text(provider); {
	case good != "" && isLogin(good):
		return good
	case len(others) == 1:
		return others[0]
	case len(addressed) == 1:
		return addressed[0]
	}
	return ""
}
