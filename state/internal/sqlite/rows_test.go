package sqlite

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestRowOnlyInWAL(t *testing.T) {
	database := open(t, sample(t, agent71), Options{Role: AgentRole, Agent: "main"})
	rows, err := database.AuthRows()
	if err != nil {
		t.Fatal(err)
	}
	if !rows.Store.OK() || !json.Valid(rows.Store.JSON) || rows.Store.UpdatedAt == 0 {
		t.Errorf("store row: %+v", rows.Store)
	}
	var state struct {
		UsageStats map[string]struct{ CooldownUntil int64 }
	}
	if err := json.Unmarshal(rows.State.JSON, &state); err != nil {
		t.Fatal(err)
	}
	if state.UsageStats["anthropic:default"].CooldownUntil == 0 {
		t.Errorf("no cooldown in %s: the -wal was not read", rows.State.JSON)
	}
}

func TestSchemaOfSamples(t *testing.T) {
	for name, want := range map[string]Schema{
		agent71: {1, AgentRole, "main", ""},
		agent96: {23, AgentRole, "work", "2026.9.6"},
		state96: {18, StateRole, "", "2026.9.6"},
	} {
		if got := open(t, sample(t, name), Options{}).Schema(); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

func TestMachineState(t *testing.T) {
	database := open(t, sample(t, state96), Options{Role: StateRole})
	rows, err := database.MachineState("auth.sharedStore", "authProfiles.store", "absent")
	if err != nil {
		t.Fatal(err)
	}
	if got := string(rows["auth.sharedStore"].JSON); got != `{"location":"state-db"}` {
		t.Errorf("auth.sharedStore = %s", got)
	}
	if _, ok := rows["absent"]; ok || len(rows) != 2 {
		t.Errorf("%d rows, want 2", len(rows))
	}
	if !strings.Contains(string(rows["authProfiles.store"].JSON), `"profiles"`) {
		t.Errorf("authProfiles.store = %s", rows["authProfiles.store"].JSON)
	}
}

func TestAbsentRowsAreNotOK(t *testing.T) {
	database := open(t, create(t, authTables), Options{})
	rows, err := database.AuthRows()
	if err != nil || rows.Store.OK() || rows.State.OK() {
		t.Errorf("%+v, %v; want no rows and no error", rows, err)
	}
}

func TestEmptyTextIsARow(t *testing.T) {
	database := open(t, create(t, authTables+`INSERT INTO auth_profile_store VALUES ('primary', '', 7)`), Options{})
	rows, err := database.AuthRows()
	if err != nil || !rows.Store.OK() || rows.Store.UpdatedAt != 7 {
		t.Errorf("%+v, %v", rows, err)
	}
}
