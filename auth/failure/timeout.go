package failure

// isTimeout reports whether a thrown value is a time-out: by its name, by its
// message, or as an abort that the provider or a deadline caused.
func (r *Rules) isTimeout(x *examination, value any) bool {
	if r.LockIsNoTimeout && r.isWriteLock(value, 0) {
		return false
	}
	if r.saysTimeout(x, value) {
		return true
	}
	if thrownName(value) != "AbortError" {
		return false
	}
	if message, ok := r.messageOf(value); ok && x.text(message).has("abort_timeout") {
		return true
	}
	properties := object(value)
	return r.saysTimeout(x, properties["cause"]) || r.saysTimeout(x, properties["reason"])
}

func (r *Rules) saysTimeout(x *examination, value any) bool {
	if thrownName(value) == "TimeoutError" {
		return true
	}
	message, ok := r.messageOf(value)
	return ok && x.text(message).has(r.TimeoutGroup)
}

func (r *Rules) messageOf(value any) (string, bool) { return search(r, value, thrownMessage) }

// isWriteLock reports whether a failed lock on the session file is at the
// bottom of the value. That is OpenClaw's own trouble and no provider's; the
// guard came in 2026.4.29 and is gone since 2026.8.2.
func (r *Rules) isWriteLock(value any, depth int) bool {
	properties := object(value)
	if properties == nil || depth > maxSearchDepth {
		return false
	}
	if code, _ := properties["code"].(string); r.LockCodes[code] {
		return true
	}
	for _, name := range []string{"error", "cause", "reason"} {
		if r.isWriteLock(properties[name], depth+1) {
			return true
		}
	}
	return false
}

// isAbort reports whether the value is named as an abort.
func isAbort(value any) bool { return thrownName(value) == "AbortError" }

// isFailoverError reports whether a value is OpenClaw's own error, which
// passes through as it is. It is known by name and reason from 2026.4.9 on;
// before, only an instance of the class was, which no JSON can describe.
func (r *Rules) isFailoverError(value any) bool {
	if !r.FailoverErrorByName || thrownName(value) != "FailoverError" {
		return false
	}
	_, ok := object(value)["reason"].(string)
	return ok
}
