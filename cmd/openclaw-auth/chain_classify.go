package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"openclaw-auth/auth"
	"openclaw-auth/auth/failure"
	"openclaw-auth/chain"
	"openclaw-auth/doctor/words"
)

func chainClassifyCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name:      "classify",
		Category:  agentless,
		Usage:     "what a provider's error means: the failover reason, and what follows",
		ArgsUsage: "[TEXT|-…]",
		Description: `TEXT is an error as it came: a message, "HTTP 429 {…}", a JSON body, OpenClaw's
"All models failed (…)" summary. "-" reads it from standard input. With --lines
every line of the input is an error or a record of OpenClaw's JSON log; the
answer counts them by reason and reconstructs runs from the recorded decisions.

Examples:
  openclaw-auth chain classify 'HTTP 429 Too Many Requests' --provider anthropic
  openclaw-auth chain classify --status 402 'insufficient credits' --all-lines
  openclaw-auth chain classify - --lines < gateway.log

Exit codes: 0 a reason was found, 1 none, 2 usage or unreadable input.`,
		Flags: []cli.Flag{
			text("status", "HTTP `STATUS` of the answer"),
			text("code", "the error's `CODE`"),
			text("type", "the error's `TYPE`"),
			text("provider", "`PROVIDER` that answered"),
			toggle("all-lines", "the reason under every release line"),
			toggle("lines", "one error a line"),
		},
	}, chainClassify)
}

func chainClassify(s *session) error {
	rules, err := s.rulesAnyway()
	if err != nil {
		return err
	}
	if s.flags.Bool("lines") {
		for _, name := range []string{"status", "code", "type", "all-lines"} {
			if s.flags.IsSet(name) {
				return usage("--%s is about one error, --lines about many: give one of them", name)
			}
		}
		return s.classifyLines(rules)
	}
	signal, err := s.signal()
	if err != nil {
		return err
	}
	if s.flags.Bool("all-lines") {
		return s.classifyAllLines(signal)
	}
	c := classify(signal, rules)
	c.attempts = attemptsOf(signal.Message, rules)
	if s.json {
		err = s.writeJSON(s.classifiedJSON(c))
	} else {
		s.classifiedText(c)
	}
	if err == nil && c.reason() == failure.NoReason {
		return errNo
	}
	return err
}

// signal is the error that the arguments and flags describe.
func (s *session) signal() (failure.Signal, error) {
	message := strings.Join(s.flags.Args().Slice(), " ")
	if message == "-" {
		data, err := io.ReadAll(io.LimitReader(s.stdin, maxErrorText))
		if err != nil {
			return failure.Signal{}, err
		}
		message = string(data)
	}
	signal := failure.Signal{
		Message: message, Code: s.flags.String("code"), Type: s.flags.String("type"), Provider: s.flags.String("provider"),
	}
	if text := s.flags.String("status"); text != "" {
		status, err := strconv.Atoi(text)
		if err != nil || status < 0 || status > 999 {
			return signal, usage("--status: %q is no HTTP status", text)
		}
		signal.Status = failure.HTTPStatus(status)
	}
	if message == "" && signal.Status == nil && signal.Code == "" && signal.Type == "" {
		return signal, usage("chain classify needs an error: TEXT, - for standard input, or --status, --code, --type")
	}
	return signal, nil
}

// maxErrorText bounds the text of one error.
const maxErrorText = 16 << 20

// classified is an error, its verdict and what follows from it.
type classified struct {
	rules       *auth.Rules
	signal      failure.Signal
	verdict     failure.Verdict
	consequence failure.Consequence
	window      *auth.Window // what the first such failure of a profile opens
	attempts    []summaryAttempt
}

func classify(signal failure.Signal, rules *auth.Rules) classified {
	c := classified{rules: rules, signal: signal, verdict: failure.Classify(signal, rules.Failover())}
	c.consequence = rules.Failover().Follows(signal, &c.verdict)
	if c.consequence.Mark != failure.MarkNever && c.consequence.Lane != failure.LaneNone {
		c.window = rules.FirstWindow(c.reason(), signal.Provider)
	}
	return c
}

// reason is the headline: the reason with the provider plugin's say where the
// line has one.
func (c *classified) reason() failure.Reason { return c.verdict.Headline() }

