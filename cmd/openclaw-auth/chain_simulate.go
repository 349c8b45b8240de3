package main

import (
	"encoding/json"
	"slices"

	"github.com/urfave/cli/v2"

	"openclaw-auth/chain"
)

func chainSimulateCommand(w world, run []cli.Flag) *cli.Command {
	return leaf(w, cli.Command{
		Name:  "simulate",
		Usage: "the whole run under given failures: rotations, cooldowns, fallbacks, the final error",
		Description: `Runs the session's next request without running anything. Each --fail says how
attempts end: REF[@PROFILE]=RESULT, where REF is PROVIDER/MODEL, REF and PROFILE
may hold *, and RESULT is a failover reason, text:MESSAGE (which is classified),
abort (the caller gives up), switch:REF (the user changes the session's model
meanwhile) or ok. The first pattern that matches decides; what none matches succeeds.
Nothing is written.

Examples:
  openclaw-auth chain simulate --fail '*=rate_limit'
  openclaw-auth chain simulate --fail 'anthropic/*@anthropic:default=billing' --fail '*=ok'
  openclaw-auth chain simulate --fail '*=text:HTTP 529 overloaded' --log > decisions.jsonl
  openclaw-auth chain simulate --image --fail '*=timeout'

Exit codes: 0 a candidate answers, 1 none does, 2 usage, unreadable input or an
unknown session.`,
		Flags: slices.Concat(run, []cli.Flag{
			several("fail", "`PATTERN` of a failure; may be given more than once"),
			toggle("image", "a run of the image models, each of which is tried once"),
			toggle("log", "only OpenClaw's decision records, as JSON lines"),
			toggle("verbose", "the session is verbose: notices are shown where only such sessions show them"),
			toggle("prompt-stage", "the failures come before the provider begins to answer"),
		}),
	}, chainSimulate)
}

func chainSimulate(s *session) error {
	query := chain.SimulateQuery{
		Now: s.now, SkipTTL: s.env.Getenv("OPENCLAW_FALLBACK_SKIP_TTL_MS"),
		Verbose: s.flags.Bool("verbose"), PromptStage: s.flags.Bool("prompt-stage"),
	}
	for _, text := range s.flags.StringSlice("fail") {
		pattern, err := chain.ParsePattern(text)
		if err != nil {
			return usage("--fail: %w", err)
		}
		query.Patterns = append(query.Patterns, pattern)
	}
	if err := s.checkImageFlags(); err != nil {
		return err
	}
	run, err := s.chainRun()
	if err != nil {
		return err
	}
	if s.flags.Bool("image") {
		return s.imageSimulation(run, query.Patterns)
	}
	query.Session, query.Profiles = run.query, run.engine
	plan := run.models.Explain(chain.ExplainQuery{Session: run.query, Profiles: run.engine, Now: s.now, SkipTTL: query.SkipTTL})
	if err := checkPatterns(query.Patterns, s.flags.StringSlice("fail"), plan); err != nil {
		return err
	}
	result, err := run.models.Simulate(query)
	if err != nil {
		return &exitError{code: exitNo, err: err}
	}
	switch {
	case s.flags.Bool("log"):
		err = s.decisionLog(result)
	case s.json:
		err = s.writeJSON(s.simulatedJSON(run, result))
	default:
		s.simulatedText(run, result)
	}
	if err == nil && result.Walk.Winner == nil {
		return errNo
	}
	return err
}

// decisionLog writes the decision records, one JSON document a line.
func (s *session) decisionLog(result *chain.RunResult) error {
	encoder := json.NewEncoder(s.stdout)
	encoder.SetEscapeHTML(false)
	for _, record := range result.Decisions {
		if err := encoder.Encode(record); err != nil {
			return err
		}
	}
	return nil
}

// simulateDocument is the answer of chain simulate.
type simulateDocument struct {
	header
	Session   any                    `json:"session"`
	Selection selectionJSON          `json:"selection"`
	Chain     []string               `json:"chain"`
	Calls     []callJSON             `json:"calls"`
	Attempts  []attemptJSON          `json:"attempts"`
	Winner    any                    `json:"winner"`
	Error     *runErrorJSON          `json:"error"`
	Notice    *noticeJSON            `json:"notice"`
	Entry     entryChangeJSON        `json:"entry"`
	Decisions []chain.DecisionRecord `json:"decisions"`
}

