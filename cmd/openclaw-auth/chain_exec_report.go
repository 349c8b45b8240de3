package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"openclaw-auth/chain"
	"openclaw-auth/chain/lines"
	"openclaw-auth/doctor/words"
)

// execAttemptJSON is the line of an attempt on stderr under --json.
type execAttemptJSON struct {
	Schema   string          `json:"schema"`
	Attempt  any             `json:"attempt" schema:"number"` // null: no attempt was made
	Provider string          `json:"provider"`
	Model    string          `json:"model"`
	Profile  any             `json:"profile"`
	Result   string          `json:"result"`
	Text     any             `json:"text"`
	Follows  chain.UseReason `json:"follows"`
	Recorded bool            `json:"recorded"`
}

// report says on stderr how a call ended.
func (e *execution) report(call *chain.Call, use chain.Use) {
	if e.quiet {
		return
	}
	recorded := use.Recorded && e.execOptions.record
	made := use.Why != chain.UsePassed
	result := resultText(use)
	if !made {
		result = "passed over"
	}
	if e.json {
		line := execAttemptJSON{
			"openclaw-auth/chain-exec/v1", nil, call.Provider, call.Model, nullable(string(shownID(call.Profile))), result, nil, use.Why, recorded,
		}
		if made {
			line.Attempt = e.attempt
		}
		if use.Failure != nil {
			line.Text = use.Failure.Message
		}
		_ = writeLine(e.stderr, line)
		return
	}
	what := ""
	switch {
	case !made:
		what = use.Failure.Message
	case use.Failure != nil && recorded:
		what = e.useText(use, lines.Retry{}) // a command is run once
	case use.Failure != nil:
		what = "not recorded; " + followWords[use.Why]
	}
	if what != "" {
		what = " (" + oneLine(what) + ")"
	}
	words.Printf(e.stderr, "openclaw-auth: %s: %s%s\n", e.name(call, made), result, what)
}

// name is an attempt: its number, model and profile.
func (e *execution) name(call *chain.Call, made bool) string {
	name := call.Ref.String()
	if call.Profile != "" {
		name += " with " + string(shownID(call.Profile))
	}
	if made {
		return fmt.Sprintf("attempt %d, %s", e.attempt, name)
	}
	return name
}

// reportOwn reports that a failure is the command's own.
func (e *execution) reportOwn(call *chain.Call, code int) {
	switch {
	case e.quiet:
	case e.json:
		_ = writeLine(e.stderr, execAttemptJSON{
			"openclaw-auth/chain-exec/v1", e.attempt, call.Provider, call.Model, nullable(string(shownID(call.Profile))),
			fmt.Sprintf("exit %d", code), nil, chain.UseEndsChain, false,
		})
	default:
		words.Printf(e.stderr, "openclaw-auth: %s: exit code %d is no failure of the provider, so no other is tried\n", e.name(call, true), code)
	}
}

func writeLine(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// loggedDecision is a line of --log: OpenClaw's decision record and its time.
type loggedDecision struct {
	Time string `json:"time"`
	chain.DecisionRecord
}

// appendLog writes the decision records of the run, all in one write, so that
// runs side by side don't mix them up.
func (e *execution) appendLog() error {
	decisions := e.machine.Result().Decisions
	if e.log == "" || len(decisions) == 0 {
		return nil
	}
	var lines []byte
	at := time.UnixMilli(e.moment()).UTC().Format(time.RFC3339Nano)
	for _, decision := range decisions {
		line, err := json.Marshal(loggedDecision{at, decision})
		if err != nil {
			return err
		}
		lines = append(append(lines, line...), '\n')
	}
	file, err := os.OpenFile(e.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(lines)
	return errors.Join(err, file.Close())
}
