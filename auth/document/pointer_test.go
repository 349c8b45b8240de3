package document

import (
	"slices"
	"strings"
	"testing"
)

// FuzzPointer: a pointer is split into the tokens that it was made of.
func FuzzPointer(f *testing.F) {
	f.Add("a", "b/c", "~1")
	f.Add("", "~", "/")
	f.Add("~01", "\xff", "\x00")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		tokens := []string{a, b, c}
		pointer := Pointer(tokens...)
		if !slices.Equal(SplitPointer(pointer), tokens) {
			t.Errorf("%q is split into %q", pointer, SplitPointer(pointer))
		}
		if strings.Count(pointer, "/") != len(tokens) {
			t.Errorf("%q has not one slash for each of %q", pointer, tokens)
		}
	})
}
