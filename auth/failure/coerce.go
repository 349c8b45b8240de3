package failure

// ThrownStep is a step from a thrown value to its class. The first that
// answers decides.
type ThrownStep string

const (
	// ThrownStatus applies the status rules to a status that is given.
	ThrownStatus ThrownStep = "status"
	// ThrownCode applies the code rules.
	ThrownCode ThrownStep = "code"
	// ThrownCause classifies the cause (2026.3.31).
	ThrownCause ThrownStep = "cause"
	// ThrownTimeout asks whether the value is a time-out.
	ThrownTimeout ThrownStep = "timeout"
	// ThrownMessage classifies the message alone.
	ThrownMessage ThrownStep = "message"
	// ThrownSignal classifies all fields as a signal, then what is nested
	// (from 2026.4.9 on).
	ThrownSignal ThrownStep = "signal"
)

// examination is one Classify: its texts are shared, since the same message is
// asked about from several sides.
type examination struct {
	rules   *Rules
	context Context
	texts   []*text
}

// text returns the examined message.
func (x *examination) text(message string) *text {
	for _, t := range x.texts {
		if t.raw == message {
			return t
		}
	}
	t := x.rules.matcher().newText(message)
	x.texts = append(x.texts, t)
	return t
}

// thrownClass classifies a thrown value.
func (x *examination) thrownClass(value any, depth int) class {
	if value == nil || depth > x.rules.NestedDepth {
		return class{}
	}
	if x.rules.isFailoverError(value) {
		reason, _ := object(value)["reason"].(string)
		return class{reason: Reason(reason), match: Match{"failover_error", reason}, passed: true}
	}
	for _, step := range x.rules.ThrownSteps {
		if c := x.thrownStep(step, value, depth); c.ok() {
			return c
		}
	}
	return class{}
}

func (x *examination) thrownStep(step ThrownStep, value any, depth int) class {
	r := x.rules
	switch step {
	case ThrownStatus:
		if status, ok := search(r, value, r.thrownStatus); ok {
			own, _ := r.messageOf(value)
			return r.statusRule(statusFacts{status: status, explicit: true, message: message{text: x.text(own)}})
		}
	case ThrownCode:
		code, _ := search(r, value, r.thrownCode)
		return r.codeRule(code)
	case ThrownCause:
		return x.thrownClass(object(value)["cause"], depth+1)
	case ThrownTimeout:
		if r.isTimeout(x, value) {
			return class{reason: Timeout, match: Match{r.TimeoutGroup, thrownName(value)}}
		}
	case ThrownMessage:
		if own, ok := r.messageOf(value); ok {
			return r.classifyMessage(message{text: x.text(own)})
		}
	case ThrownSignal:
		return x.signalClass(value, depth)
	}
	return class{}
}

// signalClass classifies a value's fields as a signal. What is nested in it
// has the say where the value itself has none, and can take back a bad
// request.
func (x *examination) signalClass(value any, depth int) class {
	r := x.rules
	f := x.facts(value)
	if r.isLocked(value, f) {
		return class{}
	}
	own := r.resolve(f, nil)
	switch {
	case !own.ok() || own.reason == ContextOverflow:
		for _, inner := range r.nested(value) {
			if c := x.thrownClass(inner, depth+1); c.ok() {
				return c
			}
		}
	case own.reason == Format && r.NestedUnsaysFormat:
		if x.unsaysFormat(value, f.status, depth) {
			return class{}
		}
	}
	if !own.ok() && r.isTimeout(x, value) {
		return class{reason: Timeout, match: Match{r.TimeoutGroup, thrownName(value)}}
	}
	return own
}

// facts reads a value as a signal.
func (x *examination) facts(value any) facts {
	r := x.rules
	var f facts
	if own, ok := r.messageOf(value); ok {
		f.message = x.text(own)
	}
	f.status, f.code = x.found(value)
	f.provider, _ = search(r, value, thrownProvider)
	if f.provider == "" && r.ContextProvider {
		f.provider = x.context.Provider
	}
	f.typ, _ = search(r, value, thrownType)
	if r.Details {
		f.details = thrownDetails(value)
	}
	return f
}

// isLocked reports that a value comes from a failed session lock and nothing
// in it points at a provider.
func (r *Rules) isLocked(value any, f facts) bool {
	if len(r.LockCodes) == 0 || !r.isWriteLock(value, 0) {
		return false
	}
	if _, inferred := r.inferStatus(f.message.rawText()); f.status != nil || inferred {
		return false
	}
	reason := r.codeRule(f.code).reason
	return reason == NoReason || reason == Timeout
}

// nested returns the values inside a value that may speak for it.
func (r *Rules) nested(value any) []any {
	var inner []any
	for _, name := range r.NestedIn {
		if v := object(value)[name]; v != nil {
			inner = append(inner, v)
		}
	}
	return inner
}

// unsaysFormat reports whether a bad request's inner error shows that the
// answer had no body, so that nothing is known about the request. The first
// inner value that has a message and is no mere wrapper decides.
func (x *examination) unsaysFormat(value any, outer *float64, depth int) bool {
	unsaid, _ := x.formatUnsaid(value, outer, depth)
	return unsaid
}

func (x *examination) formatUnsaid(value any, outer *float64, depth int) (unsaid, decided bool) {
	if depth >= x.rules.NestedDepth {
		return false, false
	}
	for _, inner := range x.rules.nested(value) {
		if unsaid, decided = x.innerUnsays(inner, outer); decided {
			return unsaid, true
		}
		if unsaid, decided = x.formatUnsaid(inner, outer, depth+1); decided {
			return unsaid, true
		}
	}
	return false, false
}

// innerUnsays decides by one inner value: it takes the bad request back when
// its message says that there was no body, and lets it stand when it says
// anything else. A wrapper, which has a message but neither a status nor a
// class, leaves that to what it wraps.
func (x *examination) innerUnsays(inner any, outer *float64) (unsaid, decided bool) {
	r := x.rules
	own, ok := r.messageOf(inner)
	if !ok {
		return false, false
	}
	status, given := r.thrownStatus(inner)
	if x.saysNoBody(own, status, given, outer) {
		return true, true
	}
	return false, given || len(r.nested(inner)) == 0 || x.ownClass(inner).ok()
}

// saysNoBody reports whether a message says that a bad request's answer had no
// body. Its status is its own, else the outer error's, else the message's.
func (x *examination) saysNoBody(message string, status float64, given bool, outer *float64) bool {
	if !given && outer != nil {
		status, given = *outer, true
	}
	if !given {
		inferred, ok := x.rules.inferStatus(message)
		status, given = float64(inferred), ok
	}
	return given && (status == 400 || status == 422) && x.rules.isNoBody(message, int(status))
}

// ownClass classifies what a value says itself, without what is nested in it
// or known of the attempt.
func (x *examination) ownClass(value any) class {
	shallow := map[string]any{}
	for name, property := range object(value) {
		if name != "error" && name != "cause" {
			shallow[name] = property
		}
	}
	alone := &examination{rules: x.rules, texts: x.texts}
	return x.rules.resolve(alone.facts(shallow), nil)
}
