package chain

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"openclaw-auth/auth/document"
	"openclaw-auth/chain/lines"
)

// CronPayload is what a scheduled job says about its model. Hooks run as jobs
// too: a mapped hook's model is a payload's, and the Gmail hook has its own.
type CronPayload struct {
	Model     string   // "" leaves the choice to the agent
	Fallbacks []string // nil: none given; an empty list makes the job strict
	Gmail     bool     // the job is the Gmail hook's
}

// selectCron finds the model of a scheduled job. It has nothing to do with the
// way of a session: a model for sub-agents, the Gmail hook's, the payload's and
// the session's override each replace the ones before it where the allowlist
// has them. A payload's model outside the allowlist is an error of the job, and
// nothing runs.
func (s *selecting) selectCron() (Selection, error) {
	cron := s.query.Cron
	primary, _ := s.m.primary()
	s.refer(primary)
	if name, at, own := s.m.spawnModel(); name != "" {
		source := SourceSubagent
		if own {
			source = SourceAgent
		}
		s.take(name, source, at)
	}
	hooked := cron.Gmail && s.takeHook()
	switch name := document.Trim(cron.Model); {
	case name != "":
		if err := s.take(name, SourceCron, ""); err != nil {
			return Selection{Default: s.fallback}, s.m.rejection(name, err)
		}
	case !hooked && text(s.entry, modelOverride) != "":
		provider := text(s.entry, providerOverride)
		if provider == "" {
			provider = s.fallback.Provider
		}
		if s.take(provider+"/"+text(s.entry, modelOverride), SourceSession, "") == nil {
			s.out.Profile = ""
		}
	}
	s.finish()
	return s.out, nil
}

// errNotAllowed wraps the key of a model that the allowlist does not have.
type errNotAllowed string

func (e errNotAllowed) Error() string { return "model not allowed: " + string(e) }

// take points the run at a model, if it can be read and the allowlist has it.
func (s *selecting) take(name string, source Source, at string) error {
	provider := s.fallback.Provider
	if !strings.Contains(name, "/") {
		if inferred, ok := s.m.infer(name, provider); ok {
			provider = inferred
		}
	}
	ref, _, ok := s.m.Resolve(name, provider)
	if !ok {
		return errors.New("invalid model: " + name)
	}
	return s.takeRef(ref, name, source, at)
}

func (s *selecting) takeRef(ref Ref, name string, source Source, at string) error {
	if !s.allow.allows(ref) {
		return errNotAllowed(ref.Key())
	}
	s.current, s.out.Resolved = ref, true
	s.out.Source, s.out.At = source, at
	s.refer(name)
	return nil
}

// takeHook points the run of the Gmail hook at the model that is configured
// for it.
func (s *selecting) takeHook() bool {
	name := text(s.m.Config.Document().Object("hooks").Object("gmail"), "model")
	ref, _, ok := s.m.Resolve(name, string(s.m.refs().DefaultProvider))
	return ok && s.takeRef(ref, name, SourceHook, "/hooks/gmail/model") == nil
}

// rejection is the error of a job whose payload names a model that it may not run.
func (m *Models) rejection(name string, err error) error {
	rules := &lines.Of(m.Rules).Selection
	what := "cron payload.model"
	if rules.KeyOwner {
		what = "automation model override"
	}
	key, notAllowed := err.(errNotAllowed)
	if !notAllowed {
		return fmt.Errorf("%s '%s' rejected: %w", what, name, err)
	}
	if !rules.CronLists {
		return fmt.Errorf("%s '%s' rejected by agents.defaults.models allowlist: %s", what, name, string(key))
	}
	allow := m.allowlist()
	listed, place := allow.texts, "agents.defaults.models allowlist"
	if rules.Policy {
		place = allow.source
	}
	slices.Sort(listed)
	if len(listed) == 0 {
		listed = []string{"(none configured)"}
	}
	return fmt.Errorf("%s '%s' rejected by %s: %s is not in [%s]", what, name, place, string(key), strings.Join(listed, ", "))
}

// cronFallbacks is the list of a scheduled job: its payload's before all
// others, then (2026.7.1+) that of the model for sub-agents which it runs.
func (s *selecting) cronFallbacks(own []Written, why FallbackReason) ([]Written, FallbackReason) {
	cron, rules := s.query.Cron, &lines.Of(s.m.Rules).Selection
	if cron.Fallbacks != nil {
		list := make([]Written, len(cron.Fallbacks))
		for i, text := range cron.Fallbacks {
			list[i] = Written{Text: text}
		}
		return list, FallbacksCron
	}
	if document.Trim(cron.Model) != "" {
		if rules.CronInherits {
			return s.inherited(own, why)
		}
		return own, why
	}
	if !rules.CronSubagents {
		return own, why
	}
	if s.out.Source == SourceSubagent {
		if list := s.m.chosenSubagentFallbacks(); list != nil {
			return list, FallbacksSubagent
		}
	}
	if list := s.m.DefaultFallbacks(); len(list) > 0 && s.m.repeatsPrimary() && (s.out.Source == SourceAgent || s.out.Source == "") {
		return list, FallbacksInherited
	}
	return own, why
}

// chosenSubagentFallbacks returns the fallbacks beside the model for sub-agents
// that a job runs: the agent's own list, else that of the place which decided.
func (m *Models) chosenSubagentFallbacks() []Written {
	entry, at := m.agentEntry()
	if list := listBeside(place{value: member(entry.Object("subagents"), "model"), at: at + "/subagents/model"}); list != nil {
		return list
	}
	for _, place := range m.spawnPlaces() {
		if primaryOf(place.value) != "" {
			return listBeside(place)
		}
	}
	return nil
}

// listBeside returns the fallbacks of a model value: an empty list where it
// names a model alone, nil where it says nothing.
func listBeside(place place) []Written {
	if list, ok := fallbacksOf(place.value); ok {
		return written(list, place.at+"/fallbacks")
	}
	if primaryOf(place.value) != "" {
		return []Written{}
	}
	return nil
}

// repeatsPrimary reports whether the agent's model is a text that names the
// defaults' primary once more.
func (m *Models) repeatsPrimary() bool {
	value, _ := m.agentModel()
	name, isText := value.(string)
	return isText && document.Trim(name) != "" && document.Trim(name) == m.DefaultsPrimary()
}
