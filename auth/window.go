package auth

import (
	"math"
	"slices"

	"openclaw-auth/auth/document"
	"openclaw-auth/auth/failure"
)

// usage is a usageStats entry as the window rules read it. A time that is no
// positive finite number is absent (0): OpenClaw ignores it.
type usage struct {
	cooldownUntil, disabledUntil, blockedUntil float64
	cooldownReason, disabledReason             Reason
	cooldownModel, blockedModel                string
	blockedToModel                             bool
	failureCounts                              *document.Object
}

func (r *WindowRules) read(stats *document.Object) usage {
	u := usage{
		cooldownUntil:  r.time(stats, "cooldownUntil"),
		disabledUntil:  r.time(stats, "disabledUntil"),
		cooldownReason: Reason(stats.Text("cooldownReason")),
		disabledReason: Reason(stats.Text("disabledReason")),
		cooldownModel:  modelOf(stats, "cooldownModel"),
		failureCounts:  stats.Object("failureCounts"),
	}
	if r.Blocked {
		u.blockedUntil = r.time(stats, "blockedUntil")
		u.blockedModel = modelOf(stats, "blockedModel")
		u.blockedToModel = r.BlockedScope && stats.Text("blockedScope") == "model" && u.blockedModel != ""
	}
	return u
}

// modelOf returns the model that a member names. A value that is not text but
// counts as true still names a model: one that nobody can ask for.
func modelOf(stats *document.Object, name string) string {
	value := stats.Value(name)
	if text, ok := value.(string); ok || !document.Truthy(value) {
		return text
	}
	return "\x00"
}

// time returns a member that is a valid end of a window, else 0.
func (r *WindowRules) time(stats *document.Object, name string) float64 {
	value, ok := stats.Number(name)
	if !ok || value <= 0 || math.IsInf(value, 0) || r.WithinDate && value > lastDate {
		return 0
	}
	return value
}

// spares reports whether the cooldown is one of another model and so leaves
// the profile usable for this one.
func (r *WindowRules) spares(u *usage, model string, now int64) bool {
	if model == "" || u.cooldownModel == "" || u.cooldownModel == model || !slices.Contains(r.ModelScoped, u.cooldownReason) {
		return false
	}
	if u.disabledUntil > float64(now) {
		return false
	}
	return !(r.ScopedUnlessBlock && u.blockFor(model) > float64(now))
}

// blockFor returns the end of the block, 0 where it concerns another model only.
func (u *usage) blockFor(model string) float64 {
	if u.blockedToModel && model != "" && model != u.blockedModel {
		return 0
	}
	return u.blockedUntil
}

// until returns the end of the last window for the model ("": any), 0 without
// one. It may lie in the past.
func (u *usage) until(model string) float64 {
	return max(u.cooldownUntil, u.disabledUntil, u.blockFor(model))
}

// bypasses reports whether windows of the profile's provider are ignored. Only a stored
// credential says whose profile it is.
func (p *Profiles) bypasses(id ProfileID) bool {
	credential := p.Store.credential(id)
	return credential != nil && slices.Contains(p.Rules.Windows.Bypass, p.Rules.Providers.Normalize(credential.Text("provider")))
}

// InCooldown reports whether the profile is in a window at the time now, for whatever
// reason: a cooldown, a disable, a block. A model makes windows of other models
// not count on the lines that scope them (2026.3.31+); "" asks for any model.
func (p *Profiles) InCooldown(id ProfileID, model string, now int64) bool {
	_, held := p.windowUntil(id, model, now)
	return held
}

// windowUntil returns the end of the profile's last window for the model and
// whether it is still open.
func (p *Profiles) windowUntil(id ProfileID, model string, now int64) (float64, bool) {
	stats := p.Store.usage(id)
	if stats == nil || p.bypasses(id) {
		return 0, false
	}
	u := p.Rules.Windows.read(stats)
	until := u.until(model)
	return until, until > float64(now) && !p.Rules.Windows.spares(&u, model, now)
}

// DisplayUntil returns the end of the profile's last window, whether past or
// not, and whether there is one. Providers whose windows are ignored have none.
func (p *Profiles) DisplayUntil(id ProfileID) (float64, bool) {
	stats := p.Store.usage(id)
	if stats == nil || p.bypasses(id) {
		return 0, false
	}
	u := p.Rules.Windows.read(stats)
	until := u.until("")
	return until, until > 0
}

// SoonestExpiry returns when the first of the profiles can be used again for
// the model, and whether any of them has a window. The time may be past.
// Unlike InCooldown it ignores no provider's windows.
func (p *Profiles) SoonestExpiry(ids []ProfileID, model string, now int64) (float64, bool) {
	rules := &p.Rules.Windows
	earliest, latestSame := math.Inf(1), math.Inf(-1)
	for _, id := range ids {
		stats := p.Store.usage(id)
		u := rules.read(stats)
		until := u.until(model)
		switch {
		case stats == nil || until == 0 || rules.spares(&u, model, now):
		case rules.isSameModel(&u, model, now):
			latestSame = max(latestSame, until)
		default:
			earliest = min(earliest, until)
		}
	}
	if !math.IsInf(latestSame, -1) {
		earliest = min(earliest, latestSame)
	}
	if math.IsInf(earliest, 1) {
		return 0, false
	}
	return earliest, true
}

// isSameModel reports whether the window is a rate limit on the asked model:
// of those the latest decides, because they end together or not at all.
func (r *WindowRules) isSameModel(u *usage, model string, now int64) bool {
	return r.SoonestSameModel && model != "" && u.cooldownReason == failure.RateLimit && u.cooldownModel == model &&
		u.disabledUntil <= float64(now) && !(r.ScopedUnlessBlock && u.blockFor(model) > float64(now))
}

// certain outweighs any count of failures.
const certain = 1000

// UnavailableReason infers why the profiles can't be used: the reason with the
// highest score, "" if all of them are available. An id that repeats counts twice.
// Like SoonestExpiry it ignores no provider's windows.
func (p *Profiles) UnavailableReason(ids []ProfileID, now int64) Reason {
	scores := map[Reason]float64{}
	for _, id := range ids {
		if stats := p.Store.usage(id); stats != nil {
			u := p.Rules.Windows.read(stats)
			p.Rules.Windows.score(&u, float64(now), scores)
		}
	}
	var best Reason
	for _, reason := range p.Rules.Windows.KnownReasons {
		if scores[reason] > scores[best] {
			best = reason
		}
	}
	return best
}

func (r *WindowRules) score(u *usage, now float64, scores map[Reason]float64) {
	switch {
	case u.disabledUntil > now && slices.Contains(r.KnownReasons, u.disabledReason):
		scores[u.disabledReason] += certain
		return
	case u.blockedUntil > now:
		scores[failure.RateLimit] += certain
		return
	case u.cooldownUntil <= now:
		return
	case r.CooldownReasonWins && slices.Contains(r.KnownReasons, u.cooldownReason):
		scores[u.cooldownReason] += certain
		return
	}
	counted := false
	for _, reason := range r.KnownReasons {
		if count, ok := u.failureCounts.Number(string(reason)); ok && count > 0 {
			scores[reason] += count
			counted = true
		}
	}
	if !counted {
		scores[r.UncountedReason]++
	}
}
