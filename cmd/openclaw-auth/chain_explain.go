package main

import (
	"slices"

	"github.com/urfave/cli/v2"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
	"openclaw-auth/state"
)

func chainExplainCommand(w world, run []cli.Flag) *cli.Command {
	return leaf(w, cli.Command{
		Name:  "explain",
		Usage: "what a session's next run does: model, candidates, profiles, and why",
		Description: `Shows which model is selected and who chose it, the chain of candidates, for
each whether it is attempted, probed or skipped now and with which profiles, the
session's auth pin, and when the next one recovers.

Examples:
  openclaw-auth chain explain
  openclaw-auth chain explain --session telegram:direct:1001
  openclaw-auth chain explain --agent work --default --format mermaid
  openclaw-auth chain explain --for heartbeat --json

Exit codes: 0 a candidate can be tried now, 1 none can, 2 usage, unreadable
input or an unknown session.`,
		Flags: slices.Concat(run, []cli.Flag{
			toggle("origin", "the file and the JSON pointer behind each fact, and the line of the log that opened a window"),
			toggle("new-session", "treat the session as new, so that its pin moves on"),
			toggle("image", "the chain of image models, for which cooldowns don't count"),
			text("format", "draw the chain: `mermaid|dot`"),
		}),
	}, chainExplain)
}

func chainExplain(s *session) error {
	if format := s.flags.String("format"); format != "" && format != "mermaid" && format != "dot" {
		return usage("--format is mermaid or dot, not %q%s", format, didYouMean(format, []string{"mermaid", "dot"}))
	}
	if err := s.checkImageFlags(); err != nil {
		return err
	}
	run, err := s.chainRun()
	if err != nil {
		return err
	}
	if s.flags.Bool("image") {
		return s.imageChain(run)
	}
	e := run.models.Explain(chain.ExplainQuery{
		Session: run.query, Profiles: run.engine, Now: s.now, NewSession: s.flags.Bool("new-session"), SkipTTL: s.env.Getenv("OPENCLAW_FALLBACK_SKIP_TTL_MS"),
		Gateway: s.home.GatewayBefore(run.Loaded),
	})
	switch format := s.flags.String("format"); {
	case s.json:
		err = s.writeJSON(s.explainedJSON(run, e))
	case format == "mermaid":
		s.drawMermaid(s.drawn(run, e))
	case format == "dot":
		s.drawDot(s.drawn(run, e))
	default:
		s.explainedText(run, e)
	}
	if err != nil {
		return err
	}
	for _, candidate := range e.Candidates {
		if candidate.Decision.Action != chain.Skip && e.Err == nil {
			return nil
		}
	}
	return errNo
}

// explainDocument is the answer of chain explain.
type explainDocument struct {
	header
	Session           any             `json:"session"`
	SessionOrigin     *state.Origin   `json:"sessionOrigin"`
	Selection         selectionJSON   `json:"selection"`
	Candidates        []candidateJSON `json:"candidates"`
	Pin               *pinJSON        `json:"pin"`
	SoonestExpiry     any             `json:"soonestExpiry" schema:"number"`
	SoonestExpiryTime any             `json:"soonestExpiryTime"`
	Notes             []chainNoteJSON `json:"notes"`
	Pending           []pendingJSON   `json:"pending"` // files whose profiles do not count
	Error             any             `json:"error"`
	Windows           []windowOrigin  `json:"windowOrigins,omitempty"` // with --origin
}

type selectionJSON struct {
	Provider  string               `json:"provider"`
	Model     string               `json:"model"`
	Source    chain.Source         `json:"source"`
	Strict    bool                 `json:"strict"`
	Fallbacks chain.FallbackReason `json:"fallbacks"`
	Default   string               `json:"default"`
	Reset     bool                 `json:"reset"`
	Origin    *state.Origin        `json:"origin"`
}

type candidateJSON struct {
	Provider     string        `json:"provider"`
	Model        string        `json:"model"`
	Role         chain.Role    `json:"role"`
	Decision     chain.Action  `json:"decision"`
	Why          chain.Why     `json:"why"`
	Reason       any           `json:"reason"`
	Text         any           `json:"text"`
	Recovers     any           `json:"recovers" schema:"number"`
	RecoversTime any           `json:"recoversTime"`
	ProfileLimit any           `json:"profileLimit" schema:"number"`
	Origin       *state.Origin `json:"origin"`
	Profiles     []profileJSON `json:"profiles"`
}