func (s *session) classifyAllLines(signal failure.Signal) error {
	var lines []classifiedLineJSON
	var rows words.Table
	found := false
	for _, rules := range auth.Lines() {
		c := classify(signal, rules)
		found = found || c.reason() != failure.NoReason
		lines = append(lines, classifiedLineJSON{rules.Line, c.reason(), c.verdict.Kind, c.verdict.Match.Group, c.verdict.Match.Pattern})
		rows.Add(rules.Line, reasonText(c.reason()), matchText(c.verdict.Match))
	}
	if s.json {
		err := s.writeJSON(classifyAllDocument{"openclaw-auth/chain-classify-all/v1", lines})
		if err != nil {
			return err
		}
	} else {
		s.screen.Table("", &rows)
	}
	if !found {
		return errNo
	}
	return nil
}

// reasonText names a reason; an error without one goes on to the next model as "unknown".
func reasonText(reason failure.Reason) string {
	if reason == failure.NoReason {
		return "no reason"
	}
	return string(reason)
}

func matchText(match failure.Match) string {
	switch {
	case match.Group == "":
		return ""
	case match.Pattern == "" || match.Pattern == match.Group:
		return match.Group
	}
	return match.Group + ": " + match.Pattern
}

type classifiedJSON struct {
	Schema        string           `json:"schema"`
	Rules         string           `json:"rules"`
	Reason        any              `json:"reason"`
	Kind          any              `json:"kind"`
	SignalReason  any              `json:"signalReason"`
	Hook          any              `json:"hook"`
	Match         matchJSON        `json:"match"`
	CoercedReason any              `json:"coercedReason"`
	CoercedStatus *float64         `json:"coercedStatus"`
	Overflow      bool             `json:"overflow"`
	Timeout       bool             `json:"timeout"`
	Consequence   consequenceJSON  `json:"consequence"`
	Attempts      []summaryAttempt `json:"attempts"`
	Notes         []string         `json:"notes"`
}

type matchJSON struct {
	Group   any `json:"group"`
	Pattern any `json:"pattern"`
}

type consequenceJSON struct {
	Mark        failure.Mark     `json:"mark"`
	Lane        any              `json:"lane"`
	ModelScoped bool             `json:"modelScoped"`
	Rotate      failure.Rotation `json:"rotate"`
	Next        failure.Next     `json:"next"`
	FirstMs     any              `json:"firstMs" schema:"number"`
}

func (s *session) classifiedJSON(c classified) classifiedJSON {
	doc := classifiedJSON{
		Schema: "openclaw-auth/chain-classify/v1", Rules: c.rules.Line,
		Reason: nullable(string(c.reason())), Kind: nullable(string(c.verdict.Kind)), SignalReason: nullable(string(c.verdict.Reason)),
		Hook: nullable(c.verdict.Hook), Match: matchJSON{nullable(c.verdict.Match.Group), nullable(c.verdict.Match.Pattern)},
		Overflow: c.verdict.OverflowLikely, Timeout: c.verdict.TimeoutError, Attempts: c.attempts, Notes: c.notes(),
		Consequence: consequenceJSON{
			Mark: c.consequence.Mark, Lane: nullable(string(c.consequence.Lane)), ModelScoped: c.consequence.ModelScoped,
			Rotate: c.consequence.Rotate, Next: c.consequence.Next,
		},
	}
	if doc.Attempts == nil {
		doc.Attempts = []summaryAttempt{}
	}
	if c.verdict.Coerced != nil {
		doc.CoercedReason, doc.CoercedStatus = nullable(string(c.verdict.Coerced.Reason)), c.verdict.Coerced.Status
	}
	if c.window != nil {
		doc.Consequence.FirstMs = c.window.Until
	}
	return doc
}

func (s *session) classifiedText(c classified) {
	words.Printf(s.stdout, "%s  (rules %s)\n", reasonText(c.reason()), c.rules.Line)
	var rows words.Table
	if match := matchText(c.verdict.Match); match != "" {
		rows.Add("matched", match)
	}
	if c.verdict.Hook != "" && c.verdict.Hooked != c.verdict.Reason {
		rows.Add("provider plugin", fmt.Sprintf("%s says %s where the text alone says %s", c.verdict.Hook, reasonText(c.verdict.Hooked), reasonText(c.verdict.Reason)))
	}
	if c.verdict.Coerced != nil && c.verdict.Coerced.Status != nil {
		rows.Add("status", fmt.Sprintf("%v, as the fallback loop records it", *c.verdict.Coerced.Status))
	}
	rows.Add("profile", c.markText())
	rows.Add("rotation", rotationWords[c.consequence.Rotate])
	rows.Add("next model", nextWords[c.consequence.Next])
	s.screen.Table("  ", &rows)
	for _, text := range c.notes() {
		s.noteText(text)
	}
	s.attemptsText(c.attempts)
}

