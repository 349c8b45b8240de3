package chain

import (
	"slices"
	"strconv"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain/lines"
)

// requested returns the first candidate: the requested pair, or the model that
// it is an alias of.
func (m *Models) requested(r reader, request Request, primary Ref) Candidate {
	provider, model := document.Trim(request.Provider), document.Trim(request.Model)
	candidate := Candidate{Role: Requested, Written: Ref{provider, model}.Key(), At: request.At}
	if provider == "" {
		provider = primary.Provider
	}
	if model == "" {
		model = primary.Model
	}
	rule := lines.Of(m.Rules).Candidates.Resolved
	if request.Resolved && rule == lines.ResolvedVerbatim {
		candidate.Ref = Ref{lower(provider), model}
		return candidate
	}
	candidate.Ref = m.normalize(provider, model)
	if request.Resolved && rule == lines.ResolvedNormalized {
		return candidate
	}
	if entry, ok := m.aliasOf(r, candidate.Ref, provider, model); ok {
		candidate.Ref = m.normalize(entry.ref.Provider, entry.ref.Model)
	}
	return candidate
}

// aliasOf looks the requested pair up as an alias, within the line's guards: a
// bare alias of another provider must not steal a request.
func (m *Models) aliasOf(r reader, pair Ref, provider, model string) (aliased, bool) {
	model, _ = m.SplitProfile(model)
	bare := func() (aliased, bool) { return r.alias(model) }
	whole := func() (aliased, bool) {
		if entry, ok := r.alias(provider + "/" + model); ok {
			return entry, true
		}
		return r.scopedAlias(provider + "/" + model)
	}
	switch lines.Of(m.Rules).Candidates.RequestedAlias {
	case lines.AliasNever:
		return aliased{}, false
	case lines.AliasAny:
		if entry, ok := bare(); ok {
			return entry, true
		}
		return whole()
	case lines.AliasUnlessRow:
		if m.isRow(pair) || r.aliases.key[pair.Key()] {
			return aliased{}, false
		}
	}
	if entry, ok := whole(); ok {
		return entry, true
	}
	entry, ok := bare()
	return entry, ok && (entry.ref.Provider == pair.Provider || pair.Provider == r.defaultProvider)
}

// isRow reports whether models.providers lists the model.
func (m *Models) isRow(pair Ref) bool {
	for name, value := range m.Config.Providers().All() {
		row, _ := value.(*document.Object)
		if string(m.Rules.Providers.Normalize(name)) == pair.Provider && slices.ContainsFunc(modelIDs(row), func(id string) bool {
			return m.normalizeID(auth.ProviderID(pair.Provider), id) == pair.Model
		}) {
			return true
		}
	}
	return false
}

// AgentFallbacks returns what the agent's own model says about fallbacks: nil
// where it says nothing. Where the line makes an agent's model strict, one
// without a list gives an empty one (2026.4.29+).
func (m *Models) AgentFallbacks() []Written {
	value, at := m.agentModel()
	if list, ok := fallbacksOf(value); ok {
		return written(list, at+"/fallbacks")
	}
	if primaryOf(value) != "" && lines.Of(m.Rules).Selection.StrictAgent {
		return []Written{}
	}
	return nil
}

// ConfiguredFallbacks returns the agent's own fallbacks, else the defaults'.
func (m *Models) ConfiguredFallbacks() []Written {
	if own := m.AgentFallbacks(); own != nil {
		return own
	}
	return m.DefaultFallbacks()
}

// DefaultFallbacks returns the fallbacks of agents.defaults.model.
func (m *Models) DefaultFallbacks() []Written {
	list, _ := fallbacksOf(member(m.defaults(), "model"))
	return written(list, atDefaultModel+"/fallbacks")
}

func written(texts []string, at string) []Written {
	list := make([]Written, len(texts))
	for i, text := range texts {
		list[i] = Written{text, at + document.Pointer(strconv.Itoa(i))}
	}
	return list
}
