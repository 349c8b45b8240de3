package auth

import (
	"encoding/hex"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"openclaw-auth/auth/document"
)

// Code says whether a profile may serve a provider, and why not. The codes are
// OpenClaw's own (2026.3.13+; before, it only answers yes or no). Windows play no part.
type Code string

// The eligibility codes, in the order in which their tests are made.
const (
	ProfileMissing    Code = "profile_missing"    // not in the store
	SetupInactive     Code = "setup_inactive"     // 2026.9.6: replaces another credential in an unfinished setup
	ProviderMismatch  Code = "provider_mismatch"  // the credential or auth.profiles names another provider
	ModeMismatch      Code = "mode_mismatch"      // auth.profiles names another type than the stored one
	MalformedAPIKey   Code = "malformed_api_key"  // 2026.7.1+: the key is a pasted command
	MissingCredential Code = "missing_credential" // nothing to authenticate with
	UnresolvedRef     Code = "unresolved_ref"     // 2026.6.11+: only a reference to tokens kept elsewhere
	InvalidExpires    Code = "invalid_expires"    // 2026.3.13+: a token whose expires is no positive number
	Expired           Code = "expired"            // a token past its expires; 2026.9.6: a fenced OAuth profile
	Eligible          Code = "ok"
)

// lastDate is the latest time of JavaScript's Date, in ms.
const lastDate = 8.64e15

// Eligibility tells whether the profile may serve the provider at the time now
// (Unix ms). An OAuth profile is eligible however old its access token is.
func (p *Profiles) Eligibility(provider string, id ProfileID, now int64) Code {
	return p.eligibility(p.wantedBy(provider), id, now)
}

// wanted is a provider that is asked for: as spelled, and its two keys.
type wanted struct {
	spelled    string
	normalized ProviderID
	authKey    ProviderID
}

func (p *Profiles) wantedBy(provider string) wanted {
	return wanted{provider, p.Rules.Providers.Normalize(provider), p.Rules.Providers.AuthKey(provider)}
}

func (p *Profiles) eligibility(want wanted, id ProfileID, now int64) Code {
	credential := p.Store.credential(id)
	if credential == nil {
		if p.isConfigOnlyAWS(want, id) {
			return Eligible
		}
		return ProfileMissing
	}
	if p.Rules.Eligibility.SetupReplacement && isSetupReplacement(credential) {
		return SetupInactive
	}
	kind := credential.Text("type")
	if !p.serves(want, credential.Text("provider"), kind) {
		return ProviderMismatch
	}
	if entry := p.declared(id); entry != nil {
		if !p.serves(want, entry.Text("provider"), kind) {
			return ProviderMismatch
		}
		// A stored token under mode oauth is the one difference that OpenClaw tolerates.
		if mode := entry.Text("mode"); mode != kind && !(mode == TypeOAuth && kind == TypeToken) {
			return ModeMismatch
		}
	}
	switch kind {
	case TypeAPIKey:
		return p.Rules.Eligibility.apiKey(credential)
	case TypeToken:
		return p.Rules.Eligibility.token(credential, now)
	case TypeOAuth:
		return p.Rules.Eligibility.oauth(credential)
	}
	if p.Rules.Eligibility.UnknownTypeIsOAuth {
		return p.Rules.Eligibility.oauth(credential)
	}
	return MissingCredential
}

// declared returns the entry of auth.profiles for the id, nil without one.
// JavaScript finds the functions that every object has, such as constructor,
// where an entry is looked up: to OpenClaw that is an entry without provider.
func (p *Profiles) declared(id ProfileID) *document.Object {
	profiles := p.Config.Profiles()
	if profiles != nil && !profiles.Has(string(id)) && isObjectMember(string(id)) {
		return document.NewObject()
	}
	return profiles.Object(string(id))
}

// objectMembers are the members that every JavaScript object inherits.
var objectMembers = []string{
	"constructor", "__defineGetter__", "__defineSetter__", "hasOwnProperty", "__lookupGetter__", "__lookupSetter__",
	"isPrototypeOf", "propertyIsEnumerable", "toString", "valueOf", "__proto__", "toLocaleString",
}

func isObjectMember(name string) bool { return slices.Contains(objectMembers, name) }

// serves reports whether a credential of the named provider and type answers
// for the wanted one.
func (p *Profiles) serves(want wanted, provider, kind string) bool {
	key := p.Rules.Providers.AuthKey(provider)
	return key == want.authKey ||
		p.Rules.Eligibility.OpenAIKeyForCodex && want.authKey == providerCodex && key == providerOpenAI && kind == TypeAPIKey
}

// isConfigOnlyAWS reports whether auth.profiles declares an aws-sdk profile
// that needs no stored credential because the SDK finds its own.
func (p *Profiles) isConfigOnlyAWS(want wanted, id ProfileID) bool {
	policy := p.Rules.Eligibility.ConfigOnlyAWS
	entry := p.Config.Profiles().Object(string(id))
	if policy == AWSNever || entry.Text("mode") != modeAWS || p.Rules.Providers.AuthKey(entry.Text("provider")) != want.authKey {
		return false
	}
	key := want.normalized
	if policy == AWSAuthOfAuthKey {
		key = want.authKey
	}
	_, value, _ := p.Rules.Providers.lookup(p.Config.Providers(), key)
	configured, _ := value.(*document.Object)
	auth, _ := configured.Get("auth")
	if text, ok := auth.(string); ok {
		return text == modeAWS
	}
	return policy == AWSBedrockOrAuth && want.normalized == providerBedrock
}

