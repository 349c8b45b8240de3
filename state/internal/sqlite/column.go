package sqlite

import (
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"
)

// column is a column that a row has a value for.
type column struct {
	name  string // in lower case
	rowID bool   // it is the row's own number, which the row itself does not repeat

	// missing is what rows have that are older than the column: its default.
	missing value
	// unknown marks a default that is not understood here.
	unknown bool
}

// columnsOf lists the columns that a row has values for, in their order. strict
// says that the table is STRICT.
func columnsOf(inside []definition, strict bool) (columns []column) {
	alias := aliasOfRowID(inside)
	for _, d := range inside {
		top := d.top()
		computed := top.has("AS") && !top.has("STORED")
		if len(d) == 0 || constraint(d) || computed {
			continue
		}
		c := column{name: lower(d[0].text)}
		c.rowID = c.name == alias && alias != ""
		c.missing, c.unknown = defaultOf(d, affinityOf(d, strict))
		columns = append(columns, c)
	}
	return columns
}

// aliasOfRowID is the column that stands for the row's own number: the INTEGER
// PRIMARY KEY, "" for none.
func aliasOfRowID(inside []definition) string {
	for _, d := range inside {
		top := d.top()
		if len(d) == 0 || !top.has("PRIMARY", "KEY") {
			continue
		}
		if !constraint(d) {
			if isInteger(d) && !top.has("PRIMARY", "KEY", "DESC") {
				return lower(d[0].text)
			}
			return ""
		}
		keys := d[slices.IndexFunc(d, func(w word) bool { return w.is("KEY") })+1:]
		if len(keys) < 3 || !keys[0].is("(") || slices.ContainsFunc(keys, func(w word) bool { return w.is(",") }) {
			return ""
		}
		for _, c := range inside {
			if len(c) > 0 && !constraint(c) && lower(c[0].text) == lower(keys[1].text) && isInteger(c) {
				return lower(c[0].text)
			}
		}
		return ""
	}
	return ""
}

func isInteger(d definition) bool {
	words := typeOf(d)
	return len(words) == 1 && strings.EqualFold(words[0].text, "INTEGER")
}

// typeOf are the words between a column's name and its first constraint.
func typeOf(d definition) definition {
	for i, w := range d[1:] {
		if slices.ContainsFunc([]string{"CONSTRAINT", "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES", "GENERATED", "AS"}, w.is) {
			return d[1 : i+1]
		}
	}
	return d[1:]
}

// affinity is what SQLite makes of a value for a column.
type affinity uint8

const (
	asIs affinity = iota
	asText
	asNumber
)

// affinityOf follows SQLite's rules for the name of a type.
func affinityOf(d definition, strict bool) affinity {
	var name strings.Builder
	for _, w := range typeOf(d) {
		name.WriteString(strings.ToUpper(w.text) + " ")
	}
	contains := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name.String(), part) })
	}
	switch {
	case contains("INT"):
		return asNumber
	case contains("CHAR", "CLOB", "TEXT"):
		return asText
	case name.Len() == 0, contains("BLOB"), strict && name.String() == "ANY ":
		return asIs
	}
	return asNumber
}

// defaultOf is the default of a column; unknown if it is none that ALTER TABLE
// can give to rows that are there already, or one that is not understood.
func defaultOf(d definition, to affinity) (v value, unknown bool) {
	top := d.top()
	at := slices.IndexFunc(top, func(w word) bool { return w.is("DEFAULT") })
	if at < 0 {
		return value{}, false
	}
	// The words of the default itself, with what is in its parentheses.
	from := slices.IndexFunc(d, func(w word) bool { return w.is("DEFAULT") })
	words := d[from+1:]
	for len(words) > 1 && words[0].is("(") {
		end := matching(words)
		if end < 0 {
			return value{}, true
		}
		words = words[1:end]
		if end = len(words); end > 2 && !words[0].is("(") && !isSign(words[0]) && !isBlob(words) {
			return value{}, true // an expression
		}
	}
	return literal(words, to)
}

