package main

import (
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/mattn/go-isatty"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
	"openclaw-auth/cmd/openclaw-auth/runner"
	"openclaw-auth/state/secrets"
)

// attempted is how one attempt ended, and what it wrote.
type attempted struct {
	runner.End
	stdout   runner.Spool
	streamed int64  // bytes that were passed on while it ran
	stderr   string // the end of it, without the credential
	result   execResult
}

// stderrKept is how much of the end of stderr is looked at.
const stderrKept = 64 << 10

// perform runs the command once.
func (e *execution) perform(call *chain.Call, credential secrets.Credential) (*attempted, error) {
	result, err := e.scratch.File()
	if err != nil {
		return nil, err
	}
	a := &attempted{}
	tail := &runner.Tail{Limit: stderrKept}
	masked := runner.NewMask(io.MultiWriter(e.stderr, tail), credential.Secret.Reveal())
	command := runner.Command{
		Path: e.path, Args: e.arguments(call), Env: e.environment(call, credential, result),
		Stdout: &a.stdout, Stderr: masked, Timeout: e.timeout, Signals: e.signals,
	}
	if e.input != nil {
		command.Stdin = e.input.Reader()
	}
	if e.stream {
		command.Stdout = &stream{to: e.stdout, count: &a.streamed}
	}
	a.End, err = command.Run()
	_ = masked.Flush() // stderr is gone: there is nobody to tell
	if err != nil {
		a.stdout.Close()
		return nil, notRunnable(e.args[0], err)
	}
	a.stderr = strings.TrimSpace(tail.String())
	a.result = e.readResult(result)
	return a, nil
}

// standardInput is what every attempt reads; nil where there is nothing to
// read, or only what somebody would have to type.
func (e *execution) standardInput() *runner.Input {
	if file, ok := e.stdin.(*os.File); ok {
		info, err := file.Stat()
		if err != nil || info.Mode()&os.ModeCharDevice != 0 || isatty.IsTerminal(file.Fd()) || isatty.IsCygwinTerminal(file.Fd()) {
			return nil
		}
	}
	return runner.NewInput(e.stdin)
}

// stream passes output on at once and counts it.
type stream struct {
	to    io.Writer
	count *int64
}

func (s *stream) Write(p []byte) (int, error) {
	n, err := s.to.Write(p)
	*s.count += int64(n)
	if buffered, ok := s.to.(interface{ Flush() error }); ok && err == nil {
		err = buffered.Flush()
	}
	return n, err
}

// passOn writes what an attempt has written and was held.
func (e *execution) passOn(a *attempted) error { return a.stdout.CopyTo(e.stdout) }

// arguments are those of the command, with the call's own texts in place of
// the placeholders. There is none for the credential; an id that is one is masked.
func (e *execution) arguments(call *chain.Call) []string {
	placeholders := strings.NewReplacer(
		"{ref}", call.Ref.String(), "{provider}", call.Provider, "{model}", call.Model,
		"{profile}", string(shownID(call.Profile)), "{base_url}", secrets.BaseURL(e.home, e.config, call.Provider),
	)
	arguments := make([]string, len(e.args))
	for i, argument := range e.args {
		arguments[i] = placeholders.Replace(argument)
	}
	return arguments
}

// variablesOf are the variables that get the credential of a call.
func (e *execution) variablesOf(call *chain.Call, credential secrets.Credential) []string {
	if len(e.variables) > 0 {
		return e.variables
	}
	return e.home.Rules.KeyVariables(call.Provider, credential.IsLogin())
}

// environment is the command's: the program's own, and what the call adds. The
// provider's variables that the call does not set are taken away: a tool might
// prefer them.
func (e *execution) environment(call *chain.Call, credential secrets.Credential, result string) []string {
	set := map[string]string{
		"OPENCLAW_AUTH_PROVIDER": call.Provider,
		"OPENCLAW_AUTH_MODEL":    call.Model,
		"OPENCLAW_AUTH_REF":      call.Ref.String(),
		"OPENCLAW_AUTH_PROFILE":  string(call.Profile),
		"OPENCLAW_AUTH_TYPE":     credential.Type,
		"OPENCLAW_AUTH_ATTEMPT":  strconv.Itoa(e.attempt),
		"OPENCLAW_AUTH_BASE_URL": secrets.BaseURL(e.home, e.config, call.Provider),
		"OPENCLAW_AUTH_RESULT":   result,
	}
	if name := e.flags.String("profile"); name != "" {
		set[stateProfileVariable] = name // the other variable is taken
	}
	var drop []string
	if !credential.Secret.IsZero() {
		drop = e.home.Rules.KeyVariables(call.Provider, true)
		for _, name := range e.variablesOf(call, credential) {
			set[name] = credential.Secret.Reveal()
		}
	}
	env := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		_, replaced := set[name]
		return replaced || slices.Contains(drop, name)
	})
	for name, value := range set {
		if !strings.Contains(value, "\x00") { // no variable can hold that
			env = append(env, name+"="+value)
		}
	}
	return env
}

// failureOf is why an attempt failed; nil where the failure is the command's own.
func (e *execution) failureOf(call *chain.Call, a *attempted) *chain.Failure {
	message := a.stderr
	if a.result.message != "" {
		message = a.result.message
	}
	failed := chain.Failure{Message: message, Status: a.result.status, Code: a.result.code, Reason: a.result.reason}
	onExit, listed := e.onExit[a.Code]
	switch {
	case a.result.given:
	case a.TimedOut:
		failed.Reason, failed.Message = reasonTimeout, "LLM request timed out."
	case listed:
		failed.Reason = onExit
	}
	if failed.Reason == "" {
		reason := e.run.models.ReasonOf(call.Candidate, failed)
		if reason == "" {
			return nil
		}
		if len(failed.Message) > longestMessage {
			failed.Reason = reason
		}
	}
	failed.Message = shortMessage(failed)
	return &failed
}

const (
	reasonTimeout  auth.Reason = "timeout"
	reasonOverflow auth.Reason = "context_overflow"

	longestMessage = 2000 // bytes of a failure's text that a summary may quote
)

// shortMessage is the text of a failure as the run keeps it: its end, where it
// is long, and something to say where it is empty.
func shortMessage(failed chain.Failure) string {
	message := failed.Message
	if over := len(message) - longestMessage; over > 0 {
		message = "…" + strings.ToValidUTF8(message[over:], "")
	}
	switch {
	case message == "" && failed.Reason == reasonOverflow:
		return "context length exceeded" // such an end is known by its text
	case message == "":
		return "the command failed: " + string(failed.Reason)
	}
	return message
}
