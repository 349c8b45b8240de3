package main

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"openclaw-auth/cmd/openclaw-auth/fullscreen"
	"openclaw-auth/cmd/openclaw-auth/runner"
	"openclaw-auth/state"
	"openclaw-auth/state/watch"
)

func stateWatchCommand(w world) *cli.Command {
	return leaf(w, cli.Command{
		Name:  "watch",
		Usage: "a live view of profiles, windows and sessions on a fallback",
		Description: `Shows the profiles of all agents (or of --agent) with a countdown to the end of
each window, the sessions on a fallback, and changes as they come. It rereads
files when the system reports a change, and writes nothing. q or Ctrl-C ends
it.

Without a terminal, or on a dumb one, it prints a line per change; with --json
each is a JSON document. --on-change runs a shell command for each change, one
after the other, with the change in OPENCLAW_AUTH_CHANGE (JSON) and
in OPENCLAW_AUTH_AGENT, _SUBJECT, _ID, _FROM, _TO and _REASON. They contain no secret.
However it ends, it leaves the terminal as it was; only kill -9 can't be caught: "reset" helps then.

Examples:
  openclaw-auth state watch
  openclaw-auth state watch --agent main --json | jq -c 'select(.to == "disabled")'
  openclaw-auth state watch --on-change 'notify-send "$OPENCLAW_AUTH_ID is $OPENCLAW_AUTH_TO"' > /dev/null

Exit codes: 0 ended by q, 2 usage or a home that can't be read, 130 interrupted,
143 terminated.`,
		Flags: []cli.Flag{
			text("on-change", "shell `COMMAND` to run for each change"),
		},
	}, stateWatch)
}

// watching is one run of state watch.
type watching struct {
	*session
	files   *watch.Watcher
	views   []*agentView
	recent  []change // the last changes, for the screen
	screen  *fullscreen.Screen
	hooks   *hooks
	started time.Time
	begin   int64
	first   bool // nothing has been shown yet
}

// recentKept is how many changes the screen remembers.
const recentKept = 200

func stateWatch(s *session) error {
	if err := s.linesOnly("state watch"); err != nil {
		return err
	}
	if err := s.open(); err != nil {
		return err
	}
	if asked := s.flags.String("agent"); asked != "" {
		if _, err := s.agent(); err != nil {
			return err
		}
	}
	files, err := watch.New()
	if err != nil {
		return err
	}
	defer files.Close()
	w := &watching{session: s, files: files, started: s.world.now(), begin: s.now, first: true}
	w.hooks = startHooks(s.flags.String("on-change"), s.stderr)
	defer w.hooks.close()
	if err := w.watchFiles(); err != nil {
		return err
	}
	if err := w.openScreen(); err != nil {
		return err
	}
	if w.screen != nil {
		defer w.screen.Close() // also after a panic
		w.hooks.screen = w.screen
	}
	return w.run()
}

// openScreen takes the terminal over, where there is one that can be.
func (w *watching) openScreen() error {
	in, isFile := w.stdin.(*os.File)
	if !w.terminal || w.json || !isFile || w.env.Getenv("TERM") == "dumb" || !isTerminal(in) {
		return nil
	}
	var err error
	w.screen, err = fullscreen.Open(in, os.Stdout)
	return err
}

// watchFiles watches the files of all agents as they are configured now.
func (w *watching) watchFiles() error {
	var all []string
	w.views = w.agentViews()
	for _, view := range w.views {
		all = append(all, view.files...)
		all = append(all, view.sessionFiles...)
	}
	slices.Sort(all)
	return w.files.Watch(slices.Compact(all))
}

// agentViews are the agents that are watched; those that were already keep
// what is known of them.
func (w *watching) agentViews() []*agentView {
	var views []*agentView
	for _, agent := range w.home.Agents(w.config) {
		if asked := w.flags.String("agent"); asked != "" && !strings.EqualFold(asked, agent.ID) {
			continue
		}
		view := &agentView{}
		if i := slices.IndexFunc(w.views, func(v *agentView) bool { return v.agent.ID == agent.ID }); i >= 0 {
			view = w.views[i]
		}
		view.agent, view.stale, view.sessionsStale = agent, true, true
		view.files, view.sessionFiles = w.home.Files(w.config, agent), w.home.SessionFiles(w.config, agent)
		views = append(views, view)
	}
	return views
}

