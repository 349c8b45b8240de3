package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/fatih/color"

	"openclaw-auth/auth"
)

// writeJSON writes one document, indented, as every --json does.
func writeJSON(w io.Writer, doc any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(doc)
}

func (s *session) writeJSON(document any) error { return writeJSON(s.stdout, document) }

// table is aligned columns. The last column is not padded and may be long.
type table struct{ rows [][]cell }

// cell is a text with the colour it is shown in.
type cell struct {
	text  string
	color color.Attribute
}

func (t *table) add(cells ...any) {
	row := make([]cell, len(cells))
	for i, c := range cells {
		switch c := c.(type) {
		case cell:
			row[i] = c
		case string:
			row[i] = cell{text: c}
		case auth.ProfileID:
			row[i] = cell{text: string(c)}
		default:
			row[i] = cell{text: fmt.Sprint(c)}
		}
	}
	t.rows = append(t.rows, row)
}

func (t *table) write(w io.Writer, indent string) {
	var widths []int
	for _, row := range t.rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(c.text))
		}
	}
	line := make([]byte, 0, 256) // what most fit in
	for _, row := range t.rows {
		line = append(line[:0], indent...)
		for i, c := range row {
			line = append(line, c.String()...)
			if i < len(row)-1 {
				line = append(line, strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c.text)+2)...)
			}
		}
		w.Write(append(bytes.TrimRight(line, " "), '\n'))
	}
}

func (c cell) String() string {
	if c.color == 0 || color.NoColor {
		return c.text
	}
	return color.New(c.color).Sprint(c.text)
}

// when tells a time by its distance from now, with the time itself beside it.
func when(ms float64, now int64) string {
	return relative(ms, now) + " (" + absolute(ms, now) + ")"
}

// absolute is the time of day for today, else the date too.
func absolute(ms float64, now int64) string {
	if ms > maxShown {
		return "beyond the year 9999"
	}
	at, today := time.UnixMilli(int64(ms)).UTC(), time.UnixMilli(now).UTC()
	if at.YearDay() == today.YearDay() && at.Year() == today.Year() {
		return at.Format("15:04:05Z")
	}
	return at.Format("2006-01-02 15:04Z")
}

// maxShown is the last time that is worth showing: the end of the year 9999.
const maxShown = 253402300799000

// relative is a time's distance from now: "in 4m", "21m ago".
func relative(ms float64, now int64) string {
	if ms > maxShown {
		return "never"
	}
	switch distance := int64(ms) - now; {
	case distance > 0:
		return "in " + short(distance)
	case distance < 0:
		return short(-distance) + " ago"
	}
	return "now"
}

// short is a duration in ms in its two largest units.
func short(ms int64) string {
	units := []struct {
		name string
		ms   int64
	}{{"d", 86_400_000}, {"h", 3_600_000}, {"m", 60_000}, {"s", 1000}}
	for i, unit := range units {
		if ms < unit.ms {
			continue
		}
		text := strconv.FormatInt(ms/unit.ms, 10) + unit.name
		if i+1 < len(units) && ms/unit.ms < 10 {
			if rest := ms % unit.ms / units[i+1].ms; rest > 0 {
				text += " " + strconv.FormatInt(rest, 10) + units[i+1].name
			}
		}
		return text
	}
	return strconv.FormatInt(ms, 10) + "ms"
}

// timeJSON gives a time its two members of a JSON document; null for none.
func timeJSON(ms float64) (any, any) {
	if ms <= 0 || math.IsInf(ms, 0) {
		return nil, nil
	}
	if ms > maxShown {
		return ms, nil
	}
	return ms, time.UnixMilli(int64(ms)).UTC().Format("2006-01-02T15:04:05.000Z")
}
