package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/failure"
	"openclaw-auth/chain"
	"openclaw-auth/chain/history"
	"openclaw-auth/doctor/words"
)

// reasonCount is how often a reason occurs in a log, with the first examples.
type reasonCount struct {
	Reason   failure.Reason `json:"reason"`
	Count    int            `json:"count"`
	Examples []string       `json:"examples"`
}

// recordedWalk is a run as OpenClaw's decision records tell it.
type recordedWalk struct {
	Run       string             `json:"run"`
	Session   string             `json:"session"`
	Requested string             `json:"requested"`
	Steps     []recordedDecision `json:"steps"`
	Outcome   string             `json:"outcome"`
}

// recordedDecision is one of OpenClaw's model_fallback_decision records.
type recordedDecision struct {
	Decision  string `json:"decision"`
	Candidate string `json:"candidate"`
	Reason    string `json:"reason"`
	Next      string `json:"next"`
}

// logReader collects what a log says.
type logReader struct {
	rules    *auth.Rules
	provider string
	lines    int
	counts   map[failure.Reason]*reasonCount
	walks    map[string]*recordedWalk
	order    []string // walks as they began
	routed   int      // errors of a router that hide the provider's own
}

const keptExamples = 3

// classifyLines reads one error a line from the named files, or from standard
// input for "-" or nothing.
func (s *session) classifyLines(rules *auth.Rules) error {
	log := &logReader{
		rules: rules, provider: s.flags.String("provider"),
		counts: map[failure.Reason]*reasonCount{}, walks: map[string]*recordedWalk{},
	}
	files := s.flags.Args().Slice()
	if len(files) == 0 {
		files = []string{"-"}
	}
	for _, file := range files {
		if err := s.readLog(log, file); err != nil {
			return err
		}
	}
	if s.json {
		return s.writeJSON(classifyLinesDocument{"openclaw-auth/chain-classify-lines/v1", rules.Line, log.lines, log.sorted(), log.listed(), log.notes()})
	}
	s.logText(log)
	return nil
}

