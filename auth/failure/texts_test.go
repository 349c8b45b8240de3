package failure

import (
	"strings"
	"testing"

	"openclaw-auth/auth/document"
)

func TestTrim(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"\ufeff a\u00a0\u3000", "a"},
		{"\u0085a\u0085", "\u0085a\u0085"}, // white space to Go, not to JavaScript
		{" \n\t", ""},
	} {
		if got := document.Trim(test.text); got != test.want {
			t.Errorf("document.Trim(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}

func TestLower(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"RATE Limit", "rate limit"},
		{"TİMEOUT", "ti\u0307meout"},
		{"to\u212aen", "token"}, // the Kelvin sign
	} {
		if got := document.Lower(test.text); got != test.want {
			t.Errorf("document.Lower(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}

// TestUnits counts as JavaScript does: a character beyond U+FFFF is two.
func TestUnits(t *testing.T) {
	faces := strings.Repeat("\U0001F600", 256)
	if longerThan(faces, 512) || !longerThan(faces+"x", 512) || longerThan(strings.Repeat("é", 512), 512) {
		t.Error("longerThan doesn't count UTF-16 units")
	}
	if got := cut("ab\U0001F600c", 3); got != "ab" {
		t.Errorf("cut splits a character: %q", got)
	}
	if got := cut("ab\U0001F600c", 4); got != "ab\U0001F600" {
		t.Errorf("cut(4) = %q", got)
	}
}

func TestLead(t *testing.T) {
	for _, test := range []struct {
		line, text string
		status     int
		rest       string
	}{
		{"2026.9.6", "503 busy", 503, "busy"},
		{"2026.9.6", "HTTP503 : busy", 503, "busy"},
		{"2026.9.6", " 503 ", 503, ""},
		{"2026.9.6", "503:", 0, ""},
		{"2026.9.6", "5030 busy", 0, ""},
		{"2026.9.6", "700 busy", 0, ""},
		{"2026.7.1", "700 busy", 700, "busy"},
		{"2026.3.13", "503: busy", 0, ""},
		{"2026.3.13", "503\nbusy\nagain", 503, "busy\nagain"},
	} {
		status, rest, ok := RulesFor(test.line).lead(test.text)
		if status != test.status || ok != (test.status != 0) || ok && rest != test.rest {
			t.Errorf("%s: lead(%q) = %d, %q, %v", test.line, test.text, status, rest, ok)
		}
	}
}

func TestNoBody(t *testing.T) {
	r := RulesFor("2026.9.6")
	for _, test := range []struct {
		text   string
		status int
		want   bool
	}{
		{"", 400, true},
		{"400 status code (no body)", 400, true},
		{"Error: 400: No Response Body", 400, true},
		{"422 no body", 400, false},
		{"no body here", 400, false},
	} {
		if got := r.isNoBody(test.text, test.status); got != test.want {
			t.Errorf("isNoBody(%q, %d) = %v", test.text, test.status, got)
		}
	}
}

func TestMembers(t *testing.T) {
	var got []string
	members(`{ "a" : [1,{"b":"]}"}] , "c\u0064":"x\"y","a":-1.5e3 ,"e":{}}`, func(key, value string) {
		got = append(got, key+"="+value)
	})
	want := `a=[1,{"b":"]}"}] cd="x\"y" a=-1.5e3 e={}`
	if strings.Join(got, " ") != want {
		t.Errorf("members: %q", got)
	}
	for array, want := range map[string]string{`[1, {"a":[2]} ]`: `{"a":[2]}`, `[]`: "", `{}`: "", `[ "]" , null]`: "null"} {
		if got := lastElement(array); got != want {
			t.Errorf("lastElement(%s) = %q", array, got)
		}
	}
}

func TestPayload(t *testing.T) {
	for _, test := range []struct {
		line, text, typ, code string
	}{
		{"2026.9.6", `{"error":{"type":"a","code":"b"}}`, "a", "b"},
		{"2026.9.6", `505: {"error":{"code":"b"}}`, "b", "b"},
		{"2026.7.1", `505: {"error":{"code":"b"}}`, "", ""},
		{"2026.7.1", `505 {"error":{"code":"b"}}`, "b", "b"},
		{"2026.9.6", `my-sdk api error 400: {"type":"t","request_id":"r"}`, "t", ""},
		{"2026.9.6", `request failed: {"type":"t","request_id":"r"}`, "", ""},
		{"2026.9.6", `{"error":"e","message":"m","code":"c"}`, "e", "c"},
		{"2026.9.6", `{"error":{"message":"m","type":"","code":""},"type":"t"}`, "", ""},
		{"2026.9.6", `{"error":{"message":"m","attempts":[{},{"details":{"error":{"type":"deep"}}}]}}`, "deep", ""},
		{"2026.8.2", `{"error":{"message":"m","attempts":[{},{"details":{"error":{"type":"deep"}}}]}}`, "", ""},
		{"2026.9.6", `{"error":{"type":"a"},}`, "", ""},
	} {
		r := RulesFor(test.line)
		got := r.payloadOf(r.matcher().newText(test.text))
		if got.typ != test.typ || got.code != test.code {
			t.Errorf("%s: %s: %+v", test.line, test.text, got)
		}
	}
}
