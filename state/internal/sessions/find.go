package sessions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Store is where sessions are found.
type Store interface {
	File() string
	Each(visit func(Session) bool) error
	Get(keys ...string) (map[string]Session, error)
}

// Find returns the session that a user names: by its key, by the key
// without "agent:ID:", by the id of its transcript, or by a part of the key
// that only one session has; upper and lower case are the same where no
// session is spelled exactly so. "" means the session that was written last;
// without any session the zero Session is returned.
func Find(store Store, agent, name string) (Session, error) {
	if strings.Contains(name, ":") {
		// A whole key needs no look at the other entries.
		if found, err := store.Get(name); err != nil || len(found) > 0 {
			return found[name], err
		}
	}
	s := &sessionSearch{agent: agent, name: name, lower: strings.ToLower(name)}
	if err := store.Each(s.visit); err != nil {
		return Session{}, err
	}
	return s.result(store.File())
}

// match says how well a session fits a name; a better match is greater.
type match int

const (
	noMatch match = iota
	partOfKey
	transcriptID
	restOfKey
	wholeKeyOtherCase
	wholeKey
)

type sessionSearch struct {
	agent, name, lower string

	best  match
	found []Session // the best matches, by key
	near  []nearKey // keys to suggest
	count int
}

type nearKey struct {
	key      string
	distance int
}

func (s *sessionSearch) visit(session Session) bool {
	s.count++
	m := s.match(session)
	switch {
	case m == noMatch:
		s.remember(session.Key)
	case m > s.best:
		s.best, s.found = m, []Session{session}
	case m == s.best && s.name == "":
		if session.UpdatedAt() > s.found[0].UpdatedAt() {
			s.found[0] = session
		}
	case m == s.best:
		// Of two equal keys the last one counts, as in JavaScript.
		s.found = slices.DeleteFunc(s.found, func(f Session) bool { return f.Key == session.Key })
		if s.found = append(s.found, session); len(s.found) > maxAmbiguous {
			s.found = s.found[:maxAmbiguous]
		}
	}
	return true
}

// maxAmbiguous bounds what is kept of a name that fits many sessions.
const maxAmbiguous = 6

func (s *sessionSearch) match(session Session) match {
	key := strings.ToLower(session.Key)
	switch {
	case s.name == "":
		return wholeKey
	case session.Key == s.name:
		return wholeKey
	case key == s.lower:
		return wholeKeyOtherCase
	case key == "agent:"+s.agent+":"+s.lower:
		return restOfKey
	case session.SessionID() == s.name:
		return transcriptID
	case strings.Contains(key, s.lower):
		return partOfKey
	}
	return noMatch
}

// remember keeps the keys that are nearest to the name.
func (s *sessionSearch) remember(key string) {
	const kept = 3
	distance := keyDistance(s.lower, strings.ToLower(key))
	if len(s.near) == kept && distance >= s.near[kept-1].distance {
		return
	}
	s.near = append(s.near, nearKey{key, distance})
	slices.SortStableFunc(s.near, func(a, b nearKey) int { return cmp.Compare(a.distance, b.distance) })
	s.near = s.near[:min(len(s.near), kept)]
}

// keyDistance compares two keys by the parts they don't share.
func keyDistance(a, b string) int {
	parts := strings.Split(b, ":")
	distance := 0
	for part := range strings.SplitSeq(a, ":") {
		if i := slices.Index(parts, part); i >= 0 {
			parts = slices.Delete(parts, i, i+1)
			continue
		}
		distance += len(part)
	}
	for _, part := range parts {
		distance += len(part)
	}
	return distance
}

func (s *sessionSearch) result(file string) (Session, error) {
	switch {
	case len(s.found) == 0 && s.name == "":
		return Session{}, nil
	case len(s.found) == 0:
		return Session{}, s.unknown(file)
	case len(s.found) == 1 || s.best > partOfKey:
		return newest(s.found), nil
	}
	keys := make([]string, 0, maxAmbiguous)
	for _, session := range s.found {
		keys = append(keys, session.Key)
	}
	if len(keys) == maxAmbiguous {
		keys[maxAmbiguous-1] = "…"
	}
	return Session{}, fmt.Errorf("%q fits several sessions: %s", s.name, strings.Join(keys, ", "))
}

func (s *sessionSearch) unknown(file string) error {
	if s.count == 0 {
		return fmt.Errorf("%w %q: there is none in %s", ErrNoSession, s.name, file)
	}
	keys := make([]string, len(s.near))
	for i, near := range s.near {
		keys[i] = near.key
	}
	return fmt.Errorf("%w %q in %s (nearest: %s)", ErrNoSession, s.name, file, strings.Join(keys, ", "))
}

func newest(sessions []Session) Session {
	return slices.MaxFunc(sessions, func(a, b Session) int { return cmp.Compare(a.UpdatedAt(), b.UpdatedAt()) })
}
