package chain

import (
	"errors"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain/lines"
)

// ErrNoImageModel is the run's error where no image model is configured.
//
//lint:ignore ST1005 these are OpenClaw's own words
var ErrNoImageModel = errors.New("No image model configured. Set agents.defaults.imageModel.primary or agents.defaults.imageModel.fallbacks.")

// ImageCandidates returns the chain of image models: the given one, else the
// primary of agents.defaults.imageModel, then its fallbacks. Nothing else
// joins it, and windows play no part in its run. An empty chain ends in
// ErrNoImageModel.
func (m *Models) ImageCandidates(model string) []Candidate {
	value := member(m.defaults(), "imageModel")
	primary := primaryOf(value)
	provider := string(m.refs().DefaultProvider)
	if lines.Of(m.Rules).Candidates.ImageProvider {
		if ref, _, ok := m.reader(provider, m.candidateScope()).resolve(primary); ok {
			provider = ref.Provider
		}
	}
	r := m.reader(provider, m.candidateScope())
	list := &candidateList{m: m}
	first := Candidate{Role: Requested, Written: document.Trim(model)}
	if first.Written == "" {
		first.Written, first.At = primary, primaryPointer(value, atImageModel)
	}
	add := func(candidate Candidate) {
		if ref, _, ok := r.resolve(candidate.Written); ok {
			candidate.Ref = ref
			list.add(candidate)
		}
	}
	add(first)
	texts, _ := fallbacksOf(value)
	for _, fallback := range written(texts, atImageModel+"/fallbacks") {
		add(Candidate{Role: Fallback, Written: fallback.Text, At: fallback.At})
	}
	return list.candidates
}

// candidateScope says what counts where candidates are read.
func (m *Models) candidateScope() scope {
	if lines.Of(m.Rules).Candidates.WithConfig {
		return withAliases | withConfig
	}
	return withAliases
}
