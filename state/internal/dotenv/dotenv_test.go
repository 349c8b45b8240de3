package dotenv

import (
	"maps"
	"testing"
)

// What the dotenv package of Node makes of such files.
func TestParse(t *testing.T) {
	for text, want := range map[string]map[string]string{
		"A=1\nB = two words # note\nexport C='x # y'\n": {"A": "1", "B": "two words", "C": "x # y"},
		"A=\"l1\\nl2\"\nB='l1\\nl2'\nC=`it's`":          {"A": "l1\nl2", "B": `l1\nl2`, "C": "it's"},
		"A=\"two\nlines\"\nB=":                          {"A": "two\nlines", "B": ""},
		"# A=1\n  A: 2\nA.B=3\n1A=4\nA-B=5\n":           {"A": "2"},
		"A=1\r\nA=2\r\n":                                {"A": "2"},
		"A=\"open\nB=2":                                 {"A": `"open`, "B": "2"},
		"A=a=b\nB==c\nC=  ' x '  ":                      {"A": "a=b", "B": "=c", "C": " x "},
		"no line\n=1\n":                                 {},
	} {
		if got := Parse(text); !maps.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("A=1\nexport B=\"x\\n\"")
	f.Fuzz(func(_ *testing.T, text string) { Parse(text) })
}
