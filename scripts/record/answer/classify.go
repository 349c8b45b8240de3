package answer

import "openclaw-auth/auth/failure"

// Classify is a verdict in the vectors' form. A field is there when the oracle
// could ask for it: the class when the input has fields of a signal, what the
// text says when there is a message, the plugin's answer when one owns the
// provider.
func Classify(rules *failure.Rules, q Question) any {
	input, _ := plain(q.Input).(map[string]any)
	verdict := failure.Classify(signalOf(input), rules)
	out := map[string]any{
		"reason":       orNull(string(verdict.Reason)),
		"coerced":      coercedAnswer(verdict.Coerced, input["provider"] == ""),
		"timeoutError": verdict.TimeoutError,
		"abortRethrow": verdict.AbortRethrow,
		"described": map[string]any{
			"reason": orNull(string(verdict.Described.Reason)),
			"status": numberOrNull(verdict.Described.Status),
			"code":   orNull(verdict.Described.Code),
		},
	}
	if isSignal(input) && rules.SignalClassifier {
		out["kind"] = orNull(string(verdict.Kind))
		if verdict.Hook != "" {
			out["hooked"] = orNull(string(verdict.Hooked))
		}
	}
	if _, ok := input["message"]; ok {
		out["raw"] = orNull(string(verdict.Raw))
		out["overflow"] = verdict.Overflow
		out["overflowLikely"] = verdict.OverflowLikely
	}
	return out
}

func isSignal(input map[string]any) bool {
	for _, name := range []string{"message", "status", "code", "type", "provider", "details"} {
		if _, ok := input[name]; ok {
			return true
		}
	}
	return false
}

func signalOf(input map[string]any) failure.Signal {
	s := failure.Signal{
		Message:  textOf(input, "message"),
		Code:     given(input, "code"),
		Type:     given(input, "type"),
		Provider: textOf(input, "provider"),
		Thrown:   thrownOf(input["error"]),
	}
	if status, ok := input["status"].(float64); ok {
		s.Status = &status
	}
	details, _ := input["details"].([]any)
	for _, detail := range details {
		s.Details = append(s.Details, detail.(string))
	}
	if context, ok := input["context"].(map[string]any); ok {
		s.Context = failure.Context{Provider: textOf(context, "provider"), SessionID: textOf(context, "sessionId")}
	}
	return s
}

func textOf(in map[string]any, name string) string {
	s, _ := in[name].(string)
	return s
}

// given is a text that may be there and empty, which a Signal can only show as
// a blank; to every rule that is the same.
func given(in map[string]any, name string) string {
	if in[name] == "" {
		return " "
	}
	return textOf(in, name)
}

// thrownOf turns a vector's description of a thrown value into the value.
func thrownOf(description any) any {
	members, ok := description.(map[string]any)
	if !ok {
		return description
	}
	if members["kind"] == "string" {
		return members["message"]
	}
	value := make(map[string]any, len(members))
	for name, property := range members {
		value[name] = thrownOf(property)
	}
	if members["kind"] == "FailoverError" {
		value["name"] = "FailoverError"
	}
	delete(value, "kind")
	return value
}

// coercedAnswer hands an empty provider on as OpenClaw does; to every rule it
// is none.
func coercedAnswer(c *failure.Coerced, emptyProvider bool) any {
	if c == nil {
		return nil
	}
	out := map[string]any{
		"reason":   string(c.Reason),
		"status":   numberOrNull(c.Status),
		"code":     orNull(c.Code),
		"provider": orNull(c.Provider),
		"suspend":  nil,
	}
	if c.Provider == "" && emptyProvider {
		out["provider"] = ""
	}
	if c.Suspend != nil {
		out["suspend"] = *c.Suspend
	}
	return out
}

func numberOrNull(n *float64) any {
	if n == nil {
		return nil
	}
	return *n
}
