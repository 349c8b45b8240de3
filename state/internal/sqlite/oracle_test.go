package sqlite

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"
)

// compare reads every table of a database both ways. SQLite gets a copy, for it
// changes what it reads.
func compare(t *testing.T, path string) {
	t.Helper()
	oracle := copied(t, path)
	database := open(t, path, Options{Force: true})
	for _, name := range query(t, oracle, "SELECT name FROM sqlite_schema WHERE type='table' AND rootpage>0") {
		table, err := database.table(name[0])
		if err != nil {
			if strings.Contains(err.Error(), "row numbers") {
				continue // WITHOUT ROWID: the insides of full-text search
			}
			t.Fatal(err)
		}
		columns := query(t, oracle, fmt.Sprintf("SELECT lower(name) FROM pragma_table_xinfo('%s') WHERE hidden<>2", name[0]))
		if want, got := flat(columns), names(table); !slices.Equal(got, want) {
			t.Errorf("%s: columns %v, want %v", name[0], got, want)
			continue
		}
		compareRows(t, database, oracle, table)
		compareKeys(t, database, oracle, table)
	}
}

func compareRows(t *testing.T, database *Database, oracle *sqlite3.Conn, table *table) {
	t.Helper()
	want := query(t, oracle, fmt.Sprintf("SELECT %s FROM %q ORDER BY rowid", quoted(table), table.name))
	var got [][]string
	err := database.each(table, names(table), func(values []value) (bool, error) {
		got = append(got, texts(values))
		return true, nil
	})
	if unsupported(err) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(got, want, slices.Equal[[]string]) {
		t.Errorf("%s: %d rows differ from SQLite's %d: %.300q, want %.300q", table.name, len(got), len(want), got, want)
	}
}

// quoted lists the columns. Floats are truncated here.
func quoted(table *table) string {
	columns := names(table)
	for i, column := range columns {
		column = `"` + strings.ReplaceAll(column, `"`, `""`) + `"`
		columns[i] = fmt.Sprintf("iif(typeof(%[1]s)='real', CAST(%[1]s AS INTEGER), %[1]s)", column)
	}
	return strings.Join(columns, ", ")
}

func names(table *table) (names []string) {
	for _, column := range table.columns {
		names = append(names, column.name)
	}
	return names
}

// compareKeys looks a few rows up by each index that is used here.
func compareKeys(t *testing.T, database *Database, oracle *sqlite3.Conn, table *table) {
	t.Helper()
	for column := range maps.Keys(table.indexes) {
		keys := query(t, oracle, fmt.Sprintf("SELECT DISTINCT %q FROM %q WHERE typeof(%q)='text' ORDER BY random() LIMIT 50", column, table.name, column))
		for _, key := range append(keys, []string{""}, []string{"absent"}, []string{"~"}) {
			want := query(t, oracle, fmt.Sprintf("SELECT count(*) FROM %q WHERE %q = ?1", table.name, column), key[0])[0][0]
			got := 0
			err := database.find(table, column, key[0], []string{column}, func([]value) (bool, error) { got++; return true, nil })
			if unsupported(err) {
				return
			}
			if err != nil || fmt.Sprint(got) != want {
				t.Fatalf("%s.%s = %q: %d rows, want %s; %v", table.name, column, key[0], got, want, err)
			}
		}
	}
}

// copied opens a copy of a database and its -wal with SQLite.
func copied(t *testing.T, path string) *sqlite3.Conn {
	t.Helper()
	other := filepath.Join(t.TempDir(), "oracle.sqlite")
	for _, suffix := range []string{"", "-wal"} {
		if data, err := os.ReadFile(path + suffix); err == nil {
			write(t, other+suffix, data)
		}
	}
	return writer(t, other)
}

func query(t testing.TB, connection *sqlite3.Conn, sql string, values ...string) (rows [][]string) {
	t.Helper()
	statement, _, err := connection.Prepare(sql)
	if err != nil {
		t.Fatal(err)
	}
	defer statement.Close()
	for i, value := range values {
		if err := statement.BindText(i+1, value); err != nil {
			t.Fatal(err)
		}
	}
	for statement.Step() {
		row := make([]string, statement.ColumnCount())
		for i := range row {
			row[i] = string(statement.ColumnRawBlob(i))
		}
		rows = append(rows, row)
	}
	if err := statement.Err(); err != nil {
		t.Fatalf("%v: %s", err, sql)
	}
	return rows
}

func flat(rows [][]string) (columns []string) {
	for _, row := range rows {
		columns = append(columns, row[0])
	}
	return columns
}

func texts(values []value) []string {
	row := make([]string, len(values))
	for i, value := range values {
		row[i] = value.String()
	}
	return row
}

func TestSamplesAsSQLiteReadsThem(t *testing.T) {
	for _, name := range []string{agent71, agent96, state96} {
		t.Run(name, func(t *testing.T) { compare(t, sample(t, name)) })
	}
}

// Databases of all page sizes, with rows from empty to many pages, changed
// often, half of it in the -wal.
func TestRandomAsSQLiteReadsThem(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, pageSize := range []int{512, 1024, 4096, 16384, 65536} {
		t.Run(fmt.Sprint(pageSize), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "random.sqlite")
			connection, err := sqlite3.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer connection.Close()
			execute(t, connection, fmt.Sprintf(`PRAGMA page_size=%d; PRAGMA auto_vacuum=%d; PRAGMA journal_mode=wal; PRAGMA wal_autocheckpoint=0;
				CREATE TABLE t ("the key" TEXT NOT NULL /* UNIQUE */ PRIMARY KEY, [by] TEXT -- indexed
				, number INTEGER CHECK (number IN (0, 1) OR number > 1 OR number < 0), real REAL DEFAULT (1.5),
				double AS (number * 2), late BLOB, CONSTRAINT c UNIQUE (number, "the key"));
				CREATE INDEX t_by ON t([by]); CREATE INDEX t_part ON t(late) WHERE late IS NOT NULL;
				ALTER TABLE t ADD COLUMN later TEXT;`, pageSize, random.IntN(3)))
			for round := range 4 {
				randomRows(t, connection, random, 300)
				if round == 1 {
					execute(t, connection, "PRAGMA wal_checkpoint(FULL)")
				}
			}
			compare(t, path)
		})
	}
}

func randomRows(t *testing.T, connection *sqlite3.Conn, random *rand.Rand, count int) {
	execute(t, connection, "BEGIN")
	for range count {
		size := []int{0, 3, 40, 300, 5000}[random.IntN(5)]
		key := strings.Repeat("k", random.IntN(1+size/4)) + fmt.Sprint(random.IntN(500))
		execute(t, connection, fmt.Sprintf("INSERT OR REPLACE INTO t ([the key], [by], number, real, late) VALUES ('%s', %s, %d, %d.25, x'%x')",
			key, []string{"NULL", "'a'", "'b'", "'" + key + "'"}[random.IntN(4)], random.Int64()>>random.IntN(64)-5, random.IntN(9), strings.Repeat("z", size)))
	}
	execute(t, connection, fmt.Sprintf("DELETE FROM t WHERE number %% 7 = %d; COMMIT", random.IntN(7)))
}
