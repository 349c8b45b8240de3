package doctor

import (
	"crypto/sha256"
	"openclaw-auth/auth"
	"openclaw-auth/state"
	"slices"
	"strings"
)

// The members that OpenClaw knows of the objects of the configuration that are
// strict: any other makes the configuration invalid.
var (
	authKeys     = []string{"profiles", "order", "cooldowns"}
	profileKeys  = []string{"provider", "mode", "email", "displayName"}
	cooldownKeys = []string{"billingBackoffHours", "billingBackoffHoursByProvider", "billingMaxHours", "failureWindowHours"}
)

// secretKeys are members of auth.profiles that hold secrets; they belong to a store.
var secretKeys = []string{"key", "apiKey", "api_key", "token", "access", "refresh"}

// isReference reports whether a text only refers to a secret: a variable, in
// any of the spellings that OpenClaw has had, or the name of a managed one.
func isReference(value string) bool {
	return strings.HasPrefix(value, "$") || strings.HasPrefix(value, "secretref-") || strings.HasPrefix(value, "__env__:") ||
		strings.HasPrefix(value, "openclaw-oauth-refresh-fence:") || isVariable(value)
}

func isVariable(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool { return !(r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_') }) < 0
}

func isAWSMarker(entry *auth.Object) bool {
	return entry.Text("type") == "aws-sdk" || entry.Text("type") == "" && entry.Text("mode") == "aws-sdk"
}

// rejectText says why an entry is refused.
func rejectText(reason auth.RejectReason) string {
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

// secretOf hashes what a credential authenticates with, under whatever names
// that stands. ok is false where there is nothing.
func secretOf(credential *auth.Object) (hash [sha256.Size]byte, ok bool) {
	var secrets []string
	for _, name := range []string{"key", "apiKey", "api_key", "token", "access", "refresh"} {
		if text := credential.Text(name); text != "" && !slices.Contains(secrets, text) {
			secrets = append(secrets, text)
		}
	}
	return sha256.Sum256([]byte(strings.Join(secrets, "\x00"))), len(secrets) > 0
}

// hasCredential reports whether a profile holds anything to authenticate with.
func hasCredential(credential *auth.Object) bool {
	_, ok := secretOf(credential)
	return ok || credential.Object("keyRef") != nil || credential.Object("tokenRef") != nil
}

// sameLogin reports whether two profiles authenticate with the same.
func sameLogin(a, b *auth.Object) bool {
	hashA, okA := secretOf(a)
	hashB, okB := secretOf(b)
	return okA && okB && hashA == hashB
}

// isOlderLogin reports whether a login is of the same account as another one and
// ends earlier: a refresh token is good for one refresh, so it no longer works.
func isOlderLogin(login, other *auth.Object) bool {
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

// isConfusable reports whether OpenClaw would take an agent's login for main's:
// another one under the same id, where neither tells of which account it is.
func isConfusable(login, main *auth.Object) bool {
	if login.Text("type") != auth.TypeOAuth || main.Text("type") != auth.TypeOAuth || sameLogin(login, main) {
		return false
	}
	for _, name := range []string{"accountId", "email"} {
		if login.Text(name) != "" && main.Text(name) != "" {
			return false // they are known to be the same, or different
		}
	}
	return true
}

// droppedOf lists the members of an entry that a credential does not keep, under
// whatever name. A secret that is no text is none.
func droppedOf(entry, credential *auth.Object) []string {
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

// withoutKeyAlias is a credential with its api_key under its name, the
// credential itself if it has none to rename.
func withoutKeyAlias(entry *auth.Object) *auth.Object {
	kind := entry.Text("type")
	if kind == "" {
		kind = entry.Text("mode")
	}
	if kind != auth.TypeAPIKey || entry.Text("api_key") == "" || entry.Has("key") || entry.Has("keyRef") {
		return entry
	}
	renamed := auth.NewObject()
	for name, value := range entry.All() {
		if name == "api_key" {
			name = "key"
		}
		renamed.Set(name, value)
	}
	return renamed
}

// alias is a spelling of a member that people and older programs write.
type alias struct{ written, member string }

// memberAliases are spellings of the members of a credential, by other programs
// and by hand, and the members that OpenClaw reads.
var memberAliases = []alias{
	{"mode", "type"}, {"apiKey", "key"}, {"api_key", "key"}, {"access_token", "access"}, {"refresh_token", "refresh"},
	{"accessToken", "access"}, {"refreshToken", "refresh"}, {"id_token", "idToken"}, {"expires_at", "expires"}, {"expiresAt", "expires"},
}
