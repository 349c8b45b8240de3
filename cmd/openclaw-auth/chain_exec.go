package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
	"openclaw-auth/state"
)

func chainExecCommand(w world, run []cli.Flag) *cli.Command {
	return leaf(w, cli.Command{
		Name:        "exec",
		Usage:       "run any command with OpenClaw's credentials, rotation and fallbacks",
		ArgsUsage:   "-- CMD ARG…",
		Description: chainExecHelp,
		Flags: slices.Concat(run, []cli.Flag{
			several("env", "`NAME` of the variable that gets the credential, instead of the provider's own"),
			several("on-exit", "`CODE=REASON`: this exit code is a failure of that reason"),
			text("attempt-timeout", "how long one attempt may take, such as 90s; then its reason is timeout"),
			text("max-attempts", "`N`: no more attempts than that"),
			toggle("stream", "pass output on at once; an attempt that has written anything is then the last one"),
			toggle("no-record", "write nothing: neither cooldowns nor successes"),
			toggle("allow-exec-refs", "allow credentials that a command of secrets.providers has to be run for"),
			text("log", "append OpenClaw's decision records to `FILE`, one JSON document a line"),
			toggle("q", "no line per attempt"),
			toggle("dry-run", "list the attempts, as they follow if each one fails with a rate limit"),
			text("lock-timeout", "how long to wait for another writer, such as 5s (default: 15s)"),
		}),
	}, chainExec)
}

const chainExecHelp = `Runs CMD as OpenClaw would run the session's next request: profile
after profile, model after model, until an attempt succeeds. It skips what
OpenClaw would skip, and records the outcomes as OpenClaw does.

CMD gets the credential in the variables that its provider's tools read
(ANTHROPIC_API_KEY, OPENAI_API_KEY, …), and OPENCLAW_AUTH_PROVIDER, _MODEL, _REF,
_PROFILE, _TYPE, _ATTEMPT, _BASE_URL and _RESULT. {ref}, {provider}, {model},
{profile} and {base_url} in its arguments are replaced.

An attempt succeeds with exit code 0. Otherwise the reason comes from the first
of these that gives one: the JSON object that CMD has written to the file
$OPENCLAW_AUTH_RESULT ({"status": 429, "code": …, "message": …, "reason": …}),
--on-exit, --attempt-timeout, the end of what it wrote to stderr. A failure
without a failover reason is CMD's own, and ends the run.

Each attempt gets the whole standard input; a terminal is not read. Output is
held until an attempt succeeds. Interrupts and other signals go to CMD and all
that it has started. On Windows those are Ctrl-Break, and what ignores it is
ended after five seconds.

Examples:
  openclaw-auth chain exec -- ./ask-model.sh
  openclaw-auth chain exec --model openai/gpt-5.4 -- sh -c 'curl -sS --fail-with-body {base_url}/models -H "Authorization: Bearer $OPENAI_API_KEY"'
  openclaw-auth chain exec --on-exit 75=rate_limit --attempt-timeout 2m -- go test ./e2e
  openclaw-auth chain exec --dry-run -- llm -m {model} hello

Exit codes: CMD's own when it has the last word, 75 the chain is exhausted, 2
usage or unreadable input, 3 timed out waiting for another writer, so an
outcome was not recorded, 126 or 127 CMD can't be run or is not there, 128 and the
number of a signal.`

// exitExhausted is the code of a chain of which nothing is left: EX_TEMPFAIL.
const exitExhausted = 75

// execOptions are what the flags of chain exec say.
type execOptions struct {
	args        []string
	variables   []string // instead of the provider's own
	onExit      map[int]auth.Reason
	timeout     time.Duration
	maxAttempts int // 0: as many as there are
	stream      bool
	record      bool
	execRefs    bool
	quiet       bool
	log         string
	write       state.WriteOptions
}

func (s *session) execOptions() (*execOptions, error) {
	o := &execOptions{
		args: s.flags.Args().Slice(), variables: s.flags.StringSlice("env"), onExit: map[int]auth.Reason{},
		stream: s.flags.Bool("stream"), record: !s.flags.Bool("no-record"), execRefs: s.flags.Bool("allow-exec-refs"),
		quiet: s.flags.Bool("q"), log: s.flags.String("log"),
	}
	if len(o.args) == 0 {
		return nil, usage("chain exec needs a command, such as: chain exec -- ./ask-model.sh")
	}
	for _, name := range o.variables {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			return nil, usage("--env: %q is not a variable name", name)
		}
	}
	for _, text := range s.flags.StringSlice("on-exit") {
		code, reason, err := parseOnExit(text)
		if err != nil {
			return nil, err
		}
		o.onExit[code] = reason
	}
	if text := s.flags.String("attempt-timeout"); text != "" {
		timeout, err := time.ParseDuration(text)
		if err != nil || timeout <= 0 {
			return nil, usage("--attempt-timeout: %q is not a duration (such as 90s or 2m)", text)
		}
		o.timeout = timeout
	}
	if text := s.flags.String("max-attempts"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return nil, usage("--max-attempts: %q is not a number of at least 1", text)
		}
		o.maxAttempts = n
	}
	var err error
	o.write, err = s.writeOptions("chain exec")
	o.write.NoUndo = true // as with a gateway's own records
	return o, err
}

// parseOnExit reads CODE=REASON.
func parseOnExit(text string) (int, auth.Reason, error) {
	number, name, _ := strings.Cut(text, "=")
	code, err := strconv.Atoi(number)
	reason := auth.Reason(name)
	if err != nil || code < 1 || code > 255 {
		return 0, "", usage("--on-exit: %q is not CODE=REASON with a code from 1 to 255", text)
	}
	if !slices.Contains(chain.Reasons(), reason) {
		return 0, "", usage("--on-exit: %q is no failover reason (%s)", name, reasonNames(chain.Reasons()))
	}
	return code, reason, nil
}

func reasonNames(reasons []auth.Reason) string {
	names := make([]string, len(reasons))
	for i, reason := range reasons {
		names[i] = string(reason)
	}
	return strings.Join(names, ", ")
}

func chainExec(s *session) error {
	if !s.flags.Bool("dry-run") {
		if err := s.linesOnly("chain exec"); err != nil {
			return err
		}
	}
	options, err := s.execOptions()
	if err != nil {
		return err
	}
	run, err := s.chainRun()
	if err != nil {
		return err
	}
	if run.Blocked != nil {
		return run.Blocked // OpenClaw would not start either
	}
	machine, err := run.models.Start(chain.RunQuery{
		Session: run.query, Profiles: run.engine, Now: s.now, SkipTTL: s.env.Getenv("OPENCLAW_FALLBACK_SKIP_TTL_MS"),
	})
	if err != nil {
		return &exitError{code: exitNo, err: err}
	}
	e := &execution{session: s, run: run, machine: machine, execOptions: options, started: s.world.now()}
	if s.flags.Bool("dry-run") {
		return e.dryRun()
	}
	if e.path, err = exec.LookPath(options.args[0]); err != nil {
		return notRunnable(options.args[0], err)
	}
	return e.drive()
}

// notRunnable is a command that can't be run, with the code that shells give it.
func notRunnable(name string, err error) error {
	code, why := 126, err
	if found, ok := errors.AsType[*exec.Error](err); ok {
		why = found.Err
	}
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		code, why = 127, errors.New("no such command")
	}
	return &exitError{code: code, err: fmt.Errorf("%s: %w", name, why)}
}
