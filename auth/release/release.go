// Package release is the one list of OpenClaw's release lines, and tables of
// what changed from line to line.
//
// Each package that behaves differently from release to release declares a
// [Table] of steps over this list and asks its fields; nobody compares versions.
package release

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Lines returns all lines, oldest first.
func Lines() []Line { return slices.Clone(lines) }

// Names returns the names of all lines, oldest first.
func Names() []string {
	names := make([]string, len(lines))
	for i, line := range lines {
		names[i] = line.Name
	}
	return names
}

// Oldest returns the name of the oldest line.
func Oldest() string { return lines[0].Name }

// Newest returns the name of the newest line.
func Newest() string { return lines[len(lines)-1].Name }

// Place returns a line's place in the list, oldest first; -1 for a name that is
// not in it.
func Place(name string) int {
	return slices.IndexFunc(lines, func(l Line) bool { return l.Name == name })
}

// For returns the line of a release: the newest that is not newer than it, or
// the oldest for a release before all lines. The form is YEAR.MONTH.PATCH with an
// optional suffix ("2026.5.12", "v2026.8.1-beta.2"); the year ("5.12") or the
// patch ("2026.5", the month's last release) may be left out.
func For(release string) (Line, error) {
	wanted, err := parse(release)
	if err != nil {
		return Line{}, err
	}
	found := lines[0]
	for _, line := range lines {
		if have, _ := parse(line.Name); slices.Compare(have[:], wanted[:]) <= 0 {
			found = line
		}
	}
	return found, nil
}

// Newer reports whether a release is newer than every line, so that For can
// only assume that nothing changed since.
func Newer(release string) bool {
	wanted, err := parse(release)
	newest, _ := parse(Newest())
	return err == nil && slices.Compare(wanted[:], newest[:]) > 0
}

// parse reads YEAR.MONTH.PATCH into numbers, the fourth being N of a release
// that was published again, such as "2026.7.1-2". Any other suffix does not count.
// A month alone stands for its last release.
func parse(text string) (release [4]int, err error) {
	number, suffix, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(text), "v"), "-")
	if again, err := strconv.ParseUint(suffix, 10, 16); err == nil {
		release[3] = int(again)
	}
	parts := 0
	for part := range strings.SplitSeq(number, ".") {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil || parts == 3 {
			return release, parseError(text)
		}
		release[parts] = int(n)
		parts++
	}
	switch {
	case parts == 2 && release[0] < 100:
		release = [...]int{2026, release[0], release[1], release[3]}
	case parts == 2:
		release[2] = math.MaxInt
	case parts < 2:
		return release, parseError(text)
	}
	if release[0] < 2000 {
		return release, parseError(text)
	}
	return release, nil
}

func parseError(text string) error {
	return fmt.Errorf("%q is not an OpenClaw release (YEAR.MONTH.PATCH, such as %s)", text, Newest())
}
