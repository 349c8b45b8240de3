package failure

import (
	"regexp"
	"strings"
	"sync"

	"openclaw-auth/auth/document"
)

// paymentText tells HTTP 402 in a text: by a marker such as "HTTP 402", and
// from 2026.4.29 on by a bare 402 at the head when the rest says what it is
// about. A 402 may be a window that refills, which is no billing matter
// (OpenClaw's own documentation: temporary 402 limits are rate limits).
func (r *Rules) paymentText(t *text) class {
	if match, ok := t.match("m402_marker"); ok {
		return r.payment(t, match)
	}
	if !r.PaymentBare || !startsWith402(t.lower) {
		return class{}
	}
	rest := r.paymentRest(t)
	if c := paymentSigns(rest); !c.ok() {
		return class{}
	}
	return r.payment(t, Match{"m402", "402 …"})
}

func startsWith402(s string) bool { return strings.HasPrefix(s, "402") && !isWord(s, 3) }

// payment classifies a text that is known to be about HTTP 402.
func (r *Rules) payment(t *text, because Match) class {
	rest := r.paymentRest(t)
	if rest.isEmpty() {
		return class{reason: Billing, match: because}
	}
	if c := paymentSigns(rest); c.ok() {
		return c
	}
	return class{reason: Billing, match: because}
}

// paymentSigns asks what the rest of a 402 text is about.
func paymentSigns(rest *text) class {
	for _, sign := range []struct {
		group  string
		reason Reason
	}{
		{"m402_window", RateLimit},
		{"m402_billing", Billing},
		{"m402_purchase", Billing},
		{"rate_limit", RateLimit},
		{"m402_temporary", RateLimit},
	} {
		if c := rest.class(sign.group, sign.reason); c.ok() {
			return c
		}
	}
	return class{}
}

var paymentHead = sync.OnceValue(func() *regexp.Regexp {
	return compile(`^(?:error[:\s-]+)?(?:(?:http\s*)?402(?:\s+payment required)?|payment required)(?:[:\s-]+|$)`)
})

var webAddress = sync.OnceValue(func() *regexp.Regexp { return compile(`\bhttps?://[^\s<>"']+`) })

// paymentRest is the text without its 402 head, and on lines that have learnt
// it without web addresses, in which words like "limit" mean nothing.
func (r *Rules) paymentRest(t *text) *text {
	rest := t.lower
	if at := paymentHead().FindStringIndex(rest); at != nil {
		rest = rest[at[1]:]
	}
	if r.PaymentSparesAddresses && strings.Contains(rest, "://") {
		rest = webAddress().ReplaceAllLiteralString(rest, " ")
	}
	return r.matcher().newText(document.Trim(rest))
}
