package auth

import (
	"math"
	"slices"
	"strings"

	"openclaw-auth/auth/document"
)

// Rejected is an entry of a store that OpenClaw refuses to load. It is gone
// from the file at the next write.
type Rejected struct {
	ID     string
	Reason RejectReason
}

// RejectReason is OpenClaw's name for why an entry is refused (2026.2.26+
// logs it; 2026.1.30 drops the entry without a word).
type RejectReason string

// The reasons, in the order of their tests.
const (
	RejectNonObject       RejectReason = "non_object"
	RejectInvalidType     RejectReason = "invalid_type"
	RejectMissingProvider RejectReason = "missing_provider"
)

// secretMembers are the members of a credential that hold secrets.
var secretMembers = []string{"key", "token", "access", "refresh", "idToken"}

// LoadProfiles returns the profiles as the line loads them from a document:
// aliases of members resolved, references moved to their own members and, from
// 2026.5.28 on, nothing that OpenClaw does not know. Secrets are of type
// Secret afterwards. Entries that OpenClaw refuses are returned apart.
func (r *Rules) LoadProfiles(raw *document.Object) (*document.Object, []Rejected) {
	profiles := document.NewObject()
	var rejected []Rejected
	for id, value := range raw.All() {
		credential, reason := r.LoadCredential(value, "")
		if reason != "" {
			rejected = append(rejected, Rejected{id, reason})
			continue
		}
		profiles.Set(id, credential)
	}
	return profiles, rejected
}

// LoadCredential returns one credential as the line loads it. A credential
// without a provider gets the given one, if there is one.
func (r *Rules) LoadCredential(value document.Value, provider string) (*document.Object, RejectReason) {
	entry, ok := value.(*document.Object)
	if !ok {
		return nil, RejectNonObject
	}
	credential := entry.Clone()
	r.Store.resolveAliases(credential)
	if kind := credential.Text("type"); !slices.Contains([]string{TypeAPIKey, TypeOAuth, TypeToken}, kind) {
		return nil, RejectInvalidType
	}
	if provider != "" && document.IsBlank(credential.Text("provider")) {
		credential.Set("provider", provider)
	}
	if document.IsBlank(credential.Text("provider")) {
		return nil, RejectMissingProvider
	}
	if r.Store.RefValues {
		r.moveRef(credential, "key", "keyRef")
		r.moveRef(credential, "token", "tokenRef")
	}
	if r.Store.Whitelist {
		credential = r.whitelist(credential)
	}
	HideSecrets(credential)
	return credential, ""
}

// HideSecrets makes the secret members of a credential values of type Secret.
func HideSecrets(credential *document.Object) {
	for _, name := range secretMembers {
		if text, ok := document.TextOf(credential.Value(name)); ok {
			credential.Set(name, document.NewSecret(text))
		}
	}
}

// resolveAliases fills type from mode and key from apiKey, as people write them by hand.
func (r *StoreRules) resolveAliases(credential *document.Object) {
	if !r.MemberAliases {
		return
	}
	if mode, ok := credential.Value("mode").(string); ok && credential.Value("type") == nil {
		credential.Set("type", mode)
	}
	if r.APIKeyType && credential.Text("type") == "apiKey" {
		credential.Set("type", TypeAPIKey)
	}
	if key, ok := credential.Value("apiKey").(string); ok && credential.Value("key") == nil {
		credential.Set("key", key)
	}
}

// moveRef moves a reference that was written as the value itself to the member
// for references, unless that has one already.
func (r *Rules) moveRef(credential *document.Object, name, refName string) {
	ref, ok := credential.Value(name).(*document.Object)
	if !ok {
		return
	}
	if r.Eligibility.isRef(credential, name) && !r.Eligibility.isRef(credential, refName) {
		credential.Set(refName, ref)
	}
	credential.Delete(name)
}

// The members that OpenClaw keeps of each credential type (2026.5.28+), in the
// order in which it writes them.
var commonMembers = []string{"type", "provider", "copyToAgents", "email", "displayName"}

func membersOfType(kind string) []string {
	switch kind {
	case TypeAPIKey:
		return []string{"key", "keyRef", "metadata"}
	case TypeToken:
		return []string{"token", "tokenRef", "expires"}
	case TypeOAuth:
		return []string{
			"oauthRef", "access", "refresh", "idToken", "clientId", "enterpriseUrl", "projectId", "accountId", "chatgptPlanType",
			"subscriptionType", "rateLimitTier", "tokenEndpoint", "deviceAuthorizationEndpoint", "issuer", "authFlow", "expires",
		}
	}
	return nil
}

// CredentialMembers are the members that a credential of a type can have, as
// OpenClaw 2026.9.6 knows them, in the order in which it writes them.
func CredentialMembers(kind string) []string {
	return slices.Concat(commonMembers, membersOfType(kind))
}

// whitelist keeps the members that OpenClaw knows, trimmed of blanks.
func (r *Rules) whitelist(credential *document.Object) *document.Object {
	kind := credential.Text("type")
	kept := document.NewObject()
	for _, name := range slices.Concat(commonMembers, membersOfType(kind), r.Store.ExtraMembers) {
		value, ok := credential.Get(name)
		text, isText := value.(string)
		switch {
		case !ok || isText && document.IsBlank(text) && !slices.Contains(secretMembers, name):
		case name == "provider":
			kept.Set(name, string(r.Providers.Normalize(text)))
		case name == "expires":
			kept.Set(name, expiresOf(credential))
		case name == "setup" && !isSetup(value):
		case name == "key" && r.Store.RefWins && r.Eligibility.isRef(credential, "keyRef"):
		default:
			kept.Set(name, value)
		}
	}
	return kept
}

// isSetup reports whether a member setup is one that OpenClaw would have
// written (2026.9.6): others are dropped, so that the credential counts.
func isSetup(value document.Value) bool {
	setup, _ := value.(*document.Object)
	_, isBool := setup.Value("replacement").(bool)
	return isBool && !document.IsBlank(setup.Text("modelRef")) && !document.IsBlank(setup.Text("configJson"))
}

// expiresOf returns the time of expiry, 0 where it is no positive number.
func expiresOf(credential *document.Object) document.Value {
	expires, ok := credential.Number("expires")
	if !ok || expires <= 0 || math.IsInf(expires, 0) {
		return document.NumberValue(0)
	}
	return credential.Value("expires")
}

// longestName is the longest run of letters and digits that passes for a name.
const longestName = 19

// MaskID returns a profile id that is safe to show. Some people's ids hold the
// key itself: what has a run of letters and digits as long as only keys have
// is cut after the provider.
func MaskID(id string) string {
	start, run := strings.IndexByte(id, ':')+1, 0
	for _, r := range id[start:] {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			if run++; run > longestName {
				return id[:start] + document.Mask
			}
			continue
		}
		run = 0
	}
	return id
}
