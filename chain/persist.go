package chain

import (
	"slices"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain/lines"
)

// overrideWrite holds what a fallback wrote into a session entry, so that a failure
// takes back only that.
type overrideWrite struct {
	before, after *document.Object
	fields        []string
}

// writeFallback writes a fallback into the session entry before it runs, as
// far as the line does (2026.4.9–7.1; later the fallback is for the turn
// only). It returns nil where nothing is written.
func (m *Models) writeFallback(entry *document.Object, candidate Candidate, origin Ref, profile auth.ProfileID, pinSource string, now int64) *overrideWrite {
	fields := lines.Of(m.Rules).Persist.Fields
	if len(fields) == 0 || entry.Text(overrideSource) == sourceUser {
		return nil
	}
	write := &overrideWrite{before: entry.Clone(), fields: fields}
	values := map[string]string{
		providerOverride: candidate.Provider, modelOverride: candidate.Model, overrideSource: sourceAuto,
		originProvider: origin.Provider, originModel: origin.Model,
		pinProfile: string(profile), pinSourceField: pinSource,
	}
	for _, field := range fields {
		if value := values[field]; value != "" {
			entry.Set(field, value)
		} else {
			entry.Delete(field)
		}
	}
	entry.SetNumber("updatedAt", float64(now))
	write.after = entry.Clone()
	return write
}

// rollBack takes the fallback out of the entry again. A field that somebody
// else has changed meanwhile is left alone.
func (w *overrideWrite) rollBack(entry *document.Object) {
	if w == nil {
		return
	}
	for _, field := range w.fields {
		now, present := entry.Get(field)
		wrote, written := w.after.Get(field)
		if present != written || now != wrote {
			continue
		}
		if old, had := w.before.Get(field); had {
			entry.Set(field, old)
		} else {
			entry.Delete(field)
		}
	}
}

// The members of a session entry that make its auth pin.
const (
	pinProfile     = "authProfileOverride"
	pinSourceField = "authProfileOverrideSource"
	pinCount       = "authProfileOverrideCompactionCount"
)

// clearFallback removes an automatic override from the entry, with the
// automatic auth pin and the notice that came with it, once its primary has
// answered again.
func (m *Models) clearFallback(entry *document.Object, now int64) {
	m.clearOverride(entry, true)
	if entry.Text(pinSourceField) == auth.PinAuto {
		for _, name := range []string{pinProfile, pinSourceField, pinCount} {
			entry.Delete(name)
		}
	}
	entry.SetNumber("updatedAt", float64(now))
}

// changedFields lists the members that differ between two session entries, in
// the order of the later one, those that are gone at the end.
func changedFields(before, after *document.Object) []string {
	var fields []string
	for name, value := range after.All() {
		if old, had := before.Get(name); !had || !document.SameWritten(old, value) {
			fields = append(fields, name)
		}
	}
	for _, name := range before.Keys() {
		if !after.Has(name) && !slices.Contains(fields, name) {
			fields = append(fields, name)
		}
	}
	return fields
}
