package state

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"openclaw-auth/auth/document"
	"openclaw-auth/state/internal/disk"
	"openclaw-auth/state/internal/lock"
	"openclaw-auth/state/internal/sqlite"
	"openclaw-auth/state/internal/write"
)

// Migration is a whole home while it is being migrated: the documents of the
// configuration, of every store, of files of older releases and of sessions, as
// they stand at that moment. What a plan changes in them is written in one go:
// all of it or nothing.
type Migration struct {
	home     *Home
	config   *Config
	open     transactions
	clock    Clock
	now      time.Time // names of archives carry it; it is the same in every run of a plan
	names    map[string]string
	newUUID  func(of string) string
	stores   map[string]*migrated
	settings *configEdit
	sessions []*changedSessions
	ends     []write.Edit // records and archives, after the stores
}

// migrated is a store of a migration.
type migrated struct {
	place  storePlace
	loaded *loadedStore
	err    error
}

// Migrate changes a home as plan says. It runs plan several times, each time
// with the home as it is then: before anything is locked to see what is to be
// locked, and under the locks. Everything is written as a whole or not at all.
func (h *Home) Migrate(ctx context.Context, config *Config, plan func(m *Migration) error, options WriteOptions) (*Written, error) {
	j := write.Job{Options: options}
	open := transactions{}
	now, names := options.Clock.Now(), map[string]string{}
	newUUID := func(string) string { return randomUUID() }
	if at := options.Moment; at != nil {
		now, newUUID = at.Time, func(of string) string { return seededUUID(at.Seed, of) }
	}
	run := func() (*Migration, []write.Edit, error) {
		m := &Migration{home: h, config: config, open: open, clock: options.Clock, now: now, names: names, newUUID: newUUID, stores: map[string]*migrated{}}
		if err := plan(m); err != nil {
			return nil, nil, err
		}
		edits, err := m.edits()
		return m, edits, err
	}
	if err := h.writes().RecoverFirst(ctx, options); err != nil {
		return nil, err
	}
	first, edits, err := run()
	if err != nil || len(edits) == 0 {
		return &Written{}, err
	}
	held := first.holds(edits, &j)
	j.Plan = func() ([]write.Edit, error) {
		m, edits, err := run()
		if err != nil {
			return nil, err
		}
		for _, path := range m.holds(edits, &write.Job{Options: options}) {
			if !slices.Contains(held, path) {
				return nil, &disk.ChangedError{File: path, Problem: "has changed in the meantime"}
			}
		}
		return edits, nil
	}
	return h.run(ctx, j)
}

// Own is the store of its own that an agent has on the line, or would have.
func (m *Migration) Own(agent Agent) (*Stored, error) {
	return m.store("own "+agent.Dir, func() storePlace { return m.home.ownPlace(agent) })
}

// Shared is the store that all agents overlay; nil on lines and in homes that
// have none (before 2026.8.2, and until OpenClaw has moved it there).
func (m *Migration) Shared() (*Stored, error) {
	if RulesOf(m.home.Rules).Backend != BackendShared {
		return nil, nil
	}
	if shared, err := m.home.readShared(); shared == nil || err != nil {
		return nil, err
	}
	return m.store("shared", func() storePlace { return m.home.sharedDatabase() })
}

// Files is the store in the JSON files of an agent's directory, which lies
// beside a database where the line keeps its stores in those.
func (m *Migration) Files(agent Agent) (*Stored, error) {
	return m.store("files "+agent.Dir, func() storePlace { return jsonStore{m.home, agent.Dir} })
}

func (m *Migration) store(key string, place func() storePlace) (*Stored, error) {
	s, known := m.stores[key]
	if !known {
		s = &migrated{place: place()}
		if database, ok := s.place.(databaseStore); ok {
			database.open, database.clock = m.open, m.clock
			s.place = database
		}
		s.loaded, s.err = m.home.load(s.place)
		m.stores[key] = s
	}
	if s.err != nil {
		return nil, s.err
	}
	return s.loaded.Stored, nil
}

