package sqlite

import (
	"maps"
	"slices"
	"testing"
)

func TestDefinitions(t *testing.T) {
	for sql, want := range map[string][]string{
		"CREATE TABLE t (a, b TEXT)":                                                {"a", "b"},
		"CREATE TABLE t(a TEXT CHECK (a IN ('x', ',(', ')')),b)STRICT":              {"a", "b"},
		"CREATE TABLE t (\"a \"\"b\", [c d], `e`, 'f', \"check\" INT)":              {`a "b`, "c d", "e", "f", "check"},
		"CREATE TABLE t (a, -- b,\n/* c, */ d, PRIMARY KEY (a, d))":                 {"a", "d"},
		"CREATE TABLE t (a, b AS (a * 2), c AS (a) STORED, CHECK (a > 0))":          {"a", "c"},
		"CREATE TABLE t (a, CONSTRAINT k UNIQUE (a), FOREIGN KEY (a) REFERENCES u)": {"a"},
		"CREATE TABLE t (A, Ünïcode, \"\")":                                         {"a", "Ünïcode", ""},
		"CREATE TABLE t (":                                                          nil,
		"CREATE TABLE t (a, b":                                                      {"a"},
		"":                                                                          nil,
		"'":                                                                         nil,
	} {
		inside, _ := definitions(sql)
		var got []string
		for _, column := range columnsOf(inside, false) {
			got = append(got, column.name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: columns %q, want %q", sql, got, want)
		}
	}
}

// An index is used only when it finds what a look at every row would find.
func TestIndexesThatAreUsed(t *testing.T) {
	for script, want := range map[string][]string{
		"CREATE TABLE t (k TEXT PRIMARY KEY)":                                        {"k"},
		"CREATE TABLE t (n INTEGER PRIMARY KEY, k TEXT UNIQUE)":                      {"k"},
		"CREATE TABLE t (k TEXT PRIMARY KEY COLLATE NOCASE)":                         nil,
		"CREATE TABLE t (k TEXT PRIMARY KEY DESC)":                                   nil,
		"CREATE TABLE t (k TEXT, j TEXT, PRIMARY KEY (k, j))":                        {"k"},
		"CREATE TABLE t (k TEXT, j TEXT, PRIMARY KEY (k DESC, j))":                   nil,
		"CREATE TABLE t (k TEXT, j TEXT, PRIMARY KEY (k COLLATE NOCASE, j))":         nil,
		"CREATE TABLE t (k TEXT COLLATE NOCASE, j TEXT, PRIMARY KEY (k, j))":         nil,
		"CREATE TABLE t (k TEXT, j TEXT, UNIQUE (j, k), PRIMARY KEY (k, j))":         nil,
		"CREATE TABLE t (k TEXT); CREATE INDEX i ON t(k)":                            {"k"},
		"CREATE TABLE t (k TEXT, j TEXT); CREATE UNIQUE INDEX i ON t(\"K\", j DESC)": {"k"},
		"CREATE TABLE t (k TEXT); CREATE INDEX i ON t(k DESC)":                       nil,
		"CREATE TABLE t (k TEXT); CREATE INDEX i ON t(k COLLATE NOCASE)":             nil,
		"CREATE TABLE t (k TEXT COLLATE NOCASE); CREATE INDEX i ON t(k)":             nil,
		"CREATE TABLE t (k TEXT); CREATE INDEX i ON t(k) WHERE k > 'm'":              nil,
		"CREATE TABLE t (k TEXT); CREATE INDEX i ON t(lower(k))":                     nil,
	} {
		path := create(t, script+"; INSERT INTO t (k) VALUES ('a'), ('b'), ('z')")
		database := open(t, path, Options{})
		table, err := database.table("t")
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Sorted(maps.Keys(table.indexes)); !slices.Equal(got, want) {
			t.Errorf("%s: indexes on %q, want %q", script, got, want)
		}
		found := 0
		err = database.find(table, "k", "a", []string{"k"}, func([]value) (bool, error) { found++; return true, nil })
		if err != nil || found != 1 {
			t.Errorf("%s: %d rows, %v", script, found, err)
		}
	}
}
