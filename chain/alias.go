package chain

import (
	"slices"
	"strings"

	"openclaw-auth/auth/document"
)

// aliasIndex holds the aliases of agents.defaults.models, by lower-case text.
type aliasIndex struct {
	bare   map[string]aliased
	scoped map[string]aliased // by provider and alias, where the line reads PROVIDER/ALIAS
	key    map[string]bool    // by Ref.Key, the models that have an alias
}

// aliased is a model and the alias that names it.
type aliased struct {
	ref    Ref
	alias  string // as written, trimmed
	source string // the key of the models map, as written
}

// index reads the aliases. A later duplicate wins. Keys without provider
// belong to the default provider.
func (m *Models) index(defaultProvider string) *aliasIndex {
	if index := m.aliases[defaultProvider]; index != nil {
		return index
	}
	index := &aliasIndex{bare: map[string]aliased{}, scoped: map[string]aliased{}, key: map[string]bool{}}
	for _, entry := range m.aliasEntries(defaultProvider) {
		name := lower(entry.alias)
		index.bare[name] = entry
		index.scoped[entry.ref.Provider+"\x00"+name] = entry
		index.key[entry.ref.Key()] = true
	}
	if m.aliases == nil {
		m.aliases = map[string]*aliasIndex{}
	}
	m.aliases[defaultProvider] = index
	return index
}

// aliasEntries lists the models with an alias in file order, on lines with one
// alias per model the last one of each.
func (m *Models) aliasEntries(defaultProvider string) []aliased {
	var entries []aliased
	for _, models := range m.modelMaps() {
		for key, value := range models.All() {
			if m.refs().SkipWildcards && isWildcard(key) {
				continue
			}
			ref, ok := m.modelOfKey(key, defaultProvider)
			if !ok {
				continue
			}
			object, _ := value.(*document.Object)
			entry := aliased{ref, text(object, "alias"), key}
			if !m.refs().AliasPerModel {
				entries = append(entries, entry)
				continue
			}
			if !object.Has("alias") {
				continue
			}
			entries = slices.DeleteFunc(entries, func(have aliased) bool { return have.ref.Key() == ref.Key() })
			entries = append(entries, entry)
		}
	}
	named := entries[:0]
	for _, entry := range entries {
		if entry.alias != "" {
			named = append(named, entry)
		}
	}
	return named
}

// modelMaps returns agents.defaults.models and, where it counts, the agent's own.
func (m *Models) modelMaps() []*document.Object {
	maps := []*document.Object{m.defaults().Object("models")}
	if own := m.ownModels(); own != nil {
		maps = append(maps, own)
	}
	return maps
}

// ownModels returns the agent's models map, nil where the line does not read it.
func (m *Models) ownModels() *document.Object {
	if !m.refs().AgentModels {
		return nil
	}
	entry, _ := m.agentEntry()
	return entry.Object("models")
}

// modelOfKey reads a key of a models map: like any reference, but without aliases.
func (m *Models) modelOfKey(key, defaultProvider string) (Ref, bool) {
	return m.reader(defaultProvider, plainRef|withConfig).parse(document.Trim(key))
}

// isWildcard reports whether a key or an allow entry stands for every model of a provider.
func isWildcard(key string) bool { return strings.HasSuffix(document.Trim(key), "/*") }
