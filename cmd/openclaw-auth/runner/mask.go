package runner

import (
	"bytes"
	"io"
)

// Mask writes on what is written to it, each secret replaced by ****. A
// secret may come in pieces: what could be the beginning of one is held back
// until more comes, or until Flush.
type Mask struct {
	to      io.Writer
	secrets [][]byte
	held    []byte
}

// shortest is the length from which a text is a secret that can be looked for.
const shortest = 6

// NewMask makes a Mask; secrets that are hardly longer than a word are not
// looked for, because they stand in any text.
func NewMask(to io.Writer, secrets ...string) *Mask {
	m := &Mask{to: to}
	for _, secret := range secrets {
		if len(secret) >= shortest {
			m.secrets = append(m.secrets, []byte(secret))
		}
	}
	return m
}

var masked = []byte("****")

// Write masks and writes on.
func (m *Mask) Write(p []byte) (int, error) {
	text := p
	if len(m.held) > 0 {
		text = append(m.held, p...)
	}
	keep := 0
	for _, secret := range m.secrets {
		text = bytes.ReplaceAll(text, secret, masked)
		keep = max(keep, overlap(text, secret))
	}
	out := text[:len(text)-keep]
	held := bytes.Clone(text[len(text)-keep:])
	m.held = held
	if len(out) == 0 {
		return len(p), nil
	}
	if _, err := m.to.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what is held back.
func (m *Mask) Flush() error {
	held := m.held
	m.held = nil
	if len(held) == 0 {
		return nil
	}
	_, err := m.to.Write(held)
	return err
}

// overlap is the length of the longest end of a text that a secret begins with.
func overlap(text, secret []byte) int {
	for n := min(len(text), len(secret)-1); n > 0; n-- {
		if bytes.HasSuffix(text, secret[:n]) {
			return n
		}
	}
	return 0
}

// Tail keeps the end of what is written to it.
type Tail struct {
	Limit int // bytes
	text  []byte
}

// Write keeps the end of what has been written so far.
func (t *Tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p[max(0, len(p)-t.Limit):]...)
	if over := len(t.text) - t.Limit; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(p), nil
}

// String is what is kept.
func (t *Tail) String() string { return string(t.text) }
