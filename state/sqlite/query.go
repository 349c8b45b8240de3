package sqlite

import "github.com/ncruces/go-sqlite3"

// row is the current row of a query.
type row struct{ statement *sqlite3.Stmt }

func (r row) integer(column int) int64 { return r.statement.ColumnInt64(column) }
func (r row) text(column int) string   { return r.statement.ColumnText(column) }
func (r row) truth(column int) bool    { return r.statement.ColumnBool(column) }

// bytes returns a copy of a text, whose memory belongs to SQLite until then. It
// is never nil.
func (r row) bytes(column int) []byte {
	return append([]byte{}, r.statement.ColumnRawText(column)...)
}

// each calls use for every row of a query.
func (d *Database) each(query string, values []string, use func(row)) error {
	return d.while(query, values, func(r row) bool { use(r); return true })
}

// while calls use for the rows of a query until it returns false.
func (d *Database) while(query string, values []string, use func(row) bool) error {
	if d.connection == nil {
		return fail(d.path, Unreadable, "is closed")
	}
	statement, _, err := d.connection.Prepare(query)
	if err != nil {
		return d.fail(err)
	}
	defer statement.Close() // its error is that of the last step
	for i, value := range values {
		if err := statement.BindText(i+1, value); err != nil {
			return d.fail(err)
		}
	}
	for statement.Step() {
		if !use(row{statement}) {
			return nil
		}
	}
	if err := statement.Err(); err != nil {
		return d.fail(err)
	}
	return nil
}
