package sqlite

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"
)

// Tables of shapes that OpenClaw's databases don't have: they are read as SQLite
// reads them, or refused as unsupported; never otherwise.
// OPENCLAW_AUTH_TEST_LONG=1 tries 5,000 of them.
func TestRandomSchemas(t *testing.T) {
	count := 150
	switch {
	case testing.Short():
		count = 25
	case os.Getenv("OPENCLAW_AUTH_TEST_LONG") != "":
		count = 5000
	}
	for seed := range uint64(count) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { compareSchema(t, seed) })
	}
}

func FuzzSchemas(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(compareSchema)
}

func compareSchema(t *testing.T, seed uint64) {
	path := filepath.Join(t.TempDir(), "schema.sqlite")
	connection, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	r := schemaMaker{rand.New(rand.NewPCG(seed, 7))}
	var script []string
	for _, statement := range r.statements() {
		if connection.Exec(statement) == nil { // SQLite refuses some, which is as well
			script = append(script, statement)
		}
	}
	if err := connection.Close(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(strings.Join(script, ";\n"))
		}
	})
	compare(t, path)
}

// schemaMaker makes random statements of SQL.
type schemaMaker struct{ *rand.Rand }

func pick[T any](r schemaMaker, from ...T) T { return from[r.IntN(len(from))] }

func (r schemaMaker) maybe(text string) string { return pick(r, "", "", text) }

func (r schemaMaker) statements() []string {
	columns := 1 + r.IntN(5)
	made := []string{"PRAGMA page_size=512", "PRAGMA journal_mode=" + pick(r, "wal", "delete"), "PRAGMA synchronous=off"}
	for range 40 { // the first that SQLite takes
		made = append(made, r.table(columns))
	}
	made = append(made, "CREATE TABLE t (c0 TEXT)")
	for range r.IntN(3) {
		made = append(made, r.index(columns))
	}
	for range 3 {
		for range r.IntN(6) {
			made = append(made, r.insert(columns))
		}
		switch r.IntN(6) {
		case 0:
			made = append(made, fmt.Sprintf("ALTER TABLE t DROP COLUMN c%d", r.IntN(columns)))
		case 1:
			made = append(made, fmt.Sprintf("ALTER TABLE t RENAME COLUMN c%d TO [re named %d]", r.IntN(columns), r.IntN(columns)))
		default:
			made = append(made, "ALTER TABLE t ADD COLUMN "+r.column(columns, false))
			columns++
		}
		if r.IntN(4) == 0 {
			made = append(made, fmt.Sprintf("UPDATE t SET c0 = %s WHERE rowid %% 3 = 1", r.value()))
		}
	}
	return append(made, r.insert(columns))
}

func (r schemaMaker) table(columns int) string {
	var inside []string
	for i := range columns {
		inside = append(inside, r.column(i, true))
	}
	switch c := fmt.Sprintf("c%d", r.IntN(columns)); r.IntN(6) {
	case 0:
		inside = append(inside, "PRIMARY KEY ("+c+pick(r, "", " DESC", " ASC", " COLLATE NOCASE")+")")
	case 1:
		inside = append(inside, "CONSTRAINT [a, b] UNIQUE ("+c+", c0)")
	case 2:
		inside = append(inside, "CHECK (CAST("+c+" AS TEXT) <> 'PRIMARY KEY')")
	}
	return "CREATE TABLE t (" + strings.Join(inside, pick(r, ", ", ",", " , /* , ( */ ", ", -- x,\n")) + ")" + pick(r, "", "", "", "STRICT")
}

func (r schemaMaker) name(i int) string {
	name := fmt.Sprintf("c%d", i)
	return pick(r, name, name, `"`+name+`"`, "["+name+"]", "`"+name+"`", strings.ToUpper(name))
}

func (r schemaMaker) column(i int, first bool) string {
	kind := pick(r, "", " INTEGER", " INTEGER", " INT", " TEXT", " TEXT", " REAL", " BLOB", " ANY", " NUMERIC", " VARCHAR(3, 4)", " DOUBLE PRECISION", " integer", " CLOB")
	text := r.name(i) + kind
	if first {
		text += pick(r, "", "", "", "", " PRIMARY KEY", " PRIMARY KEY DESC", " PRIMARY KEY AUTOINCREMENT", " UNIQUE", " UNIQUE PRIMARY KEY", " PRIMARY KEY COLLATE NOCASE", " CONSTRAINT [p,k] UNIQUE")
		if i > 0 {
			text += pick(r, "", "", "", "", " AS (c0)", " AS (c0) STORED", " GENERATED ALWAYS AS (c0 || ' STORED ') VIRTUAL")
		}
	}
	text += r.maybe(" CHECK (CAST(" + fmt.Sprintf("c%d", i) + " AS TEXT) <> 'x' COLLATE BINARY)")
	text += pick(r, "", " DEFAULT "+r.constant())
	return text + r.maybe(" COLLATE "+pick(r, "NOCASE", "BINARY"))
}

// constant is a default, also of kinds that ALTER TABLE refuses.
func (r schemaMaker) constant() string {
	return pick(r, "1", "0", "-1", "+7", "- 12", "1.5", "-1.50", ".5", "1e3", "1.5e-7", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
		"0x1F", "-0x10", "1_000", "'5'", "' 6 '", "'1.50'", "'1e2'", "'text'", "''", "'it''s, (x'", `"quoted"`, "bare", "TRUE", "false", "NULL", "x'00ff'", "X''",
		"(1)", "(-2)", "('a')", "((3))", "(1 + 1)", "(NULL)", "('a' || 'b')", "(abs(-3))", "CURRENT_TIMESTAMP", "(x'01')", "(+ 5)", "'0x10'", "'1_0'", "'+3'", "'.5'", "'5.'", "'e5'")
}

func (r schemaMaker) value() string {
	return pick(r, "NULL", "NULL", "1", "-5", "2.5", "'a'", "'A'", "'5'", "x'61'", "''", fmt.Sprint(r.IntN(1000)), fmt.Sprintf("'%s'", strings.Repeat("k", r.IntN(900))), "1e300", "-1e300")
}

func (r schemaMaker) index(columns int) string {
	return fmt.Sprintf("CREATE %s INDEX i%d ON t(%s%s)%s", pick(r, "", "UNIQUE"), r.IntN(100), r.name(r.IntN(columns)),
		pick(r, "", "", " DESC", " COLLATE NOCASE", ", c0", " || 'x'"), pick(r, "", "", " WHERE c0 IS NOT NULL"))
}

func (r schemaMaker) insert(columns int) string {
	var names, values []string
	for i := range columns {
		if r.IntN(4) > 0 {
			names, values = append(names, fmt.Sprintf("c%d", i)), append(values, r.value())
		}
	}
	if len(names) == 0 {
		return "INSERT INTO t DEFAULT VALUES"
	}
	return "INSERT OR IGNORE INTO t (" + strings.Join(names, ", ") + ") VALUES (" + strings.Join(values, ", ") + ")"
}

// unsupported reports a refusal that is as good as an answer.
func unsupported(err error) bool { return errors.Is(err, Unsupported) }
