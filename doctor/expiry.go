package doctor

import (
	"fmt"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/state"
)

// soon is how long before its end a token is reported: OpenClaw's own 24 h.
const soon = 24 * 3600 * 1000

// expiry reports tokens that have expired or soon will.
func expiry() *Check {
	return &Check{
		ID: IDProfilesExpiry, Severity: Warning,
		Title: "tokens that have expired, or will within 24 hours, and can't be refreshed",
		Why:   "the provider stops working when they expire",
		Fix:   "log in again; tokens are never refreshed offline",
		agent: func(x *examination, p *examinedAgent) {
			p.profiles(func(s source, id string, credential *document.Object) {
				if f, found := x.expiryOf(s, id, credential); found {
					f.Agent, f.Profile, f.Where, f.Fix = s.agent, id, s.ProfileOrigin(id), loginFix(credential)
					f.Commands = x.loginCommand(s.agent, credential)
					f.Where.Pointer += x.expiresPointer(f.Where)
					x.add(f)
				}
			})
		},
	}
}

func (x *examination) expiresPointer(where state.Origin) string {
	if where.Table == "" && x.entry(where).Has("expires") {
		return document.Pointer("expires")
	}
	return ""
}

func (x *examination) expiryOf(s source, id string, credential *document.Object) (Finding, bool) {
	expires, ok := credential.Number("expires")
	isOAuth := credential.Text("type") == auth.TypeOAuth
	refreshable := isOAuth && (strings.TrimSpace(credential.Text("refresh")) != "" || credential.Has("oauthRef"))
	past := ok && expires > 0 && expires <= float64(x.Now)
	switch code := x.codeOf(s, id, credential); {
	case code == auth.Expired && isOAuth:
		return Finding{Severity: Error, Code: "refresh_fenced", Message: mask.ID(id) + " holds a refresh fence in place of tokens: a refresh is running, or has failed",
			Treats: "never used until the refresh has succeeded (expired)"}, true
	case code == auth.Expired:
		return Finding{Severity: Error, Code: string(code), Message: fmt.Sprintf("%s expired %s", mask.ID(id), x.when(expires)),
			Treats: "never used (expired)"}, true
	case isOAuth && past && x.isToolLogin(id):
		return Finding{Severity: Info, Code: "stored_copy", Message: fmt.Sprintf("the stored copy of %s expired %s; the live login is another tool's", mask.ID(id), x.when(expires)),
			Treats: "the tool's login is read while OpenClaw runs"}, true
	case isOAuth && past && !refreshable && code == auth.Eligible:
		return Finding{Severity: Error, Code: "no_refresh_token", Message: fmt.Sprintf("%s expired %s and has no refresh token", mask.ID(id), x.when(expires)),
			Treats: "still in the order: every attempt with it fails first"}, true
	case ok && !past && expires > 0 && expires < float64(x.Now+soon) && !refreshable && code == auth.Eligible:
		return Finding{Code: "expiring", Message: fmt.Sprintf("%s expires %s", mask.ID(id), x.when(expires)), Treats: "used until then"}, true
	}
	return Finding{}, false
}

func (x *examination) isToolLogin(id string) bool {
	for _, login := range state.RulesOf(x.rules).ExternalLogins {
		if login.Profile == id {
			return true
		}
	}
	return false
}
