package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor/repair"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// writeFlags are the flags of every command that writes.
func writeFlags(flags ...cli.Flag) []cli.Flag {
	return append(flags,
		toggle("dry-run", "show what would change, and change nothing"),
		text("lock-timeout", "how long to wait for another writer: a `DURATION` such as 5s (default: 15s)"))
}

// writeExits is the end of the help of every command that writes.
const writeExits = `Exit codes: 0 done (or nothing to do), 1 refused, 2 usage, unreadable input or
a file that can't be written, 3 timed out waiting for another writer.`

const defaultLockTimeout = 15 * time.Second

// writeOptions are what the flags say about how to write.
func (s *session) writeOptions(why string) (state.WriteOptions, error) {
	options := state.WriteOptions{Why: why, DryRun: s.flags.Bool("dry-run"), Timeout: defaultLockTimeout, Clock: newWaitingClock()}
	if text := s.flags.String("lock-timeout"); text != "" {
		timeout, err := time.ParseDuration(text)
		if err != nil || timeout < 0 {
			return options, usage("--lock-timeout: %q is not a duration (such as 5s or 500ms)", text)
		}
		options.Timeout = timeout
	}
	if s.terminal {
		options.Waiting = s.progress()
	}
	return options, nil
}

// waitingClock lets an interrupt end a wait for a lock. It is caught from the
// first wait on: before, it ends a question or a long read at once, as it ends
// every program. A write that has begun is finished.
type waitingClock struct {
	state.SystemClock
	interrupted func() context.Context
}

func newWaitingClock() waitingClock {
	return waitingClock{interrupted: sync.OnceValue(func() context.Context {
		ctx, _ := signal.NotifyContext(context.Background(), os.Interrupt) // until the program ends
		return ctx
	})}
}

// Sleep waits, or until an interrupt.
func (c waitingClock) Sleep(ctx context.Context, d time.Duration) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.interrupted(), cancel)()
	if err := c.SystemClock.Sleep(ctx, d); err != nil {
		return &exitError{code: exitInterrupted, err: errors.New("interrupted while waiting for a lock")}
	}
	return nil
}

// progress reports once a second what the program waits for.
func (s *session) progress() func(state.Lock) {
	start := time.Now()
	var told time.Time
	return func(lock state.Lock) {
		now := time.Now()
		if now.Sub(start) < time.Second || now.Sub(told) < time.Second {
			return
		}
		told = now
		words.Printf(s.stderr, "openclaw-auth: waiting %s for %s\n", now.Sub(start).Round(time.Second), lock.Describe(now))
	}
}

// writtenJSON is what every command that writes reports.
type writtenJSON struct {
	header
	DryRun   bool         `json:"dryRun"`
	Changes  []changeJSON `json:"changes"`
	Backup   any          `json:"backup"`
	Warnings []string     `json:"warnings"`
}

type changeJSON struct {
	File   string     `json:"file"`
	Part   any        `json:"part"`
	Action string     `json:"action"` // "create", "change", "remove" or "move"
	To     any        `json:"to"`     // where a file is moved, null otherwise
	Mode   any        `json:"mode"`
	Diff   []diffJSON `json:"diff"`
}

type diffJSON struct {
	Pointer string `json:"pointer"`
	Before  any    `json:"before"`
	After   any    `json:"after"`
}

func (s *session) writtenJSON(schema string, agent state.Agent, written *state.Written, warnings []string) writtenJSON {
	doc := writtenJSON{header: s.header(schema, agent), DryRun: s.flags.Bool("dry-run"), Changes: []changeJSON{}, Backup: nullable(written.Backup), Warnings: warnings}
	for _, change := range written.Changes {
		from, to := change.Move()
		if to == "" {
			from = change.File
		}
		c := changeJSON{File: from, Part: nullable(change.Part), Action: actionOf(change), To: nullable(to), Diff: []diffJSON{}}
		if change.Mode != 0 {
			c.Mode = fmt.Sprintf("%#o", change.Mode.Perm())
		}
		for _, d := range change.Diff() {
			c.Diff = append(c.Diff, diffJSON{document.Pointer(shownPath(d.Path)...), nullable(d.Before), nullable(d.After)})
		}
		doc.Changes = append(doc.Changes, c)
	}
	return doc
}

func actionOf(change state.Change) string {
	switch _, to := change.Move(); {
	case to != "":
		return "move"
	case change.Before == nil:
		return "create"
	case change.After == nil:
		return "remove"
	}
	return "change"
}

// shownPath is a path of keys as it may be shown: some people's ids hold the key
// itself.
func shownPath(path []string) []string {
	shown := slices.Clone(path)
	for i, name := range shown {
		if strings.ContainsAny(name, "0123456789:") {
			shown[i] = auth.MaskID(name)
		}
	}
	return shown
}

// writtenText shows the changes, then where the backup is.
func (s *session) writtenText(written *state.Written, warnings []string) {
	s.changesText(written, s.flags.Bool("dry-run"))
	s.takeBackText(written, warnings)
}

// changesText shows changes, made or planned.
func (s *session) changesText(written *state.Written, planned bool) {
	for i := 0; i < len(written.Changes); i++ {
		if count := sessionsTogether(written.Changes[i:]); count > 0 {
			s.manySessionsText(written.Changes[i:i+count], planned)
			i += count - 1
			continue
		}
		change := written.Changes[i]
		if change.IsRecord() {
			continue // of what is shown already
		}
		words.Println(s.stdout, s.changeText(change, planned))
		if _, to := change.Move(); to != "" {
			continue
		}
		for _, d := range change.Diff() {
			s.differenceText(d)
		}
	}
}

