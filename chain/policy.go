package chain

import (
	"slices"
	"strings"

	"openclaw-auth/auth"
)

// policy is the allowlist that a session's model must be in.
type policy struct {
	m         *Models
	exact     []Ref // in the order of the configuration
	wildcards []Ref // a provider, and how the model id must start
	added     []Ref // allowed as well: fallbacks, the default
	source    string
}

// allowlist reads the models that sessions of the agent may run. Without any
// entry everything is allowed.
func (m *Models) allowlist(fallback Ref) *policy {
	p := &policy{m: m, source: "agents.defaults.models"}
	if m.Rules.Chain.Selection.Policy {
		p.readPolicy(fallback)
		return p
	}
	for key := range m.defaults().Object("models").All() {
		p.addKey(key, fallback.Provider)
	}
	if len(p.exact) > 0 {
		fallbacks := m.AgentFallbacks()
		if fallbacks == nil {
			fallbacks = m.DefaultFallbacks()
		}
		for _, listed := range fallbacks {
			if ref, ok := m.Parse(listed.Text, fallback.Provider); ok {
				p.added = append(p.added, ref)
			}
		}
	}
	p.addDefault(fallback)
	return p
}

// readPolicy reads modelPolicy.allow, the agent's before the defaults', and
// where neither exists and the configuration has not been migrated the keys
// of agents.defaults.models.
func (p *policy) readPolicy(fallback Ref) {
	entry, at := p.m.agentEntry()
	defaults := p.m.defaults()
	switch {
	case entry.Object("modelPolicy").Has("allow"):
		p.source = strings.ReplaceAll(strings.TrimPrefix(at, "/"), "/", ".") + ".modelPolicy.allow"
		p.addEntries(entry.Object("modelPolicy"), fallback.Provider)
	case defaults.Object("modelPolicy").Has("allow"):
		p.source = "agents.defaults.modelPolicy.allow"
		p.addEntries(defaults.Object("modelPolicy"), fallback.Provider)
	case defaults.Object("modelPolicy") == nil &&
		member(p.m.Config.Document().Object("meta").Object("migrations"), "modelPolicyAllowlist") != true:
		for key := range defaults.Object("models").All() {
			p.addEntry(key, fallback.Provider)
		}
	}
	if !p.m.Rules.Chain.Selection.ByPair {
		p.addDefault(fallback)
	}
}

func (p *policy) addEntries(modelPolicy *auth.Object, defaultProvider string) {
	list, _ := member(modelPolicy, "allow").([]any)
	for _, item := range list {
		if text, ok := item.(string); ok {
			p.addEntry(text, defaultProvider)
		}
	}
}

// addEntry adds an entry of a policy: a wildcard, an alias or a reference.
func (p *policy) addEntry(entry, defaultProvider string) {
	if isWildcard(entry) {
		p.addWildcard(entry)
		return
	}
	if ref, _, ok := p.m.Resolve(entry, defaultProvider); ok {
		p.exact = append(p.exact, ref)
	}
}

// addKey adds a key of agents.defaults.models.
func (p *policy) addKey(key, defaultProvider string) {
	if p.m.Rules.Chain.Selection.Wildcards && isWildcard(key) {
		p.addWildcard(key)
		return
	}
	if p.m.Rules.Chain.Selection.AllowBare && !strings.Contains(key, "/") {
		if provider, ok := p.m.infer(trim(key), defaultProvider); ok {
			defaultProvider = provider
		}
	}
	if ref, ok := p.m.modelOfKey(key, defaultProvider); ok {
		p.exact = append(p.exact, ref)
	}
}

func (p *policy) addWildcard(entry string) {
	provider, model, _ := strings.Cut(strings.TrimSuffix(trim(entry), "*"), "/")
	if !p.m.Rules.Chain.Selection.Policy {
		provider, model = strings.TrimSuffix(trim(entry), "/*"), ""
	}
	if provider = string(p.m.Rules.Providers.Normalize(provider)); provider != "" {
		p.wildcards = append(p.wildcards, Ref{provider, model})
	}
}

// addDefault allows the default model. Its id is read anew, so that one with a
// slash may name another provider.
func (p *policy) addDefault(fallback Ref) {
	ref, ok := p.m.Parse(fallback.Model, fallback.Provider)
	switch {
	case !ok || p.isOpen():
	case len(p.wildcards) == 0 || p.matchesWildcard(ref):
		p.added = append(p.added, ref)
	}
}

// isOpen reports whether there is no allowlist at all.
func (p *policy) isOpen() bool { return len(p.exact) == 0 && len(p.wildcards) == 0 }

func (p *policy) allows(ref Ref) bool {
	return p.isOpen() || p.m.containsRef(p.exact, ref) || p.m.containsRef(p.added, ref) || p.matchesWildcard(ref)
}

func (p *policy) matchesWildcard(ref Ref) bool {
	return slices.ContainsFunc(p.wildcards, func(wildcard Ref) bool {
		return wildcard.Provider == ref.Provider && strings.HasPrefix(ref.Model, wildcard.Model)
	})
}

// needsCatalog reports whether the answer may depend on OpenClaw's own model
// catalogue: providers are allowed as a whole, and not the default's.
func (p *policy) needsCatalog(fallback Ref) bool {
	return len(p.wildcards) > 0 && !slices.ContainsFunc(p.wildcards, func(wildcard Ref) bool { return wildcard.Provider == fallback.Provider })
}

// first returns the first model of the catalogue that is allowed: configured
// rows, then what the policy names.
func (p *policy) first() (Ref, bool) {
	catalog := p.m.rows()
	catalog = append(catalog, p.exact...)
	if len(p.wildcards) == 0 {
		catalog = append(catalog, p.added...)
	}
	for _, ref := range catalog {
		if p.allows(ref) {
			return ref, true
		}
	}
	return Ref{}, false
}

// rows lists the models of models.providers in file order.
func (m *Models) rows() []Ref {
	var rows []Ref
	for name, value := range m.Config.Providers().All() {
		provider := m.Rules.Providers.Normalize(name)
		row, _ := value.(*auth.Object)
		for _, id := range modelIDs(row) {
			rows = append(rows, Ref{string(provider), m.proxiedID(provider, id)})
		}
	}
	return rows
}

// containsRef compares models as the line's selection does.
func (m *Models) containsRef(refs []Ref, want Ref) bool {
	return slices.ContainsFunc(refs, func(have Ref) bool { return m.sameModel(have, want) })
}

func (m *Models) sameModel(a, b Ref) bool {
	if m.Rules.Chain.Selection.ByPair {
		return a == b
	}
	return a.Key() == b.Key()
}

// NeedsCatalog reports whether a selection may depend on OpenClaw's own model
// catalogue, which is not known here.
func (m *Models) NeedsCatalog() bool {
	fallback := m.Default()
	return m.allowlist(fallback).needsCatalog(fallback)
}
