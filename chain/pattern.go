package chain

import (
	"fmt"
	"slices"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
)

// Pattern says how attempts end in a simulation: REF[@PROFILE]=RESULT. REF and
// PROFILE may hold * for any text. RESULT is a failover reason, text: and an
// error message that is then classified, abort where the caller gives up,
// switch: and the model that the user changes to meanwhile, or ok.
type Pattern struct {
	Ref     string   // "*" or provider/model, with *
	Profile string   // "" stands for every profile; may hold *
	Failure *Failure // nil: the attempt succeeds, unless the user switches
	Switch  string   // model that the user changes the session to, as a reference; "" for none
}

// reasons that a pattern may name.
var reasons = []auth.Reason{
	"auth", "auth_permanent", "format", "rate_limit", "overloaded", "billing", "timeout", "server_error",
	"model_not_found", "session_expired", "empty_response", "no_error_details", "unclassified", "unknown",
	"context_overflow", "tls_certificate",
}

// Reasons are the failover reasons that a pattern or a command may name.
func Reasons() []auth.Reason { return slices.Clone(reasons) }

// ParsePattern reads a pattern. A profile id is what follows the @ behind the
// last slash of REF, as in a model reference.
func ParsePattern(text string) (Pattern, error) {
	left, right, ok := strings.Cut(text, "=")
	left, right = document.Trim(left), document.Trim(right)
	if !ok || left == "" || right == "" {
		return Pattern{}, fmt.Errorf("%q is no failure pattern (REF[@PROFILE]=REASON, text:MESSAGE, abort, switch:REF or ok)", text)
	}
	pattern := Pattern{Ref: left}
	if at := indexFrom(left, "@", strings.LastIndexByte(left, '/')+1); at >= 0 {
		pattern.Ref, pattern.Profile = left[:at], left[at+1:]
	}
	if pattern.Ref == "" {
		pattern.Ref = "*"
	}
	if right == "ok" {
		return pattern, nil
	}
	if right == "abort" {
		pattern.Failure = &Failure{Name: "AbortError", Message: "This operation was aborted", Aborted: true}
		return pattern, nil
	}
	if target, ok := strings.CutPrefix(right, "switch:"); ok && document.Trim(target) != "" {
		pattern.Switch = document.Trim(target)
		return pattern, nil
	}
	if message, ok := strings.CutPrefix(right, "text:"); ok {
		pattern.Failure = &Failure{Message: message}
		return pattern, nil
	}
	for _, reason := range reasons {
		if string(reason) == right {
			pattern.Failure = &Failure{Reason: reason, Message: "simulated " + right}
			if right == "context_overflow" {
				pattern.Failure.Message = "context length exceeded (simulated)" // the text decides about these
			}
			return pattern, nil
		}
	}
	return Pattern{}, fmt.Errorf("%q is no failover reason (%s, text:MESSAGE, abort, switch:REF or ok)", right, strings.Join(reasonNames(), ", "))
}

func reasonNames() []string {
	names := make([]string, len(reasons))
	for i, reason := range reasons {
		names[i] = string(reason)
	}
	return names
}

// Matches reports whether the pattern is about the attempt.
func (p *Pattern) Matches(ref Ref, profile auth.ProfileID) bool {
	return (matchesStar(p.Ref, ref.String()) || matchesStar(p.Ref, ref.Key())) && (p.Profile == "" || matchesStar(p.Profile, string(profile)))
}

// matchesStar matches a text against a pattern in which * stands for anything.
func matchesStar(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == text
	}
	rest, ok := strings.CutPrefix(text, parts[0])
	if !ok {
		return false
	}
	for _, part := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(rest, part)
		if !found {
			return false
		}
		rest = after
	}
	return strings.HasSuffix(rest, parts[len(parts)-1])
}
