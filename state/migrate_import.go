package state

import (
	"path/filepath"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/state/internal/disk"
	"openclaw-auth/state/internal/sqlite"
	"openclaw-auth/state/internal/write"
)

// ProfilesFile, StateFile and LegacyAuthFile are the files of an agent's
// directory that releases without a database keep its store in, or kept it in.
func (a Agent) ProfilesFile() string   { return filepath.Join(a.Dir, profilesName) }
func (a Agent) StateFile() string      { return filepath.Join(a.Dir, stateName) }
func (a Agent) LegacyAuthFile() string { return filepath.Join(a.Dir, legacyAuthName) }

// LegacyOAuthFile is the file that releases before stores kept logins in.
func (h *Home) LegacyOAuthFile() string { return filepath.Join(h.OAuthDir, oauthName) }

// ownsShared reports whether an agent's files are imported into the shared
// store on lines that have one: they are those of main.
func (m *Migration) ownsShared(agent Agent) bool {
	return RulesOf(m.home.Rules).Backend == BackendShared && agent.Dir == m.home.mainDir()
}

// Target is the store that OpenClaw's doctor imports an agent's files into: a
// database of the agent, the shared store for main. The error says that it is
// not there yet: OpenClaw makes its databases itself.
func (m *Migration) Target(agent Agent) (*Stored, error) {
	if !m.ownsShared(agent) {
		return m.Own(agent)
	}
	shared, err := m.Shared()
	if shared == nil && err == nil {
		err = &FileError{File: m.home.StateDatabase(), Message: "holds no shared store yet", Err: ErrNothingStored}
	}
	return shared, err
}

// Legacy reads a map of providers (auth.json, or an auth-profiles.json that is
// one) or oauth.json as the profiles that an import makes of it; nil where
// there is no such file. All members that a credential can have are kept, also
// those that OpenClaw's own import drops (idToken, up to 2026.7.1).
func (m *Migration) Legacy(kind PendingKind, path string) (*LegacyFile, error) {
	var pending *Pending
	var found *imports
	if kind == PendingOAuth {
		pending, found = m.home.legacyLogins(path)
	} else {
		pending, found = m.home.legacyMap(kind, path, auth.CredentialMembers)
	}
	if pending == nil {
		return nil, nil
	}
	if pending.Problem != nil {
		return nil, pending.Problem
	}
	file := m.home.legacyFile(pending, found)
	return &file, nil
}

// Dropped lists the members of a profile's entry that no credential has.
func (f *LegacyFile) Dropped(id string) []string { return f.dropped[id] }

// IsWhole reports whether the profiles are all that the file holds.
func (f *LegacyFile) IsWhole() bool {
	for id := range f.profiles.All() {
		if len(f.dropped[id]) > 0 {
			return false
		}
	}
	return len(f.Rejected) == 0
}

// Get returns a profile of the file; nil for none.
func (f *LegacyFile) Get(id string) *document.Object { return f.profiles.Object(id) }

// OpenSidecar puts the tokens of a login that are in an encrypted file of their
// own (2026.5.12, 5.28) into the login, and returns that file. The problem says
// why they are not available.
func (m *Migration) OpenSidecar(id string, credential *document.Object) (file string, problem *SidecarProblem) {
	ref := credential.Object("oauthRef")
	if problem := m.home.resolveSidecar(id, credential, ref); problem != nil {
		return problem.File, problem
	}
	return filepath.Join(m.home.OAuthDir, "auth-profiles", ref.Text("id")+".json"), nil
}

// Record is what the state database remembers of an imported file (2026.8.2+):
// without it, OpenClaw's doctor would import the same bytes once more when
// somebody puts them back.
type Record struct {
	Source   string // the file, where it was
	Archive  string // where it is now
	Target   *Stored
	Profiles []string // what the target has of the import, or had already; nil for a file of a state alone
	State    bool     // the target's state comes from it, or part of it
	Empty    bool     // there was nothing in it
	Count    int      // members of the file's document
}

// Remember stores records of imports. It comes last in a plan: it tells what
// the targets hold by then.
func (m *Migration) Remember(records []Record) error {
	for _, record := range records {
		if err := m.remember(record); err != nil {
			return err
		}
	}
	return nil
}

const (
	recordKind = "auth-profile-json-to-sqlite-v2"
	recordKey  = "auth-profile-v2:"
)

// recordKeyOf is the key of the record of a file: of its path and its bytes.
func recordKeyOf(source disk.Snapshot) string {
	return recordKey + write.HashOf([]byte(source.Path+"\x00"+write.HashOf(source.Data)))
}

func (m *Migration) remember(record Record) error {
	source, err := m.home.snapshot(record.Source)
	if err != nil {
		return err
	}
	key := recordKeyOf(source)
	if m.names[key] == "" {
		m.names[key] = key + ":" + m.newUUID(key)
	}
	report, table := record.report(), record.table()
	report.Set("archivePath", record.Archive)
	now := float64(m.now.UnixMilli())
	run := document.NewObject()
	run.Set("id", m.names[key])
	run.SetNumber("started_at", now)
	run.SetNumber("finished_at", now)
	run.Set("status", "completed")
	run.Set("report_json", string(document.EncodeCompact(report)))
	row := document.NewObject()
	row.Set("source_key", key)
	row.Set("migration_kind", recordKind)
	row.Set("source_path", record.Source)
	row.Set("target_table", table)
	row.Set("source_sha256", write.HashOf(source.Data))
	row.SetNumber("source_size_bytes", float64(len(source.Data)))
	row.SetNumber("source_record_count", float64(record.Count))
	row.Set("last_run_id", m.names[key])
	row.Set("status", record.status())
	row.SetNumber("imported_at", now)
	row.SetNumber("removed_source", 1)
	row.Set("report_json", run.Text("report_json"))
	if err := m.record(sqlite.MigrationRun(m.names[key]), run); err != nil {
		return err
	}
	return m.record(sqlite.MigrationSource(key), row)
}

// status is OpenClaw's name for how an import ended.
func (r *Record) status() string {
	if r.Empty {
		return "archived-unparsed"
	}
	return "completed"
}

// table is the name of the target's table as OpenClaw's records give it; that
// of the shared store is one of before it moved into config_machine_state.
func (r *Record) table() string {
	switch {
	case r.Profiles == nil && r.State:
		return "auth_profile_state"
	case r.isShared():
		return "auth_profile_stores"
	}
	return "auth_profile_store"
}

func (r *Record) isShared() bool { return filepath.Base(r.Target.file) != agentDatabase }

// report is what the record says about the import; hashes are those of the texts
// that the target stores.
func (r *Record) report() *document.Object {
	report := document.NewObject()
	report.Set("format", recordKind)
	report.Set("archivePath", "")
	report.Set("targetDatabasePath", r.Target.file)
	report.Set("targetTable", r.table())
	report.Set("targetStoreKey", "primary")
	if r.isShared() {
		report.Set("targetStoreKey", "shared")
	}
	if r.Profiles != nil && !r.Empty {
		hashes := document.NewObject()
		for _, id := range r.Profiles {
			if profile := r.Target.Profiles.Object(id); profile != nil {
				hashes.Set(id, write.HashOf(document.EncodeCompact(profile)))
			}
		}
		report.Set("expectedProfileSha256", hashes)
	}
	if doc := r.Target.stateDocument(); r.State && doc != nil {
		report.Set("expectedStateSha256", write.HashOf(document.EncodeCompact(doc)))
	}
	report.Set("completionStatus", r.status())
	return report
}
