package repair

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"openclaw-auth/auth/document"
	"openclaw-auth/doctor"
	"openclaw-auth/doctor/internal/lines"
	"openclaw-auth/doctor/internal/mask"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// moveDirectories moves what lies in the directories of releases with a single
// agent to the default agent's (cases legacy-agent-dir, legacy-sessions-dir).
// What both have stays where it is: OpenClaw renames the old directory instead,
// and nothing reads it then.
func moveDirectories(ctx context.Context, query doctor.Query, findings []doctor.Finding, options state.WriteOptions) Fixed {
	if !slices.ContainsFunc(findings, func(f doctor.Finding) bool { return f.Check == doctor.IDLegacyStateDir && f.Code == "one_agent" }) {
		return Fixed{}
	}
	agent, err := state.FindAgent(query.Home.Agents(query.Config), "")
	if err != nil || query.Agent != "" && query.Agent != agent.ID {
		return Fixed{}
	}
	if pid := query.Home.Gateway(); pid > 0 {
		return Fixed{Left: []string{gatewayText(pid)}}
	}
	g := &migration{Query: query, rules: query.Home.Rules, line: lines.Of(query.Home.Rules)}
	written, err := query.Home.Migrate(ctx, query.Config, func(m *state.Migration) error {
		g.m, g.notes, g.left = m, nil, nil
		g.moveAgentFiles(agent)
		return g.moveSessions(agent)
	}, options)
	return Fixed{Written: written, Err: err, Notes: g.notes.texts(), Left: g.left.texts()}
}

func gatewayText(pid int) string {
	return fmt.Sprintf("nothing is migrated while a gateway runs (process %d): it would write over it what it has loaded; stop it first", pid)
}

func (g *migration) moveAgentFiles(agent state.Agent) {
	from := filepath.Join(g.Home.StateDir, "agent")
	entries, _ := g.Home.FS.ReadDir(from)
	for _, entry := range entries {
		switch {
		case strings.HasSuffix(entry.Name(), ".lock"): // also the one that is held meanwhile
			continue
		case strings.Contains(entry.Name(), ".sqlite"):
			g.leave(agent.ID, "%s stays in %s: databases are moved by OpenClaw alone", entry.Name(), from)
			continue
		}
		g.moveEntry(filepath.Join(from, entry.Name()), filepath.Join(agent.Dir, entry.Name()), agent.ID)
	}
}

// moveSessions moves the sessions of a release with a single agent: their keys
// get the agent's prefix, of two with one key the later one counts. On lines
// that keep sessions in databases that is left to OpenClaw.
func (g *migration) moveSessions(agent state.Agent) error {
	from := filepath.Join(g.Home.StateDir, "sessions")
	if g.hasSessionRows() {
		if entries, _ := g.Home.FS.ReadDir(from); len(entries) > 0 {
			g.leave(agent.ID, "the sessions in %s are left to openclaw doctor --fix, which moves them into the database", from)
		}
		return nil
	}
	to := filepath.Join(g.Home.StateDir, "agents", agent.ID, "sessions")
	entries, _ := g.Home.FS.ReadDir(from)
	for _, entry := range entries {
		if entry.Name() != sessionsName {
			g.moveEntry(filepath.Join(from, entry.Name()), filepath.Join(to, entry.Name()), agent.ID)
		}
	}
	old, err := g.m.Read(filepath.Join(from, sessionsName))
	if old == nil || err != nil {
		return err
	}
	file := filepath.Join(to, sessionsName)
	sessions, err := g.m.Read(file)
	if err != nil {
		return err
	}
	if sessions == nil {
		sessions = document.NewObject()
	}
	for key, value := range old.All() {
		entry, _ := value.(*document.Object)
		if entry.Text("sessionId") == "" {
			g.note(agent.ID, "the session %s is dropped: it names no transcript", mask.Key(key))
			continue
		}
		key = sessionKey(key, agent.ID, g.Config.Document().Object("session").Text("mainKey"))
		if isOlder(entry, sessions.Object(key)) {
			g.note(agent.ID, "the session %s is dropped: there is a later one", mask.Key(key))
			continue
		}
		sessions.Set(key, renamedRoom(entry))
	}
	g.note(agent.ID, "%s moved to the default agent's", words.Count(old.Len(), "session"))
	if err := g.m.Put(file, sessions); err != nil {
		return err
	}
	return g.m.Remove(filepath.Join(from, sessionsName))
}

const sessionsName = "sessions.json"

// moveEntry moves a file or a directory unless there is one of that name.
func (g *migration) moveEntry(from, to, agent string) {
	if _, err := g.Home.FS.Lstat(to); err == nil {
		g.leave(agent, "%s stays: the agent has one of that name, compare the two", from)
		return
	}
	g.m.Move(from, to)
}

// isOlder reports whether a session was written before the one that there is,
// or at the same time.
func isOlder(session, other *document.Object) bool {
	at, _ := session.Number("updatedAt")
	otherAt, _ := other.Number("updatedAt")
	return other != nil && at <= otherAt
}

// sessionKey is the key of a session of a release with a single agent as later
// ones spell it.
func sessionKey(key, agent, main string) string {
	key = strings.ToLower(strings.TrimSpace(key))
	if main = strings.ToLower(strings.TrimSpace(main)); main == "" {
		main = "main"
	}
	switch {
	case strings.HasPrefix(key, "agent:"):
		return key
	case key == "main" || key == main:
		return "agent:" + agent + ":" + main
	case strings.HasPrefix(key, "group:"):
		return "agent:" + agent + ":unknown:" + key
	}
	return "agent:" + agent + ":" + key
}

// renamedRoom is an entry whose room is its groupChannel.
func renamedRoom(entry *document.Object) *document.Object {
	renamed := document.NewObject()
	for name, value := range entry.All() {
		if name == "room" && !entry.Has("groupChannel") {
			name = "groupChannel"
		}
		renamed.Set(name, value)
	}
	return renamed
}
