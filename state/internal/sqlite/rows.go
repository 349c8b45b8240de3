package sqlite

// Row is one stored JSON text.
type Row struct {
	JSON      []byte // as stored, unparsed; nil when there is no such row
	UpdatedAt int64  // Unix milliseconds; 0 when there is no such row
}

// OK reports whether the row exists.
func (r Row) OK() bool { return r.JSON != nil }

// AuthRows are the two rows of an agent's database that hold its profiles and
// their state. Either may be absent: OpenClaw deletes the state row when it has
// nothing to say.
type AuthRows struct {
	Store Row // auth_profile_store: {"version":1,"profiles":{…}}
	State Row // auth_profile_state: {"version":1,"order":…,"lastGood":…,"usageStats":…}
}

// AuthRows returns the rows of an agent's database, 2026.6.11 and later. A
// database without these tables is a MissingTable error: OpenClaw never makes
// an agent's database without them.
func (d *Database) AuthRows() (AuthRows, error) {
	var rows AuthRows
	var err error
	if rows.Store, err = d.row("auth_profile_store", "store_key", "primary", "store_json", "updated_at"); err != nil {
		return AuthRows{}, err
	}
	if rows.State, err = d.row("auth_profile_state", "state_key", "primary", "state_json", "updated_at"); err != nil {
		return AuthRows{}, err
	}
	return rows, nil
}

// MachineState returns the rows of config_machine_state with these keys, by
// key; keys without a row are left out. The table is in the state database from
// 2026.8 on (keys auth.sharedStore, authProfiles.store, authProfiles.state,
// config.lastTouchedAt); before, asking is a MissingTable error.
func (d *Database) MachineState(keys ...string) (map[string]Row, error) {
	rows := make(map[string]Row, len(keys))
	for _, key := range keys {
		row, err := d.row("config_machine_state", "state_key", key, "value_json", "updated_at_ms")
		if err != nil {
			return nil, err
		}
		if row.OK() {
			rows[key] = row
		}
	}
	return rows, nil
}

// row reads a JSON text and its time; of several rows the first.
func (d *Database) row(name, by, key string, columns ...string) (found Row, err error) {
	t, err := d.table(name)
	if err != nil {
		return Row{}, err
	}
	err = d.snapshot.atOnce(func() error {
		return d.find(t, by, key, columns, func(values []value) (bool, error) {
			found = Row{JSON: values[0].json(), UpdatedAt: values[1].whole}
			return false, nil
		})
	})
	return found, err
}

// json is a copy of a text, whose page may be large; it is never nil.
func (v value) json() []byte {
	if v.kind == number {
		return []byte(v.String())
	}
	return append([]byte{}, v.bytes...)
}

// StoredSecret returns a secret of the state database that belongs to all
// (2026.8.2+), and whether there is one.
func (d *Database) StoredSecret(name string) (secret string, found bool, err error) {
	t, err := d.table("secret_store_entries")
	if err != nil {
		return "", false, err
	}
	columns := []string{"scope_id", "name", "deleted_at_ms", "value"}
	err = d.snapshot.atOnce(func() error {
		return d.find(t, "scope_kind", "team", columns, func(values []value) (bool, error) {
			if values[0].String() != "" || values[1].String() != name || values[2].kind != null {
				return true, nil
			}
			secret, found = values[3].String(), true
			return false, nil
		})
	})
	return secret, found, err
}
