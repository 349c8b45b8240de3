package state_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"openclaw-auth/state/internal/sqlite"
)

// agentSchema is as much of an agent's database as matters here. The tables are
// those of OpenClaw; its others are not read.
const agentSchema = `
PRAGMA journal_mode = WAL;
CREATE TABLE schema_meta(meta_key TEXT NOT NULL PRIMARY KEY, role TEXT NOT NULL, schema_version INTEGER NOT NULL, agent_id TEXT, app_version TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
INSERT INTO schema_meta VALUES('primary', 'agent', 1, 'main', NULL, 1, 1);
CREATE TABLE auth_profile_store(store_key TEXT NOT NULL PRIMARY KEY, store_json TEXT NOT NULL, updated_at INTEGER NOT NULL);
CREATE TABLE auth_profile_state(state_key TEXT NOT NULL PRIMARY KEY, state_json TEXT NOT NULL, updated_at INTEGER NOT NULL);
PRAGMA user_version = 1;
`

// putRows makes a database with the rows, or changes the rows of one.
func putRows(t *testing.T, path string, rows map[string]string) {
	t.Helper()
	fresh := !exists(path)
	connection, err := sqlite3.Open("file:" + filepath.ToSlash(path))
	if err == nil && fresh {
		err = connection.Exec(agentSchema)
	}
	if err == nil {
		err = connection.Exec("DELETE FROM auth_profile_store; DELETE FROM auth_profile_state;")
	}
	for name, text := range rows {
		if err != nil {
			break
		}
		table := map[string]string{"store": "auth_profile_store", "state": "auth_profile_state"}[name]
		err = connection.Exec("INSERT INTO " + table + " VALUES('primary', " + sqlite3.Quote(text) + ", 1)")
	}
	if err := errors.Join(err, connection.Close()); err != nil {
		t.Fatal(err)
	}
}

// getRows returns the rows of a database.
func getRows(t *testing.T, path string) map[string]string {
	t.Helper()
	database, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	found, err := database.AuthRows()
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	if found.Store.OK() {
		rows["store"] = string(found.Store.JSON)
	}
	if found.State.OK() {
		rows["state"] = string(found.State.JSON)
	}
	return rows
}
