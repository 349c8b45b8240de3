package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
	"openclaw-auth/state/watch"
)

func authWaitCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name:      "wait",
		Usage:     "wait until a provider has a usable profile",
		ArgsUsage: "[PROVIDER…]",
		Description: `Returns as soon as each PROVIDER has a usable profile, and
prints the profiles' ids, one per line. Without PROVIDER: the provider of the
agent's model.
It sleeps until a window ends or a file changes, whichever comes first, so a
reset made elsewhere wakes it. If waiting cannot help, because there is no
profile or every profile needs somebody to act, it says so and returns at once.

Examples:
  openclaw-auth auth wait anthropic && ./nightly.sh
  openclaw-auth auth wait anthropic openai --any --timeout 20m
  openclaw-auth auth wait --model anthropic/claude-opus-4-6 --json

Exit codes: 0 a profile is usable, 1 timed out or waiting cannot help, 2 usage or
unreadable input, 130 interrupted.`,
		Flags: []cli.Flag{
			text("model", "`MODEL` to run, PROVIDER/MODEL or without its provider: windows of other models don't count where the release tells them apart"),
			toggle("any", "one of the providers is enough"),
			text("timeout", "how long to wait at most, such as 30m; 0 only looks (default: 1h)"),
		},
	}, authWait)
}

// waitDocument is the answer of auth wait.
type waitDocument struct {
	header
	Usable    bool               `json:"usable"` // what was waited for is there
	Waited    int64              `json:"waitedMs"`
	Providers []waitProviderJSON `json:"providers"`
}

type waitProviderJSON struct {
	Provider     string `json:"provider"`
	Profile      any    `json:"profile"` // the first one that can be used, null without one
	Recovers     any    `json:"recovers" schema:"number"`
	RecoversTime any    `json:"recoversTime"`
}

// waiting is one run of auth wait.
type waiting struct {
	*session
	providers []string
	model     string
	any       bool
	started   time.Time
	begin     int64 // Unix ms, as the session's clock has it
	deadline  int64 // Unix ms
	told      string
}

// awaited is a provider as it is now.
type awaited struct {
	provider string
	profile  auth.ProfileID // "" for none
	until    float64        // Unix ms, when the first one recovers; 0 if time can't help
}

func authWait(s *session) error {
	w := &waiting{session: s, any: s.flags.Bool("any"), started: s.world.now(), begin: s.now}
	timeout := time.Hour
	if text := s.flags.String("timeout"); text != "" {
		var err error
		if timeout, err = time.ParseDuration(text); err != nil || timeout < 0 {
			return usage("--timeout: %q is not a duration (such as 30m or 2h)", text)
		}
	}
	w.deadline = s.now + timeout.Milliseconds()
	l, err := s.load()
	if err != nil {
		return err
	}
	if err := w.chooseProviders(l); err != nil {
		return err
	}
	files, err := watch.New()
	if err != nil {
		return err
	}
	defer files.Close()
	return w.run(l.Agent, files)
}

// chooseProviders takes the providers from the arguments, the model or the
// agent's own model.
func (w *waiting) chooseProviders(l *loaded) error {
	w.providers, w.model = w.flags.Args().Slice(), w.flags.String("model")
	provider, model, full := strings.Cut(w.model, "/")
	if full && len(w.providers) == 0 {
		w.providers, w.model = []string{provider}, model
	}
	if len(w.providers) == 0 {
		models := &chain.Models{Rules: w.home.Rules, Config: w.config.Auth(), Agent: l.Agent.ID, PluginIndex: w.home.HasPluginIndex()}
		w.providers = []string{models.Default().Provider}
	}
	for _, name := range w.providers {
		// A provider without a profile is no mistake by itself: another may do (--any).
		if isProfile := l.Store.Profiles.Has(name); isProfile || name == "" {
			if err := w.checkProvider(l, name); err != nil {
				return err
			}
		}
	}
	w.warnOfModel(l, w.model)
	return nil
}

// run looks, and sleeps until there may be something else to see. Files are
// read after the watching has begun, so that no change falls between.
func (w *waiting) run(agent state.Agent, files *watch.Watcher) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	for {
		if err := files.Watch(w.home.Files(w.config, agent)); err != nil {
			return err
		}
		w.now = w.begin + w.world.now().Sub(w.started).Milliseconds()
		wake := w.deadline
		if l, err := w.read(agent); err != nil {
			w.tell(err.Error()) // somebody may be writing it
		} else {
			all := w.look(l)
			if done, err := w.answer(l, all); done || err != nil {
				return err
			}
			wake = w.wakeAt(all)
		}
		if w.now >= w.deadline {
			return refused("nothing could be read before the time was up: %s", w.told)
		}
		if _, err := files.Wait(w.started.Add(time.Duration(wake-w.begin)*time.Millisecond), ctx.Done()); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return &exitError{code: exitInterrupted}
		}
	}
}

// read reads the configuration and the agent's profiles again.
func (w *waiting) read(agent state.Agent) (*loaded, error) {
	config, err := w.home.ReadConfig()
	if err != nil {
		return nil, err
	}
	w.config = config
	return w.loadAgent(agent)
}

