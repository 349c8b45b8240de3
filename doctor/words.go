package doctor

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// maxListed bounds how many names a message lists.
const maxListed = 5

// listed joins names; of many the first ones.
func listed(names []string) string {
	if len(names) <= maxListed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxListed], ", "), len(names)-maxListed)
}

// masked returns profile ids as they may be shown.
func masked[S ~string](ids []S) []string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = shown(string(id))
	}
	return texts
}

// counted is a number with its noun: "1 profile", "2 profiles".
func counted(count int, noun string) string {
	if count == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", count, noun)
}

// verb is the verb for a number: is or are, names or name.
func verb(count int, one, many string) string {
	if count == 1 {
		return one
	}
	return many
}

// at is a time as messages tell it, with its distance from now.
func at(ms float64, now int64) string {
	if ms > maxTime {
		return "never"
	}
	text := time.UnixMilli(int64(ms)).UTC().Format("2006-01-02 15:04Z")
	switch distance := int64(ms) - now; {
	case distance >= 0:
		return text + " (in " + span(distance) + ")"
	default:
		return text + " (" + span(-distance) + " ago)"
	}
}

// maxTime is the last time that is worth telling: the end of the year 9999.
const maxTime = 253402300799000

// span is a duration in ms in its largest unit.
func span(ms int64) string {
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

func splitPath(file string) (directory, name string) {
	return filepath.Dir(file), filepath.Base(file)
}
