package chain

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"openclaw-auth/auth/document"
	"openclaw-auth/chain/lines"
)

// policy is the allowlist that a session's model must be in.
type policy struct {
	m         *Models
	exact     []Ref // in the order of the configuration
	wildcards []Ref // a provider, and how the model id must start
	added     []Ref // allowed as well: fallbacks
	own       []Ref // allowed as well: the default
	listed    bool  // an entry exists, readable or not
	named     bool  // one that is no wildcard does
	source    string
	texts     []string // the entries as written
}

// allowlist returns the models that sessions of the agent may run. Without any
// entry everything is allowed.
func (m *Models) allowlist() *policy {
	if m.allowed == nil {
		m.allowed = m.readAllowlist(m.Default())
	}
	return m.allowed
}

func (m *Models) readAllowlist(fallback Ref) *policy {
	p := &policy{m: m, source: "agents.defaults.models"}
	if lines.Of(m.Rules).Selection.Policy {
		p.readPolicy(fallback)
		return p
	}
	for key := range m.defaults().Object("models").All() {
		p.addKey(key, fallback.Provider)
	}
	if p.named {
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
	if !lines.Of(p.m.Rules).Selection.ByPair {
		p.addDefault(fallback)
	}
}

func (p *policy) addEntries(modelPolicy *document.Object, defaultProvider string) {
	list, _ := member(modelPolicy, "allow").([]any)
	for _, item := range list {
		if text, ok := item.(string); ok {
			p.addEntry(text, defaultProvider)
		}
	}
}

// addEntry adds an entry of a policy: a wildcard, an alias or a reference.
func (p *policy) addEntry(entry, defaultProvider string) {
	p.listed, p.texts = true, append(p.texts, entry)
	if p.addWildcard(entry) {
		return
	}
	p.named = true
	if ref, ok := p.resolveEntry(entry, defaultProvider); ok {
		p.exact = append(p.exact, ref)
	}
}

// resolveEntry reads an entry of a policy. One without provider that is no
// alias gets the provider that the configuration names.
func (p *policy) resolveEntry(entry, defaultProvider string) (Ref, bool) {
	ref, alias, ok := p.m.Resolve(entry, defaultProvider)
	if body, _ := p.m.SplitProfile(entry); ok && alias == "" && !strings.Contains(body, "/") {
		if provider, found := p.m.infer(body, defaultProvider); found {
			return p.m.normalize(provider, body), true
		}
	}
	return ref, ok
}

// addKey adds a key of agents.defaults.models.
func (p *policy) addKey(key, defaultProvider string) {
	p.listed, p.texts = true, append(p.texts, key)
	if lines.Of(p.m.Rules).Selection.Wildcards && p.addWildcard(key) {
		return
	}
	p.named = true
	if lines.Of(p.m.Rules).Selection.AllowBare && !strings.Contains(key, "/") {
		if provider, ok := p.m.infer(document.Trim(key), defaultProvider); ok {
			defaultProvider = provider
		}
	}
	if ref, ok := p.m.modelOfKey(key, defaultProvider); ok {
		p.exact = append(p.exact, ref)
	}
}

// addWildcard adds PROVIDER/*, on lines with a model policy also
// PROVIDER/PART/*, and reports whether the entry is one.
func (p *policy) addWildcard(entry string) bool {
	if !lines.Of(p.m.Rules).Selection.Policy {
		provider := strings.TrimSuffix(document.Trim(entry), "/*")
		if !isWildcard(entry) || document.Trim(provider) == "" {
			return false
		}
		p.wildcards = append(p.wildcards, Ref{Provider: string(p.m.Rules.Providers.Normalize(provider))})
		return true
	}
	segments := strings.Split(document.Trim(entry), "/")
	for i := range segments {
		segments[i] = document.Trim(segments[i])
	}
	last := len(segments) - 1
	if segments[last] != "*" || last == 0 || slices.ContainsFunc(segments[:last], isNoSegment) {
		return false
	}
	wildcard := Ref{Provider: string(p.m.Rules.Providers.Normalize(segments[0]))}
	if last > 1 {
		wildcard.Model = strings.Join(segments[1:last], "/") + "/"
	}
	p.wildcards = append(p.wildcards, wildcard)
	return true
}

// isNoSegment reports whether a part of a wildcard entry makes it none: it is
// empty, or has a star, a space or a control character.
func isNoSegment(part string) bool {
	return part == "" || strings.ContainsFunc(part, func(r rune) bool { return r == '*' || document.IsSpace(r) || unicode.IsControl(r) })
}

// addDefault allows the default model. Its id is read anew, so that one with a
// slash may name another provider.
func (p *policy) addDefault(fallback Ref) {
	ref, ok := p.m.Parse(fallback.Model, fallback.Provider)
	switch {
	case !ok || p.isOpen():
	case len(p.wildcards) == 0 || p.matchesWildcard(ref):
		p.own = append(p.own, ref)
	}
}

// isOpen reports whether there is no allowlist at all. One whose entries name
// nothing is still one.
func (p *policy) isOpen() bool { return !p.listed }

func (p *policy) allows(ref Ref) bool {
	return p.isOpen() || p.m.containsRef(p.exact, ref) || p.m.containsRef(p.added, ref) ||
		p.m.containsRef(p.own, ref) || p.allowsStar(ref) || p.matchesWildcard(ref)
}

// allowsStar reports whether a bare * allows the model: up to 2026.7.1 that is
// a model id of the default provider, and its key the provider's wildcard.
func (p *policy) allowsStar(ref Ref) bool {
	rules := &lines.Of(p.m.Rules).Selection
	star := Ref{ref.Provider, "*"}
	return rules.Wildcards && !rules.Policy &&
		(slices.Contains(p.exact, star) || slices.Contains(p.added, star) || slices.Contains(p.own, star))
}

func (p *policy) matchesWildcard(ref Ref) bool {
	return slices.ContainsFunc(p.wildcards, func(wildcard Ref) bool {
		return wildcard.Provider == ref.Provider && strings.HasPrefix(ref.Model, wildcard.Model)
	})
}

// needsCatalog reports whether the answer may depend on OpenClaw's own model
// catalogue: providers are allowed as a whole, and not the default's.
func (p *policy) needsCatalog(fallback Ref) bool {
	return !lines.Of(p.m.Rules).Selection.Policy && p.opensOthers(fallback)
}

// wholeProviders names the providers that are allowed as a whole.
func (p *policy) wholeProviders() []string {
	providers := []string{}
	for _, wildcard := range p.wildcards {
		if !slices.Contains(providers, wildcard.Provider) {
			providers = append(providers, wildcard.Provider)
		}
	}
	return providers
}

// opensOthers reports whether providers are allowed as a whole, but not the default's.
func (p *policy) opensOthers(fallback Ref) bool {
	return len(p.wildcards) > 0 && !slices.ContainsFunc(p.wildcards, func(wildcard Ref) bool { return wildcard.Provider == fallback.Provider })
}

// first returns the first model of the catalogue that is allowed: configured
// rows, then what the policy names.
func (p *policy) first(fallback Ref) (Ref, bool) {
	named := uniqueKeys(slices.Concat(p.exact, p.added, p.own))
	rows := p.m.rows()
	if p.opensOthers(fallback) {
		// This catalogue is the whole one, which OpenClaw sorts.
		slices.SortStableFunc(rows, func(a, b Ref) int {
			return cmp.Or(strings.Compare(lower(a.Provider), lower(b.Provider)), strings.Compare(lower(a.Model), lower(b.Model)))
		})
	}
	for _, row := range rows {
		if p.matchesWildcard(row) || slices.ContainsFunc(named, func(ref Ref) bool { return p.isRow(ref, row) }) {
			return row, true
		}
	}
	// A policy that names no model, or a whole provider, has no row for the default.
	if len(p.exact) == 0 || len(p.wildcards) > 0 {
		named = slices.Concat(p.exact, p.added)
	}
	if len(named) == 0 {
		return Ref{}, false
	}
	return named[0], true
}

// isRow reports whether the reference names the row, up to 2026.7.1 in any case.
func (p *policy) isRow(ref, row Ref) bool {
	if lines.Of(p.m.Rules).Selection.Policy {
		return ref == row
	}
	return strings.EqualFold(ref.Provider, row.Provider) && strings.EqualFold(ref.Model, row.Model)
}

// uniqueKeys keeps the first of the models that share a key.
func uniqueKeys(refs []Ref) []Ref {
	seen := map[string]bool{}
	return slices.DeleteFunc(refs, func(ref Ref) bool {
		repeated := seen[ref.Key()]
		seen[ref.Key()] = true
		return repeated
	})
}

// rows lists the models of models.providers in file order.
func (m *Models) rows() []Ref {
	var rows []Ref
	for name, value := range m.Config.Providers().All() {
		provider := m.Rules.Providers.Normalize(name)
		row, _ := value.(*document.Object)
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
	if lines.Of(m.Rules).Selection.ByPair {
		return a == b
	}
	return a.Key() == b.Key()
}
