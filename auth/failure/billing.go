package failure

import (
	"regexp"
	"strings"
	"sync"
)

// billingText reports whether the text is about credit, plan or subscription.
func (r *Rules) billingText(t *text) (Match, bool) {
	if t.isEmpty() || r.isDocument(t) {
		return Match{}, false
	}
	if r.BillingGate > 0 && longerThan(t.raw, r.BillingGate) {
		return t.match("billing_long")
	}
	if match, ok := t.match("billing"); ok {
		return match, true
	}
	if r.ReceivedRecords && received402(t.lower) {
		return Match{"billing", "received 402"}, true
	}
	if match, ok := t.match("billing_head"); ok && t.has("billing_head_word") && !r.headIsIndented(t) {
		return match, true
	}
	return Match{}, false
}

func (r *Rules) billingIf(condition bool, t *text) class {
	if !condition {
		return class{}
	}
	if match, ok := r.billingText(t); ok {
		return class{reason: Billing, match: match}
	}
	return class{}
}

// headIsIndented reports that a text starts with white space, which keeps it
// from having a billing head on lines that look for one at the very start.
func (r *Rules) headIsIndented(t *text) bool { return r.BillingHeadAtStart && startsWithSpace(t.raw) }

// isDocument reports that a text has two markdown headings or more: an answer
// about billing rather than an error.
func (r *Rules) isDocument(t *text) bool {
	return r.BillingSparesDocuments && t.has("markdown_heading") && len(t.findAll("markdown_heading", 2)) > 1
}

var (
	receivedAny = sync.OnceValue(func() *regexp.Regexp { return compile(`\b(?:got|returned|received)\s+(?:a\s+)?402\b`) })
	recordsOnly = sync.OnceValue(func() *regexp.Regexp { return compile(`^\s+records\b`) })
)

// received402 reports whether a 402 was received, other than one of 402
// records. (RE2 has no lookahead, so each place is looked at.)
func received402(s string) bool {
	if !strings.Contains(s, "402") {
		return false
	}
	mention, records := receivedAny(), recordsOnly()
	for rest := s; ; {
		at := mention.FindStringIndex(rest)
		if at == nil {
			return false
		}
		rest = rest[at[1]:]
		if !records.MatchString(rest) {
			return true
		}
	}
}
