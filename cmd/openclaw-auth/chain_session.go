package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"openclaw-auth/auth/document"
	"openclaw-auth/chain"
	"openclaw-auth/chain/lines"
	"openclaw-auth/state"
)

// sessionFlags choose the run that a chain command is about.
func sessionFlags() []cli.Flag {
	return []cli.Flag{
		text("session", "`SESSION` by its key, part of a key, or transcript id; without it the session that was written last"),
		text("session-id", "session by the `ID` of its transcript"),
		text("model", "a run of this `MODEL` alone, PROVIDER/MODEL or an alias, as --model of OpenClaw's agent command"),
		text("for", "kind of run: `message|command|heartbeat|cron|gmail-hook|subagent`; message is what channels do and the default, command is OpenClaw's agent command and its HTTP API, mapped hooks run as cron"),
		text("cron-model", "`MODEL` of the scheduled job's payload"),
		text("cron-fallbacks", "fallback `MODELS` of the payload, separated by commas; empty for none"),
		toggle("default", "no session: what a new session of the agent would use"),
	}
}

// chainRun is a run that a chain command explains or simulates.
type chainRun struct {
	*loaded
	models  *chain.Models
	store   state.SessionStore
	session state.Session // the zero Session for a run without one
	query   chain.SessionQuery
}

// chainRules is the line whose rules the chain of models follows where the
// release's own were not recorded, else "". Answers about profiles have none.
func (s *session) chainRules() string {
	if !s.ofChain {
		return ""
	}
	return lines.Of(s.home.Rules).Follows
}

// chainRun finds the session that the flags name, the agent that it belongs to
// and its profiles.
func (s *session) chainRun() (*chainRun, error) {
	if err := s.checkRunFlags(); err != nil {
		return nil, err
	}
	if err := s.open(); err != nil {
		return nil, err
	}
	s.ofChain = true
	agents := s.home.Agents(s.config)
	name := s.flags.String("session")
	if id := s.flags.String("session-id"); id != "" {
		name = id
	}
	wanted := s.flags.String("agent")
	if wanted == "" {
		wanted = agentOfKey(name, agents)
	}
	agent, err := findAgent(agents, wanted)
	if err != nil {
		return nil, err
	}
	run := &chainRun{store: s.home.Sessions(s.config, agent)}
	_, end := s.working("looking for the session")
	defer end()
	if s.usesSession() {
		if run.session, agent, err = s.findSession(run, agents, agent, name); err != nil {
			return nil, err
		}
	}
	if run.loaded, err = s.loadAgent(agent); err != nil {
		return nil, err
	}
	run.models = s.models(agent)
	return run, s.fillQuery(run)
}

// checkRunFlags refuses flags that would take each other's effect away.
func (s *session) checkRunFlags() error {
	for _, pair := range []struct{ flag, with string }{{"default", "session"}, {"default", "session-id"}, {"session", "session-id"}} {
		if s.flags.IsSet(pair.flag) && s.flags.IsSet(pair.with) {
			return usage("--%s and --%s name different runs: give one of them", pair.flag, pair.with)
		}
	}
	for _, name := range []string{"cron-model", "cron-fallbacks"} {
		if s.flags.IsSet(name) && s.flags.String("for") != "cron" {
			return usage("--%s is about a scheduled job: add --for cron", name)
		}
	}
	if s.flags.Bool("new-session") && !s.usesSession() {
		return usage("--new-session needs a session: --session, and neither --default nor --for")
	}
	return nil
}

// models is the engine of models for an agent.
func (s *session) models(agent state.Agent) *chain.Models {
	models := &chain.Models{
		Rules: s.home.Rules, Config: s.config.Auth(), Agent: agent.ID, PluginIndex: s.home.HasPluginIndex(),
	}
	if retries, ok := s.home.ProviderRetries(agent); ok {
		models.ProviderRetries = &retries
	}
	return models
}

// usesSession reports whether the run belongs to a session at all.
func (s *session) usesSession() bool {
	named := s.flags.String("session") != "" || s.flags.String("session-id") != ""
	ofSession := slices.Contains([]string{"", "message", "command"}, s.flags.String("for"))
	return named || !s.flags.Bool("default") && s.flags.String("model") == "" && ofSession
}

// agentOfKey returns the agent that a session key names, if there is such an agent.
func agentOfKey(key string, agents []state.Agent) string {
	parts := strings.Split(key, ":")
	if len(parts) < 3 || !strings.EqualFold(parts[0], "agent") {
		return ""
	}
	if _, err := state.FindAgent(agents, parts[1]); err != nil {
		return ""
	}
	return parts[1]
}

// findSession looks in the agent's store and, unless the user named the agent,
// in those of the others.
func (s *session) findSession(run *chainRun, agents []state.Agent, agent state.Agent, name string) (state.Session, state.Agent, error) {
	found, err := state.FindSession(run.store, agent.ID, name)
	if err == nil || s.flags.String("agent") != "" || !errors.Is(err, state.ErrNoSession) {
		return found, agent, err
	}
	for _, other := range agents {
		if other.ID == agent.ID {
			continue
		}
		store := s.home.Sessions(s.config, other)
		if found, otherErr := state.FindSession(store, other.ID, name); otherErr == nil && found.Key != "" {
			run.store = store
			return found, other, nil
		}
	}
	return state.Session{}, agent, err
}

// fillQuery says what kind of run it is, and adds the sessions that the run's
// session may inherit from.
func (s *session) fillQuery(run *chainRun) error {
	query := &run.query
	query.Now, query.OneRun = s.now, s.flags.String("model")
	switch kind := s.flags.String("for"); kind {
	case "", "message":
	case "command":
		query.Command = true
	case "cron", "gmail-hook":
		query.Cron = &chain.CronPayload{Model: s.flags.String("cron-model"), Gmail: kind == "gmail-hook"}
		if s.flags.IsSet("cron-fallbacks") {
			query.Cron.Fallbacks = fields(s.flags.String("cron-fallbacks"))
		}
	case "heartbeat":
		query.Heartbeat = true
	case "subagent":
		query.Spawn = true
	default:
		return usage("--for is message, command, heartbeat, cron, gmail-hook or subagent, not %q", kind)
	}
	if run.session.Key == "" {
		return nil
	}
	query.Key, query.Sessions = run.session.Key, document.NewObject()
	query.Sessions.Set(run.session.Key, run.session.Entry)
	parents, err := run.store.Get(parentKeys(run.session)...)
	for key, parent := range parents {
		query.Sessions.Set(key, parent.Entry)
	}
	return err
}

// fields are the non-empty parts between commas, never nil.
func fields(text string) []string {
	parts := []string{}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// parentKeys are the sessions that a session may take its model from: the one
// that it names, and those whose thread it is.
func parentKeys(session state.Session) []string {
	var keys []string
	if parent := session.Entry.Text("parentSessionKey"); parent != "" {
		keys = append(keys, parent)
	}
	const thread = ":thread:"
	for i := range session.Key {
		if strings.HasPrefix(strings.ToLower(session.Key[i:]), thread) {
			keys = append(keys, session.Key[:i])
		}
	}
	return keys
}
