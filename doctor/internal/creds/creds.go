// Package creds holds what doctor and its repairs know about credentials as they
// are written: the members that OpenClaw reads, the spellings that people and
// other programs use instead, and when two of them are the same login.
package creds

import (
	"crypto/sha256"
	"slices"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/state"
)

// The members that OpenClaw knows of the objects of the configuration that are
// strict: any other makes the configuration invalid.
var (
	AuthKeys     = []string{"profiles", "order", "cooldowns"}
	ProfileKeys  = []string{"provider", "mode", "email", "displayName"}
	CooldownKeys = []string{"billingBackoffHours", "billingBackoffHoursByProvider", "billingMaxHours", "failureWindowHours"}
)

// SecretKeys are members of auth.profiles that hold secrets; they belong to a store.
var SecretKeys = []string{"key", "apiKey", "api_key", "token", "access", "refresh"}

// IsReference reports whether a text only refers to a secret: a variable, in
// any of the spellings that OpenClaw has had, the name of a managed one, or the id
// of a profile.
func IsReference(value string) bool {
	return strings.HasPrefix(value, "$") || strings.HasPrefix(value, "secretref-") || strings.HasPrefix(value, "__env__:") ||
		strings.HasPrefix(value, "openclaw-oauth-refresh-fence:") || IsVariable(value) || isProfileID(value)
}

