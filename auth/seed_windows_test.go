package auth_test

import (
	"fmt"
	"testing"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
)

// The same for the statements about windows and counters.

// ladder fails a profile again and again inside the failure window, each time
// just after the cooldown (or, with counters that a lapse resets, inside it),
// and returns the lengths of the cooldowns that would be set from now.
func ladder(t *testing.T, line string, errors int) float64 {
	p := profiles(t, line, `{}`, fmt.Sprintf(`{profiles: {"p:1": {type: "api_key", provider: "p", key: "k"}}, usageStats: {"p:1": {errorCount: %d, lastFailureAt: %d}}}`, errors, testNow-1000))
	stats := p.Fail(auth.Failure{Profile: "p:1", Reason: "timeout", Now: testNow}).Stats
	until, _ := stats.Number("cooldownUntil")
	return until - testNow
}

// S36: cooldowns of 1, 5, 25 minutes, then an hour. The page says so up to
// 2026.5.11; the program does it up to 2026.3.13.
func TestS36LongLadder(t *testing.T) {
	onLines(t, upTo("2026.3.13"), func(t *testing.T, line string) {
		for errors, want := range []float64{minute, 5 * minute, 25 * minute, hour, hour} {
			expect(t, fmt.Sprint("after ", errors, " errors"), ladder(t, line, errors), want)
		}
	})
}

// S37: 30 seconds, 1 minute, 5 minutes; 2026.9.6 doubles rate limits from 30 seconds.
func TestS37ShortLadder(t *testing.T) {
	onLines(t, since("2026.3.31"), func(t *testing.T, line string) {
		for errors, want := range []float64{minute / 2, minute, 5 * minute, 5 * minute} {
			expect(t, fmt.Sprint("after ", errors, " errors"), ladder(t, line, errors), want)
		}
	})
	p := profiles(t, "2026.9.6", `{}`, fmt.Sprintf(`{profiles: {"p:1": {type: "api_key", provider: "p", key: "k"}}, usageStats: {"p:1": {failureCounts: {rate_limit: 3}, errorCount: 3, cooldownUntil: %d}}}`, testNow-1))
	until, _ := p.Fail(auth.Failure{Profile: "p:1", Reason: "rate_limit", Now: testNow}).Stats.Number("cooldownUntil")
	expect(t, "fourth rate limit", until-testNow, 30_000*8)
}

// S38: the members of a usage entry.
func TestS38UsageShape(t *testing.T) {
	onLines(t, all(), func(t *testing.T, line string) {
		p := profiles(t, line, `{}`, `{profiles: {"p:1": {type: "api_key", provider: "p", key: "k"}}}`)
		cooled := p.Fail(auth.Failure{Profile: "p:1", Reason: "timeout", Now: testNow}).Stats
		disabled := p.Fail(auth.Failure{Profile: "p:1", Reason: "billing", Now: testNow}).Stats
		for _, name := range []string{"errorCount", "cooldownUntil"} {
			expect(t, name, cooled.Has(name), true)
		}
		for _, name := range []string{"disabledUntil", "disabledReason"} {
			expect(t, name, disabled.Has(name), true)
		}
		used, _ := p.Success("p", "p:1", testNow)
		expect(t, "lastUsed", used.Stats.Has("lastUsed"), true)
	})
}

// billing returns the ends of the disable after billing failures at the given hours.
func billing(t *testing.T, line, config string, hours ...float64) []float64 {
	p := profiles(t, line, config, `{profiles: {"p:1": {type: "api_key", provider: "p", key: "k"}}}`)
	var ends []float64
	for _, at := range hours {
		stats := p.Fail(auth.Failure{Profile: "p:1", Reason: "billing", Now: testNow + int64(at*hour)}).Stats
		p.Store.UsageStats = document.NewObject()
		p.Store.UsageStats.Set("p:1", stats)
		until, _ := stats.Number("disabledUntil")
		ends = append(ends, (until-testNow)/hour)
	}
	return ends
}

