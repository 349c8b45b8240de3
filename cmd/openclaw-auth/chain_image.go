package main

import (
	"fmt"
	"slices"

	"openclaw-auth/chain"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// imageDocument is the answer of chain explain --image.
type imageDocument struct {
	header
	Candidates []imageJSON `json:"candidates"`
}

// imageRunDocument is the answer of chain simulate --image.
type imageRunDocument struct {
	header
	Candidates []imageJSON        `json:"candidates"`
	Failed     []imageFailureJSON `json:"failed"`
	Winner     any                `json:"winner"`
	Error      *runErrorJSON      `json:"error"`
}

// imageFailureJSON is a failed call of an image model.
type imageFailureJSON struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Error    string `json:"error"`
}

type imageJSON struct {
	Provider string        `json:"provider"`
	Model    string        `json:"model"`
	Role     chain.Role    `json:"role"`
	Origin   *state.Origin `json:"origin"`
}

// checkImageFlags refuses what the chain of image models does not depend on.
func (s *session) checkImageFlags() error {
	for _, name := range []string{"session", "session-id", "for", "cron-model", "cron-fallbacks", "default", "new-session", "format", "origin", "log", "verbose", "prompt-stage"} {
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
		return s.writeJSON(imageDocument{s.header("chain-explain-image", run.Agent), s.imageJSONs(candidates)})
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

func (s *session) imageJSONs(candidates []chain.Candidate) []imageJSON {
	documents := []imageJSON{}
	for _, c := range candidates {
		documents = append(documents, imageJSON{c.Provider, c.Model, c.Role, s.configOrigin(c.At)})
	}
	return documents
}

// imageSimulation runs the image models under the given failures.
func (s *session) imageSimulation(run *chainRun, patterns []chain.Pattern) error {
	if err := s.checkImagePatterns(run, patterns); err != nil {
		return err
	}
	result, err := run.models.SimulateImage(s.flags.String("model"), patterns)
	if err != nil {
		return &exitError{code: exitNo, err: err}
	}
	if s.json {
		err = s.writeJSON(s.imageRunJSON(run, result))
	} else {
		s.imageRunText(run, result)
	}
	if err == nil && result.Winner == nil {
		return errNo
	}
	return err
}

// checkImagePatterns refuses failures that no call of an image model can have:
// no session can be switched, no profile is chosen by the chain.
func (s *session) checkImagePatterns(run *chainRun, patterns []chain.Pattern) error {
	candidates := run.models.ImageCandidates(s.flags.String("model"))
	for i, typed := range s.flags.StringSlice("fail") {
		switch {
		case patterns[i].Switch != "":
			return usage("--fail %q: a run of image models (--image) has no session that could be switched", typed)
		case patterns[i].Profile != "":
			return usage("--fail %q: the chain of image models (--image) chooses no profile, so name the model alone", typed)
		case len(candidates) > 0 && !slices.ContainsFunc(candidates, func(c chain.Candidate) bool { return patterns[i].Matches(c.Ref, "") }):
			return usage("--fail %q matches no image model of this run", typed)
		}
	}
	return nil
}

func (s *session) imageRunJSON(run *chainRun, result *chain.ImageResult) imageRunDocument {
	doc := imageRunDocument{header: s.header("chain-simulate-image", run.Agent), Candidates: s.imageJSONs(result.Candidates), Failed: []imageFailureJSON{}}
	for _, failed := range result.Failed {
		doc.Failed = append(doc.Failed, imageFailureJSON{failed.Provider, failed.Model, failed.Message})
	}
	if result.Winner != nil {
		doc.Winner = result.Winner.Ref.String()
	}
	if err := result.Err; err != nil {
		doc.Error = &runErrorJSON{Name: err.Name, Message: err.Message, Reason: nullable(string(err.Reason))}
	}
	return doc
}

func (s *session) imageRunText(run *chainRun, result *chain.ImageResult) {
	calls := len(result.Failed)
	if result.Winner != nil {
		calls++
		s.screen.Paragraph("", words.In(words.Bold, "answered by "), words.In(words.Bold|words.Green, result.Winner.Ref.String()), " after "+words.Count(calls, "call"))
	} else {
		s.screen.Paragraph("", words.In(words.Bold|words.Red, "the run fails"), " after "+words.Count(calls, "call"))
	}
	s.headerText(run.Agent)
	fmt.Fprintln(s.stdout)
	var rows words.Table
	for i, failed := range result.Failed {
		rows.Add(i+1, failed.Ref.String(), words.In(words.Red, "failed"), failed.Message)
	}
	if result.Winner != nil {
		rows.Add(calls, result.Winner.Ref.String(), words.In(words.Green, "ok"), "")
	}
	s.screen.Table("  ", &rows)
	if err := result.Err; err != nil {
		fmt.Fprintln(s.stdout)
		s.screen.Paragraph(err.Name+": ", oneLine(err.Message))
	}
	s.noteText("image models are each tried once, whatever the windows of their providers' profiles, and their failures put no model aside")
	s.evidenceText()
}
