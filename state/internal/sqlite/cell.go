package sqlite

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// KnownCell reports whether openclaw-auth writes the table of a cell.
func KnownCell(cell Cell) bool { _, known := tableOf(cell.Table); return known }

// Cell returns a cell as it is, as Writer.Get does within a transaction.
func (d *Database) Cell(cell Cell) (Row, error) {
	known, _ := tableOf(cell.Table)
	t, err := d.table(cell.Table)
	if err != nil {
		return Row{}, err
	}
	columns := []string{known.key}
	if known.text != "" {
		columns = append(columns, known.text)
	}
	if known.time != "" {
		columns = append(columns, known.time)
	}
	columns = append(columns, known.rest...)
	var found Row
	err = d.find(t, known.key, cell.Key, columns, func(values []value) (bool, error) {
		if known.text == "" {
			found.JSON = rowText(columns, values)
			return false, nil
		}
		found.JSON = values[1].json()
		if known.time != "" {
			found.UpdatedAt = values[2].whole
		}
		return false, nil
	})
	return found, err
}

// rowText is a row as an object of its columns, as SQLite's json_object writes it.
func rowText(columns []string, values []value) []byte {
	text := []byte{'{'}
	for i, column := range columns {
		if i > 0 {
			text = append(text, ',')
		}
		text, _ = jsontext.AppendQuote(text, column)
		text = append(text, ':')
		switch v := values[i]; v.kind {
		case null:
			text = append(text, "null"...)
		case number:
			text = strconv.AppendInt(text, v.whole, 10)
		default:
			text, _ = jsontext.AppendQuote(text, v.String())
		}
	}
	return append(text, '}')
}