// look is how the providers are now.
func (w *waiting) look(l *loaded) []awaited {
	var all []awaited
	for _, provider := range w.providers {
		query := auth.OrderQuery{Provider: provider, Now: w.now, Model: w.model}
		a := awaited{provider: provider, until: math.Inf(1)}
		for _, placement := range l.engine.Explain(query, l.engine.Order(query)) {
			switch {
			case w.blocked != nil || placement.Position == 0:
			case isUsable(placement):
				if a.profile == "" {
					a.profile = placement.ID
				}
			case placement.Window != nil && placement.Window.Until <= lastWaited:
				a.until = min(a.until, placement.Window.Until)
			}
		}
		if math.IsInf(a.until, 1) {
			a.until = 0
		}
		all = append(all, a)
	}
	return all
}

// lastWaited is the last time that a window may end and not mean "never".
const lastWaited = 253402300799000

// answer ends the waiting when there is what was waited for, when the time is
// up, and when time can't help.
func (w *waiting) answer(l *loaded, all []awaited) (done bool, err error) {
	usable := func(a awaited) bool { return a.profile != "" }
	hopeless := func(a awaited) bool { return a.profile == "" && a.until == 0 }
	lacks := func(a awaited) bool { return !usable(a) }
	ready, lost := !slices.ContainsFunc(all, lacks), slices.ContainsFunc(all, hopeless)
	if w.any {
		ready = slices.ContainsFunc(all, usable)
		lost = !ready && !slices.ContainsFunc(all, func(a awaited) bool { return !hopeless(a) })
	}
	if !ready && !lost && w.now < w.deadline {
		w.tellWaiting(all)
		return false, nil
	}
	if w.json {
		err = w.answerJSON(l, all, ready)
	} else {
		for _, a := range all {
			if ready && usable(a) {
				fmt.Fprintln(w.stdout, shownID(a.profile))
			}
		}
	}
	switch {
	case err != nil || ready:
		return true, err
	case w.blocked != nil:
		return true, refused("%w", w.blocked)
	case lost:
		return true, refused("%s", w.lostText(l, slices.DeleteFunc(all, func(a awaited) bool { return !hopeless(a) })))
	}
	return true, refused("timed out: %s", w.text(slices.DeleteFunc(all, usable)))
}

// lostText says why time can't help.
func (w *waiting) lostText(l *loaded, lost []awaited) string {
	var texts []string
	for _, a := range lost {
		query := auth.OrderQuery{Provider: a.provider, Now: w.now, Model: w.model}
		placements := l.engine.Explain(query, l.engine.Order(query))
		if len(placements) == 0 {
			if err := w.checkProvider(l, a.provider); err != nil { // it may be a slip
				texts = append(texts, err.Error())
				continue
			}
			texts = append(texts, a.provider+" has no profile")
			continue
		}
		var why []string
		for _, placement := range placements {
			why = append(why, string(shownID(placement.ID))+": "+placeText(placement, w.clock))
		}
		texts = append(texts, fmt.Sprintf("no profile of %s can be used (%s)", a.provider, words.List(why, 5)))
	}
	return "waiting cannot help: " + strings.Join(texts, "; ")
}

// wakeAt is when the next window ends, or the deadline.
func (w *waiting) wakeAt(all []awaited) int64 {
	wake := w.deadline
	for _, a := range all {
		if a.profile == "" && a.until > 0 {
			wake = min(wake, int64(math.Ceil(a.until)))
		}
	}
	return wake
}

// text says when the providers recover.
func (w *waiting) text(all []awaited) string {
	var texts []string
	for _, a := range all {
		if a.until > 0 {
			texts = append(texts, a.provider+" recovers "+w.clock.When(a.until))
		} else {
			texts = append(texts, a.provider+" has no profile that recovers by itself")
		}
	}
	return strings.Join(texts, ", ")
}

// tellWaiting says on a terminal what is waited for.
func (w *waiting) tellWaiting(all []awaited) {
	w.clock.Now = w.now
	if text := w.text(slices.DeleteFunc(slices.Clone(all), func(a awaited) bool { return a.profile != "" })); w.terminal {
		w.tell("waiting: " + text)
	}
}

// tell says something on stderr, once.
func (w *waiting) tell(text string) {
	if text != w.told {
		w.told = text
		words.Printf(w.stderr, "openclaw-auth: %s\n", oneLine(text))
	}
}

func (w *waiting) answerJSON(l *loaded, all []awaited, ready bool) error {
	document := waitDocument{header: w.header("auth-wait", l.Agent), Usable: ready, Waited: w.now - w.begin, Providers: []waitProviderJSON{}}
	for _, a := range all {
		provider := waitProviderJSON{Provider: a.provider, Profile: nullable(string(shownID(a.profile)))}
		if a.profile == "" {
			provider.Recovers, provider.RecoversTime = timeJSON(a.until)
		}
		document.Providers = append(document.Providers, provider)
	}
	return w.writeJSON(document)
}
