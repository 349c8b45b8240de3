package main

import (
	"fmt"

	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// manySessions is from how many on the changes of sessions are counted instead
// of listed; --json has each of them.
const manySessions = 10

// sessionsTogether returns how many changes at the beginning of a list are one
// line per kind on the screen: those of many sessions of one file. 0 for none.
func sessionsTogether(changes []state.Change) int {
	one, several := changes[0].IsSession()
	if several && len(changes[0].Diff()) >= manySessions {
		return 1
	}
	count := 0
	for one && count < len(changes) && changes[count].File == changes[0].File {
		if also, _ := changes[count].IsSession(); !also {
			break
		}
		count++
	}
	if count < manySessions {
		return 0
	}
	return count
}

// alike is a difference that sessions have in common.
type alike struct{ member, before, after string }

// manySessionsText shows what becomes of many sessions, one line per kind.
func (s *session) manySessionsText(changes []state.Change, planned bool) {
	sessions, counts := map[string]bool{}, map[alike]int{}
	kinds, paths := []alike(nil), map[alike]state.Difference{}
	for _, change := range changes {
		_, several := change.IsSession()
		for _, d := range change.Diff() {
			key, path := change.Part, d.Path
			if several {
				key, path = d.Path[0], d.Path[1:]
			}
			sessions[key] = true
			kind := alike{fmt.Sprint(path), d.Before, d.After}
			if counts[kind]++; counts[kind] == 1 {
				kinds = append(kinds, kind)
				paths[kind] = state.Difference{Path: path, Before: d.Before, After: d.After}
			}
		}
	}
	verb := "changed"
	if planned {
		verb = "would change"
	}
	words.Printf(s.stdout, "%s: %s (%s; --json lists each)\n", s.shownFile(changes[0].File), words.Count(len(sessions), "session"), verb)
	for i, kind := range kinds {
		if i == manySessions {
			words.Printf(s.stdout, "  and %s\n", words.Count(len(kinds)-i, "other kind"))
			break
		}
		s.differenceText(paths[kind])
		words.Printf(s.stdout, "    in %s\n", words.Count(counts[kind], "session"))
	}
}