// matching is the index of the parenthesis that closes the first word.
func matching(words definition) int {
	depth := 0
	for i, w := range words {
		switch {
		case w.is("("):
			depth++
		case w.is(")"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func isSign(w word) bool           { return w.is("-") || w.is("+") }
func isBlob(words definition) bool { return len(words) > 1 && words[0].is("x") && words[1].literal }

// literal reads a constant at the start of some words.
func literal(words definition, to affinity) (v value, unknown bool) {
	sign := ""
	for len(words) > 0 && isSign(words[0]) {
		if words[0].text == "-" {
			if sign == "-" {
				return value{}, true
			}
			sign = "-"
		}
		words = words[1:]
	}
	switch {
	case len(words) == 0:
		return value{}, true
	case isBlob(words):
		data, err := hex.DecodeString(words[1].text)
		return value{kind: blob, bytes: data}, err != nil || sign != ""
	case words[0].number:
		return numberLiteral(sign, words[0].text, to)
	case sign != "":
		return value{}, true
	case words[0].is("NULL"):
		return value{}, false
	case words[0].is("TRUE"), words[0].is("FALSE"):
		return numberLiteral("", strconv.Itoa(len("FALSE")-len(words[0].text)), to)
	case words[0].quoted || partOfName(words[0].text[0]):
		if !words[0].quoted && strings.HasPrefix(strings.ToUpper(words[0].text), "CURRENT_") {
			return value{}, true
		}
		return textLiteral(words[0].text, to), false
	}
	return value{}, true
}

// numberLiteral is a number of SQL. A text column takes a whole number in its
// shortest form, any other as it is written.
func numberLiteral(sign, digits string, to affinity) (v value, unknown bool) {
	digits = strings.ReplaceAll(digits, "_", "")
	if bits, ok := strings.CutPrefix(strings.ToLower(digits), "0x"); ok {
		whole, err := strconv.ParseUint(bits, 16, 64)
		if err != nil {
			return value{}, true
		}
		digits = strconv.FormatInt(int64(whole), 10)
		if sign == "-" && strings.HasPrefix(digits, "-") {
			return value{}, true
		}
	}
	v, ok := parseNumber(sign + digits)
	if !ok {
		return value{}, true
	}
	if to != asText {
		return v, false
	}
	if whole, err := strconv.ParseInt(digits, 10, 64); err == nil { // the sign comes after the number, as in SQL
		return value{kind: text, bytes: strconv.AppendInt(nil, negate(whole, sign), 10)}, false
	}
	return value{kind: text, bytes: []byte(sign + digits)}, false
}

func negate(whole int64, sign string) int64 {
	if sign == "-" {
		return -whole
	}
	return whole
}

// textLiteral is a text of SQL: a number for a column of numbers, if all of it is one.
func textLiteral(said string, to affinity) value {
	if to == asNumber {
		if v, ok := parseNumber(strings.Trim(said, " \t\n\v\f\r")); ok {
			return v
		}
	}
	return value{kind: text, bytes: []byte(said)}
}

// parseNumber reads a decimal number, truncated as all numbers are here.
func parseNumber(digits string) (value, bool) {
	if strings.Trim(digits, "0123456789+-.eE") != "" {
		return value{}, false
	}
	if whole, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return value{kind: number, whole: whole}, true
	}
	real, err := strconv.ParseFloat(digits, 64)
	if err != nil && !math.IsInf(real, 0) {
		return value{}, false
	}
	return value{kind: number, whole: truncated(real)}, true
}

// truncated is a float as a whole number, the nearest there is, as SQLite casts it.
func truncated(real float64) int64 {
	switch {
	case real >= math.MaxInt64:
		return math.MaxInt64
	case real <= math.MinInt64:
		return math.MinInt64
	}
	return int64(real)
}

// lower is a name in lower case, as SQLite compares names: ASCII alone.
func lower(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, name)
}
