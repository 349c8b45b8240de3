package main

import (
	"fmt"

	"openclaw-auth/chain"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// imageDocument is the answer of chain explain --image.
type imageDocument struct {
	header
	Candidates []imageJSON `json:"candidates"`
}

type imageJSON struct {
	Provider string        `json:"provider"`
	Model    string        `json:"model"`
	Role     chain.Role    `json:"role"`
	Origin   *state.Origin `json:"origin"`
}

// checkImageFlags refuses what the chain of image models does not depend on.
func (s *session) checkImageFlags() error {
	for _, name := range []string{"session", "session-id", "for", "cron-model", "cron-fallbacks", "default", "new-session", "format", "origin"} {
		if s.flags.Bool("image") && s.flags.IsSet(name) {
			return usage("--%s has no effect on the chain of image models (--image)", name)
		}
	}
	return nil
}

// imageChain lists the image models: the given or configured one, then the
// fallbacks of agents.defaults.imageModel. Nothing else joins them.
func (s *session) imageChain(run *chainRun) error {
	candidates := run.models.ImageCandidates(s.flags.String("model"))
	if len(candidates) == 0 {
		return &exitError{code: exitNo, err: chain.ErrNoImageModel}
	}
	if s.json {
		doc := imageDocument{header: s.header("chain-explain-image", run.Agent), Candidates: []imageJSON{}}
		for _, c := range candidates {
			doc.Candidates = append(doc.Candidates, imageJSON{c.Provider, c.Model, c.Role, s.configOrigin(c.At)})
		}
		return s.writeJSON(doc)
	}
	s.headerText(run.Agent)
	var rows words.Table
	for i, c := range candidates {
		where := "given for this run"
		if origin := s.configOrigin(c.At); origin != nil {
			where = s.originText(*origin)
		}
		rows.Add(i+1, c.Ref.String(), roleWords[c.Role], where)
	}
	fmt.Fprintln(s.stdout, "image models:")
	s.screen.Table("  ", &rows)
	return nil
}
