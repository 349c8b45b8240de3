package history

import (
	"bytes"
	"io"
)

// Begin returns the time of the first line of a transcript, a trajectory or a
// log of cron runs, Unix ms; 0: it tells none.
func Begin(r io.Reader) int64 {
	head := make([]byte, firstChunk)
	n, _ := io.ReadFull(r, head)
	line, _, _ := bytes.Cut(head[:n], []byte("\n"))
	s := skimmer{data: line}
	if !s.begin() {
		return 0
	}
	for {
		key, more, ok := s.next()
		if !more || !ok {
			return 0
		}
		raw, ok := s.value()
		if !ok {
			return 0
		}
		if string(key) == "timestamp" || string(key) == "ts" {
			if at, ok := parseTime(unquoted(raw)); ok {
				return at
			}
			return numberOf(raw)
		}
	}
}
