package failure

import (
	"strconv"
	"strings"

	"openclaw-auth/auth/document"
)

// leadClass gives the reason of a status at the head of the text, such as
// "503 Service Unavailable". The table is the line's; 2026.9.6 has none, there
// the status rule reads that status.
func (r *Rules) leadClass(t *text) class {
	status, _, ok := r.lead(t.raw)
	if !ok {
		return class{}
	}
	return class{reason: r.LeadReasons[status], match: Match{"leading_status", strconv.Itoa(status)}}
}

// gone is how 2026.3.31 reads a text that starts with 410: by what the rest
// says of itself, and in no other way.
func (r *Rules) gone(m message) class {
	status, rest, ok := r.lead(m.raw)
	if !ok || status != 410 {
		return class{}
	}
	return r.statusRule(statusFacts{status: 410, message: message{text: r.matcher().newText(rest)}})
}

// structuredServerError reads JSON that names a server error as its type or
// code, unless the text gives the credential the blame.
func (r *Rules) structuredServerError(t *text) class {
	c := t.class("structured_server_error", ServerError)
	if !c.ok() && r.PayloadType {
		switch typ := document.Lower(document.Trim(r.payloadOf(t).typ)); typ {
		case "server_error", "upstream_error":
			c = class{reason: ServerError, match: Match{"structured_server_error", typ}}
		}
	}
	if !c.ok() || r.blamesCredential(t) {
		return class{}
	}
	return c
}

// blamesCredential reports whether the text speaks of billing or of the login.
func (r *Rules) blamesCredential(t *text) bool {
	_, billing := r.billingText(t)
	return billing || t.has("auth_permanent") || t.has("auth")
}

// serverText tells a fault of the provider by its words. "status: internal
// server error" is one only together with the code 500; it is taken out before
// the words are looked for, and where nothing else is left it decides from
// 2026.5.12 on.
func (r *Rules) serverText(t *text) class {
	if c := t.class("server_error_status500", Timeout); c.ok() {
		return c
	}
	if c := t.class("server_error_http5xx", Timeout); c.ok() {
		return c
	}
	match, ok := t.match("status_internal")
	if !ok {
		return t.class("server_error", Timeout)
	}
	at := t.findAll("status_internal", 1)[0]
	rest := document.Trim(t.lower[:at[0]] + t.lower[at[1]:])
	if rest == "" {
		if r.InternalStatusAlone {
			return class{reason: Timeout, match: match}
		}
		return class{}
	}
	return r.matcher().newText(rest).class("server_error", Timeout)
}

// apiError tells a passing fault in Anthropic's envelope, whose type api_error
// says too little: the message has to say the rest.
func (r *Rules) apiError(t *text) class {
	if !t.has("api_error") || r.APIErrorSparesCredential && r.blamesCredential(t) {
		return class{}
	}
	return t.class("api_error_signal", Timeout)
}

// typeOf gives the reason of the type that the message's JSON names, else of
// the signal's where the line passes that on.
func (r *Rules) typeOf(m message) class {
	typ := r.payloadOf(m.text).typ
	if typ == "" && r.MessageSeesType {
		typ = m.typ
	}
	return r.typeRule(typ)
}

// typeRule gives the reason of an error's type.
func (r *Rules) typeRule(typ string) class {
	typ = strings.ToLower(document.Trim(typ))
	return class{reason: r.Types[typ], match: Match{"type", typ}}
}

// ownStatus applies the status rule with the status in the message.
func (r *Rules) ownStatus(m message) class {
	status, ok := r.inferStatus(m.raw)
	if !ok {
		return class{}
	}
	return r.statusRule(statusFacts{status: float64(status), message: m})
}
