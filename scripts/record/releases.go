package main

import (
	"cmp"
	"strconv"
	"strings"
)

// compareReleases orders releases by their numbers; 2026.7.1-2 is a later
// publication of 2026.7.1.
func compareReleases(a, b string) int {
	split := func(text string) []string {
		return strings.FieldsFunc(text, func(r rune) bool { return r == '.' || r == '-' })
	}
	x, y := split(a), split(b)
	for i := range min(len(x), len(y)) {
		n, _ := strconv.Atoi(x[i])
		m, _ := strconv.Atoi(y[i])
		if n != m {
			return cmp.Compare(n, m)
		}
	}
	return cmp.Compare(len(x), len(y))
}
