package sqlite

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"
)

// The sample databases are those that OpenClaw itself wrote; the one of 2026.7.1
// has a commit that is only in its -wal.
const (
	agent71 = "2026.7.1-agent.sqlite"
	agent96 = "2026.9.6-agent.sqlite"
	state96 = "2026.9.6-state.sqlite"
)

// sample unpacks a database, and its -wal if it has one, into a folder of its
// own with the modes that OpenClaw gives them.
func sample(t testing.TB, name string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "agent")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "openclaw.sqlite")
	for _, suffix := range []string{"", "-wal"} {
		data, err := unpack(filepath.Join("testdata", name+suffix+".gz"))
		if errors.Is(err, os.ErrNotExist) && suffix != "" {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		write(t, path+suffix, data)
	}
	return path
}

func unpack(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// The tables as the releases make them, without what isn't read here.
const (
	authTables = `
		CREATE TABLE auth_profile_store (store_key TEXT NOT NULL PRIMARY KEY, store_json TEXT NOT NULL, updated_at INTEGER NOT NULL);
		CREATE TABLE auth_profile_state (state_key TEXT NOT NULL PRIMARY KEY, state_json TEXT NOT NULL, updated_at INTEGER NOT NULL);
		CREATE TABLE schema_meta (meta_key TEXT NOT NULL PRIMARY KEY, role TEXT NOT NULL, schema_version INTEGER NOT NULL,
			agent_id TEXT, app_version TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
		INSERT INTO schema_meta VALUES ('primary', 'agent', 23, 'main', '2026.9.6', 1, 1);
		PRAGMA user_version = 23;`
	sessionTable = `
		CREATE TABLE session_nodes (session_key TEXT NOT NULL PRIMARY KEY, current_session_id TEXT NOT NULL, entry_json TEXT NOT NULL,
			entry_valid INTEGER NOT NULL DEFAULT 0, updated_at INTEGER NOT NULL) STRICT;
		CREATE INDEX idx_agent_session_nodes_current_session_id ON session_nodes(current_session_id);`
)

// create makes a database in WAL mode and closes it: no -wal stays.
func create(t testing.TB, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "openclaw-agent.sqlite")
	connection := writer(t, path)
	execute(t, connection, script)
	if err := connection.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// writer opens a database as OpenClaw does.
func writer(t testing.TB, path string) *sqlite3.Conn {
	t.Helper()
	connection, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	execute(t, connection, "PRAGMA journal_mode=wal; PRAGMA synchronous=normal; PRAGMA busy_timeout=5000")
	return connection
}

func execute(t testing.TB, connection *sqlite3.Conn, script string) {
	t.Helper()
	if err := connection.Exec(script); err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, path string, options Options) *Database {
	t.Helper()
	database, err := Open(path, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { database.Close() })
	return database
}

// check expects an error of a kind: one line, the path and a text in it.
func check(t *testing.T, err error, kind Kind, path, text string) {
	t.Helper()
	own, ok := errors.AsType[*Error](err)
	if !ok || own.Kind != kind || !errors.Is(err, kind) {
		t.Fatalf("error %v, want one of kind %q", err, kind)
	}
	line := err.Error()
	if !strings.HasPrefix(line, path+": ") || !strings.Contains(line, text) {
		t.Errorf("error %q, want %q and %q in it", line, path, text)
	}
	if strings.Contains(line, "\n") || strings.HasSuffix(line, ".") {
		t.Errorf("error %q is not one plain line", line)
	}
}
