package document

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPatchConfig changes documents and looks at what is written.
func TestPatchConfig(t *testing.T) {
	for _, test := range []struct{ name, text, after, want string }{
		{"nothing", "{a: 1, /* c */ b: [1]}", `{"a":1,"b":[1]}`, "{a: 1, /* c */ b: [1]}"},
		{"a value", "{\n  // first\n  a: 1, // one\n  b: 'x',\n}\n", `{"a":2,"b":"x"}`, "{\n  // first\n  a: 2, // one\n  b: 'x',\n}\n"},
		{"in the middle", "{\n  a: 1,\n  b: 2,\n  c: 3\n}", `{"a":1,"c":3}`, "{\n  a: 1,\n  c: 3\n}"},
		{"the last one", "{\n  \"a\": 1,\n  \"b\": 2\n}", `{"a":1}`, "{\n  \"a\": 1\n}"},
		{"the last two", `{"a":1,"b":2,"c":3}`, `{"a":1}`, `{"a":1}`},
		{"the first one", `{"a": 1, "b": 2}`, `{"b":2}`, `{"b": 2}`},
		{"all", "{\n  a: {b: 1, c: 2}\n}", `{"a":{"d":3}}`, "{\n  a: {\"d\":3}\n}"},
		{"a new one", "{\n  a: 1 // one\n}", `{"a":1,"b":{"c":[1]}}`, "{\n  a: 1, // one\n  \"b\": {\n    \"c\": [\n      1\n    ]\n  }\n}"},
		{"a new one behind a comma", "{\n  a: 1,\n}", `{"a":1,"b":2}`, "{\n  a: 1,\n  \"b\": 2,\n}"},
		{"another name for the last one", "{\n  a: 1,\n  b: 2\n}", `{"a":1,"c":2}`, "{\n  a: 1,\n  \"c\": 2\n}"},
		{"a list of the same length", "{a: ['x', 'y' /* why */]}", `{"a":["x","z"]}`, "{a: ['x', \"z\" /* why */]}"},
		{"a list", "{\n  a: [\n    1, 2\n  ]\n}", `{"a":[1]}`, "{\n  a: [\n    1\n  ]\n}"},
		{"a new one in a line", "{\n  a: {b: 1},\n}", `{"a":{"b":1,"c":{"d":[2]}}}`, "{\n  a: {b: 1, \"c\": {\"d\":[2]}},\n}"},
		{"into nothing", "{}", `{"a":1}`, `{"a":1}`},
	} {
		value, err := ParseJSON("after", []byte(test.after))
		if err != nil {
			t.Fatal(err)
		}
		got, err := Patch("config", []byte(test.text), value.(*Object))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if diff := cmp.Diff(test.want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// FuzzPatchConfig makes one document of another: the result says what it is to
// say, or it is refused.
func FuzzPatchConfig(f *testing.F) {
	f.Add([]byte("{\n  a: 1, // one\n  b: {c: [1, 2]},\n}"), []byte(`{"a":2,"b":{"d":3},"e":4}`))
	f.Add([]byte(`{"a":1,"b":2}`), []byte(`{"b":{}}`))
	f.Add([]byte("{/**/}"), []byte(`{"x":[{"y":1}]}`))
	f.Fuzz(func(t *testing.T, text, after []byte) {
		value, err := ParseJSON("after", after)
		doc, ok := value.(*Object)
		if err != nil || !ok {
			return
		}
		patched, err := Patch("config", text, doc)
		if err != nil {
			return
		}
		again, err := Parse("config", patched)
		if err != nil || !sameContent(again, doc) {
			t.Errorf("%q became %q, want %s", text, patched, EncodeCompact(doc))
		}
	})
}
