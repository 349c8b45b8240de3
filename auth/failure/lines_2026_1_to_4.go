package failure

// 2026.1.30 knows five reasons and looks at little more than the message.
func line2026_1_30(r *Rules) {
	r.LeadReasons, r.Status = map[int]Reason{}, map[int]StatusRule{}
	r.Codes, r.Types = map[string]Reason{}, map[string]Reason{}
	r.CertificateCodes, r.LockCodes = map[string]bool{}, map[string]bool{}
	r.Checks = []Check{
		checkImages, checkRateLimit, checkOverloadedAsLimit, checkFormat, checkBilling, checkTimeout, checkAuth,
	}
	r.on(StatusRule{Reason: Billing}, 402)
	r.on(StatusRule{Reason: RateLimit}, 429)
	r.on(StatusRule{Reason: Auth}, 401, 403)
	r.on(StatusRule{Reason: Timeout}, 408)
	r.codes(Timeout, "ETIMEDOUT", "ESOCKETTIMEDOUT", "ECONNRESET", "ECONNABORTED")
	r.ThrownSteps = []ThrownStep{ThrownStatus, ThrownCode, ThrownTimeout, ThrownMessage}
	r.TimeoutGroup = "timeout_thrown"
	r.ReasonStatus = map[Reason]int{Billing: 402, RateLimit: 429, Auth: 401, Timeout: 408, Format: 400}
	r.AbortBeforeClass = true
	consequences2026_1_30(r)
}

// 2026.2.9 reads 400 as a bad request.
func line2026_2_9(r *Rules) {
	r.on(StatusRule{Reason: Format}, 400)
}

// 2026.2.12 reads a status at the head of a message.
func line2026_2_12(r *Rules) {
	r.before(checkRateLimit, checkLead)
	r.leadMeans(Timeout, 500, 502, 503, 504, 521, 522, 523, 524, 529)
	r.LikelySparesLimits = true
	consequences2026_2_12(r)
}

// 2026.2.17 looks for billing at the very start of a message.
func line2026_2_17(r *Rules) {
	r.BillingHeadAtStart = true
}

// 2026.2.21 adds model_not_found.
func line2026_2_21(r *Rules) {
	r.before(checkLead, checkModelNotFound)
	r.on(StatusRule{Reason: Timeout}, 503)
	r.ReasonStatus[ModelNotFound] = 404
}

// 2026.2.22 reads the type api_error.
func line2026_2_22(r *Rules) {
	r.before(checkRateLimit, checkAPIError)
}

// 2026.2.23 has two more statuses.
func line2026_2_23(r *Rules) {
	r.on(StatusRule{Reason: Timeout}, 502, 504)
}

// 2026.2.24 looks for less in long texts.
func line2026_2_24(r *Rules) {
	r.BillingGate = 512
}

// 2026.2.25 adds auth_permanent.
func line2026_2_25(r *Rules) {
	r.before(checkAuth, checkAuthPermanent)
	r.on(StatusRule{Texts: []TextReason{{"auth_permanent", AuthPermanent}}, Reason: Auth}, 401, 403)
	r.ReasonStatus[AuthPermanent] = 403
}

// 2026.3.1 adds session_expired.
func line2026_3_1(r *Rules) {
	r.before(checkModelNotFound, checkSessionExpired)
	r.codes(Timeout, "ECONNREFUSED", "ENETUNREACH", "EHOSTUNREACH", "EHOSTDOWN", "ENETRESET", "EPIPE", "EAI_AGAIN")
	r.ReasonStatus[SessionExpired] = 410
	r.Consequences[SessionExpired] = cools
}

// 2026.3.2 looks for the same time-outs in thrown values as in messages, and takes
// 529 for a limit.
func line2026_3_2(r *Rules) {
	r.TimeoutGroup = "timeout"
	r.on(StatusRule{Reason: RateLimit}, 529)
}

// 2026.3.7 adds overloaded, asks for limits before the status at the head, and reads
// what a 402 says.
func line2026_3_7(r *Rules) {
	r.Checks = []Check{
		checkImages, checkSessionExpired, checkModelNotFound, checkPeriodic, checkRateLimit,
		checkOverloaded, checkLead, checkAPIError, checkFormat, checkBilling, checkTimeout, checkAuthPermanent, checkAuth,
	}
	r.leadMeans(Overloaded, 529)
	r.on(StatusRule{Texts: []TextReason{{"billing", Billing}}, Reason: Format}, 400)
	r.on(StatusRule{Special: PaymentStatus}, 402)
	r.on(StatusRule{Texts: []TextReason{{"overloaded", Overloaded}}, Reason: Timeout}, 503)
	r.on(StatusRule{Reason: Overloaded}, 529)
	r.ReasonStatus[Overloaded] = 503
	r.Consequences[Overloaded] = cools
}

// 2026.3.8 reads what a message about a 402 says.
func line2026_3_8(r *Rules) {
	r.before(checkPeriodic, checkPayment)
}

// 2026.3.11 reads 499, and money is no overflow.
func line2026_3_11(r *Rules) {
	r.leadMeans(Timeout, 499)
	r.LikelySparesBilling = true
	r.on(StatusRule{Texts: []TextReason{{"overloaded", Overloaded}}, Reason: Timeout}, 499)
}

