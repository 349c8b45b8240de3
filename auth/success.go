package auth

import (
	"math"

	"openclaw-auth/auth/document"
	"openclaw-auth/auth/failure"
)

// Block is a limit whose end the provider has told (2026.5.12+).
type Block struct {
	Profile ProfileID
	Until   float64 // Unix ms
	Source  string  // "codex_rate_limits" or "wham"
	Model   *string // the model it concerns, nil for all
	Now     int64
}

// Block records that a profile is blocked until a known time. Errors are not
// counted, a running cooldown is replaced.
func (p *Profiles) Block(block Block) Transition {
	rules := &p.Rules.Windows
	if !rules.Blocked {
		return Transition{Ignored: IgnoredUnsupported}
	}
	if _, ignored := p.recordable(block.Profile); ignored != "" {
		return Transition{Ignored: ignored}
	}
	if math.IsInf(block.Until, 0) || block.Until <= float64(block.Now) || rules.WithinDate && block.Until > lastDate {
		return Transition{Ignored: IgnoredTime}
	}
	stats := cloneOrNew(p.Store.usage(block.Profile))
	u := rules.read(stats)
	active := activeUntil(stats, "blockedUntil", block.Now)
	if rules.WithinDate && active > lastDate {
		active = 0
	}
	stats.SetNumber("blockedUntil", max(active, block.Until))
	stats.Set("blockedReason", blockedReason)
	stats.Set("blockedSource", block.Source)
	model := block.Model
	if rules.BlockedScope && active > 0 && !(u.blockedToModel && model != nil && *model == u.blockedModel) {
		model = nil
	}
	p.scopeBlock(stats, model)
	deleteAll(stats, rules.windows()[0])
	counts := cloneOrNew(stats.Object("failureCounts"))
	increment(counts, failure.RateLimit)
	stats.Set("failureCounts", counts)
	stats.SetNumber("lastFailureAt", float64(block.Now))
	return Transition{Stats: stats}
}

// Limit returns what OpenClaw records for a failure whose end the provider has
// dated (until, Unix ms): a block. Without a date it is that of Fail.
func (p *Profiles) Limit(failed Failure, until float64) Transition {
	if until == 0 {
		return p.Fail(failed)
	}
	return p.Block(Block{Profile: failed.Profile, Until: until, Source: datedSource, Model: failed.Model, Now: failed.Now})
}

// datedSource is the source of a block whose end came with the answer.
const datedSource = "codex_rate_limits"

func (p *Profiles) scopeBlock(stats *document.Object, model *string) {
	stats.Delete("blockedModel")
	if p.Rules.Windows.BlockedScope {
		stats.Delete("blockedScope")
	}
	if model == nil {
		return
	}
	stats.Set("blockedModel", *model)
	if p.Rules.Windows.BlockedScope && *model != "" {
		stats.Set("blockedScope", "model")
	}
}

// Clear removes the windows and counters of a profile, as far as the line's
// own operation does. Times of the last use and the last failure stay.
func (p *Profiles) Clear(id ProfileID) Transition {
	kind := p.Rules.Failures.ClearOp
	stats := p.Store.usage(id)
	switch {
	case kind == ClearNone:
		return Transition{Ignored: IgnoredUnsupported}
	case stats == nil:
		return Transition{Ignored: IgnoredNoEntry}
	}
	stats = stats.Clone()
	if kind == ClearAll {
		p.Rules.resetAll(stats)
		return Transition{Stats: stats}
	}
	stats.SetNumber("errorCount", 0)
	stats.Delete("cooldownUntil")
	return Transition{Stats: stats}
}

// resetAll removes every window that the line knows, and the counters.
func (r *Rules) resetAll(stats *document.Object) {
	stats.SetNumber("errorCount", 0)
	for _, window := range r.Windows.windows() {
		deleteAll(stats, window)
	}
	stats.Delete("failureCounts")
}

// Success records that a profile worked for the provider: its windows and
// counters go, lastUsed becomes now, and it is the provider's last good one.
// It returns the entry and the new lastGood. The success of one agent is not the
// use of all: a profile that the agent inherits only loses its windows (2026.8.2+;
// before, nothing is recorded for one).
func (p *Profiles) Success(provider string, id ProfileID, now int64) (Transition, *document.Object) {
	if p.isForeign(id) {
		return Transition{Ignored: IgnoredMissing}, p.Store.LastGood
	}
	if !p.Rules.Failures.SingleSuccess {
		good := p.Good(provider, id)
		return p.Used(id, now), good
	}
	credential := p.Store.credential(id)
	key := p.Rules.Providers.AuthKey(provider)
	switch {
	case credential == nil:
		return Transition{Ignored: IgnoredMissing}, p.Store.LastGood
	case p.Rules.Providers.AuthKey(credential.Text("provider")) != key:
		return Transition{Ignored: IgnoredProvider}, p.Store.LastGood
	case p.isInherited(id):
		return p.used(id, now), p.Store.LastGood
	}
	return p.used(id, now), p.good(string(key), id)
}

// Used records only the use of a profile (a separate operation ≤2026.4.29).
func (p *Profiles) Used(id ProfileID, now int64) Transition {
	if p.Store.credential(id) == nil {
		return Transition{Ignored: IgnoredMissing}
	}
	return p.used(id, now)
}

func (p *Profiles) used(id ProfileID, now int64) Transition {
	stats := cloneOrNew(p.Store.usage(id))
	p.Rules.resetAll(stats)
	if !p.isInherited(id) {
		stats.SetNumber("lastUsed", float64(now))
	}
	if p.Rules.Failures.SuccessProbeTime {
		stats.SetNumber("lastProbeAt", float64(now))
	}
	return Transition{Stats: stats}
}

// Good returns lastGood with the profile as the provider's last good one
// (a separate operation ≤2026.4.29), or as it is if the profile is another provider's.
func (p *Profiles) Good(provider string, id ProfileID) *document.Object {
	credential := p.Store.credential(id)
	switch {
	case credential == nil:
		return p.Store.LastGood
	case p.Rules.Failures.GoodByAuthKey:
		key := p.Rules.Providers.AuthKey(provider)
		if p.Rules.Providers.AuthKey(credential.Text("provider")) != key {
			return p.Store.LastGood
		}
		return p.good(string(key), id)
	case credential.Text("provider") != provider:
		return p.Store.LastGood
	}
	return p.good(provider, id)
}

func (p *Profiles) good(key string, id ProfileID) *document.Object {
	lastGood := cloneOrNew(p.Store.LastGood)
	if p.Rules.Failures.SuccessMergesGood {
		for _, other := range lastGood.Keys() {
			if other != key && p.Rules.Providers.AuthKey(other) == ProviderID(key) {
				lastGood.Delete(other)
			}
		}
	}
	lastGood.Set(key, string(id))
	return lastGood
}