func (s *session) readLog(log *logReader, name string) error {
	input := s.stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		input = file
	}
	report, end := s.working("lines classified")
	defer end()
	reader := bufio.NewReaderSize(input, 1<<16)
	for {
		line, err := readLine(reader)
		if text := strings.TrimSpace(line); text != "" {
			log.add(text)
			report(log.lines, 0)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// readLine reads a line; what is beyond the limit of one error is passed over.
func readLine(reader *bufio.Reader) (string, error) {
	var line []byte
	for {
		part, prefix, err := reader.ReadLine()
		if len(line) < maxErrorText {
			line = append(line, part...)
		}
		if err != nil || !prefix {
			return string(line), err
		}
	}
}

func (l *logReader) add(line string) {
	l.lines++
	signal := failure.Signal{Message: line, Provider: l.provider}
	event, known := history.ReadLine([]byte(line))
	switch {
	case known && event.Kind == history.EventAgentEnd:
		signal.Message, signal.Provider = event.Detail, cmp.Or(l.provider, event.Ref.Provider)
	case known && event.Kind == history.EventLaneError:
		signal.Message = event.Detail
		if attemptsOf(event.Detail, l.rules) == nil {
			return // the call's own line has told this error
		}
	case known && isDecision(event.Kind) && !strings.HasPrefix(line, "{"):
		l.addStep(&event)
		return
	}
	if strings.HasPrefix(line, "{") {
		var record map[string]any
		if json.Unmarshal([]byte(line), &record) == nil {
			if decision := decisionIn(record); decision != nil {
				l.addDecision(decision)
				return
			}
			if message := messageIn(record); message != "" && !known {
				signal.Message = message
			}
		}
	}
	if known && signal.Message == line {
		return // a line of OpenClaw that tells no error of its own
	}
	l.count(signal)
}

// isDecision reports whether an event is one of the fallback loop's records.
func isDecision(kind history.EventKind) bool {
	switch kind {
	case history.EventSkip, history.EventProbe, history.EventCandidateFailed, history.EventCandidateOK:
		return true
	}
	return false
}

// count classifies an error; a summary of several attempts counts as that many.
func (l *logReader) count(signal failure.Signal) {
	if strings.Contains(strings.ToLower(signal.Message), routerError) {
		l.routed++
	}
	if attempts := attemptsOf(signal.Message, l.rules); attempts != nil {
		for _, attempt := range attempts {
			l.countReason(attempt.Reason, attempt.Model+": "+attempt.Error)
		}
		return
	}
	verdict := failure.Classify(signal, l.rules.Failover())
	l.countReason(verdict.Headline(), shownText(signal.Message))
}

func (l *logReader) countReason(reason failure.Reason, example string) {
	count, ok := l.counts[reason]
	if !ok {
		count = &reasonCount{Reason: reason, Examples: []string{}}
		l.counts[reason] = count
	}
	if count.Count++; len(count.Examples) < keptExamples {
		count.Examples = append(count.Examples, example)
	}
}

// routerError is how a router passes on the error of the provider behind it.
const routerError = "provider returned error"

// routerNote says what such an error is worth.
const routerNote = `"Provider returned error" is a router's text: the error of the provider behind it decides, and this text does not hold it`

// decisionIn finds a decision record: the document itself, or an argument of
// the log call, which OpenClaw's file log keeps under "0", "1" and so on.
func decisionIn(record map[string]any) map[string]any {
	if record["event"] == "model_fallback_decision" {
		return record
	}
	for _, name := range []string{"0", "1", "2"} {
		if inner, ok := record[name].(map[string]any); ok && inner["event"] == "model_fallback_decision" {
			return inner
		}
	}
	return nil
}

// messageIn finds the error text of a log record.
func messageIn(record map[string]any) string {
	for _, name := range []string{"error", "errorMessage", "rawError", "message", "msg", "1", "2", "0"} {
		switch value := record[name].(type) {
		case string:
			return value
		case map[string]any:
			if message := messageIn(value); message != "" {
				return message
			}
		}
	}
	return ""
}

func (l *logReader) addDecision(record map[string]any) {
	field := func(name string) string {
		value, _ := record[name].(string)
		return value
	}
	model := func(provider, name string) string {
		if field(provider) == "" && field(name) == "" {
			return ""
		}
		return field(provider) + "/" + field(name)
	}
	key := field("runId") + "\x00" + field("sessionId")
	walk, ok := l.walks[key]
	if !ok {
		walk = &recordedWalk{Run: field("runId"), Session: field("sessionId"), Requested: model("requestedProvider", "requestedModel"), Outcome: "unfinished"}
		l.walks[key] = walk
		l.order = append(l.order, key)
	}
	decision := recordedDecision{
		Decision: field("decision"), Candidate: model("candidateProvider", "candidateModel"),
		Reason: field("reason"), Next: model("nextCandidateProvider", "nextCandidateModel"),
	}
	walk.add(decision, field("fallbackStepFinalOutcome"))
}

// add adds a decision. A step that leads on is not the end, even where the log
// breaks off there; final is the record's own word on that, empty where it has none.
func (w *recordedWalk) add(decision recordedDecision, final string) {
	w.Steps = append(w.Steps, decision)
	switch {
	case decision.Decision == "candidate_succeeded":
		w.Outcome = "succeeded"
	case final == string(chain.StepExhausted), final == "" && decision.Next == "" && decision.Decision != "probe_cooldown_candidate":
		w.Outcome = "exhausted"
	}
}

// addStep puts a decision of the console form, which names no run, to the walk
// that it continues.
func (l *logReader) addStep(event *history.Event) {
	model := func(ref chain.Ref) string {
		if ref.IsZero() {
			return ""
		}
		return ref.String()
	}
	names := map[history.EventKind]string{
		history.EventSkip: "skip_candidate", history.EventProbe: "probe_cooldown_candidate",
		history.EventCandidateFailed: "candidate_failed", history.EventCandidateOK: "candidate_succeeded",
	}
	decision := recordedDecision{Decision: names[event.Kind], Candidate: model(event.Ref), Reason: event.Reason, Next: model(event.Next)}
	requested := model(event.Requested)
	for i := len(l.order) - 1; i >= 0; i-- {
		walk := l.walks[l.order[i]]
		last := walk.Steps[len(walk.Steps)-1]
		if walk.Run == "" && walk.Outcome == "unfinished" && walk.Requested == requested && (last.Next == decision.Candidate || last.Candidate == decision.Candidate) {
			walk.add(decision, "")
			return
		}
	}
	key := "console " + strconv.Itoa(len(l.order))
	walk := &recordedWalk{Requested: requested, Outcome: "unfinished"}
	l.walks[key], l.order = walk, append(l.order, key)
	walk.add(decision, "")
}

func (l *logReader) sorted() []*reasonCount {
	counts := []*reasonCount{}
	for _, count := range l.counts {
		counts = append(counts, count)
	}
	slices.SortFunc(counts, func(a, b *reasonCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Reason, b.Reason))
	})
	return counts
}

func (l *logReader) listed() []*recordedWalk {
	walks := []*recordedWalk{}
	for _, key := range l.order {
		walks = append(walks, l.walks[key])
	}
	return walks
}

func (l *logReader) notes() []string {
	if l.routed == 0 {
		return []string{}
	}
	return []string{routerNote}
}

func (s *session) logText(log *logReader) {
	words.Printf(s.stdout, "%d lines, rules %s\n", log.lines, log.rules.Line)
	for _, count := range log.sorted() {
		words.Printf(s.stdout, "\n%6d  %s\n", count.Count, reasonText(count.Reason))
		for _, example := range count.Examples {
			words.Printf(s.stdout, "        %s\n", example)
		}
	}
	for _, walk := range log.listed() {
		words.Printf(s.stdout, "\nrun %s of %s: %s\n", orDash(walk.Run), orDash(walk.Requested), walk.Outcome)
		var rows words.Table
		for i, step := range walk.Steps {
			rows.Add(i+1, step.Decision, step.Candidate, orDash(step.Reason))
		}
		s.screen.Table("  ", &rows)
	}
	s.noteTexts(log.notes())
}

// classifyLinesDocument is the answer of chain classify --lines.
type classifyLinesDocument struct {
	Schema  string          `json:"schema"`
	Rules   string          `json:"rules"`
	Lines   int             `json:"lines"`
	Reasons []*reasonCount  `json:"reasons"`
	Walks   []*recordedWalk `json:"walks"`
	Notes   []string        `json:"notes"`
}
