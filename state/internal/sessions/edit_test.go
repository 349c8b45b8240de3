package sessions

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"openclaw-auth/auth/document"
	"openclaw-auth/state/internal/disk"
)

func fileOf(t testing.TB, text string) string {
	path := filepath.Join(t.TempDir(), "sessions.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestEdit(t *testing.T) {
	const text = `{"a": {"n": 1}, "b": {"n": 2}, "a": {"n": 3}, "c" : 4}`
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"a"}, `{"a": {"n": 1}, "b": {"n": 2}, "a": {"n":3,"seen":true}, "c" : 4}`}, // the last of two counts
		{[]string{"b", "a"}, `{"a": {"n": 1}, "b": {"n":2,"seen":true}, "a": {"n":3,"seen":true}, "c" : 4}`},
		{nil, text},
	} {
		edit, err := Entries(disk.System{}, fileOf(t, text), c.keys)
		if err != nil {
			t.Fatal(err)
		}
		if err := edit.Change(func(_ string, entry *document.Object) error { entry.Set("seen", true); return nil }); err != nil {
			t.Fatal(err)
		}
		if edit.Changes() != (len(c.keys) > 0) {
			t.Errorf("%v: Changes is %v", c.keys, edit.Changes())
		}
		var to bytes.Buffer
		if read, err := edit.Copy(&to, strings.NewReader(text)); err != nil || read != int64(len(text)) || to.String() != c.want {
			t.Errorf("%v: read %d, %v, got\n%s, want\n%s", c.keys, read, err, to.String(), c.want)
		}
		if len(c.keys) != 2 {
			continue
		}
		before, _ := edit.Contents()
		kept, err := Kept("backup", before)
		if err != nil || string(kept["a"]) != `{"n": 3}` || string(kept["b"]) != `{"n": 2}` {
			t.Errorf("kept of %s: %q, %v", before, kept, err)
		}
	}
}

func TestEditErrors(t *testing.T) {
	path := fileOf(t, `{"a": {}, "d": 4}`)
	if _, err := Entries(disk.System{}, path, []string{"a", "ghost"}); !errors.Is(err, ErrNoSession) || !strings.HasSuffix(err.Error(), "no such session: ghost") {
		t.Errorf("a missing key: %v", err)
	}
	edit, err := Entries(disk.System{}, path, []string{"d"})
	if err == nil {
		err = edit.Change(func(string, *document.Object) error { return nil })
	}
	if err == nil {
		t.Error("an entry that is a number was changed")
	}
	if _, err := Entries(disk.System{}, fileOf(t, `[]`), nil); !errors.Is(err, ErrNoObject) {
		t.Errorf("a list: %v", err)
	}
}

// BenchmarkEdit changes every one of so many sessions: the time of an entry
// should not grow with their number.
func BenchmarkEdit(b *testing.B) {
	for _, count := range []int{1_000, 10_000, 40_000} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			var text strings.Builder
			var keys []string
			for i := range count {
				key := fmt.Sprintf("agent:main:telegram:direct:%d", i)
				keys = append(keys, key)
				fmt.Fprintf(&text, "%s\n  %q: {\"sessionId\": \"%d\", \"authProfileOverride\": \"openai:work\"}", [...]string{",", "{"}[bit(i == 0)], key, i)
			}
			text.WriteString("\n}\n")
			path := fileOf(b, text.String())
			for b.Loop() {
				edit, err := Entries(disk.System{}, path, keys)
				if err != nil {
					b.Fatal(err)
				}
				if err := edit.Change(func(_ string, entry *document.Object) error { entry.Delete("authProfileOverride"); return nil }); err != nil {
					b.Fatal(err)
				}
				if edit.Changes(); len(edit.places) != count {
					b.Fatal("an entry was lost")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*count), "ns/session")
		})
	}
}

func bit(is bool) int {
	if is {
		return 1
	}
	return 0
}
