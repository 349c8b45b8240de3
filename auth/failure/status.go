package failure

import (
	"slices"
	"strconv"
)

// StatusRule says what an HTTP status means. The fields are asked in their
// order.
type StatusRule struct {
	// HookDecides lets a provider plugin's class stand (401 and 403 from
	// 2026.8.2 on).
	HookDecides bool
	// Special is a rule with a reading of its own.
	Special StatusSpecial
	// Texts asks the message itself, before its class counts.
	Texts []TextReason
	// Keep lists the classes of the message that stand; KeepAll lets all
	// stand but Except.
	Keep    []Reason
	KeepAll bool
	Except  Reason
	// NoBodyIsNone gives no reason when the message only says that there was
	// no body, which tells nothing about the request (from 2026.4.29 on).
	NoBodyIsNone bool
	// Reason is what the status means when nothing above has an answer.
	Reason Reason
}

// TextReason is a question to a message and the reason that a yes gives. The
// text is the name of a pattern group; "billing" stands for all of the billing
// rules.
type TextReason struct {
	Text   string
	Reason Reason
}

// StatusSpecial names a status whose rule is no plain list.
type StatusSpecial string

const (
	// PaymentStatus is 402: billing, unless the text names a window that
	// refills. From 2026.3.13 on.
	PaymentStatus StatusSpecial = "payment"
	// PaceStatus is 429: a rate limit, unless the text is plainly about
	// money. From 2026.5.28 on.
	PaceStatus StatusSpecial = "pace"
)

// statusFacts is what the status rule looks at.
type statusFacts struct {
	status   float64
	explicit bool // given, not read out of the message
	message  message
	class    class // of the message and what came with it
	hooked   bool  // the class is a provider plugin's
}

func (f *statusFacts) match() Match {
	return Match{"status", strconv.FormatFloat(f.status, 'f', -1, 64)}
}

// statusRule classifies by status.
func (r *Rules) statusRule(f statusFacts) class {
	rule, ok := r.ruleOfStatus(f.status)
	if !ok {
		if r.OverflowAtAnyStatus && f.class.reason == ContextOverflow {
			return f.class
		}
		return class{}
	}
	if rule.HookDecides && f.hooked {
		return f.class
	}
	switch rule.Special {
	case PaymentStatus:
		return r.paymentStatus(f)
	case PaceStatus:
		return r.paceStatus(f)
	}
	if c := r.ownTexts(rule, f.message.text); c.ok() {
		return c
	}
	if f.class.ok() && rule.keeps(f.class.reason) {
		return f.class
	}
	if rule.NoBodyIsNone && r.isNoBody(f.message.rawText(), int(f.status)) {
		return class{}
	}
	return class{reason: rule.Reason, match: f.match()}
}

func (r *Rules) ruleOfStatus(status float64) (StatusRule, bool) {
	if status != float64(int(status)) {
		return StatusRule{}, false
	}
	if rule, ok := r.Status[int(status)]; ok {
		return rule, true
	}
	if r.OtherServerStatus != nil && 500 <= status && status <= 599 {
		return *r.OtherServerStatus, true
	}
	return StatusRule{}, false
}

func (rule *StatusRule) keeps(reason Reason) bool {
	return rule.KeepAll && reason != rule.Except || slices.Contains(rule.Keep, reason)
}

// ownTexts asks the rule's own questions to the message.
func (r *Rules) ownTexts(rule StatusRule, t *text) class {
	for _, ask := range rule.Texts {
		c := t.class(ask.Text, ask.Reason)
		if ask.Text == "billing" {
			c = r.billingIf(true, t)
		}
		if c.ok() {
			return c
		}
	}
	return class{}
}

// paymentStatus reads a 402. When the message itself starts with 402 its own
// wording decides first; a status that was only read out of that message
// proves nothing more.
func (r *Rules) paymentStatus(f statusFacts) class {
	if f.message.isEmpty() {
		return class{reason: Billing, match: f.match()}
	}
	if status, _, ok := r.lead(f.message.raw); r.PaymentLeadFirst && ok && status == 402 {
		if c := r.paymentText(f.message.text); c.ok() {
			return c
		}
		if !f.explicit {
			return f.class
		}
	}
	return r.payment(f.message.text, f.match())
}

// paceStatus reads a 429. Billing counts when the text is plain about it, or
// when the provider is known to say 429 where others say 402.
func (r *Rules) paceStatus(f statusFacts) class {
	ambiguous := r.isAmbiguousBalance(f.message.text)
	if f.class.reason == Billing && !ambiguous {
		return f.class
	}
	known := f.message.providerHas("xai") || f.message.providerHas("moonshot") || f.message.providerHas("kimi")
	if c := r.billingIf(known || !ambiguous, f.message.text); c.ok() {
		return c
	}
	return class{reason: RateLimit, match: f.match()}
}

// isAmbiguousBalance reports whether a text mentions an insufficient account
// balance though its JSON, if any, doesn't call the error one of billing.
func (r *Rules) isAmbiguousBalance(t *text) bool {
	if !t.has("billing_ambiguous") || r.isBillingType(r.payloadOf(t).typ) {
		return false
	}
	_, rest, ok := r.lead(t.raw)
	return !ok || !r.isBillingType(r.readPayload(rest).typ)
}

func (r *Rules) isBillingType(typ string) bool {
	if typ == "" {
		return false
	}
	return r.isBilling(r.matcher().newText(typ)) ||
		r.isBilling(r.matcher().newText(withBlanks(typ)))
}