// Read reads a JSON file of an older release; nil where there is none.
func (m *Migration) Read(path string) (*document.Object, error) {
	return m.home.ReadObject(path)
}

// Config is the document of the configuration's own file, to be changed in
// place: variables as written, included files left out. It is nil where there
// is no configuration. A change of what an included file says is refused.
func (m *Migration) Config() (*document.Object, error) {
	if m.config == nil || !m.config.Exists {
		return nil, nil
	}
	if m.settings == nil {
		before, err := m.home.snapshot(m.config.Path)
		if err != nil {
			return nil, err
		}
		value, err := document.Parse(m.config.Path, document.WithoutMark(before.Data))
		doc, ok := value.(*document.Object)
		if err != nil || !ok {
			return nil, &FileError{File: m.config.Path, Message: "is no configuration that can be changed", Err: err}
		}
		m.settings = &configEdit{before: before, said: document.EncodeCompact(doc), doc: doc}
	}
	return m.settings.doc, nil
}

// Includes reports whether other files belong to the configuration.
func (m *Migration) Includes() bool { return m.config != nil && len(m.config.mounts) > 1 }

// configEdit is a configuration that is being changed.
type configEdit struct {
	before disk.Snapshot
	said   []byte // what the document was
	doc    *document.Object
}

// Move moves a file, which is closed to others by that, or a directory.
func (m *Migration) Move(from, to string) {
	m.ends = append(m.ends, write.Move(m.home.FS, from, to))
}

// Keep makes a copy of a file as it is, for its owner alone.
func (m *Migration) Keep(path, name string) error {
	before, err := m.home.snapshot(path)
	if err != nil {
		return err
	}
	copied := filepath.Join(filepath.Dir(path), name)
	m.ends = append(m.ends, &write.FileEdit{FS: m.home.FS, Before: disk.Snapshot{Path: copied}, After: before.Data})
	return nil
}

// Put gives a file a document of its own, for its owner alone.
func (m *Migration) Put(path string, doc *document.Object) error {
	before, err := m.home.snapshot(path)
	if err == nil {
		m.ends = append(m.ends, &write.FileEdit{FS: m.home.FS, Before: before, After: document.Encode(doc)})
	}
	return err
}

// Remove removes a file.
func (m *Migration) Remove(path string) error {
	before, err := m.home.snapshot(path)
	if err == nil && before.Data != nil {
		m.ends = append(m.ends, &write.FileEdit{FS: m.home.FS, Before: before})
	}
	return err
}

// Stamp is the time of the migration as archives are named: Unix ms up to
// 2026.7.1, afterwards "2026-11-29T21-47-24.056Z-" and a random UUID.
func (m *Migration) Stamp(path string) string {
	if RulesOf(m.home.Rules).Backend != BackendShared {
		return fmt.Sprint(m.now.UnixMilli())
	}
	if m.names[path] == "" {
		m.names[path] = strings.ReplaceAll(m.now.UTC().Format("2006-01-02T15:04:05.000Z"), ":", "-") + "-" + m.newUUID(path)
	}
	return m.names[path]
}

// randomUUID is a random UUID (RFC 9562, version 4).
func randomUUID() string {
	var b [16]byte
	rand.Read(b[:])
	return textUUID(b)
}

// seededUUID is a UUID in the same form that is always the same for a seed.
func seededUUID(seed, of string) string {
	sum := sha256.Sum256([]byte(seed + "\x00" + of))
	return textUUID([16]byte(sum[:16]))
}

