package traces

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"openclaw-auth/chain/history"
	"openclaw-auth/state"
	"openclaw-auth/state/internal/disk"
	"openclaw-auth/state/internal/sqlite"
)

// Past is a source of the past other than a log: a transcript, a trajectory, the
// runs of cron jobs, or those that a gateway has audited.
type Past struct {
	Kind    history.SourceKind
	Path    string
	Table   string // of a database
	Agent   string
	Session string // session id; empty: of many
	Key     string
	Begin   int64 // the time of its first record, Unix ms; 0: not known
	Mixed   bool  // its events come in any order: they can only be sorted once all are read

	read func(source *history.Source, talk history.Talk, yield func(*history.Event) bool) error
}

// Read yields the source's events. index is the source's place among all of
// them; source takes its lines, range and gaps.
func (p *Past) Read(index int, source *history.Source, yield func(*history.Event) bool) error {
	return p.read(source, history.Talk{Source: index, ID: p.Session, Key: p.Key, Agent: p.Agent}, yield)
}

// Query says which sources are asked for.
type Query struct {
	Session string // id of one session; empty: all
	Since   int64  // Unix ms: sources that were written last before are left out
}

// Find finds the transcripts and trajectories of an agent. Where a database can't
// be read, it returns the others with the error.
func Find(h *state.Home, config *state.Config, agent state.Agent, query Query) ([]Past, error) {
	var found []Past
	var err error
	store := h.Sessions(config, agent)
	dir := filepath.Dir(store.File())
	if state.RulesOf(h.Rules).Backend == state.BackendShared {
		dir = filepath.Join(h.StateDir, "agents", agent.ID, "sessions")
		found, err = databasePast(h, store.File(), agent, query)
	}
	found = append(found, filePast(h, dir, agent, query)...)
	slices.SortStableFunc(found, func(a, b Past) int { return cmp.Compare(a.Session, b.Session) })
	return found, err
}

// filePast lists the files of sessions in a directory.
func filePast(h *state.Home, dir string, agent state.Agent, query Query) []Past {
	entries, _ := h.FS.ReadDir(dir)
	var found []Past
	for _, entry := range entries {
		id, kind := sessionFile(entry.Name())
		if kind == "" || query.Session != "" && id != query.Session {
			continue
		}
		found = addFile(h, found, filepath.Join(dir, entry.Name()), kind, agent, id, query.Since)
	}
	if other := h.Variable("OPENCLAW_TRAJECTORY_DIR"); other != "" {
		entries, _ := h.FS.ReadDir(h.UserPath(other))
		for _, entry := range entries {
			id, ok := strings.CutSuffix(entry.Name(), ".jsonl")
			if ok && (query.Session == id || query.Session == "" && slices.ContainsFunc(found, func(p Past) bool { return p.Session == id })) {
				found = addFile(h, found, filepath.Join(h.UserPath(other), entry.Name()), history.SourceTrajectory, agent, id, query.Since)
			}
		}
	}
	return found
}

// sessionFile tells what a file of a sessions directory is: a transcript, also
// one that a reset or a deletion has put aside, or a trajectory.
func sessionFile(name string) (id string, kind history.SourceKind) {
	if id, ok := strings.CutSuffix(name, ".trajectory.jsonl"); ok {
		return id, history.SourceTrajectory
	}
	if id, ok := strings.CutSuffix(name, ".jsonl"); ok {
		return id, history.SourceTranscript
	}
	for _, mark := range []string{".jsonl.reset.", ".jsonl.deleted."} {
		if id, _, ok := strings.Cut(name, mark); ok {
			return id, history.SourceTranscript
		}
	}
	return "", ""
}

func addFile(h *state.Home, found []Past, path string, kind history.SourceKind, agent state.Agent, session string, since int64) []Past {
	info, err := h.FS.Stat(path)
	if err != nil || !info.Mode().IsRegular() || isOlder(info, since) {
		return found
	}
	readers := map[history.SourceKind]func(io.Reader, *history.Source, history.Talk, func(*history.Event) bool) error{
		history.SourceTranscript: history.ReadTranscript, history.SourceTrajectory: history.ReadTrajectory, history.SourceCron: history.ReadCron,
	}
	read := func(source *history.Source, talk history.Talk, yield func(*history.Event) bool) error {
		file, err := h.FS.Open(path)
		if err != nil {
			return disk.Fail(path, err)
		}
		defer file.Close()
		if err := readers[kind](file, source, talk, yield); err != nil {
			return disk.Fail(path, err)
		}
		return nil
	}
	past := Past{Kind: kind, Path: path, Agent: agent.ID, Session: session, read: read}
	if file, err := h.FS.Open(path); err == nil {
		past.Begin = history.Begin(file)
		file.Close()
	}
	return append(found, past)
}

// Shared finds what belongs to no agent's files: the runs of cron jobs, and the
// runs that a gateway has audited.
func Shared(h *state.Home, query Query) []Past {
	var found []Past
	dir := filepath.Join(h.StateDir, "cron", "runs")
	entries, _ := h.FS.ReadDir(dir)
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), ".jsonl") {
			found = addFile(h, found, filepath.Join(dir, entry.Name()), history.SourceCron, state.Agent{}, "", query.Since)
		}
	}
	return append(found, sharedPast(h, query)...)
}

// sessionKeys returns the keys of the sessions that an agent's database knows, by
// session id, also of those that a reset has ended.
func sessionKeys(h *state.Home, config *state.Config, agent state.Agent) (map[string]string, error) {
	keys := map[string]string{}
	if state.RulesOf(h.Rules).Backend != state.BackendShared {
		return keys, nil
	}
	database, err := h.OpenDatabase(h.Sessions(config, agent).File(), sqlite.AgentRole, agent.DatabaseOwner())
	if database == nil || err != nil {
		return keys, err
	}
	defer database.Close()
	err = database.Past("session_windows", "", func(row sqlite.PastRow) bool {
		keys[row.Session] = row.Key
		return true
	})
	if err != nil {
		return keys, fmt.Errorf("%s: %w", database.Path(), err)
	}
	return keys, nil
}