type pinJSON struct {
	Profile any            `json:"profile"`
	Source  any            `json:"source"`
	Next    any            `json:"next"`
	Why     auth.PinReason `json:"why"`
	Changed []string       `json:"changed"`
	Origin  *state.Origin  `json:"origin"`
}

type chainNoteJSON struct {
	Code   chain.NoteCode    `json:"code"`
	Text   string            `json:"text"`
	Params map[string]string `json:"params"`
}

func (s *session) explainedJSON(run *chainRun, e *chain.Explanation) explainDocument {
	doc := explainDocument{
		header: s.header("chain-explain", run.Agent), Session: nullable(e.SessionKey),
		Selection: s.selectionJSON(run, &e.Selection), Candidates: []candidateJSON{}, Pin: run.pinJSON(e.Pin), Notes: []chainNoteJSON{},
		Pending: pendingJSONs(unread(run.Pending)),
		Windows: s.windowOrigins(run.loaded),
	}
	if e.SessionKey != "" {
		origin := run.store.Origin(e.SessionKey, "")
		doc.SessionOrigin = &origin
	}
	doc.SoonestExpiry, doc.SoonestExpiryTime = timeJSON(e.Soonest)
	for _, candidate := range e.Candidates {
		doc.Candidates = append(doc.Candidates, s.candidateJSON(run, candidate))
	}
	for _, n := range e.Notes {
		doc.Notes = append(doc.Notes, chainNoteJSON{n.Code, chainNoteText(n), n.Params})
	}
	if e.Err != nil {
		doc.Error = e.Err.Error()
	}
	return doc
}

func (s *session) selectionJSON(run *chainRun, selection *chain.Selection) selectionJSON {
	return selectionJSON{
		Provider: selection.Provider, Model: selection.Model, Source: selection.Source,
		Strict:    selection.Fallbacks != nil && len(selection.Fallbacks) == 0,
		Fallbacks: selection.Why, Default: selection.Default.String(), Reset: selection.Reset, Origin: s.selectionOrigin(run, selection),
	}
}

// selectionOrigin is where the choice of the model is stored: in the session's
// entry, in its parent's, or in the configuration.
func (s *session) selectionOrigin(run *chainRun, selection *chain.Selection) *state.Origin {
	var origin state.Origin
	switch {
	case selection.At != "":
		return s.configOrigin(selection.At)
	case selection.Source == chain.SourceParent:
		origin = run.store.Origin(selection.Parent, "modelOverride")
	case selection.Source == chain.SourceAuto, selection.Source == chain.SourceUser, selection.Source == chain.SourceLegacy:
		origin = run.store.Origin(run.session.Key, "modelOverride")
	default:
		return nil
	}
	return &origin
}

func (s *session) configOrigin(pointer string) *state.Origin {
	if pointer == "" {
		return nil
	}
	origin := s.config.Where(pointer)
	return &origin
}

func (s *session) candidateJSON(run *chainRun, c chain.ExplainedCandidate) candidateJSON {
	doc := candidateJSON{
		Provider: c.Provider, Model: c.Model, Role: c.Role, Decision: c.Decision.Action, Why: c.Decision.Why,
		Reason: nullable(string(c.Decision.Reason)), Text: nullable(c.Decision.Text), Origin: s.configOrigin(c.At), Profiles: []profileJSON{},
	}
	if c.Limit > 0 {
		doc.ProfileLimit = c.Limit
	}
	doc.Recovers, doc.RecoversTime = timeJSON(c.Decision.Soonest)
	for _, placement := range c.Profiles {
		doc.Profiles = append(doc.Profiles, s.profileJSON(run.loaded, placement))
	}
	return doc
}

func (r *chainRun) pinJSON(pin *chain.ExplainedPin) *pinJSON {
	if pin == nil {
		return nil
	}
	origin := r.store.Origin(r.session.Key, "authProfileOverride")
	doc := &pinJSON{
		Profile: nullable(string(shownID(pin.Stored))), Source: nullable(pin.Source), Next: nullable(string(shownID(pin.Next))),
		Why: pin.Why, Changed: pin.Changed, Origin: &origin,
	}
	if doc.Changed == nil {
		doc.Changed = []string{}
	}
	return doc
}
