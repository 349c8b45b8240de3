package failure

import "sync"

// Rules are the classification rules of one release line. They hold no code:
// what a line does differently is the value of a field, and the comment of the
// field says from which line on. Unless it names another witness, the recorded
// vectors of the lines on both sides of the change show it.
//
// Rules are shared and must not be changed.
type Rules struct {
	// ReleaseLine is the line's exact name, such as "2026.5.12".
	ReleaseLine string

	// Checks are the questions to a message, in order. Each line has its own
	// order; a new check came with almost every line.
	Checks []Check

	// LeadColon lets a colon end a status at the head of a message
	// ("503: …"); before 2026.3.31 only white space does.
	LeadColon bool
	// LeadInRange takes only 100 to 599 for a status at the head; before
	// 2026.8.2 any three digits are one.
	LeadInRange bool
	// LeadReasons are the reasons of statuses at the head of a message, from
	// 2026.2.26 to 2026.8.2; 2026.9.6 applies the status rules to them.
	LeadReasons map[int]Reason
	// StatusBehindError looks for a status behind "error:" too. From
	// 2026.4.29 on.
	StatusBehindError bool

	// BillingGate is the length in UTF-16 units beyond which only a few
	// billing patterns count: 512 from 2026.2.26 to 2026.7.1, else 0 for
	// none.
	BillingGate int
	// BillingHeadAtStart forbids white space before a billing head. From
	// 2026.2.26 on.
	BillingHeadAtStart bool
	// BillingSparesDocuments keeps texts with two markdown headings from being
	// billing. From 2026.8.2 on.
	BillingSparesDocuments bool
	// ReceivedRecords tells "received 402 records" from "received a 402".
	// From 2026.8.2 on.
	ReceivedRecords bool
	// PaymentBare reads a text that merely starts with 402. From 2026.4.29 on.
	PaymentBare bool
	// PaymentSparesAddresses takes web addresses out of a 402 text. 2026.9.6.
	PaymentSparesAddresses bool
	// PaymentLeadFirst lets a message that starts with 402 speak before its
	// status does. From 2026.4.29 on.
	PaymentLeadFirst bool

	// UnknownErrorProvider limits "an unknown error occurred" to providers
	// with this in their id: "anthropic" on 2026.4.9, later all.
	UnknownErrorProvider string
	// InternalStatusAlone takes a message that is nothing but
	// "status: internal server error" for a server fault. From 2026.5.12 on.
	InternalStatusAlone bool
	// APIErrorSparesCredential keeps an api_error that speaks of billing or of
	// the login from being a time-out. From 2026.3.31 on.
	APIErrorSparesCredential bool

	// OverflowIsReason makes an overflow a reason of its own. From 2026.7.1
	// on; before, callers see none.
	OverflowIsReason bool
	// OverflowGateSparesLimits closes the gate to the providers' overflow
	// wordings when the text is a rate limit. From 2026.8.2 on.
	OverflowGateSparesLimits bool
	// PaceCeiling recognises a request that alone exceeds a limit of tokens
	// per minute. From 2026.8.2 on.
	PaceCeiling bool
	// LikelySparesLimits and LikelySparesBilling keep rate limits (from
	// 2026.2.26 on) and billing (from 2026.3.13 on) from seeming to be an
	// overflow.
	LikelySparesLimits, LikelySparesBilling bool

	// Status are the status rules, OtherServerStatus the one for every other
	// status from 500 to 599 (2026.9.6).
	Status            map[int]StatusRule
	OtherServerStatus *StatusRule
	// OverflowAtAnyStatus lets an overflow stand at a status without a rule,
	// where otherwise the code would be asked. 2026.9.6.
	OverflowAtAnyStatus bool
	// Codes are the reasons of symbolic codes, in capitals.
	Codes map[string]Reason
	// Types are the reasons of error types, in lower case. From 2026.7.1 on.
	Types map[string]Reason
	// CertificateCodes are the codes of untrusted certificates. From 2026.8.2
	// on.
	CertificateCodes map[string]bool

	// SignalClassifier says that the line classifies signals, with an answer
	// of a Kind. From 2026.4.9 on; before, only thrown values have more than
	// their message looked at.
	SignalClassifier bool
	// Stages are the steps of that classifier.
	Stages []Stage
	// Details says that a body's texts count. From 2026.6.11 on.
	Details bool
	// SignalType says that a signal's type counts. From 2026.7.1 on.
	SignalType bool
	// MessageSeesType passes that type to the checks of the message, for a
	// message whose JSON names none. 2026.9.6.
	MessageSeesType bool
	// PayloadType reads the type in a message's JSON to tell server errors.
	// From 2026.7.1 on.
	PayloadType bool
	// PayloadCode reads the code in a message's JSON as the signal's. 2026.9.6.
	PayloadCode bool
	// PayloadStatusAsLead drops any leading status in front of a message's
	// JSON; before 2026.9.6 only bare digits and white space.
	PayloadStatusAsLead bool
	// AttemptDepth is how deep the attempts that a gateway reports inside its
	// error are followed: 4 on 2026.9.6, else 0.
	AttemptDepth int
	// MergeBilling lets billing details win over a rate limit. From 2026.8.2
	// on.
	MergeBilling bool
	// MergeCode merges the code's reason into the class. From 2026.8.2 on.
	MergeCode bool
	// CodeFormatFirst lets a code that means a bad request win over the
	// message. 2026.9.6.
	CodeFormatFirst bool
	// HTMLByStatus reads a gateway's web page by its status instead of as a
	// time-out. 2026.9.6.
	HTMLByStatus bool
	// Plugins are the bundled provider plugins that have a say. From 2026.8.2
	// on.
	Plugins []Plugin

	// ThrownSteps are the steps from a thrown value to its class.
	ThrownSteps []ThrownStep
	// SearchNested looks a property up in error and cause too. From 2026.3.31
	// on.
	SearchNested bool
	// NestedIn names the properties whose values may speak for an
	// unclassified one: cause on 2026.4.9, error and cause from 2026.4.29 on.
	NestedIn []string
	// NestedDepth is how deep nested values are asked for a class: without end
	// up to 2026.4.9, 25 from 2026.4.29 on.
	NestedDepth int
	// NestedUnsaysFormat lets a nested error without a body take back a bad
	// request. From 2026.4.29 on.
	NestedUnsaysFormat bool
	// StatusTextTrimmed reads a status given as text with blanks and sign.
	// From 2026.5.28 on.
	StatusTextTrimmed bool
	// StatusWordIsCode takes a status that is a word for the code. From
	// 2026.3.31 on.
	StatusWordIsCode bool
	// DetailCode takes detail.code where there is no code. From 2026.5.28 on.
	DetailCode bool
	// ContextProvider lets the attempt's and the value's provider stand in for
	// each other. From 2026.5.12 on.
	ContextProvider bool
	// FailoverErrorByName lets a value that is named FailoverError and has a
	// reason pass through. From 2026.4.9 on.
	FailoverErrorByName bool
	// TimeoutGroup is the pattern group of time-outs among thrown values: a
	// shorter one up to 2026.2.26.
	TimeoutGroup string
	// LockCodes are the codes of a failed lock on OpenClaw's session file,
	// from 2026.4.29 to 2026.7.1; LockIsNoTimeout goes with them.
	LockCodes       map[string]bool
	LockIsNoTimeout bool
	// NoProfileCode is the code of a missing credential, which means auth
	// without any status. 2026.9.6.
	NoProfileCode string
	// AbortBeforeClass says that the loop looks at an abort before its class.
	// Up to 2026.3.13.
	AbortBeforeClass bool
	// Suspends says that rate limits and billing may suspend a session. From
	// 2026.5.12 on.
	Suspends bool

	// ReasonStatus are the statuses that reasons stand for where none was
	// found.
	ReasonStatus map[Reason]int
	// Consequences are what each reason leads to.
	Consequences map[Reason]Consequence
	// OverflowEndsRun ends the fallback loop on a text that seems to be an
	// overflow. From 2026.2.26 on.
	OverflowEndsRun bool
	// AbortEndsRun ends the loop on an abort (Verdict.AbortRethrow). Up to
	// 2026.6.11.
	AbortEndsRun bool
	// UnmarkedProviders never get a failure recorded.
	UnmarkedProviders []string

	compiled *compiled
}

// compiled is what is made of the patterns when the line is first used.
type compiled struct {
	once    sync.Once
	rows    func() []patternRow
	matcher *matcher
}

// matcher returns the line's compiled patterns.
func (r *Rules) matcher() *matcher {
	r.compiled.once.Do(func() { r.compiled.matcher = newMatcher(r.compiled.rows()) })
	return r.compiled.matcher
}
