package auth

import (
	"math"
	"slices"

	"openclaw-auth/auth/document"
	"openclaw-auth/auth/failure"
)

// Failure is a failed attempt with a profile.
type Failure struct {
	Profile ProfileID
	Reason  Reason
	Model   *string      // the model that was asked, nil where none is known
	Now     int64        // Unix ms
	Probe   *ProbeAnswer // a canned answer to the Codex usage probe; nil: the probe fails
}

// Transition is what an event makes of a profile's usage entry.
type Transition struct {
	Stats  *document.Object // the entry afterwards; the given one stays as it was
	Probed bool             // OpenClaw would ask the provider for the account's usage
	// Ignored says why nothing is written, "" if something is.
	Ignored Ignored
}

// Ignored is why OpenClaw does not record an event.
type Ignored string

// The reasons to record nothing.
const (
	IgnoredMissing     Ignored = "profile_missing"   // the profile is not in the store
	IgnoredBypass      Ignored = "bypass_provider"   // its provider's profiles are never held back
	IgnoredNoDetails   Ignored = "no_error_details"  // 2026.7.1+
	IgnoredSetup       Ignored = "setup_inactive"    // 2026.9.6
	IgnoredProvider    Ignored = "provider_mismatch" // the profile serves another provider
	IgnoredTime        Ignored = "time_not_ahead"    // a block that has no end in the future
	IgnoredNoEntry     Ignored = "no_usage"          // nothing to clear
	IgnoredUnsupported Ignored = "no_such_operation" // the line has no such operation
)

// Fail returns what OpenClaw records for a failed attempt: counters, and a
// cooldown or a disable. Which window opens and for how long is explained at
// FailureRules; blocks come only from Block or a probe.
func (p *Profiles) Fail(failed Failure) Transition {
	return p.fail(failed, p.Config.Cooldowns())
}

// CoolDown is OpenClaw's operation that cools a profile down without a known reason:
// a failure "unknown" with the default lengths (2026.1.30, 2026.3.31–8.2).
func (p *Profiles) CoolDown(id ProfileID, now int64, probe *ProbeAnswer) Transition {
	if !p.Rules.Failures.CooldownOp {
		return Transition{Ignored: IgnoredUnsupported}
	}
	return p.fail(Failure{Profile: id, Reason: failure.Unknown, Now: now, Probe: probe}, nil)
}

func (p *Profiles) fail(failed Failure, cooldowns *document.Object) Transition {
	rules := &p.Rules.Failures
	credential, ignored := p.recordable(failed.Profile)
	if ignored != "" {
		return Transition{Ignored: ignored}
	}
	probe := p.probeOf(credential, failed)
	if rules.IgnoreNoDetails && failed.Reason == failure.NoErrorDetails && probe == nil {
		return Transition{Ignored: IgnoredNoDetails}
	}
	before := p.Store.usage(failed.Profile)
	stats := cloneOrNew(before)
	if probe != nil {
		probe.lift(stats)
	}
	if !p.isShielded(stats, failed) {
		provider := p.Rules.Providers.Normalize(credential.Text("provider"))
		lengths := rules.backoffFor(cooldowns, &p.Rules.Providers, provider)
		p.count(stats, failed, lengths)
	}
	if probe != nil {
		probe.apply(stats, before)
	}
	return Transition{Stats: stats, Probed: probe != nil}
}

// recordable returns the credential of a profile whose failures are recorded.
func (p *Profiles) recordable(id ProfileID) (*document.Object, Ignored) {
	credential := p.Store.credential(id)
	switch {
	case credential == nil, p.isForeign(id):
		return nil, IgnoredMissing
	case p.bypasses(id):
		return nil, IgnoredBypass
	case p.Rules.Eligibility.SetupReplacement && isSetupReplacement(credential):
		return nil, IgnoredSetup
	}
	return credential, ""
}

func cloneOrNew(object *document.Object) *document.Object {
	if object == nil {
		return document.NewObject()
	}
	return object.Clone()
}