// 2026.3.13 reads 422.
func line2026_3_13(r *Rules) {
	r.on(StatusRule{Texts: []TextReason{{"billing", Billing}}, Reason: Format}, 422)
}

// 2026.3.22 reads more symbolic codes, and what is nested in a thrown value.
func line2026_3_22(r *Rules) {
	r.codes(RateLimit, "RESOURCE_EXHAUSTED", "RATE_LIMIT", "RATE_LIMITED", "RATE_LIMIT_EXCEEDED", "TOO_MANY_REQUESTS",
		"THROTTLED", "THROTTLING", "THROTTLINGEXCEPTION", "THROTTLING_EXCEPTION")
	r.codes(Overloaded, "OVERLOADED", "OVERLOADED_ERROR")
	r.ThrownSteps = []ThrownStep{ThrownStatus, ThrownCode, ThrownCause, ThrownTimeout, ThrownMessage}
	r.SearchNested = true
	r.NestedDepth = maxSearchDepth
	r.StatusWordIsCode = true
	r.AbortBeforeClass = false
}

// 2026.3.23 takes an api_error about a passing trouble for a time-out.
func line2026_3_23(r *Rules) {
	r.APIErrorSparesCredential = true
}

// 2026.3.28 asks for the login before the time-out, and reads 410, 500 and what
// servers say of themselves.
func line2026_3_28(r *Rules) {
	r.Checks = []Check{
		checkImages, checkSessionExpired, checkModelNotFound, checkGone, checkPayment, checkPeriodic, checkRateLimit,
		checkOverloaded, checkLead, checkBilling, checkAuthPermanent, checkAuth, checkServerText, checkAPIError,
		checkFormat, checkTimeout,
	}
	r.LeadColon = true
	r.on(StatusRule{Texts: []TextReason{
		{"session_expired", SessionExpired}, {"billing", Billing}, {"auth_permanent", AuthPermanent}, {"auth", Auth},
	}, Reason: Timeout}, 410)
	r.on(StatusRule{Reason: Timeout}, 500)
}

// 2026.4.1 classifies messages as signals: with their status, their code and what
// nested values say.
func line2026_4_1(r *Rules) {
	r.without(checkGone)
	r.before(checkPayment, checkOverflow)
	r.Checks = append(r.Checks, checkProviderSpecific)
	r.SignalClassifier = true
	r.Stages = []Stage{StageStatus, StageCode, StageClass}
	r.on(StatusRule{Keep: []Reason{SessionExpired, Billing, AuthPermanent, Auth}, Reason: Timeout}, 410)
	r.on(StatusRule{Keep: []Reason{Overloaded}, Reason: Timeout}, 499, 503)
	r.on(StatusRule{KeepAll: true, Reason: Format}, 400, 422)
	r.ThrownSteps = []ThrownStep{ThrownSignal}
	r.NestedIn = []string{"cause"}
}

// 2026.4.5 knows what OpenRouter says, and keeps billing apart from a refused login.
func line2026_4_5(r *Rules) {
	r.before(checkPeriodic, checkOpenRouterKey)
	r.before(checkServerText, checkUnknownError, checkOpenRouterError)
	r.UnknownErrorProvider = "anthropic"
	r.on(StatusRule{
		Texts: []TextReason{{"auth_permanent", AuthPermanent}}, Keep: []Reason{Billing}, Reason: Auth,
	}, 401, 403)
}

// 2026.4.7 reads 404 as a missing model.
func line2026_4_7(r *Rules) {
	r.on(StatusRule{Keep: []Reason{SessionExpired, Billing, AuthPermanent, Auth, ContextOverflow}, Reason: ModelNotFound}, 404)
	r.FailoverErrorByName = true
}

// 2026.4.15 knows an answer that is a page, and a status behind "error".
func line2026_4_15(r *Rules) {
	r.StatusBehindError = true
	r.Stages = []Stage{StageHTML, StageStatus, StageCode, StageClass}
}

// 2026.4.20 looks for a 402 in more places.
func line2026_4_20(r *Rules) {
	r.PaymentBare = true
	r.PaymentLeadFirst = true
}

// 2026.4.24 reads what is nested in error too, and its own locks' errors.
func line2026_4_24(r *Rules) {
	r.on(StatusRule{KeepAll: true, NoBodyIsNone: true, Reason: Format}, 400, 422)
	r.NestedIn = []string{"error", "cause"}
	r.NestedUnsaysFormat = true
	r.NestedDepth = 25
	r.LockCodes = map[string]bool{"OPENCLAW_SESSION_WRITE_LOCK_TIMEOUT": true}
	r.LockIsNoTimeout = true
	consequences2026_4_29(r)
}

// 2026.4.25 has no provider of its own for unknown errors.
func line2026_4_25(r *Rules) {
	r.UnknownErrorProvider = ""
}

// 2026.4.26 knows an error without details.
func line2026_4_26(r *Rules) {
	r.before(checkTimeout, checkNoDetails)
}
