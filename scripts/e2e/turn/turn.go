// Package turn holds recorded turns of the real OpenClaw, with what it had
// loaded before each, and asks the engine for the same turns.
package turn

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain"
)

// Turn is a request that a running OpenClaw answered while providers failed in
// a known way.
type Turn struct {
	Release string `json:"release"`
	Via     string `json:"via"` // local and http: the agent command; chat: the reply path of channels
	ID      string `json:"id"`
	Turn    int    `json:"turn"` // from 1, among the turns of the same id
	Title   string `json:"title"`

	// What it had loaded, at Now (Unix ms).
	Now       int64           `json:"now"`
	Agent     string          `json:"agent"`
	Process   string          `json:"process,omitempty"` // turns of one ran one after the other in a process; "" for any
	Config    json.RawMessage `json:"config"`
	Profiles  json.RawMessage `json:"profiles"`
	Order     json.RawMessage `json:"order"`
	LastGood  json.RawMessage `json:"lastGood"`
	Usage     json.RawMessage `json:"usageStats"`
	Inherited []string        `json:"inherited,omitempty"` // profiles of the main agent's store
	Main      []string        `json:"main,omitempty"`      // all profiles of the main agent's store; none: not known
	Session   string          `json:"session,omitempty"`   // key; "" for a new session
	Entry     json.RawMessage `json:"entry,omitempty"`     // the session's, before

	Fail []string `json:"fail,omitempty"` // patterns of chain simulate

	// What it did.
	Requests []Request                  `json:"requests"`
	Outcome  Outcome                    `json:"outcome"`
	After    map[string]json.RawMessage `json:"usageAfter"` // usage entries that changed
	Stale    bool                       `json:"stale,omitempty"`
	Note     string                     `json:"note,omitempty"`
}

// Request is one or more requests in a row with the same profile.
type Request struct {
	Provider, Model, Profile, Result string
	Times                            int
}

// Outcome is how the turn ended: with the model that answered, or an error of
// which not everything may be known.
type Outcome struct {
	Winner string `json:"winner,omitempty"`
	Error  *Error `json:"error,omitempty"`
}

// Error is what is known of a turn's error; what is empty is not.
type Error struct {
	Name   string      `json:"name,omitempty"`
	Reason auth.Reason `json:"reason,omitempty"`
	Text   string      `json:"text,omitempty"`
}

// UnmarshalJSON reads [provider, model, profile, result, times].
func (r *Request) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&r.Provider, &r.Model, &r.Profile, &r.Result, &r.Times})
}

// MarshalJSON writes what UnmarshalJSON reads.
func (r Request) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{r.Provider, r.Model, r.Profile, r.Result, r.Times})
}

// Read reads a file of turns, one JSON document a line, gzipped or not.
func Read(path string) ([]Turn, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var reader io.Reader = file
	if strings.HasSuffix(path, ".gz") {
		if reader, err = gzip.NewReader(file); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	var turns []Turn
	decoder := json.NewDecoder(bufio.NewReader(reader))
	for {
		var turn Turn
		if err := decoder.Decode(&turn); err == io.EOF {
			return turns, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s, turn %d: %w", path, len(turns)+1, err)
		}
		turns = append(turns, turn)
	}
}

// Memories are what processes remember of the turns that they have run.
type Memories map[string]*chain.Memory

// Of returns what the turn's process remembers of its agent's earlier turns; nil
// where it is not known which process that was.
func (m Memories) Of(t *Turn) *chain.Memory {
	if t.Process == "" {
		return nil
	}
	key := t.Release + " " + t.Process + " " + t.Agent
	if m[key] == nil {
		m[key] = &chain.Memory{}
	}
	return m[key]
}

// Name is RELEASE-VIA/ID.TURN.
func (t *Turn) Name() string { return fmt.Sprintf("%s-%s/%s.%d", t.Release, t.Via, t.ID, t.Turn) }

// Ask asks the engine for the turn. memory is what the process remembers of the
// agent's turns before; nil for a process just started.
func (t *Turn) Ask(memory *chain.Memory) (*chain.RunResult, error) {
	rules, err := auth.RulesFor(t.Release)
	if err != nil {
		return nil, err
	}
	documents := map[string]*document.Object{}
	for name, data := range map[string]json.RawMessage{
		"config": t.Config, "profiles": t.Profiles, "order": t.Order, "lastGood": t.LastGood, "usageStats": t.Usage, "entry": t.Entry,
	} {
		if len(data) == 0 {
			continue
		}
		value, err := document.ParseJSON(t.Name()+" "+name, data)
		if err != nil {
			return nil, err
		}
		documents[name], _ = value.(*document.Object)
	}
	models := &chain.Models{Rules: rules, Config: auth.NewConfig(documents["config"]), Agent: t.Agent}
	inherited := map[auth.ProfileID]bool{}
	for _, id := range t.Inherited {
		inherited[auth.ProfileID(id)] = true
	}
	query := chain.SimulateQuery{
		Now: t.Now, Memory: memory,
		Profiles: &auth.Profiles{
			Rules: rules, Config: models.Config, Inherited: func(id auth.ProfileID) bool { return inherited[id] },
			InMain: func(id auth.ProfileID) bool { return t.Main == nil || slices.Contains(t.Main, string(id)) },
			Store: &auth.Store{
				Profiles: documents["profiles"], Order: documents["order"], LastGood: documents["lastGood"], UsageStats: documents["usageStats"],
			},
		},
	}
	query.Session.Command = t.Via != "chat"
	if t.Session != "" {
		query.Session.Key, query.Session.Sessions = t.Session, document.NewObject()
		query.Session.Sessions.Set(t.Session, documents["entry"])
	}
	for _, text := range t.Fail {
		pattern, err := chain.ParsePattern(text)
		if err != nil {
			return nil, err
		}
		query.Patterns = append(query.Patterns, pattern)
	}
	return models.Simulate(query)
}
