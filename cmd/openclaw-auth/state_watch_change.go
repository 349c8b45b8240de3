package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"time"

	"openclaw-auth/auth"
	"openclaw-auth/chain"
	"openclaw-auth/cmd/openclaw-auth/fullscreen"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// profileView is a profile as it was last seen.
type profileView struct {
	Provider string
	State    auth.ProfileState
	Reason   string
	Model    string
	Until    float64 // Unix ms, 0 without a window that runs
}

// change is something that has become different. The first look at an agent
// gives one for each profile, with From empty.
type change struct {
	Schema    string `json:"schema"`
	Time      int64  `json:"time"`
	TimeText  string `json:"timeText"`
	Agent     string `json:"agent"`
	Subject   string `json:"subject"` // profile, session, agent or configuration
	ID        string `json:"id"`      // of the profile or the session
	From      string `json:"from"`
	To        string `json:"to"`
	Reason    string `json:"reason"`
	Model     string `json:"model"`
	Until     any    `json:"until"`
	UntilTime any    `json:"untilTime"`

	until float64
}

// refresh reads what is stale of an agent, and sees what the time has changed.
func (w *watching) refresh(view *agentView) {
	if view.stale {
		view.stale = false
		l, err := w.loadAgent(view.agent)
		switch {
		case err == nil:
			view.loaded, view.problem = l, l.Blocked
		default:
			view.problem = err // what was seen before stays: somebody may be writing
		}
	}
	view.profiles, view.order = map[string]profileView{}, nil
	if view.loaded != nil {
		for _, provider := range view.loaded.engine.Providers() {
			query := auth.OrderQuery{Provider: string(provider), Now: w.now}
			for _, placement := range view.loaded.engine.Explain(query, view.loaded.engine.Order(query)) {
				id := string(placement.ID)
				if _, seen := view.profiles[id]; seen {
					continue
				}
				view.profiles[id] = viewOf(string(provider), placement)
				view.order = append(view.order, id)
			}
		}
	}
	if view.sessionsStale {
		view.sessionsStale = false
		view.sessions = map[string]string{}
		models := &chain.Models{Rules: w.home.Rules, Config: w.config.Auth(), Agent: view.agent.ID}
		err := w.home.Sessions(w.config, view.agent).Each(func(session state.Session) bool {
			if models.OnFallback(session.Entry) {
				view.sessions[session.Key] = fallbackOf(session)
			}
			return true
		})
		if err != nil && view.problem == nil {
			view.problem = err
		}
	}
}

// fallbackOf is the model that a session on a fallback answers with.
func fallbackOf(session state.Session) string {
	ref := chain.Ref{Provider: session.Entry.Text("providerOverride"), Model: session.Entry.Text("modelOverride")}
	if ref.Model == "" {
		ref = chain.Ref{Provider: session.Entry.Text("modelProvider"), Model: session.Entry.Text("model")}
	}
	return ref.String()
}

func viewOf(provider string, placement auth.Placement) profileView {
	view := profileView{Provider: provider, State: placement.State}
	if window := placement.Window; window != nil && placement.State != auth.StateExcluded {
		view.Reason, view.Model, view.Until = string(window.Reason), window.Model, window.Until
	} else if placement.State == auth.StateExcluded {
		view.Reason = string(placement.Code)
	}
	return view
}

