package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
	"openclaw-auth/cmd/openclaw-auth/runner"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
	"openclaw-auth/state/secrets"
)

// execution drives a run: it makes the calls that chain simulate only pretends to make.
type execution struct {
	*session
	*execOptions
	run     *chainRun
	machine *chain.Run
	path    string // of the command
	started time.Time
	attempt int // how many were made
	input   *runner.Input
	signals chan os.Signal
	scratch *runner.Scratch
	busy    error // why an outcome could not be recorded, if somebody was writing
}

// moment is the time, Unix ms; --now moves it.
func (e *execution) moment() int64 { return e.now + e.world.now().Sub(e.started).Milliseconds() }

func (e *execution) drive() error {
	var stop func()
	e.signals, stop = runner.Listen()
	defer stop()
	if e.input = e.standardInput(); e.input != nil {
		defer e.input.Close()
	}
	var err error
	if e.scratch, err = runner.NewScratch(); err != nil {
		return err
	}
	defer e.scratch.Remove()

	var final error
	for call := range e.machine.Calls() {
		if asked := runner.Asked(e.signals); asked != nil { // while an outcome was recorded
			final = &exitError{code: runner.SignalCode(asked)}
			break
		}
		if final = e.try(call); final != nil {
			break
		}
	}
	logErr := e.appendLog()
	switch {
	case final != nil:
		return final
	case e.machine.Result().Walk.Winner == nil:
		return e.exhausted()
	case e.busy != nil:
		return e.busy
	}
	return logErr
}

// try makes a call and answers it. An error ends the run.
func (e *execution) try(call *chain.Call) error {
	if e.maxAttempts > 0 && e.attempt == e.maxAttempts {
		return &exitError{code: exitExhausted, err: fmt.Errorf("none of %d attempts succeeded, and --max-attempts allows no more", e.attempt)}
	}
	credential, err := e.credentialOf(call)
	if err != nil {
		e.report(call, call.PassOver(err.Error(), e.moment()))
		return nil
	}
	e.attempt++
	ended, err := e.perform(call, credential)
	if err != nil {
		return err
	}
	defer ended.stdout.Close()
	switch {
	case ended.Signal != nil:
		return &exitError{code: runner.SignalCode(ended.Signal)}
	case ended.Code == 0 && !ended.TimedOut:
		use := call.Succeed(e.moment())
		e.record(use)
		e.report(call, use)
		return e.passOn(ended)
	}
	failed := e.failureOf(call, ended)
	if failed == nil {
		e.reportOwn(call, ended.Code)
		return errors.Join(e.passOn(ended), &exitError{code: ended.Code})
	}
	use := call.Fail(*failed, e.moment())
	e.record(use)
	e.report(call, use)
	if use.Why == chain.UseEndsChain || ended.streamed > 0 {
		return errors.Join(e.passOn(ended), &exitError{code: max(ended.Code, 1)})
	}
	return nil
}

// credentialOf is what a call authenticates with: the profile's or, without
// one, what the configuration has for the provider. The environment's own
// variables come before that.
func (e *execution) credentialOf(call *chain.Call) (secrets.Credential, error) {
	query := secrets.Query{
		Loaded: e.run.Loaded, Config: e.config, Profile: call.Profile, Now: e.moment(), AllowExec: e.execRefs,
	}
	if call.Profile != "" {
		return secrets.Of(e.home, query)
	}
	for _, name := range e.variablesOf(call, secrets.Credential{}) {
		if e.env.Getenv(name) != "" {
			return secrets.Credential{}, nil
		}
	}
	return secrets.Configured(e.home, query, call.Provider)
}

// record stores how a call ended, as OpenClaw would, and reads what is stored
// then: others write too. What can't be stored is told and ends nothing.
func (e *execution) record(use chain.Use) {
	if !e.execOptions.record || !use.Recorded {
		return
	}
	event := state.Event{Failure: auth.Failure{Profile: use.Profile, Reason: use.Reason, Model: &use.Model, Now: e.moment()}}
	if use.Failure == nil {
		event.Provider = use.Provider
	}
	ctx, stop := signal.NotifyContext(e.flags.Context, runner.Ending...) // ends a wait for a lock
	defer stop()
	_, _, err := e.home.Record(ctx, e.run.Loaded, e.config, event, e.write)
	if err == nil && use.Failure != nil {
		var l *loaded
		if l, err = e.loadAgent(e.run.Agent); err == nil {
			e.run.loaded = l
			e.machine.Reload(l.engine)
		}
	}
	if err == nil {
		return
	}
	err = writeError(err)
	if exit, ok := errors.AsType[*exitError](err); ok && exit.code == exitBusy {
		e.busy = err
	}
	words.Printf(e.stderr, "openclaw-auth: warning: the outcome of %s is not recorded: %s\n", shownID(use.Profile), oneLine(err.Error()))
}

// exhausted ends a run that no candidate has answered.
func (e *execution) exhausted() error {
	message := "no model answered"
	if failed := e.machine.Result().Walk.Err; failed != nil {
		message = failed.Message
	}
	return &exitError{code: exitExhausted, err: errors.New(strings.TrimSpace(message))}
}
