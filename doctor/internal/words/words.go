package words

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// maxListed bounds how many names a message lists.
const maxListed = 5

// Listed joins names; of many the first ones.
func Listed(names []string) string {
	if len(names) <= maxListed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxListed], ", "), len(names)-maxListed)
}

// Masked returns profile ids as they may be shown.
func Masked[S ~string](ids []S) []string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = Shown(string(id))
	}
	return texts
}

// Counted is a number with its noun: "1 profile", "2 profiles".
func Counted(count int, noun string) string {
	if count == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", count, noun)
}

// Verb is the verb for a number: is or are, names or name.
func Verb(count int, one, many string) string {
	if count == 1 {
		return one
	}
	return many
}

// At is a time as messages tell it, with its distance from now.
func At(ms float64, now int64) string {
	if ms > maxTime {
		return "never"
	}
	text := time.UnixMilli(int64(ms)).UTC().Format("2006-01-02 15:04Z")
	switch distance := int64(ms) - now; {
	case distance >= 0:
		return text + " (in " + Span(distance) + ")"
	default:
		return text + " (" + Span(-distance) + " ago)"
	}
}

// maxTime is the last time that is worth telling: the end of the year 9999.
const maxTime = 253402300799000

// Span is a duration in ms in its largest unit.
func Span(ms int64) string {
	for _, unit := range []struct {
		ms   int64
		name string
	}{{86_400_000, "d"}, {3_600_000, "h"}, {60_000, "m"}, {1000, "s"}} {
		if ms >= unit.ms {
			return fmt.Sprintf("%d%s", ms/unit.ms, unit.name)
		}
	}
	return fmt.Sprintf("%dms", ms)
}

// SplitPath splits a path into its directory and its name.
func SplitPath(file string) (directory, name string) {
	return filepath.Dir(file), filepath.Base(file)
}
