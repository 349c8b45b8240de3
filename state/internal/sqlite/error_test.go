package sqlite

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// failed opens and reads, and returns the first error.
func failed(path string, options Options) error {
	database, err := Open(path, options)
	if err != nil {
		return err
	}
	defer database.Close()
	_, err = database.AuthRows()
	return err
}

func TestErrors(t *testing.T) {
	text := []byte("profiles: none\n")
	for name, test := range map[string]struct {
		make    func(t *testing.T) string
		options Options
		kind    Kind
		text    string
	}{
		"missing":        {func(t *testing.T) string { return filepath.Join(t.TempDir(), "no.sqlite") }, Options{}, Missing, "no such file"},
		"folder missing": {func(t *testing.T) string { return filepath.Join(t.TempDir(), "no", "no.sqlite") }, Options{}, Missing, "no such file"},
		"folder":         {func(t *testing.T) string { return t.TempDir() }, Options{}, Unreadable, "is a directory"},
		"zero bytes":     {content(nil), Options{}, Empty, "is zero bytes long"},
		"text":           {content(text), Options{}, NotDatabase, "is not a SQLite database"},
		"cut magic":      {content([]byte(magic[:9])), Options{}, Corrupt, "is truncated after 9 bytes"},
		"state's":        {sampled(state96), Options{Role: AgentRole}, WrongRole, "is the state database, expected an agent's database"},
		"agent's":        {sampled(agent96), Options{Role: StateRole}, WrongRole, "is an agent's database, expected the state database"},
		"other agent's":  {sampled(agent96), Options{Agent: "main"}, OtherAgent, `belongs to agent "work", expected "main"`},
		"newer agent's":  {scripted(authTables + "PRAGMA user_version=24"), Options{}, NewerSchema, "reads up to 23; this is 24"},
		"newer state's": {scripted(authTables + "UPDATE schema_meta SET role='global'; PRAGMA user_version=19"), Options{}, NewerSchema,
			"reads up to 18; this is 19"},
		"newer, role asked": {scripted("CREATE TABLE t (x); PRAGMA user_version=19"), Options{Role: StateRole}, NewerSchema, "reads up to 18; this is 19"},
		"unknown role":      {scripted(authTables + "UPDATE schema_meta SET role='x'"), Options{Role: AgentRole}, WrongRole, `a database of role "x"`},
		"no table":          {scripted("CREATE TABLE t (x)"), Options{}, MissingTable, "has no table auth_profile_store"},
		"no state table":    {scripted(authTables + "DROP TABLE auth_profile_state"), Options{}, MissingTable, "has no table auth_profile_state"},
		"no column":         {scripted(authTables + "ALTER TABLE auth_profile_store DROP COLUMN updated_at"), Options{}, MissingTable, "has no column updated_at in table auth_profile_store"},
		"a view":            {scripted("CREATE VIEW auth_profile_store AS SELECT 1 AS store_json"), Options{}, MissingTable, "has no table auth_profile_store"},
		"utf-16":            {scripted("PRAGMA encoding='UTF-16'; CREATE TABLE t (x)"), Options{}, Unreadable, "UTF-16"},
		"no tables, no -wal": {func(t *testing.T) string {
			return write0(t, filepath.Join(t.TempDir(), "a.sqlite"), emptyWALDatabase(t))
		}, Options{}, MissingWAL, "holds no tables and has no -wal file"},
		"hot journal": {hotJournal, Options{}, Unfinished, "start OpenClaw once"},
	} {
		t.Run(name, func(t *testing.T) {
			path := test.make(t)
			check(t, failed(path, test.options), test.kind, path, test.text)
		})
	}
}

func content(data []byte) func(*testing.T) string {
	return func(t *testing.T) string { return write0(t, filepath.Join(t.TempDir(), "a.sqlite"), data) }
}

func sampled(name string) func(*testing.T) string {
	return func(t *testing.T) string { return sample(t, name) }
}

func scripted(script string) func(*testing.T) string {
	return func(t *testing.T) string { return create(t, script) }
}

func write0(t *testing.T, path string, data []byte) string {
	write(t, path, data)
	return path
}

// emptyWALDatabase is the first page of a database whose tables are still in
// the -wal: what a copy without it looks like.
func emptyWALDatabase(t *testing.T) []byte {
	path := filepath.Join(t.TempDir(), "young.sqlite")
	execute(t, writer(t, path), authTables)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) != 4096 {
		t.Fatalf("%d bytes, want one page", len(data))
	}
	return data
}

