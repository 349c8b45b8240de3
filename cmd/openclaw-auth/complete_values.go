package main

import (
	"slices"
	"strings"
	"time"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/doctor"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// values are the names of a kind, with what there is to say about each: those
// of the home where it can be read, nil where it can't or for another kind.
// The kinds are the words that help uses for values.
func (s *session) values(kind string) []value {
	switch kind {
	case "AGENT":
		return s.agentValues()
	case "PROVIDER":
		return s.providerValues()
	case "PROFILE":
		return s.profileValues()
	case "SESSION":
		return s.sessionValues()
	case "MODEL":
		return s.modelValues()
	case "CHECK":
		return checkValues()
	case "REASON":
		return reasonValues()
	case "RELEASE":
		return releaseValues()
	case "TERM":
		return termValues()
	case "SCHEMA":
		return valuesOf(schemaNames())
	case "BACKUP":
		return s.backupValues()
	}
	return nil
}

// valuesOf are names that say all there is to say.
func valuesOf(names []string) []value {
	values := make([]value, len(names))
	for i, name := range names {
		values[i] = value{text: name}
	}
	return values
}

func namesOf(values []value) []string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = v.text
	}
	return names
}

// opened opens the home unless it is open; it reports whether there is one.
func (s *session) opened() bool {
	return s.flags != nil && (s.home != nil && s.config != nil || s.open() == nil)
}

func (s *session) agentValues() []value {
	if !s.opened() {
		return nil
	}
	var values []value
	for i, agent := range s.home.Agents(s.config) {
		about := "agent"
		if i == 0 {
			about = "the default agent"
		}
		values = append(values, value{agent.ID, about})
	}
	return values
}

// loadedQuietly is the agent's profiles; nil where they can't be read.
func (s *session) loadedQuietly() *loaded {
	if !s.opened() {
		return nil
	}
	agent, err := s.agent()
	if err != nil {
		return nil
	}
	l, err := s.loadAgent(agent)
	if err != nil {
		return nil
	}
	return l
}

func (s *session) providerValues() []value {
	l := s.loadedQuietly()
	if l == nil {
		return nil
	}
	var values []value
	for _, provider := range s.providers(l) {
		ordering := l.engine.Order(auth.OrderQuery{Provider: provider, Now: s.now})
		values = append(values, value{string(shownID(auth.ProfileID(provider))), words.Count(len(ordering.Order), "profile")})
	}
	return values
}

func (s *session) profileValues() []value {
	l := s.loadedQuietly()
	if l == nil {
		return nil
	}
	var values []value
	for _, id := range l.Store.Profiles.Keys() {
		placement := l.engine.Inspect(auth.ProfileID(id), l.providerOf(s, id), "", s.now)
		values = append(values, value{id, placement.Type + ", " + string(placement.State)})
	}
	return slices.DeleteFunc(values, func(v value) bool { return auth.MaskID(v.text) != v.text })
}

// longEnough bounds how long a store of sessions is read for a completion.
const longEnough = 20 * time.Millisecond

func (s *session) sessionValues() []value {
	if !s.opened() {
		return nil
	}
	var values []value
	until := time.Now().Add(longEnough)
	agents := s.home.Agents(s.config)
	if s.flags.String("agent") != "" {
		agent, err := s.agent()
		if err != nil {
			return nil
		}
		agents = []state.Agent{agent}
	}
	for _, agent := range agents {
		s.home.Sessions(s.config, agent).Each(func(session state.Session) bool {
			values = append(values, value{session.Key, "written " + s.clock.Distance(session.UpdatedAt())})
			return time.Now().Before(until)
		})
	}
	return values
}

// modelValues are the models that the configuration names, as PROVIDER/MODEL.
func (s *session) modelValues() []value {
	if !s.opened() {
		return nil
	}
	config := s.config.Document()
	defaults := config.Object("agents").Object("defaults")
	owners := []*document.Object{defaults}
	for _, agent := range s.home.Agents(s.config) {
		owners = append(owners, agent.Entry)
	}
	var names []string
	for _, owner := range owners {
		model, _ := owner.Get("model")
		names = append(names, modelReferences(model)...)
	}
	names = append(names, defaults.Object("models").Keys()...)
	for provider, configured := range config.Object("models").Object("providers").All() {
		entry, _ := configured.(*document.Object)
		list, _ := entry.Get("models")
		models, _ := list.([]any)
		for _, model := range models {
			if m, ok := model.(*document.Object); ok && m.Text("id") != "" {
				names = append(names, provider+"/"+m.Text("id"))
			}
		}
	}
	var values []value
	for _, name := range names {
		if strings.Contains(name, "/") && !slices.Contains(namesOf(values), name) {
			values = append(values, value{name, "configured"})
		}
	}
	return values
}

func checkValues() []value {
	var values []value
	for _, check := range doctor.Checks() {
		if group, _, found := strings.Cut(check.ID, "/"); found && !slices.Contains(namesOf(values), group) {
			values = append(values, value{group, "all checks of this group"})
		}
		values = append(values, value{check.ID, check.Title})
	}
	return values
}

func reasonValues() []value {
	var values []value
	for _, reason := range auth.Reasons() {
		values = append(values, value{string(reason), ""})
	}
	return values
}

func releaseValues() []value {
	var values []value
	for _, rules := range auth.Lines() {
		values = append(values, value{rules.Line, "release line"})
	}
	return values
}

func (s *session) backupValues() []value {
	if !s.opened() {
		return nil
	}
	backups, err := s.home.Backups()
	if err != nil {
		return nil
	}
	var values []value
	for _, backup := range backups {
		values = append(values, value{backup.ID, backup.Why})
	}
	return values
}