// isProfileID reports whether a text has the form of a profile id, PROVIDER:NAME,
// that holds no key: people write one where a key belongs.
func isProfileID(value string) bool {
	provider, name, ok := strings.Cut(value, ":")
	return ok && len(provider) > 2 && name != "" && auth.MaskID(value) == value && strings.Trim(provider, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" &&
		provider[0] >= 'a' && provider[0] <= 'z' && strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789-._@") == ""
}

// IsVariable reports whether a text has the form of an environment variable's name.
func IsVariable(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool { return !(r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_') }) < 0
}

// IsAWSMarker reports whether an entry stands for the credentials of the AWS SDK
// and holds none itself.
func IsAWSMarker(entry *document.Object) bool {
	return entry.Text("type") == "aws-sdk" || entry.Text("type") == "" && entry.Text("mode") == "aws-sdk"
}

// RejectText says why an entry is refused.
func RejectText(reason auth.RejectReason) string {
	switch reason {
	case auth.RejectNonObject:
		return "it is no object"
	case state.RejectNoCredential:
		return "it holds nothing to authenticate with"
	case auth.RejectInvalidType:
		return "its type is none of api_key, oauth, token"
	}
	return "it names no provider"
}

// SecretOf hashes what a credential authenticates with, under whatever names
// that stands. ok is false where there is nothing.
func SecretOf(credential *document.Object) (hash [sha256.Size]byte, ok bool) {
	var secrets []string
	for _, name := range []string{"key", "apiKey", "api_key", "token", "access", "refresh"} {
		if text := credential.Text(name); text != "" && !slices.Contains(secrets, text) {
			secrets = append(secrets, text)
		}
	}
	return sha256.Sum256([]byte(strings.Join(secrets, "\x00"))), len(secrets) > 0
}

// HasCredential reports whether a profile holds anything to authenticate with.
func HasCredential(credential *document.Object) bool {
	_, ok := SecretOf(credential)
	return ok || credential.Object("keyRef") != nil || credential.Object("tokenRef") != nil
}

// SameLogin reports whether two profiles authenticate with the same.
func SameLogin(a, b *document.Object) bool {
	hashA, okA := SecretOf(a)
	hashB, okB := SecretOf(b)
	return okA && okB && hashA == hashB
}

// IsOlderLogin reports whether a login is of the same account as another one and
// ends earlier: a refresh token is good for one refresh, so it no longer works.
func IsOlderLogin(login, other *document.Object) bool {
	ends, _ := login.Number("expires")
	otherEnds, _ := other.Number("expires")
	if login.Text("type") != auth.TypeOAuth || other.Text("type") != auth.TypeOAuth || ends >= otherEnds {
		return false
	}
	same := func(name string) bool {
		return login.Text(name) != "" && strings.EqualFold(login.Text(name), other.Text(name))
	}
	differ := func(name string) bool {
		return login.Text(name) != "" && other.Text(name) != "" && !strings.EqualFold(login.Text(name), other.Text(name))
	}
	return same("accountId") || same("email") && !differ("accountId")
}

// IsConfusable reports whether OpenClaw would take an agent's login for main's:
// another one under the same id, where neither says which account it is.
func IsConfusable(login, main *document.Object) bool {
	if login.Text("type") != auth.TypeOAuth || main.Text("type") != auth.TypeOAuth || SameLogin(login, main) {
		return false
	}
	for _, name := range []string{"accountId", "email"} {
		if login.Text(name) != "" && main.Text(name) != "" {
			return false // they are known to be the same, or different
		}
	}
	return true
}

// DroppedOf lists the members of an entry that a credential does not keep, under
// whatever name. A secret that is no text is none.
func DroppedOf(entry, credential *document.Object) []string {
	var dropped []string
	for name := range entry.All() {
		switch {
		case slices.Contains([]string{"key", "token"}, name) && credential.Has(name) && credential.Text(name) == "":
			credential.Delete(name)
			dropped = append(dropped, name)
		case credential.Has(name) || credential.Has(name+"Ref") || name == "mode" || name == "apiKey" || name == "oauthRef":
		default:
			dropped = append(dropped, name)
		}
	}
	return dropped
}

// WithoutKeyAlias is a credential with its api_key under its name, the
// credential itself if it has none to rename.
func WithoutKeyAlias(entry *document.Object) *document.Object {
	kind := entry.Text("type")
	if kind == "" {
		kind = entry.Text("mode")
	}
	if kind != auth.TypeAPIKey || entry.Text("api_key") == "" || entry.Has("key") || entry.Has("keyRef") {
		return entry
	}
	renamed := document.NewObject()
	for name, value := range entry.All() {
		if name == "api_key" {
			name = "key"
		}
		renamed.Set(name, value)
	}
	return renamed
}

// Alias is a spelling of a member that people and older programs write.
type Alias struct{ Written, Member string }

// MemberAliases are spellings of the members of a credential, by other programs
// and by hand, and the members that OpenClaw reads.
var MemberAliases = []Alias{
	{"mode", "type"}, {"apiKey", "key"}, {"api_key", "key"}, {"access_token", "access"}, {"refresh_token", "refresh"},
	{"accessToken", "access"}, {"refreshToken", "refresh"}, {"id_token", "idToken"}, {"expires_at", "expires"}, {"expiresAt", "expires"},
}

// WithKnownNames is an entry whose members have the names that OpenClaw reads, and
// what had to be renamed for that; the entry itself if nothing had to. A member
// that is there under its own name stays what it is. A time in seconds becomes one
// in milliseconds, and one that is no number stays under its old name.
func WithKnownNames(entry *document.Object) (*document.Object, []Alias) {
	var renamed []Alias
	names := map[string]string{}
	for _, a := range MemberAliases {
		value, has := entry.Get(a.Written)
		_, isNumber := entry.Number(a.Written)
		if !has || entry.Has(a.Member) || a.Member == "expires" && !isNumber || names[a.Written] != "" {
			continue
		}
		if _, isText := value.(string); a.Member != "expires" && !isText || slices.ContainsFunc(renamed, func(other Alias) bool { return other.Member == a.Member }) {
			continue
		}
		renamed, names[a.Written] = append(renamed, a), a.Member
	}
	if len(renamed) == 0 {
		return entry, nil
	}
	known := document.NewObject()
	for name, value := range entry.All() {
		if member := names[name]; member != "" {
			name = member
		}
		known.Set(name, value)
	}
	if ends, ok := known.Number("expires"); ok && names["expires_at"]+names["expiresAt"] != "" && ends < secondsEnd {
		known.SetNumber("expires", ends*1000)
	}
	return known, renamed
}

// secondsEnd is above every time in seconds, and below every one in milliseconds
// that a login has: the year 5138, or March 1973.
const secondsEnd = 1e11
