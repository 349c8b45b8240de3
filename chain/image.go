package chain

import (
	"errors"
	"fmt"
	"strings"

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

// ImageResult is a run of the image models.
type ImageResult struct {
	Candidates []Candidate
	Failed     []ImageFailure // in the order of the calls
	Winner     *Candidate     // nil if no model answers
	Err        *RunError      // nil if one does
}

// ImageFailure is a failed call of an image model.
type ImageFailure struct {
	Candidate
	Failure
}

// SimulateImage runs the chain of image models under failures given beforehand.
// Each model is tried once, whatever the windows of its provider's profiles, and
// nothing is recorded for the failover of models. The error is ErrNoImageModel.
func (m *Models) SimulateImage(model string, patterns []Pattern) (*ImageResult, error) {
	result := &ImageResult{Candidates: m.ImageCandidates(model)}
	if len(result.Candidates) == 0 {
		return nil, ErrNoImageModel
	}
	for i, candidate := range result.Candidates {
		pattern := patternOf(patterns, candidate.Ref, "")
		if pattern == nil || pattern.Failure == nil {
			result.Winner = &result.Candidates[i]
			return result, nil
		}
		failed := ImageFailure{candidate, *pattern.Failure}
		result.Failed = append(result.Failed, failed)
		if failed.Aborted {
			result.Err = &RunError{Name: failed.Name, Message: failed.Message}
			return result, nil
		}
	}
	result.Err = m.imageError(result.Failed)
	return result, nil
}

// imageError is the error of a run in which every image model failed: with one
// model its own, else a summary.
func (m *Models) imageError(failed []ImageFailure) *RunError {
	last := failed[len(failed)-1]
	if len(failed) == 1 {
		return &RunError{Name: "Error", Message: last.Message, Reason: last.Reason}
	}
	texts := make([]string, len(failed))
	for i, f := range failed {
		texts[i] = fmt.Sprintf("%s: %s", f.Ref, f.Message)
	}
	return &RunError{
		Name: string(lines.Of(m.Rules).Walk.Exhausted), Summary: true,
		Message: fmt.Sprintf("All image models failed (%d): %s", len(failed), strings.Join(texts, " | ")),
	}
}
