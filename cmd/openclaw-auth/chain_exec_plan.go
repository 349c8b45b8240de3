package main

import (
	"fmt"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state/secrets"
)

// dryRunDocument is the answer of chain exec --dry-run.
type dryRunDocument struct {
	header
	Session  any           `json:"session"`
	Attempts []dryAttempt  `json:"attempts"`
	Skipped  []attemptJSON `json:"skipped"`
}

// dryAttempt is an attempt that would be made.
type dryAttempt struct {
	Provider  string   `json:"provider"`
	Model     string   `json:"model"`
	Profile   any      `json:"profile"`
	Type      any      `json:"type"`
	Variables []string `json:"variables"` // that would hold the credential
	BaseURL   any      `json:"baseUrl"`
	Command   []string `json:"command"`
	Problem   any      `json:"problem"` // why the attempt would be passed over; null: it would be made
}

// dryRun lists the attempts as they follow if each fails with a rate limit.
// Nothing runs, and nothing is written.
func (e *execution) dryRun() error {
	attempts := []dryAttempt{}
	for call := range e.machine.Calls() {
		if e.maxAttempts > 0 && e.attempt == e.maxAttempts {
			break
		}
		attempts = append(attempts, e.pretend(call))
	}
	var err error
	if e.json {
		err = e.dryRunJSON(attempts)
	} else {
		e.dryRunText(attempts)
	}
	if err == nil && e.attempt == 0 {
		return errNo
	}
	return err
}

// pretend shows what an attempt would be, and answers it.
func (e *execution) pretend(call *chain.Call) dryAttempt {
	attempt := dryAttempt{
		Provider: call.Provider, Model: call.Model, Profile: nullable(string(shownID(call.Profile))), Variables: []string{},
		BaseURL: nullable(secrets.BaseURL(e.home, e.config, call.Provider)), Command: e.arguments(call),
	}
	credential, err := e.credentialOf(call)
	if err != nil {
		attempt.Problem = err.Error()
		call.PassOver(err.Error(), e.now)
		return attempt
	}
	e.attempt++
	attempt.Type = nullable(credential.Type)
	if !credential.Secret.IsZero() {
		attempt.Variables = e.variablesOf(call, credential)
	}
	call.Fail(chain.Failure{Reason: reasonRateLimit, Message: "rate limit"}, e.now)
	return attempt
}

const reasonRateLimit auth.Reason = "rate_limit"

func (e *execution) dryRunJSON(attempts []dryAttempt) error {
	document := dryRunDocument{
		header: e.header("chain-exec-dry-run", e.run.Agent), Session: nullable(e.run.session.Key), Attempts: attempts, Skipped: []attemptJSON{},
	}
	for _, record := range e.machine.Result().Walk.Records {
		if record.Skipped {
			document.Skipped = append(document.Skipped, attemptJSON{
				record.Provider, record.Model, true, nullable(string(record.Reason)), record.Error, nil, nullable(record.Code),
			})
		}
	}
	return e.writeJSON(document)
}

func (e *execution) dryRunText(attempts []dryAttempt) {
	e.headerText(e.run.Agent)
	var rows words.Table
	made := 0
	for _, attempt := range attempts {
		ref := chain.Ref{Provider: attempt.Provider, Model: attempt.Model}.String()
		profile, _ := attempt.Profile.(string)
		if attempt.Problem != nil {
			rows.Add("-", ref, orDash(profile), fmt.Sprintf("passed over: %v", attempt.Problem))
			continue
		}
		made++
		rows.Add(made, ref, orDash(profile), orDash(strings.Join(attempt.Variables, ", ")))
	}
	for _, record := range e.machine.Result().Walk.Records {
		if record.Skipped {
			rows.Add("-", record.Ref.String(), "-", "skipped: "+record.Error)
		}
	}
	e.screen.Table("", &rows)
	if len(attempts) > 0 {
		e.paragraph("command of the first: ", strings.Join(attempts[0].Command, " "))
	}
}
