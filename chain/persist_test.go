package chain

import (
	"slices"
	"testing"

	"openclaw-auth/auth/document"
)

// A session's entry may hold lists, of its own and in other members.
func TestChangedFields(t *testing.T) {
	for _, test := range []struct {
		before, after string
		want          []string
	}{
		{`{"a": [1, {"b": 2}], "c": {"d": ["e"]}}`, `{"a": [1, {"b": 2}], "c": {"d": ["e"]}}`, nil},
		{`{"a": [1], "c": {"d": ["e"]}}`, `{"a": [2], "c": {"d": []}, "f": null}`, []string{"a", "c", "f"}},
		{`{"a": [1], "b": 1}`, `{"b": 1.0}`, []string{"a"}},
	} {
		parse := func(text string) *document.Object {
			value, err := document.ParseJSON("entry", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			return value.(*document.Object)
		}
		if got := changedFields(parse(test.before), parse(test.after)); !slices.Equal(got, test.want) {
			t.Errorf("%s, %s: %v, want %v", test.before, test.after, got, test.want)
		}
	}
}
