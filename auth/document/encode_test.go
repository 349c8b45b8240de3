package document

import (
	"strings"
	"testing"
)

// TestEncodeJSON compares with what JSON.stringify(JSON.parse(text), null, 2) gives.
func TestEncodeJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                           `{}`,
		`[]`:                           `[]`,
		`{"a":[],"b":{}}`:              "{\n  \"a\": [],\n  \"b\": {}\n}",
		`{"b":1,"7":2,"a":[1]}`:        "{\n  \"7\": 2,\n  \"b\": 1,\n  \"a\": [\n    1\n  ]\n}",
		`1.0`:                          `1`,
		`1e3`:                          `1000`,
		`-0`:                           `0`,
		`1E-7`:                         `1e-7`,
		`123456789012345680000`:        `123456789012345680000`,
		`1e21`:                         `1e+21`,
		`0.1`:                          `0.1`,
		`1780018000000.5`:              `1780018000000.5`,
		`"a/b<>&'\u007f"`:              "\"a/b<>&'\u007f\"",
		`"\u0000\u001F\b\f\n\r\t\"\\"`: `"\u0000\u001f\b\f\n\r\t\"\\"`,
		`"\u2028\u00e9\ud83d\ude00"`:   "\"\u2028\u00e9\U0001F600\"",
	} {
		value, err := ParseJSON("test", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSuffix(string(Encode(value)), "\n"); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// TestEncodeKeepsWhatNobodyUnderstands keeps numbers that JavaScript would round.
func TestEncodeKeepsWhatNobodyUnderstands(t *testing.T) {
	const text = `{"a":12345678901234567890,"b":1e400,"c":0.1000000000000000055511151231257827}`
	value, err := ParseJSON("test", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(EncodeCompact(value)); got != text {
		t.Errorf("got %s", got)
	}
}

// TestEncodeRevealsSecrets writes a secret into a file as it is.
func TestEncodeRevealsSecrets(t *testing.T) {
	object := NewObject()
	object.Set("key", NewSecret("sk-1"))
	if got := string(EncodeCompact(object)); got != `{"key":"sk-1"}` {
		t.Errorf("got %s", got)
	}
}

// FuzzEncode writes a document and finds the same in what was written.
func FuzzEncode(f *testing.F) {
	f.Add(`{"a":[1,2.5,"x\u0000",null,true],"7":{}}`)
	f.Fuzz(func(t *testing.T, text string) {
		value, err := ParseJSON("test", []byte(text))
		if err != nil {
			return
		}
		indented, compact := Encode(value), EncodeCompact(value)
		for _, written := range [][]byte{indented, compact} {
			again, err := ParseJSON("test", written)
			if err != nil {
				t.Fatalf("%s: %v", written, err)
			}
			if string(EncodeCompact(again)) != string(compact) {
				t.Errorf("%s became %s", compact, EncodeCompact(again))
			}
		}
	})
}
