package sqlite

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// table is where a table's rows are, and how to find one.
type table struct {
	name    string
	root    uint32
	columns []column          // as they are stored in each row
	indexes map[string]uint32 // the root of an index, by its first column
}

// entry is a row of sqlite_schema: a table or an index. Its SQL is read when it
// is asked for: a database has hundreds of entries, and few are.
type entry struct {
	table string // its name, for an index that of its table
	rowID int64
	root  uint32
	index bool
	auto  bool // the first index that SQLite made by itself
}

// catalogRoot is the root of sqlite_schema.
const catalogRoot = 1

// usualEntries is room for what OpenClaw's databases have: up to 330 entries.
const usualEntries = 512

// readCatalog reads sqlite_schema. empty reports that nothing was ever made in
// the database.
func (s *snapshot) readCatalog() (entries []entry, empty bool, err error) {
	empty = true
	entries = make([]entry, 0, usualEntries)
	table := "" // of the entry before; most indexes follow their table
	var values catalogRow
	err = s.atOnce(func() error {
		return s.walk(1).scan(catalogRoot, func(rowID int64, payload []byte) (bool, error) {
			empty = false
			if err := s.parseCatalogRow(payload, &values); err != nil {
				return false, err
			}
			root := uint32(values[3].whole)
			if root == 0 { // a view, trigger or virtual table
				return true, nil
			}
			if table != string(values[2].bytes) {
				table = string(values[2].bytes)
			}
			e := entry{table: table, rowID: rowID, root: root}
			if e.index = string(values[0].bytes) == "index"; e.index {
				number, made := bytes.CutPrefix(values[1].bytes, []byte("sqlite_autoindex_"))
				e.auto = made && string(number) == e.table+"_1"
			}
			entries = append(entries, e)
			return true, nil
		})
	})
	return entries, empty, err
}

// catalogRow has the columns type, name, tbl_name, rootpage and sql.
type catalogRow [5]value

func (s *snapshot) parseCatalogRow(payload []byte, values *catalogRow) error {
	r, ok := parseRecord(payload)
	for i := 0; ok && i < len(values); i++ {
		values[i], _, ok = r.next()
	}
	if !ok {
		return s.damaged("its catalog of tables makes no sense")
	}
	return nil
}

// sql reads the statement that made a table or an index.
func (s *snapshot) sql(e entry) (sql string, err error) {
	var values catalogRow
	err = s.atOnce(func() error {
		return s.walk(1).row(catalogRoot, e.rowID, func(payload []byte) error {
			err := s.parseCatalogRow(payload, &values)
			sql = string(values[4].bytes)
			return err
		})
	})
	return sql, err
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
		return !e.index && strings.EqualFold(e.table, name)
	})
	if i < 0 {
		return nil, fail(d.path, MissingTable, "has no table %s", name)
	}
	sql, err := d.snapshot.sql(d.catalog[i])
	if err != nil {
		return nil, err
	}
	inside, after := definitions(sql)
	if after.has("WITHOUT", "ROWID") {
		return nil, fail(d.path, MissingTable, "has no table %s with row numbers", name)
	}
	t := &table{name: name, root: d.catalog[i].root, columns: columnsOf(inside, after.has("STRICT")), indexes: map[string]uint32{}}
	for _, e := range d.catalog {
		if !e.index || !strings.EqualFold(e.table, name) {
			continue
		}
		column, ok, err := d.firstKey(e, inside)
		if err != nil {
			return nil, err
		}
		if ok && t.stores(column) { // one of computed values is of no use without them
			t.indexes[column] = e.root
		}
	}
	d.tables[name] = t
	return t, nil
}

// constraint reports that a definition is about the table, not about a column.
func constraint(d definition) bool {
	return slices.ContainsFunc([]string{"CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"}, d[0].is)
}

