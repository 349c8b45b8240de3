package failure

import (
	"strings"
	"sync"

	"openclaw-auth/auth/document"
)

// lead splits a leading HTTP status, "503 …", "HTTP 503: …", off a text; a
// text that is nothing but the status has an empty rest.
func (r *Rules) lead(message string) (status int, rest string, ok bool) {
	s := document.Trim(message)
	if len(s) >= 4 && strings.EqualFold(s[:4], "http") {
		s = document.TrimStart(s[4:])
	}
	status, rest, ok = takeDigits(s)
	if !ok || !r.leadInRange(status) {
		return 0, message, false
	}
	if rest == "" {
		return status, "", true
	}
	rest, ok = r.afterDelimiter(rest)
	if !ok {
		return 0, message, false
	}
	return status, rest, true
}

// afterDelimiter drops what separates a status from the rest: white space, and
// from 2026.3.31 on a colon too. After it there must be something: "503:" is
// no status (asked of 2026.5.12).
func (r *Rules) afterDelimiter(s string) (string, bool) {
	rest := document.TrimStart(s)
	if r.LeadColon && strings.HasPrefix(rest, ":") {
		rest = document.TrimStart(rest[1:])
		return rest, rest != ""
	}
	return rest, len(rest) < len(s) && rest != ""
}

func (r *Rules) leadInRange(status int) bool {
	return !r.LeadInRange || 100 <= status && status <= 599
}

// inferStatus reads the status out of a message that came without one.
func (r *Rules) inferStatus(message string) (int, bool) {
	status, _, ok := r.lead(r.withoutErrorPrefix(message))
	return status, ok
}

// withoutErrorPrefix drops "error:" from the head of a message, once, on lines
// that look behind it for a status.
func (r *Rules) withoutErrorPrefix(message string) string {
	s := document.Trim(message)
	if r.StatusBehindError && len(s) >= 6 && strings.EqualFold(s[:6], "error:") {
		return document.TrimStart(s[6:])
	}
	return s
}

// body returns the message behind "error:" and a leading status.
func (r *Rules) body(message string) (status int, rest string, ok bool) {
	s := r.withoutErrorPrefix(message)
	if status, rest, ok = r.lead(s); ok {
		return status, rest, true
	}
	return 0, s, false
}

// isNoBody reports whether a message only says that the answer had no body. A
// status in front of that must be the given one.
func (r *Rules) isNoBody(message string, status int) bool {
	if document.Trim(message) == "" {
		return true
	}
	leading, rest, ok := r.body(message)
	if ok && leading != status {
		return false
	}
	switch strings.ToLower(document.Trim(rest)) {
	case "no body", "no body response", "no response body", "status code (no body)":
		return true
	}
	return false
}

var htmlOpen = sync.OnceValue(func() func(string) bool {
	return compile(`(?i)^\s*(?:<!doctype\s+html\b|<html\b)`).MatchString
})

// isHTMLPage reports whether the message is a web page, such as a gateway
// sends in place of the provider's answer.
func (r *Rules) isHTMLPage(message string) bool {
	_, rest, _ := r.body(message)
	return strings.HasPrefix(document.TrimStart(rest), "<") && htmlOpen()(rest) &&
		strings.Contains(document.Lower(rest), "</html>")
}