// changeText says what happens to a file.
func (s *session) changeText(change state.Change, planned bool) string {
	words := map[string]string{"create": "made", "change": "changed", "remove": "removed", "move": "moved to "}
	if planned {
		words = map[string]string{"create": "would be made", "change": "would change", "remove": "would be removed", "move": "would move to "}
	}
	if from, to := change.Move(); to != "" {
		return fmt.Sprintf("%s (%s%s)", s.shownFile(from), words["move"], s.shownFile(to))
	}
	return fmt.Sprintf("%s (%s)", strings.TrimSpace(s.shownFile(change.File)+" "+change.Part), words[actionOf(change)])
}

// takeBackText says what the user should know after a write, and how to undo it.
func (s *session) takeBackText(written *state.Written, warnings []string) {
	for _, warning := range warnings {
		s.paragraph("note: ", warning)
	}
	if written.Backup != "" {
		s.screen.Line("to take it back: " + s.command("undo", written.Backup))
	}
}

func (s *session) differenceText(d state.Difference) {
	if len(d.Path) == 0 {
		return
	}
	path := strings.Join(shownPath(d.Path), " ")
	for _, side := range []struct{ sign, value string }{{"-", d.Before}, {"+", d.After}} {
		if side.value != "" {
			words.Printf(s.stdout, "  %s %s %s%s\n", side.sign, path, side.value, s.timeBeside(d.Path, side.value))
		}
	}
}

// timeBeside writes a time of a document in words.
func (s *session) timeBeside(path []string, value string) string {
	name := path[len(path)-1]
	var ms float64
	if !strings.HasSuffix(name, "Until") && !strings.HasSuffix(name, "At") && name != "lastUsed" && name != "expires" {
		return ""
	}
	if _, err := fmt.Sscan(value, &ms); err != nil || ms <= 0 {
		return ""
	}
	return "  " + s.clock.When(ms)
}

// shownFile is a file below the state directory without that.
func (s *session) shownFile(file string) string {
	if relative, err := filepath.Rel(s.home.StateDir, file); err == nil && relative != "." && !strings.HasPrefix(relative, "..") {
		return relative
	}
	return file
}

// writeError gives an error of a write its exit code. That something makes no
// sense on this home, or would lose a login, is an answer no.
func writeError(err error) error {
	if busy, ok := errors.AsType[*state.BusyError](err); ok {
		return &exitError{code: exitBusy, err: busy}
	}
	if state.IsRefusal(err) || errors.Is(err, repair.ErrLost) {
		return refused("%w", err)
	}
	return err
}

// refused is an answer no with a reason.
func refused(format string, args ...any) error {
	return &exitError{code: exitNo, err: fmt.Errorf(format, args...)}
}

// warnings are what a user should know after a write: what the write itself
// tells, files that others can read, a gateway that holds what it has loaded.
func (s *session) warnings(written *state.Written, more ...string) []string {
	warnings := append([]string{}, more...)
	if written == nil || len(written.Changes) == 0 {
		return warnings
	}
	warnings = append(warnings, written.Warnings...)
	rewritten := map[string]bool{}
	for _, change := range written.Changes {
		rewritten[change.File] = true
	}
	for _, change := range written.Changes {
		profiles := filepath.Join(filepath.Dir(change.File), "auth-profiles.json")
		if info, err := s.home.FS.Stat(profiles); err == nil && !rewritten[profiles] && info.Mode().Perm()&0o077 != 0 {
			warnings = append(warnings, fmt.Sprintf("%s can be read by others (mode %#o): chmod 600 it", s.shownFile(profiles), info.Mode().Perm()))
			rewritten[profiles] = true
		}
	}
	if pid := s.home.Gateway(); pid > 0 {
		behind := "what it has loaded may stay in force until it reloads its secrets or restarts"
		if s.home.Rules.Store.RunBehind {
			behind = "its next run still uses what it has loaded, and a success of that run can overwrite this; the run after it sees the change, `openclaw secrets reload` makes it see it at once"
		}
		warnings = append(warnings, fmt.Sprintf("a gateway is running (process %d): %s", pid, behind))
	}
	return warnings
}

// confirm asks before something is lost that an undo would have to bring back.
// Without a terminal there is nobody to ask: then --yes is needed.
func (s *session) confirm(question string) error {
	if s.flags.Bool("yes") || s.flags.Bool("dry-run") {
		return nil
	}
	file, ok := s.stdin.(*os.File)
	if !ok || !isatty.IsTerminal(file.Fd()) && !isatty.IsCygwinTerminal(file.Fd()) {
		return refused("%s: needs confirmation, but stdin is not a terminal; add --yes, or look with --dry-run", strings.TrimSuffix(question, "?"))
	}
	if err := s.flush(); err != nil { // what the question is about must be on the screen before it
		return err
	}
	words.Printf(s.stderr, "%s [y/N] ", question)
	answer, _ := bufio.NewReader(s.stdin).ReadString('\n')
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return refused("not confirmed, nothing is changed")
	}
	return nil
}