// markText says what the failure does to the profile.
func (c *classified) markText() string {
	about := markWords[c.consequence.Mark]
	if c.window == nil {
		return about
	}
	text := fmt.Sprintf("%s for %s at first", windowNames[c.window.Kind], words.Duration(int64(c.window.Until)))
	if c.consequence.ModelScoped {
		text += ", for the failed model only"
	}
	if about != "" {
		text += " (" + about + ")"
	}
	return text
}

var markWords = map[failure.Mark]string{
	failure.MarkAlways:  "",
	failure.MarkNever:   "left alone",
	failure.MarkAnswer:  "only when a finished answer fails",
	failure.MarkStarted: "only when the provider had begun to answer",
	failure.MarkChatGPT: "only for ChatGPT logins",
}

var rotationWords = map[failure.Rotation]string{
	failure.RotateNo:     "no: the provider's other profiles are not tried",
	failure.RotateYes:    "yes: the provider's next profile is tried",
	failure.RotateOnce:   "one more profile is tried where there are fallback models",
	failure.RotateAnswer: "yes, when a finished answer failed",
}

var nextWords = map[failure.Next]string{
	failure.NextModel:      "yes, once the profiles are used up",
	failure.NextProvider:   "yes, past further models of the same provider",
	failure.NextThrown:     "yes after a thrown error; a finished answer with it is final",
	failure.NextUnlessLast: "yes, while candidates are left",
	failure.NextNone:       "no: the run ends",
}

// ownWords say what OpenClaw means by a text of its own.
var ownWords = map[chain.OwnText]string{
	chain.OwnWait:      "this is OpenClaw's own text in the chat: every candidate was rate limited or overloaded; the time is when the first provider recovers (chain explain shows it)",
	chain.OwnRateLimit: "this is OpenClaw's own text for a rate limit of the last candidate",
	chain.OwnCapped:    "this is OpenClaw's own text: the provider got no more profiles because the next model was due (auth.cooldowns.rateLimitedProfileRotations, overloadedProfileRotations)",
	chain.OwnOverflow:  "this is OpenClaw's own text for a full context window: the run has ended, /reset or /new starts anew",
	chain.OwnFallback:  "this is OpenClaw's own notice of a fallback, not an error",
}

// notes are what people expect and OpenClaw does not do.
func (c *classified) notes() []string {
	notes := []string{}
	lower := strings.ToLower(c.signal.Message)
	if strings.Contains(lower, "retry-after") || strings.Contains(lower, "retry after") || strings.Contains(lower, "try again in") {
		notes = append(notes, "the time to wait that the text names does not lengthen the window: OpenClaw keeps its own steps. A Retry-After of the answer delays the next request with the same profile, up to 60 s (OPENCLAW_SDK_RETRY_MAX_WAIT_SECONDS)")
	}
	if own := ownWords[chain.OwnTextOf(c.signal.Message)]; own != "" {
		notes = append(notes, own)
	}
	if c.verdict.OverflowLikely && c.consequence.Next == failure.NextNone {
		notes = append(notes, "the prompt does not fit the model: another model is not tried, compaction is")
	}
	if c.reason() == failure.Billing {
		notes = append(notes, "a billing disable stays after a top-up until it ends or is cleared: auth reset PROFILE")
	}
	if label := labelWords[auth.Reason(c.reason())]; label != "" {
		notes = append(notes, string(c.reason())+": "+label)
	}
	if strings.HasPrefix(lower, "anthropic refusal") {
		notes = append(notes, "this is how OpenClaw reports a safety refusal (2026.7.1 and later). It is no failover reason: the refused answer is final, whatever fallbacks are configured. With an API key a request for Claude Fable 5 already asks Anthropic itself to answer with another model (claude-opus-4-8 on 2026.7.1)")
	}
	if strings.Contains(lower, routerError) {
		notes = append(notes, routerNote)
	}
	return notes
}

// classifyAllDocument is the answer of chain classify --all-lines.
type classifyAllDocument struct {
	Schema string               `json:"schema"`
	Lines  []classifiedLineJSON `json:"lines"`
}

// classifiedLineJSON is a release line in a JSON document.
type classifiedLineJSON struct {
	Rules   string         `json:"rules"`
	Reason  failure.Reason `json:"reason"`
	Kind    failure.Kind   `json:"kind"`
	Group   string         `json:"group"`
	Pattern string         `json:"pattern"`
}
