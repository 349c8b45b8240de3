package failure

// 2026.5.2 takes the provider that a caller names into account.
func line2026_5_2(r *Rules) {
	r.InternalStatusAlone = true
	r.ContextProvider = true
}

// 2026.5.12 adds server_error and failed refreshes that are final.
func line2026_5_12(r *Rules) {
	r.before(checkLead, checkStructured)
	r.before(checkBilling, checkProviderInternal)
	r.before(checkAuthPermanent, checkRefresh)
	r.on(StatusRule{Keep: []Reason{ServerError}, Reason: Timeout}, 500, 502, 504)
	r.on(StatusRule{KeepAll: true, Except: ServerError, NoBodyIsNone: true, Reason: Format}, 400, 422)
	r.Suspends = true
	r.ReasonStatus[ServerError] = 500
	consequences2026_5_12(r)
}

// 2026.5.22 looks for codes in the details of an error.
func line2026_5_22(r *Rules) {
	r.codes(AuthPermanent, "DEACTIVATED_WORKSPACE")
	r.Stages = []Stage{StageHTML, StagePermanentCode, StageStatus, StageCode, StageClass}
	r.DetailCode = true
}

// 2026.5.26 tells a limit of pace from billing.
func line2026_5_26(r *Rules) {
	r.without(checkBilling)
	r.before(checkPeriodic, checkBillingUnlessPace)
	r.on(StatusRule{Special: PaceStatus}, 429)
	r.StatusTextTrimmed = true
	consequences2026_5_28(r)
}

// 2026.6.1 knows a second error of its own locks.
func line2026_6_1(r *Rules) {
	r.LockCodes["OPENCLAW_SESSION_WRITE_LOCK_STALE"] = true
}

// 2026.6.11 reads the texts of a body.
func line2026_6_11(r *Rules) {
	r.Details = true
}

// 2026.6.33 reads the type of an error.
func line2026_6_33(r *Rules) {
	r.SignalType = true
	r.PayloadType = true
	r.Types = map[string]Reason{
		"server_error": ServerError, "upstream_error": ServerError, "overloaded_error": Overloaded,
	}
}

// 2026.7.1 takes an overflow for a reason.
func line2026_7_1(r *Rules) {
	r.OverflowIsReason = true
	r.ReasonStatus[ContextOverflow] = 413
	consequences2026_7_1(r)
}
