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

// 2026.2.26 adds model_not_found, auth_permanent and statuses at the head of a
// message.
func line2026_2_26(r *Rules) {
	r.Checks = []Check{
		checkImages, checkModelNotFound, checkLead, checkAPIError, checkRateLimit, checkOverloadedAsLimit,
		checkFormat, checkBilling, checkTimeout, checkAuthPermanent, checkAuth,
	}
	r.leadMeans(Timeout, 500, 502, 503, 504, 521, 522, 523, 524, 529)
	r.BillingGate = 512
	r.BillingHeadAtStart = true
	r.LikelySparesLimits = true
	r.on(StatusRule{Texts: []TextReason{{"auth_permanent", AuthPermanent}}, Reason: Auth}, 401, 403)
	r.on(StatusRule{Reason: Timeout}, 502, 503, 504)
	r.on(StatusRule{Reason: Format}, 400)
	r.ReasonStatus[AuthPermanent] = 403
	r.ReasonStatus[ModelNotFound] = 404
	consequences2026_2_26(r)
}

// 2026.3.13 adds overloaded and session_expired and reads what a 402 says.
func line2026_3_13(r *Rules) {
	r.Checks = []Check{
		checkImages, checkSessionExpired, checkModelNotFound, checkPayment, checkPeriodic, checkRateLimit,
		checkOverloaded, checkLead, checkAPIError, checkFormat, checkBilling, checkTimeout, checkAuthPermanent, checkAuth,
	}
	r.leadMeans(Timeout, 499)
	r.leadMeans(Overloaded, 529)
	r.LikelySparesBilling = true
	r.on(StatusRule{Special: PaymentStatus}, 402)
	r.on(StatusRule{Texts: []TextReason{{"overloaded", Overloaded}}, Reason: Timeout}, 499, 503)
	r.on(StatusRule{Reason: Overloaded}, 529)
	r.on(StatusRule{Texts: []TextReason{{"billing", Billing}}, Reason: Format}, 400, 422)
	r.codes(Timeout, "ECONNREFUSED", "ENETUNREACH", "EHOSTUNREACH", "EHOSTDOWN", "ENETRESET", "EPIPE", "EAI_AGAIN")
	r.TimeoutGroup = "timeout"
	r.ReasonStatus[Overloaded] = 503
	r.ReasonStatus[SessionExpired] = 410
	consequences2026_3_13(r)
}

// 2026.3.31 asks for the login before the time-out, reads 410, symbolic codes
// and what is nested in a thrown value.
func line2026_3_31(r *Rules) {
	r.Checks = []Check{
		checkImages, checkSessionExpired, checkModelNotFound, checkGone, checkPayment, checkPeriodic, checkRateLimit,
		checkOverloaded, checkLead, checkBilling, checkAuthPermanent, checkAuth, checkServerText, checkAPIError,
		checkFormat, checkTimeout,
	}
	r.LeadColon = true
	r.APIErrorSparesCredential = true
	r.on(StatusRule{Texts: []TextReason{
		{"session_expired", SessionExpired}, {"billing", Billing}, {"auth_permanent", AuthPermanent}, {"auth", Auth},
	}, Reason: Timeout}, 410)
	r.on(StatusRule{Reason: Timeout}, 500)
	r.codes(RateLimit, "RESOURCE_EXHAUSTED", "RATE_LIMIT", "RATE_LIMITED", "RATE_LIMIT_EXCEEDED", "TOO_MANY_REQUESTS",
		"THROTTLED", "THROTTLING", "THROTTLINGEXCEPTION", "THROTTLING_EXCEPTION")
	r.codes(Overloaded, "OVERLOADED", "OVERLOADED_ERROR")
	r.ThrownSteps = []ThrownStep{ThrownStatus, ThrownCode, ThrownCause, ThrownTimeout, ThrownMessage}
	r.SearchNested = true
	r.NestedDepth = maxSearchDepth
	r.StatusWordIsCode = true
	r.AbortBeforeClass = false
}

// 2026.4.9 has the signal classifier: a status no longer ignores what the
// message says.
func line2026_4_9(r *Rules) {
	r.without(checkGone)
	r.before(checkPayment, checkOverflow)
	r.before(checkPeriodic, checkOpenRouterKey)
	r.before(checkServerText, checkUnknownError, checkOpenRouterError)
	r.Checks = append(r.Checks, checkProviderSpecific)
	r.UnknownErrorProvider = "anthropic"
	r.SignalClassifier = true
	r.Stages = []Stage{StageStatus, StageCode, StageClass}
	credential := []Reason{SessionExpired, Billing, AuthPermanent, Auth}
	r.on(StatusRule{
		Texts: []TextReason{{"auth_permanent", AuthPermanent}}, Keep: []Reason{Billing}, Reason: Auth,
	}, 401, 403)
	r.on(StatusRule{Keep: credential, Reason: Timeout}, 410)
	r.on(StatusRule{Keep: append(credential, ContextOverflow), Reason: ModelNotFound}, 404)
	r.on(StatusRule{Keep: []Reason{Overloaded}, Reason: Timeout}, 499, 503)
	r.on(StatusRule{KeepAll: true, Reason: Format}, 400, 422)
	r.ThrownSteps = []ThrownStep{ThrownSignal}
	r.NestedIn = []string{"cause"}
	r.FailoverErrorByName = true
}

// 2026.4.29 reads gateways' pages, empty bodies and OpenClaw's own lock.
func line2026_4_29(r *Rules) {
	r.before(checkTimeout, checkNoDetails)
	r.StatusBehindError = true
	r.PaymentBare = true
	r.PaymentLeadFirst = true
	r.UnknownErrorProvider = ""
	r.Stages = []Stage{StageHTML, StageStatus, StageCode, StageClass}
	r.on(StatusRule{KeepAll: true, NoBodyIsNone: true, Reason: Format}, 400, 422)
	r.NestedIn = []string{"error", "cause"}
	r.NestedUnsaysFormat = true
	r.NestedDepth = 25
	r.LockCodes = map[string]bool{"OPENCLAW_SESSION_WRITE_LOCK_TIMEOUT": true}
	r.LockIsNoTimeout = true
	consequences2026_4_29(r)
}
