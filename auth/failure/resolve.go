package failure

// Stage is a step from the facts of a signal to its class. The stages of a
// line run in the order of its Rules.Stages, and the first answer decides.
type Stage string

const (
	// StageTLS asks whether the certificate is at fault.
	StageTLS Stage = "tls"
	// StageHTML asks whether a gateway's web page came in place of an answer.
	StageHTML Stage = "html"
	// StagePermanentCode lets a code that means auth_permanent win.
	StagePermanentCode Stage = "permanent_code"
	// StageStatus applies the status rules.
	StageStatus Stage = "status"
	// StageCode applies the code rules.
	StageCode Stage = "code"
	// StageClass takes the class of the message, its details and its type.
	StageClass Stage = "class"
)

// facts is a signal as the resolution sees it.
type facts struct {
	message  *text // nil when there is none
	status   *float64
	code     string
	typ      string
	provider string
	details  []string
}

// resolution carries what the stages of one signal share.
type resolution struct {
	facts
	message  message
	status   float64
	known    bool // there is a status
	explicit bool // it was given
	class    class
	byCode   class
	hooked   bool
}

// resolve classifies a signal; plugin is the provider plugin that may have a
// say, nil for none.
func (r *Rules) resolve(f facts, plugin *Plugin) class {
	s := resolution{facts: f, message: message{f.message, f.provider, f.typ}}
	s.byCode = r.codeClass(&s)
	r.findStatus(&s)
	r.findClass(&s, plugin)
	for _, stage := range r.Stages {
		if c := r.stage(stage, &s); c.ok() {
			return c
		}
	}
	return class{}
}

func (r *Rules) findStatus(s *resolution) {
	if s.facts.status != nil && isFinite(*s.facts.status) {
		s.status, s.known, s.explicit = *s.facts.status, true, true
		return
	}
	if s.message.isEmpty() {
		return
	}
	if status, ok := r.inferStatus(s.message.raw); ok {
		s.status, s.known = float64(status), true
	}
}

// findClass gathers the class of message, details, type and code, or the
// plugin's.
func (r *Rules) findClass(s *resolution, plugin *Plugin) {
	own := r.classifyMessage(s.message)
	if plugin != nil && r.consults(s, own) {
		if c := r.askPlugin(plugin, s); c.ok() {
			s.class, s.hooked = c, true
			return
		}
	}
	if r.CodeFormatFirst && s.byCode.reason == Format {
		s.class = s.byCode
		return
	}
	s.class = r.merge(own, r.detailsClass(s))
	if !s.class.ok() && r.SignalType {
		s.class = r.typeRule(s.typ)
	}
	if r.MergeCode {
		s.class = r.merge(s.class, s.byCode)
	}
}

// detailsClass is the class of the first detail that has one.
func (r *Rules) detailsClass(s *resolution) class {
	if !r.Details {
		return class{}
	}
	for _, detail := range s.details {
		if c := r.classifyMessage(message{r.matcher().newText(detail), s.provider, ""}); c.ok() {
			return c
		}
	}
	return class{}
}

// merge joins two classes: the first stands unless the second tells more.
func (r *Rules) merge(a, b class) class {
	switch {
	case !a.ok():
		return b
	case !b.ok() || a.reason == ContextOverflow:
		return a
	case b.reason == ContextOverflow, a.reason == Format:
		return b
	case r.MergeBilling && a.reason == RateLimit && b.reason == Billing:
		return b
	}
	return a
}

func (r *Rules) stage(stage Stage, s *resolution) class {
	switch stage {
	case StageTLS:
		if !s.hooked && !s.known {
			return r.tlsClass(s)
		}
	case StageHTML:
		if !s.hooked {
			return r.htmlClass(s)
		}
	case StagePermanentCode:
		if s.byCode.reason == AuthPermanent {
			return s.byCode
		}
	case StageStatus:
		if s.known {
			return r.statusRule(statusFacts{s.status, s.explicit, s.message, s.class, s.hooked})
		}
	case StageCode:
		return s.byCode
	case StageClass:
		return s.class
	}
	return class{}
}

// codeClass gives the reason of the signal's code, else (2026.9.6) of the code
// in the message's JSON.
func (r *Rules) codeClass(s *resolution) class {
	if c := r.codeRule(s.code); c.ok() || !r.PayloadCode {
		return c
	}
	return r.codeRule(r.payloadOf(s.message.text).code)
}

func (r *Rules) codeRule(code string) class {
	code = upperTrim(code)
	return class{reason: r.Codes[code], match: Match{"code", code}}
}

// tlsClass tells an untrusted certificate by code or text. A status shows that
// the connection stood, so the caller asks only without one.
func (r *Rules) tlsClass(s *resolution) class {
	if code := upperTrim(s.code); r.CertificateCodes[code] {
		return class{reason: TLSCertificate, match: Match{"code", code}}
	}
	return s.message.class("tls_message", TLSCertificate)
}

// htmlClass reads a gateway's page: from 2026.9.6 on as the bare status says,
// before as a time-out.
func (r *Rules) htmlClass(s *resolution) class {
	if !s.known || s.message.isEmpty() || !isGatewayStatus(s.status) || !r.isHTMLPage(s.message.raw) {
		return class{}
	}
	if r.HTMLByStatus {
		return r.statusRule(statusFacts{status: s.status, explicit: s.explicit, message: message{provider: s.provider}})
	}
	return class{reason: Timeout, match: Match{"html", "</html>"}}
}

func isGatewayStatus(status float64) bool {
	return status == 408 || status == 499 || 500 <= status && status <= 599
}
