package chain

import (
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
)

// reader resolves the text of a reference in a place where OpenClaw reads one.
// What it looks at differs from place to place.
type reader struct {
	m               *Models
	defaultProvider string
	aliases         *aliasIndex // nil: aliases don't count
	config          bool        // configured providers and openrouter:free count
}

// scope says what counts where a reference is read.
type scope int

const (
	plainRef    scope = 0
	withAliases scope = 1 << iota
	withConfig
)

func (m *Models) reader(defaultProvider string, scope scope) reader {
	r := reader{m: m, defaultProvider: defaultProvider, config: scope&withConfig != 0}
	if scope&withAliases != 0 {
		r.aliases = m.index(defaultProvider)
	}
	return r
}

// Resolve reads a reference as the program reads one that a user or the
// configuration wrote: without its profile, aliases first, then configured
// providers, then as PROVIDER/MODEL. The alias that matched is returned as
// written, "" without one.
func (m *Models) Resolve(text, defaultProvider string) (ref Ref, alias string, ok bool) {
	return m.reader(defaultProvider, withAliases|withConfig).resolve(text)
}

func (r reader) resolve(text string) (Ref, string, bool) {
	body, _ := r.m.SplitProfile(text)
	if body == "" {
		return Ref{}, "", false
	}
	if entry, ok := r.alias(body); ok {
		return entry.ref, entry.alias, true
	}
	if entry, ok := r.scopedAlias(body); ok {
		return entry.ref, entry.alias, true
	}
	ref, ok := r.parse(body)
	return ref, "", ok
}

// alias looks the whole text up.
func (r reader) alias(text string) (aliased, bool) {
	if r.aliases == nil || !r.m.refs().AliasSlash && strings.Contains(text, "/") {
		return aliased{}, false
	}
	entry, ok := r.aliases.bare[lower(text)]
	return entry, ok
}

// scopedAlias looks PROVIDER/ALIAS up.
func (r reader) scopedAlias(text string) (aliased, bool) {
	provider, name, ok := strings.Cut(text, "/")
	if r.aliases == nil || !r.m.refs().ProviderAlias || !ok || provider == "" {
		return aliased{}, false
	}
	return r.aliases.of(r.m.Rules.Providers.Normalize(provider), name)
}

// of returns the provider's model that the alias names.
func (i *aliasIndex) of(provider auth.ProviderID, name string) (aliased, bool) {
	entry, ok := i.scoped[string(provider)+"\x00"+lower(name)]
	return entry, ok
}

// parse reads a text that is no alias.
func (r reader) parse(text string) (Ref, bool) {
	if ref, ok := r.shorthand(text); ok {
		return ref, true
	}
	if ref, ok := r.configured(text); ok {
		return ref, true
	}
	return r.m.Parse(text, r.defaultProvider)
}

// shorthand reads openrouter:auto, and openrouter:free as the first free model
// that the configuration names.
func (r reader) shorthand(text string) (Ref, bool) {
	if !r.m.refs().OpenRouter {
		return Ref{}, false
	}
	switch lower(text) {
	case "openrouter:auto":
		return r.m.normalize("openrouter", "auto"), true
	case "openrouter:free":
		if r.config {
			return r.m.freeModel(r.defaultProvider)
		}
	}
	return Ref{}, false
}

func (m *Models) freeModel(defaultProvider string) (Ref, bool) {
	isFree := func(id string) bool { return strings.Contains(id, "/") && strings.HasSuffix(lower(id), ":free") }
	for key := range m.defaults().Object("models").All() {
		if ref, ok := m.Parse(key, defaultProvider); ok && ref.Provider == "openrouter" && isFree(ref.Model) {
			return ref, true
		}
	}
	for name, value := range m.Config.Providers().All() {
		provider, _ := value.(*document.Object)
		if lower(name) != "openrouter" {
			continue
		}
		for _, id := range modelIDs(provider) {
			if isFree(id) {
				return m.normalize("openrouter", id), true
			}
		}
	}
	return Ref{}, false
}

// configured reads a reference to a key of models.providers that speaks
// another provider's api: its spelling is kept.
func (r reader) configured(reference string) (Ref, bool) {
	if !r.config || !r.m.refs().ExactProvider {
		return Ref{}, false
	}
	reference = document.Trim(reference)
	provider, model, _ := splitRef(reference)
	slash := strings.IndexByte(reference, '/')
	switch {
	case slash < 0 && r.m.refs().ExactBare, (slash == 0 || model == "") && r.m.refs().ExactSlash:
		provider, model = r.defaultProvider, reference
	case slash < 0, provider == "":
		return Ref{}, false
	}
	if model == "" {
		return Ref{}, false
	}
	for key, value := range r.m.Config.Providers().All() {
		if lower(key) != lower(provider) {
			continue
		}
		row, _ := value.(*document.Object)
		api := text(row, "api")
		if api == "" || r.m.Rules.Providers.Normalize(api) == r.m.Rules.Providers.Normalize(key) {
			return Ref{}, false
		}
		return Ref{lower(key), r.m.proxiedID(auth.ProviderID(lower(key)), model)}, true
	}
	return Ref{}, false
}

// modelIDs lists the ids of a provider's configured models, trimmed.
func modelIDs(provider *document.Object) []string {
	rows, _ := member(provider, "models").([]any)
	var ids []string
	for _, row := range rows {
		if object, _ := row.(*document.Object); text(object, "id") != "" {
			ids = append(ids, text(object, "id"))
		}
	}
	return ids
}
