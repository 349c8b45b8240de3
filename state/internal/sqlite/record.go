package sqlite

import (
	"encoding/binary"
	"math"
)

// The kinds of a value, in the order in which SQLite sorts them.
type valueKind uint8

const (
	null valueKind = iota
	number
	text
	blob
)

// value is one column of a record.
type value struct {
	kind  valueKind
	whole int64  // a number, truncated if it was stored as a float
	bytes []byte // a text or a blob; memory of the record
}

// record is a row as it is stored: a header of types, then the values.
type record struct{ types, values []byte }

// parseRecord splits a payload. ok is false when it makes no sense.
func parseRecord(payload []byte) (record, bool) {
	size, n := varint(payload)
	if n == 0 || size < uint64(n) || size > uint64(len(payload)) {
		return record{}, false
	}
	return record{payload[n:size], payload[size:]}, true
}

// next takes the first column off the record. more is false at its end; a row
// that is older than a column of its table ends before it.
func (r *record) next() (v value, more, ok bool) {
	if len(r.types) == 0 {
		return value{}, false, true
	}
	kind, n := varint(r.types)
	if n == 0 {
		return value{}, false, false
	}
	size := serialSize(kind)
	if size > uint64(len(r.values)) {
		return value{}, false, false
	}
	data := r.values[:size:size]
	r.types, r.values = r.types[n:], r.values[size:]
	return decode(kind, data), true, true
}

// serialSize is how many bytes a value of a serial type takes.
func serialSize(kind uint64) uint64 {
	switch {
	case kind >= 12:
		return (kind - 12) / 2
	case kind == 5:
		return 6
	case kind == 6, kind == 7:
		return 8
	case kind <= 4:
		return kind
	}
	return 0 // the constants 0 and 1
}

func decode(kind uint64, data []byte) value {
	switch {
	case kind == 0:
		return value{kind: null}
	case kind == 7:
		return value{kind: number, whole: truncated(math.Float64frombits(binary.BigEndian.Uint64(data)))}
	case kind <= 6:
		return value{kind: number, whole: integer(data)}
	case kind == 8, kind == 9:
		return value{kind: number, whole: int64(kind) - 8}
	case kind >= 12 && kind%2 == 0:
		return value{kind: blob, bytes: data}
	case kind >= 13:
		return value{kind: text, bytes: data}
	}
	return value{kind: null} // 10 and 11 are never stored
}

// integer reads a big-endian number with a sign, of 0 to 8 bytes.
func integer(data []byte) int64 {
	var whole int64
	for i, b := range data {
		if i == 0 {
			whole = int64(int8(b))
		} else {
			whole = whole<<8 | int64(b)
		}
	}
	return whole
}

// varint reads a number of 1 to 9 bytes; n is 0 when data ends in the middle.
func varint(data []byte) (whole uint64, n int) {
	for n < len(data) && n < 8 {
		b := data[n]
		whole, n = whole<<7|uint64(b&0x7f), n+1
		if b < 0x80 {
			return whole, n
		}
	}
	if n == 8 && len(data) > 8 {
		return whole<<8 | uint64(data[8]), 9
	}
	return 0, 0
}
