package failure_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"openclaw-auth/auth/failure"
	"openclaw-auth/auth/release"
)

// vectorNames are the vector files that ask this package.
var vectorNames = []string{"classify", "classify-edge", "classify-edge2", "mutated-classify", "odd-classify"}

// maxShown bounds the differences printed per file.
const maxShown = 20

// vector is an input with the real program's answer.
type vector struct {
	ID    string         `json:"id"`
	Input map[string]any `json:"input"`
	Want  map[string]any `json:"want"`
}

// TestConformance compares every recorded answer as a whole. The environment
// variable OPENCLAW_AUTH_VECTORS names another folder of vectors, laid out as
// <folder>/<release>/<name>.jsonl or .jsonl.gz.
func TestConformance(t *testing.T) {
	folder := os.Getenv("OPENCLAW_AUTH_VECTORS")
	if folder == "" {
		folder = filepath.Join("..", "..", "testdata", "vectors")
	}
	files := 0
	for _, line := range release.Names() {
		for _, name := range vectorNames {
			vectors, ok := readVectors(t, filepath.Join(folder, line, name+".jsonl"))
			if !ok {
				continue
			}
			files++
			t.Run(line+"/"+name, func(t *testing.T) { compareVectors(t, line, name, vectors) })
		}
	}
	if files == 0 {
		t.Fatalf("no vectors in %s", folder)
	}
}

func compareVectors(t *testing.T, line, name string, vectors []vector) {
	rules := failure.RulesFor(line)
	different := 0
	for _, v := range vectors {
		got := answer(v.Input, rules)
		if reflect.DeepEqual(got, v.Want) {
			continue
		}
		if different++; different <= maxShown {
			t.Errorf("%s\n input %s\n got   %s\n want  %s", v.ID, marshal(v.Input), marshal(got), marshal(v.Want))
		}
	}
	fmt.Printf("conformance %s %s %d/%d\n", line, name, len(vectors)-different, len(vectors))
}

// answer is a verdict in the vectors' form. A field is there when the oracle
// could ask for it: the class when the input has fields of a signal, what the
// text says when there is a message, the plugin's answer when one owns the
// provider.
func answer(input map[string]any, rules *failure.Rules) map[string]any {
	verdict := failure.Classify(signalOf(input), rules)
	out := map[string]any{
		"reason":       orNull(string(verdict.Reason)),
		"coerced":      coercedAnswer(verdict.Coerced, input["provider"] == ""),
		"timeoutError": verdict.TimeoutError,
		"abortRethrow": verdict.AbortRethrow,
		"described": map[string]any{
			"reason": orNull(string(verdict.Described.Reason)),
			"status": numberOrNull(verdict.Described.Status),
			"code":   orNull(verdict.Described.Code),
		},
	}
	if isSignal(input) && rules.SignalClassifier {
		out["kind"] = orNull(string(verdict.Kind))
		if verdict.Hook != "" {
			out["hooked"] = orNull(string(verdict.Hooked))
		}
	}
	if _, ok := input["message"]; ok {
		out["raw"] = orNull(string(verdict.Raw))
		out["overflow"] = verdict.Overflow
		out["overflowLikely"] = verdict.OverflowLikely
	}
	return out
}

func isSignal(input map[string]any) bool {
	for _, name := range []string{"message", "status", "code", "type", "provider", "details"} {
		if _, ok := input[name]; ok {
			return true
		}
	}
	return false
}

func signalOf(input map[string]any) failure.Signal {
	s := failure.Signal{
		Message:  text(input, "message"),
		Code:     given(input, "code"),
		Type:     given(input, "type"),
		Provider: text(input, "provider"),
		Thrown:   thrownOf(input["error"]),
	}
	if status, ok := input["status"].(float64); ok {
		s.Status = &status
	}
	details, _ := input["details"].([]any)
	for _, detail := range details {
		s.Details = append(s.Details, detail.(string))
	}
	if context, ok := input["context"].(map[string]any); ok {
		s.Context = failure.Context{Provider: text(context, "provider"), SessionID: text(context, "sessionId")}
	}
	return s
}

func text(in map[string]any, name string) string {
	s, _ := in[name].(string)
	return s
}

// given is a text that may be there and empty, which a Signal can only show as
// a blank; to every rule that is the same.
func given(in map[string]any, name string) string {
	if in[name] == "" {
		return " "
	}
	return text(in, name)
}

// thrownOf turns a vector's description of a thrown value into the value.
func thrownOf(description any) any {
	object, ok := description.(map[string]any)
	if !ok {
		return description
	}
	if object["kind"] == "string" {
		return object["message"]
	}
	value := make(map[string]any, len(object))
	for name, property := range object {
		value[name] = thrownOf(property)
	}
	if object["kind"] == "FailoverError" {
		value["name"] = "FailoverError"
	}
	delete(value, "kind")
	return value
}

// coercedAnswer hands an empty provider on as OpenClaw does; to every rule it
// is none.
func coercedAnswer(c *failure.Coerced, emptyProvider bool) any {
	if c == nil {
		return nil
	}
	out := map[string]any{
		"reason":   string(c.Reason),
		"status":   numberOrNull(c.Status),
		"code":     orNull(c.Code),
		"provider": orNull(c.Provider),
		"suspend":  nil,
	}
	if c.Provider == "" && emptyProvider {
		out["provider"] = ""
	}
	if c.Suspend != nil {
		out["suspend"] = *c.Suspend
	}
	return out
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func numberOrNull(n *float64) any {
	if n == nil {
		return nil
	}
	return *n
}

func marshal(v any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(out.String())
}

// readVectors reads a vector file, plain or compressed; ok is false when there
// is none.
func readVectors(t *testing.T, path string) (vectors []vector, ok bool) {
	t.Helper()
	file, err := os.Open(path)
	compressed := os.IsNotExist(err)
	if compressed {
		file, err = os.Open(path + ".gz")
	}
	if os.IsNotExist(err) {
		return nil, false
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var in io.Reader = bufio.NewReader(file)
	if compressed {
		if in, err = gzip.NewReader(in); err != nil {
			t.Fatal(err)
		}
	}
	decoder := json.NewDecoder(in)
	for {
		var v vector
		err := decoder.Decode(&v)
		if err == io.EOF {
			return vectors, true
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		vectors = append(vectors, v)
	}
}