func textUUID(b [16]byte) string {
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// record puts a row into a table of the state database.
func (m *Migration) record(cell sqlite.Cell, row *document.Object) error {
	store := m.home.sharedDatabase()
	store.open, store.clock = m.open, m.clock
	before, err := store.readCell(cell)
	if err == nil {
		m.ends = append(m.ends, &cellEdit{store: store, cell: cell, before: before.JSON, after: document.EncodeCompact(row)})
	}
	return err
}

// Recorded returns the profiles that a file brought when OpenClaw imported the
// same bytes from the same place before (2026.8.2+); nil if it has not.
func (m *Migration) Recorded(path string) ([]string, error) {
	if RulesOf(m.home.Rules).Backend != BackendShared {
		return nil, nil
	}
	source, err := m.home.snapshot(path)
	if err != nil || source.Data == nil {
		return nil, err
	}
	store := m.home.sharedDatabase()
	store.open = m.open
	row, err := store.readCell(sqlite.MigrationSource(recordKeyOf(source)))
	if err != nil || !row.OK() {
		return nil, err
	}
	record, err := rowDocument(store.path, "migration_sources", row)
	if err != nil || record.Text("status") != "completed" {
		return nil, err
	}
	report, err := document.ParseJSON(store.path, []byte(record.Text("report_json")))
	object, _ := report.(*document.Object)
	return object.Object("expectedProfileSha256").Keys(), err
}

// edits are what makes the home say what its documents say now. Stores come
// first, archives last: what is moved away is in its new place already.
func (m *Migration) edits() ([]write.Edit, error) {
	var edits []write.Edit
	keys := make([]string, 0, len(m.stores))
	for key := range m.stores {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		if s := m.stores[key]; s.err == nil && !m.isMoved(strings.TrimPrefix(key, "files ")) {
			edits = append(edits, s.loaded.edits()...)
		}
	}
	sessions, err := m.sessionEdits()
	if err != nil {
		return nil, err
	}
	edits = append(edits, sessions...)
	if m.settings != nil && !write.Same(m.settings.said, document.EncodeCompact(m.settings.doc)) {
		text, err := document.Patch(m.config.Path, document.WithoutMark(m.settings.before.Data), m.settings.doc)
		if err != nil {
			return nil, err
		}
		if mark := len(m.settings.before.Data) - len(document.WithoutMark(m.settings.before.Data)); mark > 0 {
			text = slices.Concat(m.settings.before.Data[:mark], text)
		}
		if !write.Same(text, m.settings.before.Data) {
			edits = append(edits, &write.FileEdit{FS: m.home.FS, Before: m.settings.before, After: text})
		}
	}
	return append(edits, m.ends...), nil
}

// isMoved reports whether the files of a store in a directory are moved away, as
// they are.
func (m *Migration) isMoved(dir string) bool {
	return slices.ContainsFunc(m.ends, func(end write.Edit) bool {
		move, ok := end.(*write.MoveEdit)
		return ok && (move.From == filepath.Join(dir, profilesName) || move.From == filepath.Join(dir, stateName))
	})
}

// holds adds to a job what must be held for the edits, and lists it.
func (m *Migration) holds(edits []write.Edit, j *write.Job) []string {
	var paths []string
	lock := func(path string, kind lock.Kind) {
		if !slices.Contains(paths, path) {
			paths = append(paths, path)
			j.Locks = append(j.Locks, write.LockedFile{Path: path, Kind: kind})
		}
	}
	for _, e := range edits {
		at := e.Location()
		file := at.File
		switch cell, ok := e.(*cellEdit); {
		case ok:
			if !slices.Contains(paths, file) {
				paths = append(paths, file)
				cell.store.join(j)
			}
		case at.Kind == write.KindSession || at.Kind == write.KindSessions || at.Kind == write.KindFile && filepath.Base(file) == "sessions.json":
			if RulesOf(m.home.Rules).SessionLock {
				lock(file, sessionLock)
			}
		case slices.Contains([]string{profilesName, stateName, legacyAuthName}, filepath.Base(file)):
			lock(filepath.Join(filepath.Dir(file), profilesName), storeLock(RulesOf(m.home.Rules)))
		}
	}
	return paths
}

// IsMissingStore reports whether an error says that there is no database that a
// store could be written into.
func IsMissingStore(err error) bool {
	return errors.Is(err, ErrNothingStored) || errors.Is(err, sqlite.Missing) || errors.Is(err, os.ErrNotExist)
}
