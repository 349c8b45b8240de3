package auth

import (
	"math"

	"openclaw-auth/auth/document"
	"openclaw-auth/auth/failure"
)

const (
	msSecond = 1000.0
	msMinute = 60 * msSecond
	msHour   = 60 * msMinute
)

// backoff is how long failures keep a profile out of use, in ms, once the
// configuration has been read.
type backoff struct {
	billing, billingMax     float64
	permanent, permanentMax float64
	window                  float64 // failures older than this are forgotten
	doublingCapped          bool    // the doubling stops at the maximum, not after ten steps
}

// backoffFor reads auth.cooldowns for a provider. Values that are not positive
// finite numbers fall back to the defaults; from 2026.8.2 on none is read.
func (r *FailureRules) backoffFor(cooldowns *document.Object, providers *ProviderRules, provider ProviderID) backoff {
	if !r.Configurable {
		cooldowns = nil
	}
	b := backoff{
		billing:        positive(cooldowns, "billingBackoffHours", r.BillingMinutes/60) * msHour,
		billingMax:     positive(cooldowns, "billingMaxHours", r.BillingMaxMinutes/60) * msHour,
		window:         positive(cooldowns, "failureWindowHours", 24) * msHour,
		doublingCapped: r.NoBackoffFloor,
	}
	byProvider := cooldowns.Object("billingBackoffHoursByProvider")
	if key, value, ok := providers.lookup(byProvider, provider); ok && value != nil {
		b.billing = positive(byProvider, key, r.BillingMinutes/60) * msHour
	}
	b.permanent, b.permanentMax = b.billing, b.billingMax
	if r.AuthPermanent == LaneOwn {
		b.permanent = positive(cooldowns, "authPermanentBackoffMinutes", 10) * msMinute
		b.permanentMax = positive(cooldowns, "authPermanentMaxMinutes", 60) * msMinute
	}
	if !r.NoBackoffFloor {
		b.billing, b.permanent = max(b.billing, msMinute), max(b.permanent, msMinute)
	}
	b.billingMax, b.permanentMax = max(b.billing, b.billingMax), max(b.permanent, b.permanentMax)
	return b
}

func positive(object *document.Object, name string, otherwise float64) float64 {
	if number, ok := object.Number(name); ok && number > 0 && !math.IsInf(number, 0) {
		return number
	}
	return otherwise
}

// disable returns how long the count-th failure of a disabling reason disables the profile.
func (b *backoff) disable(reason Reason, count float64) float64 {
	base, limit := b.billing, b.billingMax
	if reason == failure.AuthPermanent {
		base, limit = b.permanent, b.permanentMax
	}
	steps := 10.0
	if b.doublingCapped {
		steps = math.Ceil(math.Log2(limit / base))
	}
	return min(limit, base*math.Pow(2, min(max(count, 1)-1, steps)))
}

// cooldown returns how long a failure cools the profile down: the step of the
// ladder for the number of errors or, where rate limits double, for the number
// of rate limits.
func (r *FailureRules) cooldown(reason Reason, errors, rateLimits float64) float64 {
	errors = max(errors, 1)
	switch {
	case r.RateLimitDoubling && reason == failure.RateLimit:
		return min(24*msHour, 30*msSecond*math.Pow(2, max(rateLimits, 1)-1))
	case !r.ShortLadder:
		return min(msHour, msMinute*math.Pow(5, min(errors-1, 3)))
	case errors <= 1:
		return 30 * msSecond
	case errors <= 2:
		return msMinute
	}
	return 5 * msMinute
}

// end returns the end of a window of the given length that starts now.
func (r *FailureRules) end(now int64, length float64) float64 {
	if !r.IntegerWindows {
		return float64(now) + length
	}
	end := float64(now) + max(math.Floor(length), 1)
	if end > lastDate {
		return float64(now)
	}
	return end
}