// callJSON is one call with one profile, and what it changed.
type callJSON struct {
	Provider string          `json:"provider"`
	Model    string          `json:"model"`
	Profile  any             `json:"profile"`
	Result   string          `json:"result"`
	Follows  chain.UseReason `json:"follows"`
	Ignored  any             `json:"ignored"`
	Before   ordered         `json:"before"`
	After    ordered         `json:"after"`
}

type attemptJSON struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Skipped  bool   `json:"skipped"`
	Reason   any    `json:"reason"`
	Error    string `json:"error"`
	Status   any    `json:"status" schema:"number"`
	Code     any    `json:"code"`
}

type runErrorJSON struct {
	Name        string `json:"name"`
	Message     string `json:"message"`
	Reply       any    `json:"reply"` // what the user reads in the chat, null where that is not known
	Reason      any    `json:"reason"`
	Soonest     any    `json:"soonestExpiry" schema:"number"`
	SoonestTime any    `json:"soonestExpiryTime"`
}

type noticeJSON struct {
	Text    string       `json:"text"`
	Visible bool         `json:"visible"`
	Hidden  chain.Hidden `json:"hidden"`
}

// entryChangeJSON is what the run leaves in the session's entry.
type entryChangeJSON struct {
	Changed []string         `json:"changed"`
	Writes  []entryWriteJSON `json:"writes"`
}

type entryWriteJSON struct {
	Model      string   `json:"model"`
	Fields     []string `json:"fields"`
	RolledBack bool     `json:"rolledBack"`
}

func (s *session) simulatedJSON(run *chainRun, result *chain.RunResult) simulateDocument {
	doc := simulateDocument{
		header: s.header("chain-simulate", run.Agent), Session: nullable(run.session.Key),
		Selection: s.selectionJSON(run, &result.Selection), Chain: []string{}, Calls: []callJSON{}, Attempts: []attemptJSON{},
		Decisions: result.Decisions, Entry: entryChangeJSON{Changed: result.Changed, Writes: []entryWriteJSON{}},
	}
	for _, candidate := range result.Walk.Candidates {
		doc.Chain = append(doc.Chain, candidate.Ref.String())
	}
	for _, use := range result.Uses {
		doc.Calls = append(doc.Calls, callJSON{
			use.Provider, use.Model, nullable(string(shownID(use.Profile))), resultText(use), use.Why,
			nullable(string(use.Ignored)), ordered{use.Before}, ordered{use.After},
		})
	}
	for _, record := range result.Walk.Records {
		attempt := attemptJSON{record.Provider, record.Model, record.Skipped, nullable(string(record.Reason)), record.Error, nil, nullable(record.Code)}
		if record.Status != 0 {
			attempt.Status = record.Status
		}
		doc.Attempts = append(doc.Attempts, attempt)
	}
	if winner := result.Walk.Winner; winner != nil {
		doc.Winner = winner.Ref.String()
	}
	if err := result.Walk.Err; err != nil {
		doc.Error = &runErrorJSON{Name: err.Name, Message: err.Message, Reply: nullable(result.Walk.Reply(s.now)), Reason: nullable(string(err.Reason))}
		doc.Error.Soonest, doc.Error.SoonestTime = timeJSON(err.Soonest)
	}
	if notice := result.Notice; notice != nil {
		doc.Notice = &noticeJSON{notice.Text, notice.Visible, notice.Hidden}
	}
	for _, write := range result.Writes {
		doc.Entry.Writes = append(doc.Entry.Writes, entryWriteJSON{write.Ref.String(), write.Fields, write.RolledBack})
	}
	if doc.Entry.Changed == nil {
		doc.Entry.Changed = []string{}
	}
	if doc.Decisions == nil {
		doc.Decisions = []chain.DecisionRecord{}
	}
	return doc
}

// resultText says how a call ended.
func resultText(use chain.Use) string {
	switch {
	case use.Target != nil:
		return "switch to " + use.Target.String()
	case use.Failure == nil:
		return "ok"
	case use.Failure.Aborted:
		return "aborted"
	case use.Reason == "":
		return "no reason"
	}
	return string(use.Reason)
}