// run shows what is, sleeps until something happens, and looks again.
func (w *watching) run() error {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	defer signal.Stop(signals)
	poke := make(chan struct{}, 1)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var ending os.Signal
	keys := make(chan fullscreen.Key, 16)
	go w.forward(ctx, signals, &ending, keys, poke)
	for {
		w.now = w.begin + w.world.now().Sub(w.started).Milliseconds()
		w.clock.Now = w.now
		if err := w.look(); err != nil {
			return err
		}
		changed, err := w.files.Wait(w.started.Add(time.Duration(w.wakeAt()-w.begin)*time.Millisecond), poke)
		if err != nil {
			return err
		}
		if quit, err := w.handle(keys); quit || err != nil {
			if ending != nil {
				return &exitError{code: runner.SignalCode(ending)}
			}
			return err
		}
		if err := w.mark(changed); err != nil {
			return err
		}
	}
}

// forward pokes the main loop when a key or a signal comes.
func (w *watching) forward(ctx context.Context, signals <-chan os.Signal, ending *os.Signal, keys chan<- fullscreen.Key, poke chan<- struct{}) {
	defer w.screen.Guard()
	var typed <-chan fullscreen.Key
	if w.screen != nil {
		typed = w.screen.Keys()
	}
	for {
		select {
		case <-ctx.Done():
			return
		case got := <-signals:
			*ending = got
			keys <- fullscreen.Quit
		case key := <-typed:
			keys <- key
		}
		select {
		case poke <- struct{}{}:
		default:
		}
	}
}

// handle does what the keys ask for.
func (w *watching) handle(keys <-chan fullscreen.Key) (quit bool, err error) {
	for {
		select {
		case key := <-keys:
			switch key {
			case fullscreen.Quit:
				return true, nil
			case fullscreen.Interrupt:
				return true, &exitError{code: exitInterrupted}
			case fullscreen.Suspend:
				if err := w.screen.Suspend(); err != nil {
					return true, err
				}
			}
		default:
			return false, nil
		}
	}
}

// mark notes which agents have to be read again.
func (w *watching) mark(changed []string) error {
	if slices.Contains(changed, w.home.ConfigPath) || slices.ContainsFunc(w.config.Includes(), func(file string) bool { return slices.Contains(changed, file) }) {
		config, err := w.home.ReadConfig()
		if err != nil {
			w.add(change{Subject: "configuration", To: "unreadable", Reason: err.Error()})
			return nil
		}
		w.config = config
		return w.watchFiles()
	}
	for _, file := range changed {
		for _, view := range w.views {
			view.stale = view.stale || slices.Contains(view.files, file)
			view.sessionsStale = view.sessionsStale || slices.Contains(view.sessionFiles, file)
		}
	}
	return nil
}

// look reads what is stale, reports what has changed, and draws.
func (w *watching) look() error {
	for _, view := range w.views {
		before, sessions := view.profiles, view.sessions
		w.refresh(view)
		for _, c := range view.changes(before, sessions) {
			w.add(c)
		}
	}
	if w.screen != nil {
		if err := w.screen.Draw(w.frame()); err != nil {
			return err
		}
	}
	w.first = false
	return flush(w.stdout)
}

// wakeAt is when there will be something else to show although nothing
// changes: the end of a window, or the next step of a countdown.
func (w *watching) wakeAt() int64 {
	const never = 24 * 3_600_000
	wake := w.now + never
	for _, view := range w.views {
		for _, p := range view.profiles {
			left := int64(p.Until) - w.now
			if p.Until <= 0 || left <= 0 || p.Until > lastWaited {
				continue
			}
			wake = min(wake, int64(p.Until)+1)
			switch {
			case w.screen == nil:
			case left < 10*60_000:
				wake = min(wake, w.now+1000-w.now%1000)
			default:
				wake = min(wake, w.now+60_000-w.now%60_000)
			}
		}
	}
	return wake
}

// agentView is an agent as it was last seen.
type agentView struct {
	agent        state.Agent
	files        []string
	sessionFiles []string

	stale, sessionsStale bool
	loaded               *loaded
	problem              error
	profiles             map[string]profileView
	order                []string          // of the profiles
	sessions             map[string]string // key to model, of those on a fallback
	told                 string            // the problem that was told last
}
