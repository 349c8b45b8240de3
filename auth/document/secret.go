package document

import "fmt"

// mask is all that any printing of a Secret ever shows.
const Mask = "****"

// Secret is a credential's value. Every way of printing it (fmt with any
// verb, JSON, text, a logger) gives a mask; Reveal is the only way to the text
// and belongs to the writer of a store, never to a renderer.
//
// The text is behind a pointer so that not even a dump of a struct that holds
// a Secret in an unexported field, which fmt prints by reflection, shows it.
type Secret struct{ text *string }

// NewSecret wraps text.
func NewSecret(text string) Secret { return Secret{&text} }

// Reveal returns the text; the zero Secret gives "".
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// IsZero reports whether there is no text at all.
func (s Secret) IsZero() bool { return s.text == nil || *s.text == "" }

// String returns the mask, or "" where there is nothing to hide.
func (s Secret) String() string {
	if s.IsZero() {
		return ""
	}
	return Mask
}

// Format prints the mask whatever the verb.
func (s Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, s.String()) }

// MarshalText returns the mask: encoders of every format that honours
// encoding.TextMarshaler, JSON among them, print that.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