func isSetupReplacement(credential *document.Object) bool {
	replacement, _ := credential.Object("setup").Get("replacement")
	return document.Truthy(replacement)
}

func (r *EligibilityRules) apiKey(credential *document.Object) Code {
	key := credential.Text("key")
	if r.MalformedAPIKey && isPastedCommand(key) {
		return MalformedAPIKey
	}
	if document.IsBlank(key) && !r.isRef(credential, "keyRef") {
		return MissingCredential
	}
	return Eligible
}

func (r *EligibilityRules) token(credential *document.Object, now int64) Code {
	if document.IsBlank(credential.Text("token")) && !r.isRef(credential, "tokenRef") {
		return MissingCredential
	}
	if !credential.Has("expires") {
		return Eligible
	}
	expires, ok := credential.Number("expires")
	valid := ok && expires > 0 && !math.IsInf(expires, 0) && !(r.ExpiresWithinDate && expires > lastDate)
	switch {
	case !valid && r.InvalidExpires:
		return InvalidExpires
	case valid && expires <= float64(now):
		return Expired
	}
	return Eligible
}

func (r *EligibilityRules) oauth(credential *document.Object) Code {
	if r.RefreshFence && isFenced(credential) {
		return Expired
	}
	if !document.IsBlank(credential.Text("access")) || !document.IsBlank(credential.Text("refresh")) {
		return Eligible
	}
	ref, _ := credential.Get("oauthRef")
	switch {
	case r.OAuthRef == RefSidecar && isSidecarRef(ref):
		return Eligible
	case r.OAuthRef == RefUnresolved && document.Truthy(ref):
		return UnresolvedRef
	}
	return MissingCredential
}

// isRef reports whether the member is a valid secret reference. Whether it
// resolves is not asked.
func (r *EligibilityRules) isRef(credential *document.Object, name string) bool {
	if !r.SecretRefs {
		return false
	}
	value, _ := credential.Get(name)
	if text, ok := document.TextOf(value); ok {
		return r.isTextRef(document.Trim(text))
	}
	ref, ok := value.(*document.Object)
	if !ok || !slices.Contains(r.RefSources, ref.Text("source")) || document.IsBlank(ref.Text("id")) {
		return false
	}
	return !ref.Has("provider") || ref.Len() == 3 && !document.IsBlank(ref.Text("provider"))
}

func (r *EligibilityRules) isTextRef(text string) bool {
	if inner, ok := strings.CutPrefix(text, "${"); ok {
		name, closed := strings.CutSuffix(inner, "}")
		return closed && isVariable(name)
	}
	if name, ok := strings.CutPrefix(text, "$"); ok {
		return r.RefDollar && isVariable(name)
	}
	for _, marker := range []string{"secretref-env:", "__env__:"} {
		if name, ok := strings.CutPrefix(text, marker); ok {
			return r.RefMarkers && isVariable(name)
		}
	}
	return false
}

// isVariable reports whether name is [A-Z][A-Z0-9_]{0,127}.
func isVariable(name string) bool {
	if len(name) == 0 || len(name) > 128 || name[0] < 'A' || name[0] > 'Z' {
		return false
	}
	return strings.IndexFunc(name, func(r rune) bool {
		return !(r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_')
	}) < 0
}

// isSidecarRef reports whether the value is the reference that 2026.5.12 leaves
// where it has moved the tokens to credentials/auth-profiles/<id>.json.
func isSidecarRef(value document.Value) bool {
	ref, _ := value.(*document.Object)
	return ref.Text("source") == "openclaw-credentials" && ref.Text("provider") == string(providerCodex) && isLowerHex(ref.Text("id"), 32)
}

func isLowerHex(text string, length int) bool {
	_, err := hex.DecodeString(text)
	return err == nil && len(text) == length && strings.ToLower(text) == text
}

// isFenced reports whether the tokens are a refresh fence: a pair of markers
// that 2026.9 leaves while, or after, another process refreshes them.
func isFenced(credential *document.Object) bool {
	if expires, ok := credential.Number("expires"); !ok || expires != 1 {
		return false
	}
	access, okAccess := fenceID(credential.Text("access"), "access:")
	refresh, okRefresh := fenceID(credential.Text("refresh"), "refresh:")
	return okAccess && okRefresh && access == refresh
}

// fenceID returns what the two markers of a fence share: the id and whether the refresh failed.
func fenceID(token, kind string) (string, bool) {
	rest, ok := strings.CutPrefix(token, "openclaw-oauth-refresh-fence:v1:")
	id, rest, cut := strings.Cut(rest, ":")
	if !ok || !cut || !isLowerHex(id, 32) {
		return "", false
	}
	if after, failed := strings.CutPrefix(rest, "failed:"); failed {
		id, rest = id+" failed", after
	}
	digest, ok := strings.CutPrefix(rest, kind)
	return id, ok && isLowerHex(digest, 64)
}

// space is JavaScript's \s, which RE2's lacks most of.
const space = `[\s\x{0b}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}]`

var pastedCommand = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^openclaw` + space + `+onboard(` + space + `+[^\n\r\x{2028}\x{2029}]*)?` + space + `+--auth-choice(` + space + `|=|$)`)
})

// isPastedCommand reports whether a key is an "openclaw onboard --auth-choice" command line.
func isPastedCommand(key string) bool {
	const start = "openclaw"
	key = document.Trim(key)
	return len(key) > len(start) && strings.EqualFold(key[:len(start)], start) && pastedCommand().MatchString(key)
}
