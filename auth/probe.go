package auth

import (
	"math"
	"slices"

	"openclaw-auth/auth/document"
	"openclaw-auth/auth/failure"
)

// ProbeAnswer is a canned answer to OpenClaw's request for the usage of a
// Codex account. openclaw-auth sends none; without an answer it does what
// OpenClaw does when the request fails.
type ProbeAnswer struct {
	Status int            // HTTP status
	Body   document.Value // the JSON document, nil if there was none
}

// The values of a usage entry that a probe writes.
const (
	blockedReason     = "subscription_limit"
	blockedSource     = "wham"
	classTokenExpired = "wham_token_expired"
	classAccountDead  = "wham_account_dead"
)

// probe is the result of a usage request.
type probe struct {
	rules  *Rules
	reason Reason
	now    int64

	failed    bool    // no usable answer
	available bool    // the account has usage left (2026.9.6 lifts a block)
	exhausted bool    // the wait is the reset of an exhausted usage window
	wait      float64 // ms until the profile may be tried again
	refused   string  // the classification of a refused token, with its reason
	refusedAs Reason
}

// probeOf returns the result of the usage request that a failure triggers, nil
// if it triggers none: the profile must be a Codex OAuth login with a token
// and the reason one that a usage limit may hide behind (2026.4.9+).
func (p *Profiles) probeOf(credential *document.Object, failed Failure) *probe {
	rules := &p.Rules.Failures.CodexProbe
	access, _ := credential.Get("access")
	switch {
	case rules.Provider == "" || p.Rules.Providers.Normalize(credential.Text("provider")) != rules.Provider,
		credential.Text("type") != TypeOAuth, !document.Truthy(access), !slices.Contains(rules.Reasons, failed.Reason):
		return nil
	}
	if expires, ok := credential.Number("expires"); rules.Unexpired && !(ok && expires > float64(failed.Now)) {
		return nil
	}
	result := &probe{rules: p.Rules, reason: failed.Reason, now: failed.Now}
	result.read(failed.Probe)
	return result
}

func (r *probe) fail(wait float64) { r.failed, r.wait = true, wait }

func (r *probe) read(answer *ProbeAnswer) {
	switch {
	case answer == nil:
		r.fail(30 * msSecond)
	case answer.Status == 401:
		r.wait, r.refused, r.refusedAs = 12*msHour, classTokenExpired, failure.Auth
	case answer.Status == 403:
		r.wait, r.refused, r.refusedAs = 24*msHour, classAccountDead, failure.AuthPermanent
	case answer.Status < 200 || answer.Status > 299:
		r.fail(5 * msMinute)
	default:
		body, _ := answer.Body.(*document.Object)
		limit := body.Object("rate_limit")
		switch {
		case limit == nil:
			r.fail(30 * msSecond)
		case r.rules.Failures.CodexProbe.Rewritten:
			r.readWindows(limit)
		default:
			r.readLimit(limit)
		}
	}
}

// readLimit reads the usage windows of a Codex account (2026.4.9–8.2).
func (r *probe) readLimit(limit *document.Object) {
	if reached, _ := limit.Get("limit_reached"); reached == false {
		r.wait = 15 * msSecond
		return
	}
	primary, secondary := limit.Object("primary_window"), limit.Object("secondary_window")
	capped := 4 * msHour
	window := primary
	switch {
	case secondary == nil:
	case isExhausted(secondary):
		window = secondary
	case isExhausted(primary):
		capped = 2 * msHour
	default:
		r.fail(30 * msSecond)
		return
	}
	wait, ok := r.resetOf(window)
	if !ok {
		r.fail(30 * msSecond)
		return
	}
	r.exhausted, r.wait = true, wait
	if r.rules.Failures.CodexProbe.HalfReset {
		r.wait = min(math.Floor(wait/2), capped)
	}
}

func isExhausted(window *document.Object) bool {
	used, ok := window.Number("used_percent")
	return ok && used >= 100
}

// resetOf returns how long a usage window still lasts, and whether it says so.
func (r *probe) resetOf(window *document.Object) (float64, bool) {
	after, ok := window.Number("reset_after_seconds")
	if ok && !math.IsInf(after, 0) && after > 0 {
		whole := after == math.Trunc(after)
		return after * msSecond, whole || !r.rules.Failures.CodexProbe.WholeReset
	}
	at, ok := window.Number("reset_at")
	return max(0, at*msSecond-float64(r.now)), ok && at > 0
}

// readWindows reads the usage windows as 2026.9.6 does: the longest reset of
// all exhausted windows counts, and an answer that lacks one is no answer.
func (r *probe) readWindows(limit *document.Object) {
	reached, _ := limit.Get("limit_reached")
	primary, secondary := limit.Object("primary_window"), limit.Object("secondary_window")
	var exhausted []*document.Object
	for _, window := range []*document.Object{primary, secondary} {
		lone := window != nil && window == primary && secondary == nil && reached != false
		if isExhausted(window) || lone {
			exhausted = append(exhausted, window)
		}
	}
	if len(exhausted) == 0 {
		if r.available = reached == false; r.available {
			r.wait = 15 * msSecond
			return
		}
		r.fail(30 * msSecond)
		return
	}
	for _, window := range exhausted {
		wait, ok := r.resetOf(window)
		if !ok || wait <= 0 {
			r.fail(30 * msSecond)
			return
		}
		r.wait = max(r.wait, wait)
	}
	r.exhausted = true
}

// lift removes a subscription block that the account's usage disproves, and a
// rate limit that it covered (2026.9.6).
func (r *probe) lift(stats *document.Object) {
	if !r.available || stats.Text("blockedReason") != blockedReason {
		return
	}
	blocked, _ := stats.Number("blockedUntil")
	deleteAll(stats, blockMembers)
	until, ok := stats.Number("cooldownUntil")
	if ok && Reason(stats.Text("cooldownReason")) == failure.RateLimit && until <= blocked {
		deleteAll(stats, cooldownMembers)
	}
}

// apply lets the result override the cooldown of the failure. before is the
// entry as it was, nil if there was none.
func (r *probe) apply(stats, before *document.Object) {
	rules := &r.rules.Failures.CodexProbe
	if rules.Timestamp {
		defer stats.SetNumber("lastProbeAt", float64(r.now))
	}
	if rules.Rewritten && r.failed && (r.reason == failure.RateLimit || activeUntil(stats, "blockedUntil", r.now) > 0) {
		return
	}
	if r.exhausted && rules.Blocks {
		r.block(stats, before)
		return
	}
	until := r.rules.Failures.end(r.now, r.wait)
	stats.SetNumber("cooldownUntil", max(activeUntil(before, "cooldownUntil", r.now), until))
	if rules.Classifies && r.refused != "" {
		stats.Set("cooldownReason", string(r.refusedAs))
		stats.Set("cooldownClassification", r.refused)
		stats.Delete("cooldownModel")
	}
}

func (r *probe) block(stats, before *document.Object) {
	until := float64(r.now) + r.wait
	stats.SetNumber("blockedUntil", max(activeUntil(before, "blockedUntil", r.now), until))
	stats.Set("blockedReason", blockedReason)
	stats.Set("blockedSource", blockedSource)
	stats.Delete("blockedModel")
	if r.rules.Windows.BlockedScope {
		stats.Delete("blockedScope")
	}
	deleteAll(stats, cooldownMembers)
}
