package chain

import (
	"slices"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain/lines"
)

// Default returns the model that the agent runs when nothing else is chosen:
// its own primary, else the one of agents.defaults.model, else what the line
// falls back on.
func (m *Models) Default() Ref {
	if m.fallback == nil {
		primary, _ := m.primary()
		ref := m.Configured(primary, string(m.refs().DefaultProvider), m.refs().DefaultModel)
		m.fallback = &ref
	}
	return *m.fallback
}

// ReferenceProfile returns the profile that the reference of the configured
// primary names, where the model is that primary; "" for any other.
func (m *Models) ReferenceProfile(ref Ref) auth.ProfileID {
	text, _ := m.primary()
	if _, profile := m.SplitProfile(text); profile != "" && m.Rules.Pins.ReferenceProfile && ref == m.Default() {
		return profile
	}
	return ""
}

// primary returns the text of the agent's primary, the defaults' where the
// agent has none, and where it is written.
func (m *Models) primary() (text, at string) {
	if value, at := m.agentModel(); primaryOf(value) != "" {
		return primaryOf(value), primaryPointer(value, at)
	}
	value := member(m.defaults(), "model")
	if primary := primaryOf(value); primary != "" {
		return primary, primaryPointer(value, atDefaultModel)
	}
	return "", ""
}

// DefaultsPrimary returns the text of agents.defaults.model's primary, "" without one.
func (m *Models) DefaultsPrimary() string { return primaryOf(member(m.defaults(), "model")) }

func primaryPointer(value document.Value, at string) string {
	if _, ok := value.(*document.Object); ok {
		return at + "/primary"
	}
	return at
}

// Configured reads a configured primary. An empty one, or one that names
// nothing, gives the first configured provider's model or the default pair.
func (m *Models) Configured(primary, defaultProvider, defaultModel string) Ref {
	if primary = document.Trim(primary); primary != "" {
		read := m.primaryText
		switch m.refs().Primary {
		case lines.PrimaryReparse:
			read = m.primaryReparsed
		case lines.PrimaryBody, lines.PrimaryScoped:
			read = m.primaryBody
		}
		if ref, ok := read(primary, defaultProvider); ok {
			return ref
		}
	}
	return m.firstConfigured(Ref{defaultProvider, defaultModel})
}

// primaryText is the reading up to 2026.5.12.
func (m *Models) primaryText(primary, defaultProvider string) (Ref, bool) {
	r := m.reader(defaultProvider, withAliases|withConfig)
	if entry, ok := r.alias(primary); ok {
		return entry.ref, true
	}
	if strings.Contains(primary, "/") {
		ref, _, ok := r.resolve(primary)
		return ref, ok
	}
	return m.barePrimary(r, primary)
}

// primaryReparsed is the reading of 2026.5.28.
func (m *Models) primaryReparsed(primary, defaultProvider string) (Ref, bool) {
	r := m.reader(defaultProvider, withAliases|withConfig)
	body, _ := m.SplitProfile(primary)
	for _, name := range []string{primary, body} {
		if entry, ok := r.alias(name); ok {
			return m.modelOfKey(entry.source, defaultProvider)
		}
	}
	if !strings.Contains(primary, "/") {
		return m.barePrimary(r, primary)
	}
	r.aliases = nil
	ref, _, ok := r.resolve(primary)
	return ref, ok
}

// primaryBody is the reading from 2026.6.11 on.
func (m *Models) primaryBody(primary, defaultProvider string) (Ref, bool) {
	r := m.reader(defaultProvider, withAliases|withConfig)
	body, profile := m.SplitProfile(primary)
	if profile != "" {
		for _, name := range []string{primary, body} {
			if entry, ok := r.alias(name); ok {
				return entry.ref, true
			}
		}
	}
	exact, isExact := r.configured(body)
	if entry, ok := r.scopedAlias(body); ok && m.refs().Primary == lines.PrimaryScoped {
		if pair, ok := m.Parse(body, defaultProvider); ok && !m.isRow(pair) {
			return entry.ref, true
		}
	}
	// From 2026.9.6 on a bare name first belongs to the provider that lists it.
	if isExact && (strings.Contains(body, "/") || m.refs().Primary != lines.PrimaryScoped) {
		return exact, true
	}
	if entry, ok := r.alias(primary); ok && profile == "" {
		if strings.Contains(body, "/") && !strings.Contains(entry.source, "/") {
			return m.Parse(body, defaultProvider)
		}
		return entry.ref, true
	}
	if !strings.Contains(primary, "/") {
		if ref, ok := m.barePrimary(r, primary); ok {
			return ref, true
		}
	}
	r.aliases = nil
	ref, _, ok := r.resolve(primary)
	return ref, ok
}