// firstKey returns the column that an index is sorted by, if it is sorted byte
// by byte, upwards, and knows all rows.
func (d *Database) firstKey(e entry, inside []definition) (column string, ok bool, err error) {
	if e.auto {
		column, ok = keyOfTable(inside)
		return column, ok, nil
	}
	sql, err := d.snapshot.sql(e)
	if err != nil {
		return "", false, err
	}
	keys, after := definitions(sql)
	if len(keys) == 0 || len(keys[0]) != 1 || after.has("WHERE") {
		return "", false, nil
	}
	return lower(keys[0][0].text), plain(keys[0][0].text, inside), nil
}

// keyOfTable finds the column of the index that SQLite makes first by itself:
// that of the first PRIMARY KEY or UNIQUE, if that belongs to a column, or the
// first column of a key of several.
func keyOfTable(inside []definition) (string, bool) {
	alias := aliasOfRowID(inside)
	for _, d := range inside {
		top := d.top()
		switch {
		case len(d) < 2 || !top.has("PRIMARY", "KEY") && !top.has("UNIQUE"):
			continue
		case constraint(d):
			if top.has("CONFLICT") || !d[0].is("PRIMARY") || len(d) < 6 || !d[2].is("(") || !d[4].is(",") {
				return "", false
			}
			return lower(d[3].text), plain(d[3].text, inside)
		case lower(d[0].text) == alias && !top.has("UNIQUE"):
			continue // the row's own number, without an index
		}
		return lower(d[0].text), plain(d[0].text, inside) && !top.has("DESC")
	}
	return "", false
}

// plain reports that a column is compared byte by byte.
func plain(column string, inside []definition) bool {
	return slices.ContainsFunc(inside, func(d definition) bool {
		return len(d) > 0 && lower(d[0].text) == lower(column) && !constraint(d) && !d.top().has("COLLATE")
	})
}

// each calls use with the given columns of all rows, until it returns false.
func (d *Database) each(t *table, columns []string, use func([]value) (bool, error)) error {
	positions, err := d.positions(t, columns)
	if err != nil {
		return err
	}
	return d.snapshot.walk(1).scan(t.root, func(rowID int64, payload []byte) (bool, error) {
		values, err := d.values(t, rowID, payload, positions)
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
	return way.rowIDs(root, key, func(rowID int64) (more bool, err error) {
		err = way.row(t.root, rowID, func(payload []byte) error {
			values, err := d.values(t, rowID, payload, positions)
			if err != nil {
				return err
			}
			if compareText(values[0], []byte(key)) != 0 {
				return d.snapshot.damaged("an index of %s doesn't fit its rows", t.name)
			}
			more, err = use(values[1:])
			return err
		})
		return more && err == nil, err
	})
}

func (t *table) stores(name string) bool {
	return slices.ContainsFunc(t.columns, func(c column) bool { return c.name == name })
}

// positions finds columns in the stored rows.
func (d *Database) positions(t *table, names []string) ([]int, error) {
	positions := make([]int, len(names))
	for i, name := range names {
		if positions[i] = slices.IndexFunc(t.columns, func(c column) bool { return c.name == name }); positions[i] < 0 {
			return nil, fail(d.path, MissingTable, "has no column %s in table %s", name, t.name)
		}
	}
	return positions, nil
}

// values takes columns out of a row; those that it is too old for have their defaults.
func (d *Database) values(t *table, rowID int64, payload []byte, positions []int) ([]value, error) {
	r, ok := parseRecord(payload)
	values := make([]value, len(positions))
	stored := 0
	for ; ok && stored <= slices.Max(positions); stored++ {
		var v value
		var more bool
		if v, more, ok = r.next(); !more {
			break
		}
		for i := range positions {
			if positions[i] == stored {
				values[i] = v
			}
		}
	}
	if !ok {
		return nil, d.snapshot.damaged("a row of %s makes no sense", t.name)
	}
	for i, position := range positions {
		switch c := t.columns[position]; {
		case c.rowID:
			values[i] = value{kind: number, whole: rowID}
		case position < stored:
		case c.unknown:
			return nil, fail(d.path, Unsupported, "has rows without the column %s of table %s, whose default is not understood", c.name, t.name)
		default:
			values[i] = c.missing
		}
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