// isShielded reports whether an active subscription block makes a rate limit
// redundant (2026.9.6). A block of one model shields that model only.
func (p *Profiles) isShielded(stats *document.Object, failed Failure) bool {
	u := p.Rules.Windows.read(stats)
	if !p.Rules.Failures.BlockShieldsRate || failed.Reason != failure.RateLimit || stats.Text("blockedReason") != blockedReason {
		return false
	}
	if u.blockedToModel && (failed.Model == nil || *failed.Model != u.blockedModel) {
		return false
	}
	return u.blockedUntil > float64(failed.Now)
}

// count counts the failure and opens or keeps its window.
func (p *Profiles) count(stats *document.Object, failed Failure, lengths backoff) {
	rules := &p.Rules.Failures
	errors, _ := stats.Number("errorCount")
	counts := cloneOrNew(stats.Object("failureCounts"))
	if p.resets(stats, failed.Now, lengths.window) {
		errors = 0
		rest := stats.Clone() // the counts keep their place in the entry, as in OpenClaw's files
		p.Rules.Windows.resetCounts(rest)
		counts = cloneOrNew(rest.Object("failureCounts"))
	}
	increment(counts, failed.Reason)
	stats.SetNumber("errorCount", errors+1)
	stats.Set("failureCounts", counts)
	stats.SetNumber("lastFailureAt", float64(failed.Now))
	if p.Rules.Windows.Classification {
		stats.Delete("cooldownClassification")
	}
	count, _ := counts.Number(string(failed.Reason))
	if failed.Reason == failure.Billing || failed.Reason == failure.AuthPermanent && rules.AuthPermanent != LaneCooldown {
		rules.open(stats, "disabledUntil", failed.Now, lengths.disable(failed.Reason, count))
		stats.Set("disabledReason", string(failed.Reason))
		return
	}
	kept := rules.open(stats, "cooldownUntil", failed.Now, rules.cooldown(failed.Reason, errors+1, count))
	if p.Rules.Windows.Reasons {
		p.scopeCooldown(stats, failed, kept)
	}
}

func increment(counts *document.Object, reason Reason) {
	count, _ := counts.Number(string(reason))
	counts.SetNumber(string(reason), count+1)
}

// resets reports whether earlier failures are forgotten: the last one is too
// old or, on lines that reset at a lapse, the last window has passed.
func (p *Profiles) resets(stats *document.Object, now int64, window float64) bool {
	last, _ := stats.Number("lastFailureAt")
	if last > 0 && float64(now)-last > window {
		return true
	}
	u := p.Rules.Windows.read(stats)
	until := u.until("")
	return p.Rules.Failures.LapseResets && until > 0 && float64(now) >= until
}

// open sets the end of a window, or leaves an active one where the line keeps
// it. It returns whether a window was active.
func (r *FailureRules) open(stats *document.Object, name string, now int64, length float64) bool {
	active := activeUntil(stats, name, now) > 0
	if !active || !r.KeepActiveWindow {
		stats.SetNumber(name, r.end(now, length))
	}
	return active
}

// activeUntil returns a time that lies ahead, else 0.
func activeUntil(stats *document.Object, name string, now int64) float64 {
	until, ok := stats.Number(name)
	if !ok || math.IsInf(until, 0) || until <= float64(now) {
		return 0
	}
	return until
}

// scopeCooldown stores why the profile cools down and for which model. A
// failure inside an active window never narrows it: the model stays only if
// the failure is one of that model.
func (p *Profiles) scopeCooldown(stats *document.Object, failed Failure, kept bool) {
	scoped := slices.Contains(p.Rules.Windows.ModelScoped, failed.Reason)
	previous := stats.Text("cooldownModel")
	stats.Set("cooldownReason", string(failed.Reason))
	switch {
	case !scoped:
		stats.Delete("cooldownModel")
	case kept && previous == "":
	case kept && failed.Model != nil && *failed.Model == previous:
	case kept || failed.Model == nil:
		stats.Delete("cooldownModel")
	default:
		stats.Set("cooldownModel", *failed.Model)
	}
}
