package sqlite

import (
	"fmt"
	"slices"
	"strings"
)

// table is where a table's rows are, and how to find one.
type table struct {
	name    string
	root    uint32
	columns []string          // as they are stored in each row
	indexes map[string]uint32 // the root of an index, by its first column
}

// entry is a row of sqlite_schema: a table or an index.
type entry struct {
	kind, name, table []byte
	root              uint32
	sql               []byte
}

// readCatalog reads sqlite_schema, whose root is the first page. empty reports
// that nothing was ever made in the database.
func (s *snapshot) readCatalog() (entries []entry, empty bool, err error) {
	empty = true
	err = s.walk(1).scan(1, func(payload []byte) (bool, error) {
		empty = false
		r, ok := parseRecord(payload)
		var values [5]value
		for i := 0; ok && i < len(values); i++ {
			values[i], _, ok = r.next()
		}
		if !ok {
			return false, s.damaged("its catalog of tables makes no sense")
		}
		if root := uint32(values[3].whole); root > 0 { // no view, trigger or virtual table
			entries = append(entries, entry{values[0].bytes, values[1].bytes, values[2].bytes, root, values[4].bytes})
		}
		return true, nil
	})
	return entries, empty, err
}

// table finds a table. One without row numbers (WITHOUT ROWID, which OpenClaw
// doesn't use) or a virtual one counts as missing.
func (d *Database) table(name string) (*table, error) {
	if d.snapshot == nil {
		return nil, fail(d.path, Unreadable, "is closed")
	}
	if t := d.tables[name]; t != nil {
		return t, nil
	}
	i := slices.IndexFunc(d.catalog, func(e entry) bool {
		return string(e.kind) == "table" && strings.EqualFold(string(e.name), name)
	})
	if i < 0 {
		return nil, fail(d.path, MissingTable, "has no table %s", name)
	}
	inside, after := definitions(string(d.catalog[i].sql))
	if after.has("WITHOUT", "ROWID") {
		return nil, fail(d.path, MissingTable, "has no table %s with row numbers", name)
	}
	t := &table{name: name, root: d.catalog[i].root, columns: storedColumns(inside), indexes: map[string]uint32{}}
	for _, e := range d.catalog {
		if string(e.kind) == "index" && strings.EqualFold(string(e.table), name) {
			if column, ok := firstKey(e, inside); ok {
				t.indexes[column] = e.root
			}
		}
	}
	d.tables[name] = t
	return t, nil
}

// storedColumns are the columns that a row has values for, in their order.
func storedColumns(inside []definition) (columns []string) {
	for _, d := range inside {
		computed := d.has("AS") && !d.has("STORED")
		if len(d) > 0 && !constraint(d) && !computed {
			columns = append(columns, strings.ToLower(d[0].text))
		}
	}
	return columns
}

// constraint reports that a definition is about the table, not about a column.
func constraint(d definition) bool {
	return slices.ContainsFunc([]string{"CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"}, d[0].is)
}

// firstKey returns the column that an index is sorted by, if it is sorted byte
// by byte, upwards, and knows all rows.
func firstKey(e entry, inside []definition) (column string, ok bool) {
	if string(e.name) == "sqlite_autoindex_"+string(e.table)+"_1" {
		return keyOfTable(inside)
	}
	keys, after := definitions(string(e.sql))
	if len(keys) == 0 || len(keys[0]) != 1 || after.has("WHERE") {
		return "", false
	}
	return strings.ToLower(keys[0][0].text), plain(keys[0][0].text, inside)
}

// keyOfTable finds the column of the index that SQLite makes first by itself:
// that of the first PRIMARY KEY or UNIQUE, if that belongs to a column.
func keyOfTable(inside []definition) (string, bool) {
	for _, d := range inside {
		primary := d.has("PRIMARY", "KEY")
		switch {
		case len(d) < 2 || !primary && !d.has("UNIQUE"):
			continue
		case constraint(d):
			return "", false
		case primary && d[1].is("INTEGER"):
			continue // the row's own number, without an index
		}
		return strings.ToLower(d[0].text), plain(d[0].text, inside) && !d.has("DESC")
	}
	return "", false
}

// plain reports that a column is compared byte by byte.
func plain(column string, inside []definition) bool {
	return slices.ContainsFunc(inside, func(d definition) bool {
		return len(d) > 0 && strings.EqualFold(d[0].text, column) && !constraint(d) && !d.has("COLLATE")
	})
}

// each calls use with the given columns of all rows, until it returns false.
func (d *Database) each(t *table, columns []string, use func([]value) (bool, error)) error {
	positions, err := d.positions(t, columns)
	if err != nil {
		return err
	}
	return d.snapshot.walk(1).scan(t.root, func(payload []byte) (bool, error) {
		values, err := d.values(t, payload, positions)
		if err != nil {
			return false, err
		}
		return use(values)
	})
}

// find calls use with the given columns of the rows whose column by is a text,
// until it returns false. It uses an index where there is one.
func (d *Database) find(t *table, by, key string, columns []string, use func([]value) (bool, error)) error {
	columns = append([]string{by}, columns...)
	root, ok := t.indexes[by]
	if !ok {
		return d.each(t, columns, func(values []value) (bool, error) {
			if compareText(values[0], []byte(key)) != 0 {
				return true, nil
			}
			return use(values[1:])
		})
	}
	positions, err := d.positions(t, columns)
	if err != nil {
		return err
	}
	way := d.snapshot.walk(maxDepth) // each of many rows of one key is a way down of its own
	return way.rowIDs(root, key, func(rowID int64) (bool, error) {
		payload, err := way.row(t.root, rowID)
		if err != nil {
			return false, err
		}
		values, err := d.values(t, payload, positions)
		if err != nil {
			return false, err
		}
		if compareText(values[0], []byte(key)) != 0 {
			return false, d.snapshot.damaged("an index of %s doesn't fit its rows", t.name)
		}
		return use(values[1:])
	})
}

// positions finds columns in the stored rows.
func (d *Database) positions(t *table, columns []string) ([]int, error) {
	positions := make([]int, len(columns))
	for i, column := range columns {
		if positions[i] = slices.Index(t.columns, column); positions[i] < 0 {
			return nil, fail(d.path, MissingTable, "has no column %s in table %s", column, t.name)
		}
	}
	return positions, nil
}

// values takes columns out of a row; those that it is too old for are null.
func (d *Database) values(t *table, payload []byte, positions []int) ([]value, error) {
	r, ok := parseRecord(payload)
	values := make([]value, len(positions))
	for position := 0; ok && position <= slices.Max(positions); position++ {
		var v value
		var more bool
		if v, more, ok = r.next(); !more {
			break
		}
		for i := range positions {
			if positions[i] == position {
				values[i] = v
			}
		}
	}
	if !ok {
		return nil, d.snapshot.damaged("a row of %s makes no sense", t.name)
	}
	return values, nil
}

// String is the value as text, for messages and for numbers in text columns.
func (v value) String() string {
	if v.kind == number {
		return fmt.Sprint(v.whole)
	}
	return string(v.bytes)
}