// changes are the differences to what was seen before.
func (v *agentView) changes(before map[string]profileView, sessions map[string]string) []change {
	var found []change
	for _, id := range v.order {
		now, was := v.profiles[id], before[id]
		if now != was {
			found = append(found, change{
				Agent: v.agent.ID, Subject: "profile", ID: id, From: string(was.State), To: string(now.State),
				Reason: now.Reason, Model: now.Model, until: now.Until,
			})
		}
	}
	for _, id := range sortedKeys(before) {
		if _, still := v.profiles[id]; !still {
			found = append(found, change{Agent: v.agent.ID, Subject: "profile", ID: id, From: string(before[id].State), To: "gone"})
		}
	}
	for _, key := range sortedKeys(v.sessions) {
		if sessions[key] != v.sessions[key] {
			found = append(found, change{Agent: v.agent.ID, Subject: "session", ID: key, To: "fallback", Model: v.sessions[key]})
		}
	}
	for _, key := range sortedKeys(sessions) {
		if _, still := v.sessions[key]; !still {
			found = append(found, change{Agent: v.agent.ID, Subject: "session", ID: key, From: "fallback", To: "primary"})
		}
	}
	if v.problem != nil && v.problem.Error() != v.told {
		found = append(found, change{Agent: v.agent.ID, Subject: "agent", ID: v.agent.ID, To: "unreadable", Reason: v.problem.Error()})
	}
	v.told = ""
	if v.problem != nil {
		v.told = v.problem.Error()
	}
	return found
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// add reports a change: in the screen's list or on a line, and to the hook. What
// is there at the start is told as well, but is none for the hook.
func (w *watching) add(c change) {
	c.Schema, c.Time, c.TimeText = "openclaw-auth/state-watch/v1", w.now, time.UnixMilli(w.now).UTC().Format(time.RFC3339)
	c.ID = auth.MaskID(c.ID)
	if c.until > 0 {
		c.Until, c.UntilTime = timeJSON(c.until)
	}
	if !w.first {
		w.hooks.run(c)
	}
	switch {
	case w.screen != nil:
		if !w.first {
			w.recent = append(w.recent, c)
			w.recent = w.recent[max(0, len(w.recent)-recentKept):]
		}
	case w.json:
		_ = writeLine(w.stdout, c)
	default:
		fmt.Fprintln(w.stdout, w.changeText(c))
	}
}

// changeText is a change on one line.
func (w *watching) changeText(c change) string {
	text := w.at(c.Time) + " "
	if len(w.views) > 1 && c.Agent != "" {
		text += c.Agent + " "
	}
	switch {
	case c.Subject == "session" && c.To == "fallback":
		text += c.ID + " on fallback " + c.Model
	case c.Subject == "session":
		text += c.ID + " no longer on a fallback"
	default:
		text += c.ID + " " + c.To
		if c.Reason != "" {
			text += " " + c.Reason
		}
		if c.Model != "" {
			text += " on " + c.Model
		}
		if c.until > 0 && c.until <= lastWaited {
			text += ", " + words.Duration(int64(c.until)-c.Time+999)
		}
	}
	return words.Line(text)
}

// at is a time of day with its seconds.
func (w *watching) at(ms int64) string {
	zone := w.clock.Zone
	if zone == nil {
		zone = time.UTC
	}
	return time.UnixMilli(ms).In(zone).Format("15:04:05")
}

// hooks run the command of --on-change, one change after the other.
type hooks struct {
	command string
	stderr  io.Writer
	queue   chan change
	done    chan struct{}
	screen  *fullscreen.Screen // to give back after a panic, or nil
}

// longestQueue bounds how many changes may wait for the command.
const longestQueue = 1000

func startHooks(command string, stderr io.Writer) *hooks {
	h := &hooks{command: command, stderr: stderr, queue: make(chan change, longestQueue), done: make(chan struct{})}
	go func() {
		defer close(h.done)
		for c := range h.queue {
			h.call(c)
		}
	}()
	return h
}

func (h *hooks) run(c change) {
	if h.command == "" {
		return
	}
	select {
	case h.queue <- c:
	default: // the command is too slow for so many changes
	}
}

// close waits for the commands of reported changes.
func (h *hooks) close() {
	close(h.queue)
	<-h.done
}

// call runs the command for a change. Its failure is its own affair.
func (h *hooks) call(c change) {
	defer h.screen.Guard()
	shell := []string{"sh", "-c"}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd", "/C"}
	}
	text, err := json.Marshal(c)
	if err != nil {
		return
	}
	command := exec.Command(shell[0], shell[1], h.command)
	command.Env = append(os.Environ(),
		"OPENCLAW_AUTH_CHANGE="+string(text), "OPENCLAW_AUTH_SUBJECT="+c.Subject, "OPENCLAW_AUTH_ID="+c.ID,
		"OPENCLAW_AUTH_FROM="+c.From, "OPENCLAW_AUTH_TO="+c.To, "OPENCLAW_AUTH_REASON="+c.Reason, "OPENCLAW_AUTH_AGENT="+c.Agent)
	_ = command.Run()
}
