package sqlite

import (
	"errors"
	"fmt"
	"strings"

	"openclaw-auth/auth/release"
)

// Role is what a database is for, as its schema_meta table says.
type Role string

// The roles of OpenClaw's databases.
const (
	AnyRole   Role = ""
	AgentRole Role = "agent"  // agents/<id>/agent/openclaw-agent.sqlite
	StateRole Role = "global" // state/openclaw.sqlite
)

// Schema is what a database says about itself.
type Schema struct {
	UserVersion int64  // PRAGMA user_version, the number of the schema
	Role        Role   // empty without a schema_meta row
	AgentID     string // the agent that it belongs to; empty for the state database
	AppVersion  string // the release that wrote it last; 2026.9 on, empty before
}

// Newest returns the newest schema of a role that this code reads, of any role
// for AnyRole.
func Newest(role Role) int64 {
	var newest int64
	for _, line := range release.Lines() {
		if role != StateRole {
			newest = max(newest, line.AgentSchema)
		}
		if role != AgentRole {
			newest = max(newest, line.StateSchema)
		}
	}
	return newest
}

// Schema returns what the database says about itself.
func (d *Database) Schema() Schema { return d.schema }

// readSchema reads the description. A database without one is not OpenClaw's or
// not set up yet: whoever asks for a table of it is told.
func (d *Database) readSchema() error {
	d.schema.UserVersion = d.snapshot.header.userVersion
	t, err := d.table("schema_meta")
	if errors.Is(err, MissingTable) {
		return nil
	}
	if err != nil {
		return err
	}
	columns := []string{"role", "agent_id", "app_version"}
	return d.snapshot.atOnce(func() error {
		return d.find(t, "meta_key", "primary", columns, func(values []value) (bool, error) {
			d.schema.Role, d.schema.AgentID, d.schema.AppVersion = Role(values[0].String()), values[1].String(), values[2].String()
			return false, nil
		})
	})
}

// checkSchema refuses a database that is not the one asked for.
func (d *Database) checkSchema(want Options) error {
	schema := d.schema
	if want.Role != AnyRole && schema.Role != AnyRole && want.Role != schema.Role {
		return fail(d.path, WrongRole, "is %s, expected %s", schema.Role.words(), want.Role.words())
	}
	if want.Agent != "" && schema.AgentID != "" && !strings.EqualFold(want.Agent, strings.TrimSpace(schema.AgentID)) {
		return fail(d.path, OtherAgent, "belongs to agent %q, expected %q", schema.AgentID, want.Agent)
	}
	role := schema.Role
	if role == AnyRole {
		role = want.Role
	}
	if newest := Newest(role); newest > 0 && schema.UserVersion > newest && !want.Force {
		return fail(d.path, NewerSchema, "has a newer schema: reads up to %d; this is %d", newest, schema.UserVersion)
	}
	return nil
}

func (r Role) words() string {
	switch r {
	case AgentRole:
		return "an agent's database"
	case StateRole:
		return "the state database"
	}
	return fmt.Sprintf("a database of role %q", string(r))
}
