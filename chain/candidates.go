package chain

import (
	"slices"

	"openclaw-auth/chain/lines"
)

// Role is how a model came into the chain.
type Role string

// The roles. OpenClaw names them from 2026.8.2 on (requested,
// configured-fallback, configured-primary).
const (
	Requested Role = "requested" // what the run asked for
	Fallback  Role = "fallback"  // from a list of fallbacks
	Primary   Role = "primary"   // the configured primary at the chain's end
)

// Candidate is a model that a run may try.
type Candidate struct {
	Ref
	Role    Role
	Written string // the reference as written
	At      string // JSON pointer into the configuration, "" where it does not come from there
}

// Written is a model reference as somebody wrote it, and where.
type Written struct {
	Text string
	At   string // JSON pointer into the configuration, "" if it is not from there
}

// Request is what a run starts with.
type Request struct {
	Provider string // "" asks for the configured primary's
	Model    string // "" asks for the configured primary's

	// Fallbacks replaces the configured fallbacks and keeps the configured
	// primary out of the chain. An empty list makes the run strict; nil leaves
	// the configured ones.
	Fallbacks []Written

	// At is the JSON pointer to what asks for the model, "" where that is not
	// in the configuration.
	At string

	// Resolved says that the pair is the model itself and no alias
	// (2026.8.2+: a route resolution of "resolved").
	Resolved bool
}

// Candidates returns the models that a run tries, in sequence: the requested
// one, the fallbacks, and the configured primary unless a list of fallbacks was
// given. Each appears once. The allowlist plays no part.
func (m *Models) Candidates(request Request) []Candidate {
	if !lines.Of(m.Rules).Candidates.Agent {
		m = m.forAgent("")
	}
	list := &candidateList{m: m}
	primary := m.Default()
	r := m.reader(primary.Provider, m.candidateScope())
	list.add(m.requested(r, request, primary))
	for _, fallback := range m.fallbacksFor(r, request, primary, list.candidates[0].Ref) {
		if ref, _, ok := r.resolve(fallback.Text); ok {
			list.add(Candidate{ref, Fallback, fallback.Text, fallback.At})
		}
	}
	if request.Fallbacks == nil {
		text, at := m.primary()
		list.add(Candidate{primary, Primary, text, at})
	}
	return list.candidates
}

// candidateList keeps the first of equal candidates.
type candidateList struct {
	m          *Models
	candidates []Candidate
}

func (l *candidateList) add(candidate Candidate) {
	rules := &lines.Of(l.m.Rules).Candidates
	if rules.Renormalizes {
		candidate.Ref = l.m.normalize(candidate.Provider, candidate.Model)
	}
	repeats := slices.ContainsFunc(l.candidates, func(have Candidate) bool {
		if rules.ByPair {
			return have.Ref == candidate.Ref
		}
		return have.Key() == candidate.Key()
	})
	if !repeats {
		l.candidates = append(l.candidates, candidate)
	}
}

// isSameProvider compares the providers of two models, either of which may be
// spelled as a key of models.providers.
func (m *Models) isSameProvider(a, b Ref) bool {
	return m.Rules.Providers.Normalize(a.Provider) == m.Rules.Providers.Normalize(b.Provider)
}

// fallbacksFor returns the references that follow the requested model.
func (m *Models) fallbacksFor(r reader, request Request, primary, requested Ref) []Written {
	if request.Fallbacks != nil {
		return request.Fallbacks
	}
	configured := m.ConfiguredFallbacks()
	if !lines.Of(m.Rules).Candidates.SameProvider || m.isSameProvider(requested, primary) {
		return configured
	}
	// A request for another provider is followed by the configured fallbacks
	// only if it is one of them.
	for _, fallback := range configured {
		if ref, _, ok := r.resolve(fallback.Text); ok && ref == requested {
			return configured
		}
	}
	return nil
}
