package failure

import "strings"

// finder finds which of many literals occur in a text, in one pass. At each
// position the next three bytes select a short list of literals to compare, so
// the time is linear in the text whatever it says.
type finder struct {
	heads   [1 << finderBits]uint16 // 1 + the index of the first entry of a list
	entries []finderEntry
	ids     map[finderKey]int
}

const finderBits = 13

// finderKey is a literal, asked for anywhere or between word boundaries.
type finderKey struct {
	text string
	word bool
}

type finderEntry struct {
	finderKey
	next uint16
}

func newFinder() *finder { return &finder{ids: map[finderKey]int{}} }

// add returns the number under which occurrences of key are reported; text
// must have at least minLiteral bytes.
func (f *finder) add(text string, word bool) int {
	key := finderKey{text, word}
	if id, ok := f.ids[key]; ok {
		return id
	}
	id := len(f.entries)
	head := &f.heads[slot(text[0], text[1], text[2])]
	f.entries = append(f.entries, finderEntry{key, *head})
	*head = uint16(id + 1)
	f.ids[key] = id
	return id
}

func slot(a, b, c byte) uint32 {
	return (uint32(a) | uint32(b)<<8 | uint32(c)<<16) * 2654435761 >> (32 - finderBits)
}

// scan sets the bit of every literal that occurs in s.
func (f *finder) scan(s string, found []uint64) {
	for i := 0; i+minLiteral <= len(s); i++ {
		next := f.heads[slot(s[i], s[i+1], s[i+2])]
		for next != 0 {
			entry := &f.entries[next-1]
			if found[(next-1)>>6]&(1<<((next-1)&63)) == 0 && entry.occursAt(s, i) {
				found[(next-1)>>6] |= 1 << ((next - 1) & 63)
			}
			next = entry.next
		}
	}
}

func (e *finderEntry) occursAt(s string, i int) bool {
	return strings.HasPrefix(s[i:], e.text) && (!e.word || wordAt(s, i, len(e.text)))
}

// wordAt reports whether s has word boundaries before and after the n bytes
// at i.
func wordAt(s string, i, n int) bool {
	return isWord(s, i-1) != isWord(s, i) && isWord(s, i+n-1) != isWord(s, i+n)
}
