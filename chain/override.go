package chain

import (
	"strings"

	"openclaw-auth/auth/document"
	"openclaw-auth/chain/lines"
)

// The members of a session entry that hold its model override.
const (
	providerOverride = "providerOverride"
	modelOverride    = "modelOverride"
	overrideSource   = "modelOverrideSource"
	routeResolution  = "modelOverrideRouteResolution"
	originProvider   = "modelOverrideFallbackOriginProvider"
	originModel      = "modelOverrideFallbackOriginModel"
)

// The sources of an override, as stored.
const (
	sourceAuto    = "auto"
	sourceUser    = "user"
	sourceDefault = "default"
)

// stored is an override as a session has it.
type stored struct {
	ref      Ref              // as it is compared
	run      Ref              // as it runs; a resolved one keeps its provider's spelling
	entry    *document.Object // whose override it is
	key      string           // the session's key
	inherit  bool             // a parent's
	resolved bool             // marked as resolved, where the line marks
}

func hasOverride(entry *document.Object) bool {
	return text(entry, modelOverride) != "" || text(entry, providerOverride) != ""
}

// hasOrigin reports whether the entry records what an automatic override replaced.
func hasOrigin(entry *document.Object) bool {
	return text(entry, originProvider) != "" && text(entry, originModel) != ""
}

// isAuto reports whether a fallback, not a user, chose the entry's override.
func (m *Models) isAuto(entry *document.Object) bool {
	switch member(entry, overrideSource) {
	case sourceAuto:
		return true
	case nil:
		return lines.Of(m.Rules).Selection.SourcelessAuto && hasOrigin(entry) && hasOverride(entry)
	}
	return false
}

// read returns the model that the entry's override names.
func (m *Models) read(entry *document.Object, defaultProvider string) stored {
	provider, model := text(entry, providerOverride), text(entry, modelOverride)
	found := stored{entry: entry, resolved: m.isResolved(entry)}
	rules := &lines.Of(m.Rules).Selection
	own := provider
	if own == "" {
		own = defaultProvider
	}
	switch {
	case rules.Stored == lines.StoredAsIs:
		found.ref = Ref{own, model}
		found.run = found.ref
		return found
	case rules.Stored == lines.StoredNormalized:
		found.ref = m.normalize(own, model)
		found.run = found.ref
		return found
	case rules.VerbatimRoutes && found.resolved:
		found.ref, found.run = Ref{lower(own), model}, Ref{own, model}
		return found
	}
	if rules.RepeatedProvider && provider != "" {
		model = cutPrefixFold(model, provider+"/")
	}
	reference := model
	if provider != "" {
		reference = provider + "/" + model
	}
	ref, ok := m.Parse(reference, defaultProvider)
	if !ok {
		ref = Ref{own, model}
	}
	found.ref, found.run = ref, ref
	return found
}

// isResolved reports whether the override is the model itself, not an alias.
func (m *Models) isResolved(entry *document.Object) bool {
	if !lines.Of(m.Rules).Selection.Routes {
		return true
	}
	if resolution := member(entry, routeResolution); resolution != nil {
		return resolution == "resolved"
	}
	return hasOrigin(entry)
}

// lookup returns the override that the session runs on: its own, or else the
// one that it inherits.
func (m *Models) lookup(query *SessionQuery, entry *document.Object, defaultProvider string) (stored, bool) {
	if lines.Of(m.Rules).Selection.DefaultSource && entry.Text(overrideSource) == sourceDefault {
		return stored{}, false
	}
	if text(entry, modelOverride) != "" {
		found := m.read(entry, defaultProvider)
		found.key = query.Key
		return found, true
	}
	key := parentKey(query.Key, entry)
	parent := query.Sessions.Object(key)
	if key == "" || text(parent, modelOverride) == "" || m.isRunningOnFallback(parent) {
		return stored{}, false
	}
	found := m.read(parent, defaultProvider)
	found.key, found.inherit = key, true
	return found, true
}

// parentKey names the session that a session inherits from: the one it says,
// else the one whose thread it is.
func parentKey(key string, entry *document.Object) string {
	if parent := text(entry, "parentSessionKey"); parent != "" && parent != key {
		return parent
	}
	if i := strings.LastIndex(document.Lower(key), ":thread:"); i > 0 {
		return key[:i]
	}
	return ""
}

// isRunningOnFallback reports whether a parent's override is only where a
// fallback took it, which its children need not follow.
func (m *Models) isRunningOnFallback(parent *document.Object) bool {
	rules := &lines.Of(m.Rules).Selection
	if rules.DefaultSource && parent.Text(overrideSource) == sourceDefault {
		return true
	}
	if !rules.ActiveParent || !m.isAuto(parent) || !hasOrigin(parent) {
		return false
	}
	origin := Ref{text(parent, originProvider), text(parent, originModel)}
	return origin != Ref{text(parent, providerOverride), text(parent, modelOverride)}
}

// clearOverride removes the override from an entry; a stale one leaves the
// auth pin, which still belongs to the session.
func (m *Models) clearOverride(entry *document.Object, keepPin bool) {
	members := []string{providerOverride, modelOverride}
	if lines.Of(m.Rules).Selection.Origins {
		members = append(members, originProvider, originModel)
	}
	if lines.Of(m.Rules).Selection.Routes {
		members = append(members, routeResolution)
	}
	if !lines.Of(m.Rules).Selection.KeepsSource {
		members = append(members, overrideSource)
	}
	if !keepPin {
		members = append(members, "authProfileOverride", "authProfileOverrideSource", "authProfileOverrideCompactionCount")
	}
	for _, name := range members {
		if value, _ := entry.Get(name); name == overrideSource && !document.Truthy(value) {
			continue // OpenClaw asks whether there is one
		}
		entry.Delete(name)
	}
}
