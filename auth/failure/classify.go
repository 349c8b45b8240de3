package failure

// Classify tells what the line makes of an error.
func Classify(s Signal, r *Rules) Verdict {
	x := &examination{rules: r, context: Context{Provider: s.attemptProvider(), SessionID: s.Context.SessionID}}
	var v Verdict
	x.classifyThrown(&s, &v)
	x.classifySignal(&s, &v)
	return v
}

// classifySignal fills in what the finished answer's fields say.
func (x *examination) classifySignal(s *Signal, v *Verdict) {
	r := x.rules
	if s.isZero() {
		return
	}
	f := facts{status: s.Status, code: s.Code, typ: s.Type, provider: s.Provider, details: s.details(r)}
	if s.Message != "" {
		f.message = x.text(s.Message)
		_, v.Overflow = r.overflow(f.message)
		v.OverflowLikely = r.overflowLikely(f.message)
		v.OverCeiling = r.overCeiling(f.message)
	}
	if !r.SignalClassifier {
		v.Raw = r.classifyMessage(message{text: f.message}).reason
		return
	}
	v.setClass(r.resolve(f, nil))
	v.Raw = r.public(r.resolve(facts{message: f.message, provider: s.Provider}, nil)).reason
	if plugin := r.pluginOf(s.Provider); plugin != nil {
		v.Hook = plugin.Name
		hooked := r.resolve(f, plugin)
		v.Hooked = hooked.reason
		v.Match = hooked.match
	}
}

func (s *Signal) details(r *Rules) []string {
	if !r.Details || s.Body == nil {
		return s.Details
	}
	return append(s.Details[:len(s.Details):len(s.Details)], bodyDetails(s.Body)...)
}

// setClass sets kind, reason and rule.
func (v *Verdict) setClass(c class) {
	v.Kind, v.Reason, v.Match = KindReason, c.reason, c.match
	switch c.reason {
	case NoReason:
		v.Kind, v.Match = KindNone, Match{}
	case ContextOverflow:
		v.Kind = KindContextOverflow
	}
}

// public is a class as the line shows it to callers that know reasons only. An
// error that was made before keeps its reason, whatever it is.
func (r *Rules) public(c class) class {
	if c.reason == ContextOverflow && !r.OverflowIsReason && !c.passed {
		return class{}
	}
	return c
}

// classifyThrown fills in what the fallback loop makes of the thrown value.
func (x *examination) classifyThrown(s *Signal, v *Verdict) {
	r := x.rules
	value := s.thrown()
	passes := r.isFailoverError(value)
	c := r.public(x.thrownClass(value, 0))
	v.setClass(c)
	v.TimeoutError = r.isTimeout(x, value)
	v.Coerced = x.coerced(value, c.reason, passes)
	v.Described = x.described(value, passes)
	v.AbortRethrow = isAbort(value) && !v.TimeoutError && (r.AbortBeforeClass || v.Coerced == nil)
}

// found returns the status and code to be seen in a thrown value. The code of
// a missing credential hides any status: no provider gave one.
func (x *examination) found(value any) (*float64, string) {
	r := x.rules
	code, _ := search(r, value, r.thrownCode)
	status, ok := search(r, value, r.thrownStatus)
	if !ok || !isFinite(status) || r.hidesStatus(code) {
		return nil, code
	}
	return &status, code
}

// passed returns the same of an OpenClaw error: its own.
func (x *examination) passed(value any) (*float64, string) {
	code, _ := object(value)["code"].(string)
	status, ok := object(value)["status"].(float64)
	if !ok || !isFinite(status) || x.rules.hidesStatus(code) {
		return nil, code
	}
	return &status, code
}

func (r *Rules) hidesStatus(code string) bool {
	return r.NoProfileCode != "" && code == r.NoProfileCode
}

// coerced makes the FailoverError of a class.
func (x *examination) coerced(value any, reason Reason, passes bool) *Coerced {
	if reason == NoReason {
		return nil
	}
	r := x.rules
	c := &Coerced{Reason: reason}
	if passes {
		c.Status, c.Code = x.passed(value)
		properties := object(value)
		c.Provider, _ = properties["provider"].(string)
		if suspend, ok := properties["suspend"].(bool); ok {
			c.Suspend = &suspend
		}
		return c
	}
	c.Status, c.Code = x.found(value)
	if status := r.ReasonStatus[reason]; c.Status == nil && status != 0 && !r.hidesStatus(c.Code) {
		c.Status = HTTPStatus(status)
	}
	c.Provider = x.context.Provider
	if c.Provider == "" && r.ContextProvider {
		c.Provider, _ = search(r, value, thrownProvider)
	}
	if r.Suspends {
		suspend := x.context.SessionID != "" && (reason == RateLimit || reason == Billing)
		c.Suspend = &suspend
	}
	return c
}

// described makes the log record's fields. Log records are made without the
// attempt's context.
func (x *examination) described(value any, passes bool) Described {
	plain := &examination{rules: x.rules, texts: x.texts}
	d := Described{Reason: x.rules.public(plain.thrownClass(value, 0)).reason}
	if passes {
		d.Status, d.Code = x.passed(value)
	} else {
		d.Status, d.Code = x.found(value)
	}
	return d
}
