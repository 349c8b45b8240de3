package main

import (
	"fmt"
	"slices"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// Ids that a home does not have are refused, with the nearest that it has. An
// answer about nothing looks like an answer.

// checkProvider refuses a provider that nothing in the home names. An agent
// without any provider is asked about none in particular, and the answer says so.
func (s *session) checkProvider(l *loaded, name string) error {
	rules := &l.engine.Rules.Providers
	if rules.Normalize(name) == "" {
		return usage("the provider's name is empty")
	}
	known := s.providers(l)
	for key := range l.Store.Order.All() {
		known = append(known, key)
	}
	if len(known) == 0 || slices.ContainsFunc(known, func(provider string) bool { return rules.AuthKey(provider) == rules.AuthKey(name) }) {
		return nil
	}
	if credential := l.Store.Profiles.Object(name); credential != nil {
		provider := credential.Text("provider")
		return usage("%s is a profile; its provider is %s", shownID(auth.ProfileID(name)), provider)
	}
	return usage("no provider %q for agent %s%s", string(shownID(auth.ProfileID(name))), l.Agent.ID, didYouMean(name, known))
}

// checkProfile refuses an id that is not in the agent's store.
func (s *session) checkProfile(l *loaded, id string) error {
	if l.Store.Profiles.Has(id) {
		return nil
	}
	rules := &l.engine.Rules.Providers
	var ids, ofProvider []string
	for _, known := range l.Store.Profiles.Keys() {
		shown := auth.MaskID(known)
		ids = append(ids, shown)
		if rules.AuthKey(l.providerOf(s, known)) == rules.AuthKey(id) {
			ofProvider = append(ofProvider, shown)
		}
	}
	if len(ofProvider) > 0 {
		return usage("%s is a provider; its profiles are %s", id, words.List(ofProvider, 12))
	}
	return usage("no profile %q in %s%s", string(shownID(auth.ProfileID(id))), l.Agent.Dir, didYouMean(id, ids))
}

// warnOfModel says that nothing in the home names a model. Only windows of the
// model would change the answer; it may be one that was never used, so it is no error.
func (s *session) warnOfModel(l *loaded, model string) {
	var names []string
	for _, known := range s.modelValues() {
		if _, name, _ := strings.Cut(known.text, "/"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for id := range l.Store.Profiles.All() {
		for _, window := range l.engine.Rules.Windows.List(l.Store.UsageStats.Object(id), s.now) {
			if window.Model != "" && !slices.Contains(names, window.Model) {
				names = append(names, window.Model)
			}
		}
	}
	if model != "" && !slices.Contains(names, model) {
		words.Printf(s.stderr, "openclaw-auth: warning: nothing in this home names the model %q%s\n", model, didYouMean(model, names))
	}
}

// findAgent is the agent of a name; the error has the nearest.
func findAgent(agents []state.Agent, name string) (state.Agent, error) {
	agent, err := state.FindAgent(agents, name)
	if err == nil || name == "" {
		return agent, err
	}
	var ids []string
	for _, known := range agents {
		ids = append(ids, known.ID)
	}
	if near := nearest(name, ids); near != "" {
		return agent, usage("no such agent %q (did you mean %q? there are: %s)", name, near, words.List(ids, 12))
	}
	return agent, err
}

// checkPatterns refuses a pattern that decides about no attempt of the run: a
// simulation that it does not touch would pass for a test of it.
func checkPatterns(patterns []chain.Pattern, typed []string, e *chain.Explanation) error {
	for i := range patterns {
		hits, decides := false, false
		for _, candidate := range e.Candidates {
			for _, profile := range attemptsOn(candidate) {
				if !patterns[i].Matches(candidate.Ref, profile) {
					continue
				}
				hits = true
				before := slices.ContainsFunc(patterns[:i], func(p chain.Pattern) bool { return p.Matches(candidate.Ref, profile) })
				decides = decides || !before
			}
		}
		switch {
		case !hits:
			return usage("--fail %q matches no attempt of this run%s", typed[i], patternHint(patterns[i], e))
		case !decides:
			return usage("--fail %q is never reached: the patterns before it match all that it does, and the first that matches decides", typed[i])
		}
	}
	return nil
}

// attemptsOn are the profiles that a candidate may be tried with; "" stands for
// credentials from elsewhere.
func attemptsOn(candidate chain.ExplainedCandidate) []auth.ProfileID {
	profiles := []auth.ProfileID{""}
	for _, placement := range candidate.Profiles {
		profiles = append(profiles, placement.ID)
	}
	return profiles
}

func patternHint(pattern chain.Pattern, e *chain.Explanation) string {
	var refs, providers []string
	for _, candidate := range e.Candidates {
		refs, providers = append(refs, candidate.Ref.String()), append(providers, candidate.Provider)
	}
	if provider, model, found := strings.Cut(pattern.Ref, "/"); found && !slices.Contains(providers, provider) {
		if near := nearest(provider, providers); near != "" {
			return fmt.Sprintf(" (did you mean %q?)", near+"/"+model)
		}
	}
	return didYouMean(pattern.Ref, refs)
}
