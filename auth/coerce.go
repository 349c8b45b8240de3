package auth

import (
	"math"
	"slices"
	"strings"

	"openclaw-auth/auth/document"
	"openclaw-auth/auth/failure"
)

// reasons are all that OpenClaw stores; it drops others from 2026.5.28 on.
var reasons = []Reason{
	failure.Auth, failure.AuthPermanent, failure.Format, failure.Overloaded, failure.RateLimit, failure.Billing, failure.Timeout,
	failure.ModelNotFound, failure.SessionExpired, failure.EmptyResponse, failure.NoErrorDetails, failure.Unclassified, failure.Unknown,
}

// NormalizeState returns the store with its state (order, lastGood, usage) as
// the line takes it from a document. Up to 2026.5.12 usage and lastGood stay as
// they are written; from 2026.5.28 on what OpenClaw does not know is dropped.
func (r *Rules) NormalizeState(store *Store) *Store {
	normal := &Store{Profiles: store.Profiles, Order: r.normalizeOrder(store.Order), LastGood: store.LastGood, UsageStats: store.UsageStats}
	if !r.Failures.Coerce {
		return normal
	}
	normal.LastGood, normal.UsageStats = document.NewObject(), document.NewObject()
	for provider, value := range store.LastGood.All() {
		id, _ := value.(string)
		if key := r.Providers.Normalize(provider); key != "" && !document.IsBlank(id) {
			normal.LastGood.Set(string(key), document.Trim(id))
		}
	}
	for id, value := range store.UsageStats.All() {
		stats, _ := value.(*document.Object)
		if coerced := r.coerceUsage(stats); coerced.Len() > 0 && !document.IsBlank(id) {
			normal.UsageStats.Set(document.Trim(id), coerced)
		}
	}
	return normal
}

func (r *Rules) normalizeOrder(orders *document.Object) *document.Object {
	normal := document.NewObject()
	for provider, value := range orders.All() {
		list, _ := value.([]any)
		var ids []any
		for _, item := range list {
			if id, _ := item.(string); !document.IsBlank(id) {
				ids = append(ids, document.Trim(id))
			}
		}
		if r.Failures.Coerce {
			provider = string(r.Providers.Normalize(provider))
		}
		if len(ids) > 0 && (provider != "" || !r.Failures.Coerce) {
			normal.Set(provider, ids)
		}
	}
	return normal
}

// coerceUsage keeps what OpenClaw knows of a usage entry, in the order in which it writes it.
func (r *Rules) coerceUsage(stats *document.Object) *document.Object {
	coerced := document.NewObject()
	number := func(name string) {
		if value, ok := stats.Number(name); ok && !math.IsInf(value, 0) {
			kept, _ := stats.Get(name)
			coerced.Set(name, kept)
		}
	}
	text := func(name string, keep func(string) bool) {
		if value := stats.Text(name); keep(value) {
			coerced.Set(name, value)
		}
	}
	isReason := func(value string) bool { return slices.Contains(reasons, Reason(value)) }
	oneOf := func(known ...string) func(string) bool {
		return func(value string) bool { return slices.Contains(known, value) }
	}
	model := func(name string) {
		if value := document.Trim(stats.Text(name)); value != "" {
			coerced.Set(name, value)
		}
	}
	number("lastUsed")
	number("blockedUntil")
	text("blockedReason", oneOf(blockedReason))
	text("blockedSource", oneOf("codex_rate_limits", blockedSource))
	model("blockedModel")
	if r.Windows.BlockedScope {
		text("blockedScope", oneOf("model"))
	}
	number("cooldownUntil")
	text("cooldownReason", isReason)
	if r.Windows.Classification {
		text("cooldownClassification", oneOf(classificationOf(Reason(stats.Text("cooldownReason")))...))
	}
	model("cooldownModel")
	number("disabledUntil")
	text("disabledReason", isReason)
	number("errorCount")
	if counts := coerceCounts(stats.Object("failureCounts")); counts.Len() > 0 {
		coerced.Set("failureCounts", counts)
	}
	number("lastFailureAt")
	if r.Failures.CodexProbe.Timestamp {
		number("lastProbeAt")
	}
	return coerced
}

// classificationOf returns the classification that a cooldown of the reason may carry.
func classificationOf(reason Reason) []string {
	switch reason {
	case failure.Auth:
		return []string{classTokenExpired}
	case failure.AuthPermanent:
		return []string{classAccountDead}
	}
	return nil
}

func coerceCounts(counts *document.Object) *document.Object {
	coerced := document.NewObject()
	for reason := range counts.All() {
		count, ok := counts.Number(reason)
		if ok && count > 0 && !math.IsInf(count, 0) && slices.Contains(reasons, Reason(reason)) {
			coerced.SetNumber(reason, math.Trunc(count))
		}
	}
	return coerced
}

// inlineKeyPrefix starts the usage ids of API keys that the configuration holds
// (2026.8.2+): they match no profile and are still kept.
const inlineKeyPrefix = "inline-api-key:"

func (r *Rules) isInlineKey(id string) bool {
	return r.Failures.KeepInlineKeys && strings.HasPrefix(id, inlineKeyPrefix)
}

// Persisted returns the store as a write of the line leaves it: state of
// profiles that the store lacks is dropped (2026.4.29+), except ids that the
// order already had (2026.6.11+).
func (r *Rules) Persisted(store *Store) *Store {
	if !r.Failures.PruneOnWrite {
		return r.NormalizeState(store)
	}
	// Ids are compared as they are written; only what is kept is trimmed.
	kept := *store
	kept.LastGood, kept.UsageStats = store.LastGood.Clone(), store.UsageStats.Clone()
	for _, key := range kept.LastGood.Keys() {
		if !kept.Profiles.Has(kept.LastGood.Text(key)) {
			kept.LastGood.Delete(key)
		}
	}
	for _, id := range kept.UsageStats.Keys() {
		if !kept.Profiles.Has(id) && !r.isInlineKey(id) {
			kept.UsageStats.Delete(id)
		}
	}
	normal := r.NormalizeState(&kept)
	if r.Failures.PruneOrder {
		normal.Order = pruneOrder(normal.Order, normal.Profiles)
	}
	return normal
}

func pruneOrder(orders, profiles *document.Object) *document.Object {
	pruned := document.NewObject()
	for provider, value := range orders.All() {
		ids := slices.DeleteFunc(slices.Clone(value.([]any)), func(id any) bool { return !profiles.Has(id.(string)) })
		if len(ids) > 0 {
			pruned.Set(provider, ids)
		}
	}
	return pruned
}
