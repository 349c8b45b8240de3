package failure

// 2026.8.2 asks the provider plugins and tells untrusted certificates.
func line2026_8_2(r *Rules) {
	r.without(checkOpenRouterKey, checkOpenRouterError, checkProviderSpecific)
	r.before(checkSessionExpired, checkUnsupportedImage, checkClaudeCLI)
	r.before(checkOverflow, checkProviderSpecific)
	r.before(checkPayment, checkReplayInvalid)
	r.before(checkRateLimit, checkModelLate)
	r.before(checkStructured, checkFinishError)
	r.Checks = append(r.Checks, checkType)
	r.LeadInRange = true
	r.BillingGate = 0
	r.BillingSparesDocuments = true
	r.ReceivedRecords = true
	r.OverflowGateSparesLimits = true
	r.PaceCeiling = true
	r.Types["invalid_request_error"] = Format
	r.CertificateCodes = certificateCodes()
	r.codes(Timeout, "ENOTFOUND", "ENETDOWN", "EADDRNOTAVAIL", "EPROTO", "ERR_STREAM_PREMATURE_CLOSE",
		"ERR_HTTP2_INVALID_SESSION", "ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_PROTOCOL_RETURNED_AN_ERROR",
		"UND_ERR_CONNECT", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_DNS_RESOLVE_FAILED", "UND_ERR_SOCKET",
		"UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT")
	r.Stages = []Stage{StageTLS, StageHTML, StagePermanentCode, StageStatus, StageCode, StageClass}
	r.MergeBilling = true
	r.MergeCode = true
	r.on(StatusRule{
		HookDecides: true,
		Texts:       []TextReason{{"auth_permanent", AuthPermanent}}, Keep: []Reason{Billing}, Reason: Auth,
	}, 401, 403)
	r.on(StatusRule{
		Keep: []Reason{ContextOverflow, SessionExpired, Billing, AuthPermanent, Auth, Format}, Reason: ModelNotFound,
	}, 404)
	r.Plugins = bundledPlugins()
	r.LockCodes = nil
	r.LockIsNoTimeout = false
	r.ReasonStatus[TLSCertificate] = 502
	consequences2026_8_2(r)
}

// 2026.9.6 reads server statuses as server_error and lets an overflow stand at most
// statuses.
func line2026_9_6(r *Rules) {
	r.without(checkModelLate, checkLead, checkType)
	r.before(checkSessionExpired, checkSessionTranscript)
	r.Checks = append(r.Checks, checkOverflowAssistant, checkType, checkOwnStatus)
	r.LeadReasons = nil
	r.PaymentSparesAddresses = true
	r.MessageSeesType = true
	r.PayloadCode = true
	r.PayloadStatusAsLead = true
	r.AttemptDepth = 4
	r.CodeFormatFirst = true
	r.HTMLByStatus = true
	r.codes(Format, "UNKNOWN_PARAMETER")
	r.codes(Auth, "SELECTED_AUTH_PROFILE_UNAVAILABLE")
	r.codes(Timeout, "ERR_WEBSOCKET_TRANSPORT")
	r.OverflowAtAnyStatus = true
	server := []Reason{ContextOverflow, Overloaded, ServerError, Format}
	r.on(StatusRule{Keep: []Reason{ContextOverflow, Overloaded, ServerError}, Reason: Timeout}, 499)
	r.on(StatusRule{Keep: server, Reason: Timeout}, 504, 522, 524)
	r.on(StatusRule{Keep: []Reason{ContextOverflow}, Reason: Overloaded}, 529)
	for _, status := range []int{500, 502, 503} {
		delete(r.Status, status)
	}
	r.OtherServerStatus = &StatusRule{Keep: server, Reason: ServerError}
	r.NoProfileCode = "selected_auth_profile_unavailable"
	consequences2026_9_6(r)
}

// certificateCodes are Node's codes for a certificate that can't be trusted.
func certificateCodes() map[string]bool {
	codes := map[string]bool{}
	for _, code := range []string{
		"ERR_TLS_CERT_ALTNAME_INVALID", "HOSTNAME_MISMATCH", "CERT_CHAIN_TOO_LONG", "CERT_HAS_EXPIRED",
		"CERT_NOT_YET_VALID", "CERT_REJECTED", "CERT_REVOKED", "CERT_SIGNATURE_FAILURE", "CERT_UNTRUSTED",
		"CRL_HAS_EXPIRED", "CRL_NOT_YET_VALID", "CRL_SIGNATURE_FAILURE", "DEPTH_ZERO_SELF_SIGNED_CERT",
		"ERROR_IN_CERT_NOT_AFTER_FIELD", "ERROR_IN_CERT_NOT_BEFORE_FIELD", "ERROR_IN_CRL_LAST_UPDATE_FIELD",
		"ERROR_IN_CRL_NEXT_UPDATE_FIELD", "INVALID_CA", "INVALID_PURPOSE", "PATH_LENGTH_EXCEEDED",
		"SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY", "UNABLE_TO_DECRYPT_CERT_SIGNATURE",
		"UNABLE_TO_DECRYPT_CRL_SIGNATURE", "UNABLE_TO_GET_CRL", "UNABLE_TO_GET_ISSUER_CERT",
		"UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
	} {
		codes[code] = true
	}
	return codes
}

// bundledPlugins are the provider plugins that come with OpenClaw and have
// rules of their own. Plugins installed beside it may have more.
func bundledPlugins() []Plugin {
	return []Plugin{
		{"anthropic", []string{"anthropic", "claude-cli"}, []PluginAnswer{
			{Type: "RATE_LIMIT_ERROR", Reason: RateLimit},
			{Type: "API_ERROR", Reason: ServerError},
			{Code: "RATE_LIMIT_ERROR", Reason: RateLimit},
			{Code: "API_ERROR", Reason: ServerError},
		}},
		{"openai", []string{"openai", "azure-openai", "azure-openai-responses"}, []PluginAnswer{
			{Group: "openai_overflow", Reason: ContextOverflow},
			{Code: "SERVER_ERROR", Reason: ServerError},
			{Code: "INSUFFICIENT_QUOTA", Reason: Billing},
		}},
		{"google", []string{"google", "google-vertex", "google-antigravity", "google-gemini-cli", "gemini-cli"}, []PluginAnswer{
			{Code: "UNAVAILABLE", Reason: Overloaded},
			{Code: "DEADLINE_EXCEEDED", Reason: Timeout},
			{Code: "INTERNAL", Reason: ServerError},
		}},
		{"openrouter", []string{"openrouter"}, []PluginAnswer{
			{Group: "openrouter_key_limit", Reason: Billing},
			{Group: "openrouter_returned_error", Reason: Timeout},
		}},
		{"xai", []string{"xai", "x-ai"}, []PluginAnswer{
			{Group: "xai_billing", Reason: Billing},
			{Group: "xai_rate_limit", Reason: RateLimit},
			{Group: "xai_internal", Bare: true, Reason: ServerError},
		}},
		{"ollama", []string{"ollama", "ollama-cloud"}, []PluginAnswer{
			{Group: "ollama_overflow", Reason: ContextOverflow},
			{Exact: "Ollama API stream ended without a final response", Reason: ServerError},
		}},
		{"together", []string{"together"}, []PluginAnswer{
			{Group: "together_rate_limit", Reason: RateLimit},
		}},
	}
}
