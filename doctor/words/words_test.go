package words_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"openclaw-auth/doctor/words"
)

func TestCountAndList(t *testing.T) {
	for got, want := range map[string]string{
		words.Count(1, "profile"):                    "1 profile",
		words.Count(2, "profile"):                    "2 profiles",
		words.Count(0, "entry"):                      "0 entries",
		words.Count(3, "key"):                        "3 keys",
		words.Count(2, "alias"):                      "2 aliases",
		words.Plural(1, "is", "are"):                 "is",
		words.List([]string{"a", "b"}, 0):            "a, b",
		words.List([]string{"a", "b", "c"}, 2):       "a, b and 1 more",
		words.List([]string{"a", "b"}, 2):            "a, b",
		words.List([]string{}, 2):                    "",
		words.Or("a"):                                "a",
		words.Or("a", "b", "c"):                      "a, b or c",
		words.Line("two\nlines \r\n with \x1b[2J\n"): `two lines   with \u001b[2J`,
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestTimes(t *testing.T) {
	now := time.Date(2026, 5, 20, 14, 0, 0, 0, time.UTC)
	berlin := time.FixedZone("CEST", 2*3600)
	at := func(d time.Duration) float64 { return float64(now.Add(d).UnixMilli()) }
	for _, test := range []struct {
		ms         float64
		utc, local string
	}{
		{at(2*time.Hour + 40*time.Minute), "in 2h 40m (16:40Z)", "in 2h 40m (18:40)"},
		{at(30 * time.Second), "in 30s (14:00:30Z)", "in 30s (16:00:30)"},
		{at(-3 * time.Hour), "3h ago (11:00Z)", "3h ago (13:00)"},
		{at(11 * time.Hour), "in 11h (2026-05-21 01:00Z)", "in 11h (2026-05-21 03:00)"},
		{at(9 * time.Hour), "in 9h (23:00Z)", "in 9h (2026-05-21 01:00)"},
		{at(0), "now (14:00Z)", "now (16:00)"},
		{1e300, "never", "never"},
	} {
		if got := (words.Clock{Now: now.UnixMilli()}).When(test.ms); got != test.utc {
			t.Errorf("%q, want %q", got, test.utc)
		}
		if got := (words.Clock{Now: now.UnixMilli(), Zone: berlin}).When(test.ms); got != test.local {
			t.Errorf("%q, want %q", got, test.local)
		}
	}
	if got := (words.Clock{Now: now.UnixMilli(), Zone: berlin}).Today(); got != "2026-05-20 16:00 CEST" {
		t.Error(got)
	}
	for ms, want := range map[int64]string{5: "5ms", 1000: "1s", 61_000: "1m 1s", 600_000: "10m", 86_400_000 + 3_600_000: "1d 1h", 12*86_400_000 + 1: "12d"} {
		if got := words.Duration(ms); got != want {
			t.Errorf("%d: %q, want %q", ms, got, want)
		}
	}
}

// FuzzEscape: nothing that is printed moves a cursor, breaks a line or turns
// the writing around, and what a Guard lets through of JSON means the same.
func FuzzEscape(f *testing.F) {
	for _, text := range []string{"plain", "a\x1b[2Jb\x1b]0;t\a", "x\nopenai:fake", "\u202eevil", "\xff\xfe", "日本語 🙂", "\u009b31m", "\x7f", "\U000e0041", "\x1b[31mred\x1b[0m"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		safe := words.Escape(text)
		for _, r := range safe {
			if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
				t.Fatalf("%q lets %U through", safe, r)
			}
		}
		if !utf8.ValidString(safe) || words.Escape(safe) != safe {
			t.Fatalf("%q is not safe", safe)
		}
		var guarded bytes.Buffer
		doc, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := words.Guard(&guarded).Write(doc); err != nil {
			t.Fatal(err)
		}
		var before, after string
		if json.Unmarshal(doc, &before) != nil || json.Unmarshal(guarded.Bytes(), &after) != nil || before != after {
			t.Fatalf("%s became %s", doc, guarded.Bytes())
		}
	})
}

func screen(width int, draw func(*words.Screen)) string {
	var b bytes.Buffer
	draw(&words.Screen{W: &b, Width: width})
	return b.String()
}

func sample(s *words.Screen) {
	var rows words.Table
	rows.Add(1, "anthropic:team@example.com", words.In(words.Green, "ready"), "api_key", "listed")
	rows.Add(2, "日本語:プロファイル", words.In(words.Yellow, "cooling"), "oauth", "rate_limit on claude-opus-4-6, in 4m (14:04)")
	s.Table("  ", &rows)
	s.Paragraph("note: ", "after rate limits only ", words.In(words.Bold, "2"), " of them are tried before the next model")
}

