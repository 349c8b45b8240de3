package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
)

// vector is an input with the answer of the real program.
type vector struct {
	id    string
	now   int64
	input *document.Object
	want  document.Value
}

// answers computes what a vector wants, by the vector's function. An answer of
// skipped says why no rule can predict it.
var answers = map[string]func(rules *auth.Rules, v vector) any{
	"order":    answerOrder,
	"cooldown": answerCooldown,
	"pin":      answerPin,
	"failure":  answerFailure,
	"parse":    answerParse,

	"candidates": answerCandidates,
	"selection":  answerSelection,
	"walk":       answerWalk,
}

type skipped string

// TestConformance compares every recorded answer of the real program with
// ours. OPENCLAW_AUTH_VECTORS names another folder of recordings, laid out
// like testdata/vectors (files may be uncompressed).
func TestConformance(t *testing.T) {
	folder := os.Getenv("OPENCLAW_AUTH_VECTORS")
	if folder == "" {
		folder = filepath.Join("..", "..", "testdata", "vectors")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.jsonl*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors in %s (%v)", folder, err)
	}
	for _, file := range files {
		release := filepath.Base(filepath.Dir(file))
		name, _, _ := strings.Cut(filepath.Base(file), ".")
		t.Run(release+"/"+name, func(t *testing.T) { conform(t, release, name, file) })
	}
}

func conform(t *testing.T, release, name, file string) {
	rules, err := auth.RulesFor(release)
	if err != nil {
		t.Fatal(err)
	}
	right, all, left := 0, 0, 0
	for record := range records(t, file) {
		answer, ok := answers[record.Text("fn")]
		if !ok {
			continue
		}
		now, _ := record.Number("now")
		want, _ := record.Get("want")
		v := vector{id: record.Text("id"), now: int64(now), input: record.Object("input"), want: want}
		got := answer(rules, v)
		if reason, ok := got.(skipped); ok {
			left++
			t.Logf("%s skipped: %s", v.id, reason)
			continue
		}
		all++
		if diff := cmp.Diff(plain(want), plain(got)); diff == "" {
			right++
		} else if all-right <= 3 {
			t.Errorf("%s (-want +got):\n%s", v.id, diff)
		}
	}
	switch {
	case left > 0:
		fmt.Printf("conformance %s %s %d/%d (%d skipped)\n", release, name, right, all, left)
	case all > 0:
		fmt.Printf("conformance %s %s %d/%d\n", release, name, right, all)
	}
	if right != all {
		t.Errorf("%d of %d differ", all-right, all)
	}
}

// records yields the objects of a file of JSON lines.
func records(t *testing.T, file string) func(yield func(*document.Object) bool) {
	return func(yield func(*document.Object) bool) {
		opened, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer opened.Close()
		var reader io.Reader = opened
		if strings.HasSuffix(file, ".gz") {
			if reader, err = gzip.NewReader(opened); err != nil {
				t.Fatal(err)
			}
		}
		lines := bufio.NewReader(reader)
		for {
			line, err := lines.ReadBytes('\n')
			if len(line) > 1 {
				value, parseErr := document.ParseJSON(file, line)
				if parseErr != nil {
					t.Fatal(parseErr)
				}
				if !yield(value.(*document.Object)) {
					return
				}
			}
			if err != nil {
				return
			}
		}
	}
}

// object builds a JSON object from pairs of key and value.
func object(pairs ...any) *document.Object {
	o := document.NewObject()
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

// plain turns a document value or a Go value into one that compares by content.
func plain(value any) any {
	switch v := value.(type) {
	case *document.Object:
		if v == nil {
			return nil
		}
		members := map[string]any{}
		for key, item := range v.All() {
			if key != "__proto__" { // the recorder's own objects can't have such a member
				members[key] = plain(item)
			}
		}
		return members
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = plain(item)
		}
		return items
	case []auth.ProfileID:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = string(item)
		}
		return items
	case json.Number:
		number, _ := v.Float64()
		return number
	case int64:
		return float64(v)
	case auth.ProfileID:
		return string(v)
	case auth.ProviderID:
		return string(v)
	case auth.Reason:
		return string(v)
	case auth.Code:
		return string(v)
	}
	return value
}