// barePrimary reads a primary that names no provider and no alias.
func (m *Models) barePrimary(r reader, primary string) (Ref, bool) {
	if ref, ok := r.shorthand(primary); ok {
		return ref, true
	}
	if provider, ok := m.infer(primary, r.defaultProvider); ok {
		if m.refs().InferNormal {
			return m.normalize(provider, primary), true
		}
		return Ref{provider, primary}, true
	}
	if m.refs().Primary == lines.PrimaryScoped {
		return Ref{}, false
	}
	if own := m.refs().BareProvider; own != "" {
		return Ref{string(own), primary}, true
	}
	return Ref{r.defaultProvider, primary}, true
}

// infer finds the one provider that the configuration names the model with.
func (m *Models) infer(model, defaultProvider string) (string, bool) {
	if m.refs().Inference == lines.InferNever {
		return "", false
	}
	if own := m.ownModels(); own != nil {
		var agents matches
		m.matchKeys(&agents, own, model, defaultProvider)
		if agents.found() {
			return agents.provider(m.refs().InferExact)
		}
	}
	var all matches
	m.matchKeys(&all, m.defaults().Object("models"), model, defaultProvider)
	m.matchRows(&all, model)
	return all.provider(m.refs().InferExact)
}

func (m *Models) matchKeys(found *matches, models *document.Object, model, defaultProvider string) {
	for key := range models.All() {
		if !strings.Contains(key, "/") || m.refs().SkipWildcards && isWildcard(key) {
			continue
		}
		if ref, ok := m.modelOfKey(key, defaultProvider); ok {
			found.add(ref.Provider, ref.Model, model)
		}
	}
}

func (m *Models) matchRows(found *matches, model string) {
	kind := m.refs().Inference
	for name, value := range m.Config.Providers().All() {
		provider := string(m.Rules.Providers.Normalize(name))
		row, _ := value.(*document.Object)
		for _, id := range modelIDs(row) {
			if kind != lines.InferNormalized {
				found.add(provider, id, model)
			}
			if kind != lines.InferRaw {
				found.add(provider, m.proxiedID(auth.ProviderID(provider), id), model)
			}
		}
	}
}

// matches are the providers that name a wanted model, exactly or in another case.
type matches struct{ exact, folded []string }

func (f *matches) add(provider, model, want string) {
	if model == want && !slices.Contains(f.exact, provider) {
		f.exact = append(f.exact, provider)
	}
	// JavaScript compares lower-case forms, which is not Unicode folding.
	if document.Lower(model) == document.Lower(want) && !slices.Contains(f.folded, provider) {
		f.folded = append(f.folded, provider)
	}
}

func (f *matches) found() bool { return len(f.folded) > 0 }

// provider returns the provider if there is only one.
func (f *matches) provider(exactFirst bool) (string, bool) {
	if exactFirst && len(f.exact) > 0 {
		return f.exact[0], len(f.exact) == 1
	}
	if len(f.folded) != 1 {
		return "", false
	}
	return f.folded[0], true
}

// firstConfigured returns the first configured provider's first model where
// the default provider is not configured, else the default.
func (m *Models) firstConfigured(fallback Ref) Ref {
	providers := m.Config.Providers()
	if m.refs().FirstProvider == lines.FirstUnlessKey {
		if providers.Len() == 0 || providers.Has(fallback.Provider) {
			return fallback
		}
		for name, value := range providers.All() {
			row, _ := value.(*document.Object)
			if id := firstID(row); id != "" {
				return Ref{name, id}
			}
		}
		return fallback
	}
	for name, value := range providers.All() {
		row, _ := value.(*document.Object)
		if m.Rules.Providers.Normalize(name) == auth.ProviderID(fallback.Provider) && slices.Contains(modelIDs(row), fallback.Model) {
			return fallback
		}
	}
	for name, value := range providers.All() {
		row, _ := value.(*document.Object)
		provider := string(m.Rules.Providers.Normalize(name))
		if id := m.firstChoice(provider, row); id != "" {
			return Ref{provider, id}
		}
	}
	return fallback
}

// firstID returns the id of the provider's first model, "" if it has none.
func firstID(provider *document.Object) string {
	rows, _ := member(provider, "models").([]any)
	if len(rows) == 0 {
		return ""
	}
	row, _ := rows[0].(*document.Object)
	return row.Text("id")
}

// firstChoice returns the provider's first model, on lines that keep a utility
// model apart the first other one.
func (m *Models) firstChoice(provider string, row *document.Object) string {
	first := firstID(row)
	if first == "" || m.refs().FirstProvider != lines.FirstNonUtility {
		return first
	}
	utility, ok := m.utilityModel()
	for _, id := range modelIDs(row) {
		if !ok || m.normalize(provider, id) != utility {
			return id
		}
	}
	return ""
}

// utilityModel returns the model that is kept for small jobs, where the
// configuration has been told to keep it apart.
func (m *Models) utilityModel() (Ref, bool) {
	migrations := m.Config.Document().Object("meta").Object("migrations")
	if member(migrations, "utilityModelSeparation") != true {
		return Ref{}, false
	}
	entry, _ := m.agentEntry()
	name := text(entry, "utilityModel")
	if name == "" {
		name = text(m.defaults(), "utilityModel")
	}
	ref, _, ok := m.Resolve(name, string(m.refs().DefaultProvider))
	return ref, ok
}