func TestLayout(t *testing.T) {
	for width, want := range map[int]string{
		0: `
  1  anthropic:team@example.com  ready    api_key  listed
  2  日本語:プロファイル         cooling  oauth    rate_limit on claude-opus-4-6, in 4m (14:04)
note: after rate limits only 2 of them are tried before the next model
`,
		80: `
  1  anthropic:team@example.com  ready    api_key  listed
  2  日本語:プロファイル         cooling  oauth    rate_limit on
                                                   claude-opus-4-6, in 4m
                                                   (14:04)
note: after rate limits only 2 of them are tried before the next model
`,
		60: `
  1  anthropic:team@example.com  ready    api_key
     listed
  2  日本語:プロファイル         cooling  oauth
     rate_limit on claude-opus-4-6, in 4m (14:04)
note: after rate limits only 2 of them are tried before the
      next model
`,
		40: `
  1 anthropic:team@example.com ready
      api_key listed
  2 日本語:プロファイル cooling oauth
      rate_limit on claude-opus-4-6, in
      4m (14:04)
note: after rate limits only 2 of them
      are tried before the next model
`,
	} {
		if diff := cmp.Diff(want, "\n"+screen(width, sample)); diff != "" {
			t.Errorf("%d columns (-want +got)\n%s", width, diff)
		}
	}
}

// TestNoLineIsTooWide: whatever the width, a line is only wider than the
// terminal if it is one word, and every word of the data is there.
func TestNoLineIsTooWide(t *testing.T) {
	for width := 20; width <= 200; width += 7 {
		text := screen(width, sample)
		for line := range strings.Lines(text) {
			if line = strings.TrimRight(line, "\n"); words.Width(line) > width && len(strings.Fields(line)) > 1 {
				t.Errorf("%d columns, a line of %d: %q", width, words.Width(line), line)
			}
		}
		if !strings.Contains(strings.Join(strings.Fields(text), " "), "rate_limit on claude-opus-4-6, in 4m (14:04)") {
			t.Errorf("%d columns: words are missing in\n%s", width, text)
		}
	}
}

func TestColor(t *testing.T) {
	t.Setenv("NO_COLOR", "1") // which the caller has looked at already
	var b bytes.Buffer
	s := &words.Screen{W: &b, Width: 30, Color: true}
	s.Paragraph("  ", words.In(words.Red|words.Bold, "two words that wrap over lines"))
	s.Line("a", words.In(words.Faint, " "), words.In(0, "b"))
	for line := range strings.Lines(b.String()) {
		if begun, last := strings.LastIndex(line, "\x1b[31;1m"), strings.LastIndex(line, "\x1b["); begun >= 0 && begun == last {
			t.Errorf("an escape spans lines: %q", line)
		}
	}
	if !strings.Contains(b.String(), "\x1b[31;1mtwo") || !strings.HasSuffix(b.String(), "a b\n") {
		t.Errorf("%q", b.String())
	}
}

func TestDropIf(t *testing.T) {
	var rows words.Table
	rows.Add("a", "own", "x")
	rows.Add("b", "own", "y")
	rows.DropIf(1, "own")
	if got := screen(0, func(s *words.Screen) { s.Table("", &rows) }); got != "a  x\nb  y\n" {
		t.Errorf("%q", got)
	}
	rows.DropIf(1, "x")
	if got := screen(0, func(s *words.Screen) { s.Table("", &rows) }); got != "a  x\nb  y\n" {
		t.Errorf("%q", got)
	}
}

func ExampleScreen_Paragraph() {
	var b strings.Builder
	s := words.Screen{W: &b, Width: 40}
	s.Paragraph("note: ", "lastGood is anthropic:default; it is never used for the order")
	fmt.Print(b.String())
	// Output:
	// note: lastGood is anthropic:default; it
	//       is never used for the order
}

// A key is masked whatever stands before it; words that end like the start of a
// key are not.
func TestMaskKeys(t *testing.T) {
	const tail = "api03-abcdefghijklmnop0123"
	for text, want := range map[string]string{
		"key sk-ant-" + tail:                          "key ****",
		"xsk-ant-" + tail + " x":                      "x**** x",
		"KEY_sk-ant-" + tail:                          "KEY_****",
		"9sk-abcdefghij0123456789":                    "9****",
		"xsk-ABCDefghijklmnopqrstuv":                  "x****",
		"tokenghp_abcdefghijklmnopqrst":               "token****",
		"xAIza" + strings.Repeat("a", 30):             "x****",
		"task-internationalizations":                  "task-internationalizations",
		"task-migration-of-the-helpers":               "task-migration-of-the-helpers",
		"disk-one sk-" + strings.Repeat("a", 16):      "disk-one ****",
		"a_task-abcdefghijklmnopqrst xsk-ant-" + tail: "a_task-abcdefghijklmnopqrst x****",
	} {
		if got := words.MaskKeys(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