// S39: a billing disable of 5 hours that doubles up to 24. It does double only
// up to 2026.2.26: later a lapsed window resets the counters. From 2026.8.2 on
// the configuration no longer counts, on 2026.9.6 it begins with 10 minutes.
func TestS39Billing(t *testing.T) {
	at := []float64{0, 1, 6, 20}
	for line, want := range map[string]string{
		"2026.1.30": "[5 11 26 44]", "2026.2.26": "[5 5 26 26]", "2026.3.13": "[5 5 11 25]", "2026.3.31": "[5 5 11 25]",
		"2026.4.29": "[5 5 11 25]", "2026.5.12": "[5 5 11 25]", "2026.7.1": "[5 5 11 25]", "2026.8.2": "[5 5 11 25]",
	} {
		expect(t, line+" ends", fmt.Sprint(billing(t, line, `{}`, at...)), want)
	}
	const twoHours = `{auth: {cooldowns: {billingBackoffHours: 2, billingBackoffHoursByProvider: {" P ": 1}}}}`
	onLines(t, upTo("2026.7.1"), func(t *testing.T, line string) {
		expect(t, "by provider", billing(t, line, twoHours, 0)[0], 1.0)
	})
	expect(t, "2026.8.2 ignores the configuration", billing(t, "2026.8.2", twoHours, 0)[0], 5.0)
	expect(t, "2026.9.6 minutes", billing(t, "2026.9.6", twoHours, 0)[0]*60, 10.0)
}

// S39: counters reset after 24 hours without a failure.
func TestS39CountersReset(t *testing.T) {
	onLines(t, all(), func(t *testing.T, line string) {
		p := profiles(t, line, `{}`, fmt.Sprintf(`{profiles: {"p:1": {type: "api_key", provider: "p", key: "k"}}, usageStats: {"p:1": {errorCount: 3, lastFailureAt: %d}}}`, testNow-24*hour-1))
		errors, _ := p.Fail(auth.Failure{Profile: "p:1", Reason: "timeout", Now: testNow}).Stats.Number("errorCount")
		expect(t, "errorCount", errors, 1.0)
	})
}

// S42: a permanent auth failure disables for 10 minutes, up to an hour (2026.4.9+).
func TestS42PermanentAuth(t *testing.T) {
	onLines(t, since("2026.4.9"), func(t *testing.T, line string) {
		p := profiles(t, line, `{}`, `{profiles: {"p:1": {type: "api_key", provider: "p", key: "k"}}, usageStats: {"p:1": {failureCounts: {auth_permanent: 9}, errorCount: 9}}}`)
		stats := p.Fail(auth.Failure{Profile: "p:1", Reason: "auth_permanent", Now: testNow}).Stats
		until, _ := stats.Number("disabledUntil")
		expect(t, "longest", until-testNow, float64(hour))
		p.Store.UsageStats = nil
		until, _ = p.Fail(auth.Failure{Profile: "p:1", Reason: "auth_permanent", Now: testNow}).Stats.Number("disabledUntil")
		expect(t, "first", until-testNow, 10*minute)
	})
}

// S43: the defaults of auth.cooldowns, and what an invalid value does.
func TestS43Defaults(t *testing.T) {
	onLines(t, []string{"2026.4.9", "2026.4.29", "2026.5.12", "2026.5.28", "2026.6.11", "2026.7.1"}, func(t *testing.T, line string) {
		expect(t, "invalid", billing(t, line, `{auth: {cooldowns: {billingBackoffHours: -1, billingMaxHours: "x"}}}`, 0)[0], 5.0)
		expect(t, "capped below", billing(t, line, `{auth: {cooldowns: {billingBackoffHours: 0.001}}}`, 0)[0]*60, 1.0)
	})
}

func TestRulesFor(t *testing.T) {
	for release, want := range map[string]string{
		"2026.5.12": "2026.5.12", "2026.5.13": "2026.5.12", "2026.5.27": "2026.5.27", "5.28": "2026.5.28", "v2026.8.1-beta.2": "2026.8.1",
		"2026.2": "2026.2.26", "2026.5": "2026.5.28", "2025.1.1": "2026.1.29", "2027.1.0": "2026.9.6", " 2026.9.6 ": "2026.9.6",
	} {
		rules, err := auth.RulesFor(release)
		if err != nil || rules.Line != want {
			t.Errorf("%q is %v (%v), want %s", release, rules, err, want)
		}
	}
	for _, release := range []string{"", "latest", "1", "2026", "2026.x.1", "2026.1.1.1", "-1.2.3"} {
		if rules, err := auth.RulesFor(release); err == nil {
			t.Errorf("%q is %s", release, rules.Line)
		}
	}
}