// hotJournal is a database in rollback mode whose writer crashed.
func hotJournal(t *testing.T) string {
	path := create(t, twoRows+"PRAGMA journal_mode=delete")
	connection, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	execute(t, connection, "PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN; UPDATE auth_profile_store SET updated_at=1")
	journal, err := os.ReadFile(path + "-journal")
	if err != nil {
		t.Fatal(err)
	}
	if copied := binary.BigEndian.Uint32(journal[8:]); journal[0] == 0 && copied == 0 {
		copy(journal, "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7") // synced, as before the first page is overwritten
	}
	other := filepath.Join(t.TempDir(), "crashed.sqlite")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, other, data)
	write(t, other+"-journal", journal)
	return other
}

func TestMissingIsNotExist(t *testing.T) {
	if err := failed(filepath.Join(t.TempDir(), "no"), Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v is not fs.ErrNotExist", err)
	}
}

func TestForceReadsNewer(t *testing.T) {
	path := create(t, twoRows+"PRAGMA user_version=99")
	if err := failed(path, Options{Force: true}); err != nil {
		t.Error(err)
	}
}

func TestBusy(t *testing.T) {
	path := create(t, twoRows)
	gateway := start(t, path)
	gateway.run("PRAGMA locking_mode=exclusive")
	gateway.run("UPDATE auth_profile_store SET updated_at=1")
	for _, timeout := range []time.Duration{-1, 100 * time.Millisecond} {
		begun := time.Now()
		check(t, failed(path, Options{BusyTimeout: timeout}), Busy, path, "is locked by another process")
		if took := time.Since(begun); took < timeout || took > timeout+time.Second {
			t.Errorf("waited %v, want %v", took, timeout)
		}
	}
}

// In rollback mode a reader and a writer exclude each other at the commit only.
func TestRollbackMode(t *testing.T) {
	path := create(t, twoRows+"PRAGMA journal_mode=delete")
	gateway := start(t, path)
	gateway.run("PRAGMA journal_mode=delete")
	gateway.run("BEGIN IMMEDIATE")
	gateway.run("UPDATE auth_profile_store SET updated_at=1")
	if got := storeTime(t, path, -1); got != 0 {
		t.Errorf("updated_at = %d before the commit", got)
	}
	gateway.run("COMMIT")
	if got := storeTime(t, path, -1); got != 1 {
		t.Errorf("updated_at = %d after the commit", got)
	}
}

func TestLostWAL(t *testing.T) {
	path := create(t, twoRows)
	gateway := writer(t, path)
	execute(t, gateway, "UPDATE auth_profile_store SET updated_at=1")
	other := filepath.Join(t.TempDir(), "copy.sqlite")
	for _, suffix := range []string{"", "-shm"} {
		data, err := os.ReadFile(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		write(t, other+suffix, data)
	}
	check(t, failed(other, Options{}), MissingWAL, other, "has lost its -wal file")
	write(t, other+"-wal", nil)
	check(t, failed(other, Options{}), MissingWAL, other, "has lost its -wal file")
}

// A copy without -shm is complete: the -wal says all.
func TestCopyWithWAL(t *testing.T) {
	path := create(t, twoRows)
	execute(t, writer(t, path), "UPDATE auth_profile_store SET updated_at=5")
	other := filepath.Join(t.TempDir(), "copy.sqlite")
	for _, suffix := range []string{"", "-wal"} {
		data, err := os.ReadFile(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		write(t, other+suffix, data)
	}
	if got := storeTime(t, other, -1); got != 5 {
		t.Errorf("updated_at = %d, want that of the -wal", got)
	}
}

func TestTruncated(t *testing.T) {
	for _, name := range []string{agent71, agent96} {
		path := sample(t, name)
		os.Remove(path + "-wal")
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for size := 1; size < len(whole); size += 1 + len(whole)/256 {
			write(t, path, whole[:size])
			check(t, failed(path, Options{}), Corrupt, path, "is truncated")
		}
	}
}

// A -wal that is cut off is as good as its last whole commit.
func TestTruncatedWAL(t *testing.T) {
	path := create(t, twoRows)
	gateway := writer(t, path)
	for n := 1; n <= 5; n++ {
		execute(t, gateway, stormScript(n))
	}
	data, _ := os.ReadFile(path)
	wal, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "copy.sqlite")
	write(t, other, data)
	for size := 0; size <= len(wal); size += 997 {
		write(t, other+"-wal", wal[:size])
		rows, err := readBoth(other)
		if err != nil {
			t.Fatal(err)
		}
		if n := rows.Store.UpdatedAt; n != rows.State.UpdatedAt || n > 0 && !whole(rows.Store, n) {
			t.Fatalf("-wal of %d bytes: torn", size)
		}
	}
}

func TestClosed(t *testing.T) {
	path := create(t, twoRows)
	database := open(t, path, Options{})
	if err := errors.Join(database.Close(), database.Close()); err != nil {
		t.Fatal(err)
	}
	_, err := database.AuthRows()
	check(t, err, Unreadable, path, "is closed")
}
