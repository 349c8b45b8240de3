// Package answer puts the questions that OpenClaw was asked (see
// testdata/README.md) to our own engine.
package answer

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/google/go-cmp/cmp"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
)

// Question is an input with the answer of the real program.
type Question struct {
	ID    string
	Fn    string // the function that was asked
	Now   int64  // the clock, Unix ms
	Input *document.Object
	Want  document.Value
}

// Skipped is an answer that says why no rule can predict one.
type Skipped string

// functions answer a question under the rules of a release.
var functions = map[string]func(rules *auth.Rules, q Question) any{
	"order":    answerOrder,
	"cooldown": answerCooldown,
	"pin":      answerPin,
	"failure":  answerFailure,
	"classify": func(rules *auth.Rules, q Question) any { return Classify(rules.Failover(), q) },
	"parse":    answerParse,

	"candidates": answerCandidates,
	"selection":  answerSelection,
	"walk":       answerWalk,
}

// Knows reports whether a function is one that Ask answers.
func Knows(fn string) bool { return functions[fn] != nil }

// Ask answers a question under the given rules: a value that Diff compares, or
// Skipped.
func Ask(rules *auth.Rules, q Question) any { return functions[q.Fn](rules, q) }

// Threw reports whether the release threw instead of answering.
func Threw(q Question) bool {
	want, ok := q.Want.(*document.Object)
	return ok && want.Has("error") && len(want.Keys()) == 1
}

// Diff tells how an answer differs from the recorded one; "" when it doesn't.
func Diff(q Question, got any) string { return cmp.Diff(plain(q.Want), plain(got)) }

// Right reports whether an answer is the recorded one.
func Right(q Question, got any) bool { return cmp.Equal(plain(q.Want), plain(got)) }

// Same reports whether two of our answers are the same.
func Same(a, b any) bool { return cmp.Equal(plain(a), plain(b)) }

// Read reads a file of recorded answers, one JSON object a line, compressed if
// its name ends in .gz.
func Read(file string) ([]Question, error) {
	opened, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	var reader io.Reader = opened
	if strings.HasSuffix(file, ".gz") {
		if reader, err = gzip.NewReader(opened); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	var questions []Question
	lines := bufio.NewReader(reader)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 1 {
			value, parseErr := document.ParseJSON(file, line)
			if parseErr != nil {
				return nil, parseErr
			}
			record := value.(*document.Object)
			now, _ := record.Number("now")
			want, _ := record.Get("want")
			questions = append(questions, Question{
				ID: record.Text("id"), Fn: record.Text("fn"), Now: int64(now), Input: record.Object("input"), Want: want,
			})
		}
		if err == io.EOF {
			return questions, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
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
