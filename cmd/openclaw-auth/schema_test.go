package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// compiled are the schemas of all documents, by the name in their documents. Here
// they allow no member that they don't name.
func compiled(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	all := map[string]*jsonschema.Schema{}
	compiler := jsonschema.NewCompiler()
	for name, document := range jsonDocuments() {
		data, err := json.Marshal(schemaDocument("openclaw-auth/"+name, document))
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		closeObjects(value)
		if err := compiler.AddResource(name, value); err != nil {
			t.Fatal(err)
		}
	}
	for name := range jsonDocuments() {
		compiledSchema, err := compiler.Compile(name)
		if err != nil {
			t.Fatal(err)
		}
		all["openclaw-auth/"+name] = compiledSchema
	}
	return all
}

// closeObjects lets no object of a schema have other members than it names.
func closeObjects(value any) {
	switch v := value.(type) {
	case map[string]any:
		if _, names := v["properties"].(map[string]any); names && v["type"] == "object" {
			v["additionalProperties"] = false
		}
		for _, member := range v {
			closeObjects(member)
		}
	case []any:
		for _, item := range v {
			closeObjects(item)
		}
	}
}

// validator checks documents, and remembers which kinds it has seen.
type validator struct {
	schemas map[string]*jsonschema.Schema
	seen    map[string]bool
}

// check validates every document of a text.
func (v *validator) check(t *testing.T, command, text string) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	for {
		var raw json.RawMessage
		err := decoder.Decode(&raw)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Errorf("%s writes no JSON: %v", command, err)
			return
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		object, _ := value.(map[string]any)
		name, _ := object["schema"].(string)
		if v.schemas[name] == nil {
			t.Errorf("%s: no schema %q", command, name)
			return
		}
		v.seen[strings.TrimPrefix(name, "openclaw-auth/")] = true
		if err := v.schemas[name].Validate(value); err != nil {
			t.Errorf("%s: %v", command, err)
		}
	}
}

// isForeign reports whether a document has the schema of somebody else.
func isForeign(command string) bool {
	return strings.HasPrefix(command, "[docs schema") || strings.Contains(command, "--format sarif")
}

// TestDocumentsHaveTheirSchema validates what every command writes with --json
// on sample homes and on one with an oddity in each place, and finds a document
// of every kind there is.
func TestDocumentsHaveTheirSchema(t *testing.T) {
	v := &validator{schemas: compiled(t), seen: map[string]bool{}}
	homes := []string{seededHome(t)}
	names := sampleHomes(t)
	if testing.Short() {
		names = names[:1]
	}
	for _, name := range names {
		homes = append(homes, sampleHome(t, name))
	}
	for _, home := range homes {
		for _, output := range outputs(t, home) {
			if strings.Contains(output.command, "--json") && !isForeign(output.command) {
				v.check(t, output.command, output.stdout)
			}
		}
	}
	v.written(t)
	for name := range jsonDocuments() {
		if !v.seen[name] && name != "state-watch/v1" { // TestWatchWritesItsSchema
			t.Errorf("no command wrote a document %s, so it was not validated", name)
		}
	}
}

// written validates documents of commands that write, of attempts and of files.
func (v *validator) written(t *testing.T) {
	t.Helper()
	home := sampleHome(t, "2026.4.29")
	execs := []string{"chain", "exec", "--json", "--no-record", "--", "sh", "-c", "echo HTTP 429 too many requests >&2; exit 9"}
	if runtime.GOOS == "windows" {
		execs[6], execs[7] = "/C", "echo HTTP 429 too many requests 1>&2 & exit 9"
		execs[5] = "cmd"
	}
	for _, args := range [][]string{
		{"auth", "reset", "--all", "--yes", "--json"}, {"undo", "--list", "--json"}, {"undo", "--json"},
		{"docs", "man", filepath.Join(home, "man"), "--json"}, {"docs", "markdown", filepath.Join(home, "md"), "--json"},
		{"chain", "pin", "set", "agent:main:main", "anthropic:default", "--json"}, {"chain", "pin", "clear", "agent:main:main", "--json"},
		{"doctor", "--fix", "--plan", filepath.Join(home, "plan.json"), "--json"},
	} {
		stdout, stderr, _ := program(t, home, args...)
		if stdout == "" {
			t.Errorf("%q: %s", args, stderr)
		}
		v.check(t, strings.Join(args, " "), stdout)
	}
	images := t.TempDir()
	write(t, images, map[string]string{conf: `{"agents":{"defaults":{"imageModel":{"primary":"openai/gpt-5","fallbacks":["google/gemini-3"]}}}}`, store: empty})
	for _, name := range []string{"explain", "simulate"} {
		stdout, stderr, _ := program(t, images, "chain", name, "--image", "--json")
		if v.check(t, "chain "+name+" --image", stdout); stdout == "" {
			t.Error(stderr)
		}
	}
	_, stderr, _ := program(t, home, execs...)
	for line := range strings.Lines(stderr) {
		if strings.HasPrefix(line, "{") {
			v.check(t, "chain exec", line)
		}
	}
	plan, err := os.ReadFile(filepath.Join(home, "plan.json"))
	if err != nil {
		t.Fatal(err)
	}
	v.check(t, "doctor --fix --plan", string(plan))
}

// TestSchemasOnlyGrow compares the schemas with those that were published:
// members may come, none may go, change its type or become optional. What must
// break gets a new version, and so a file of its own. -update adds what is new.
func TestSchemasOnlyGrow(t *testing.T) {
	directory := filepath.Join("..", "..", "testdata", "schema")
	for name, document := range jsonDocuments() {
		file := filepath.Join(directory, strings.ReplaceAll(name, "/", ".")+".json")
		data, err := json.MarshalIndent(schemaDocument("openclaw-auth/"+name, document), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, '\n')
		published, err := os.ReadFile(file)
		if err == nil {
			var before, now map[string]any
			if json.Unmarshal(published, &before) != nil || json.Unmarshal(data, &now) != nil {
				t.Fatalf("%s is no JSON", file)
			}
			if broken := breaks(before, now, name); len(broken) > 0 {
				t.Errorf("breaks its readers, so it needs a new version: %s", strings.Join(broken, "; "))
				continue
			}
		}
		switch {
		case *update:
			if err := os.MkdirAll(directory, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, data, 0o644); err != nil {
				t.Fatal(err)
			}
		case !bytes.Equal(published, data):
			t.Errorf("%s is not the schema of today: go test ./cmd/openclaw-auth -run Schemas -update", file)
		}
	}
}

// breaks lists what a reader of one schema can't rely on under another.
func breaks(before, now map[string]any, at string) []string {
	var broken []string
	if !reflect.DeepEqual(before["type"], now["type"]) {
		broken = append(broken, at+" has another type")
	}
	required, _ := now["required"].([]any)
	wasRequired, _ := before["required"].([]any)
	for _, name := range wasRequired {
		if !slices.Contains(required, name) {
			broken = append(broken, at+"."+name.(string)+" is no longer there for sure")
		}
	}
	properties, _ := now["properties"].(map[string]any)
	were, _ := before["properties"].(map[string]any)
	for name, member := range were {
		other, _ := properties[name].(map[string]any)
		if other == nil {
			broken = append(broken, at+"."+name+" is gone")
			continue
		}
		broken = append(broken, breaks(member.(map[string]any), other, at+"."+name)...)
	}
	if items, ok := before["items"].(map[string]any); ok {
		others, _ := now["items"].(map[string]any)
		broken = append(broken, breaks(items, others, at+"[]")...)
	}
	return broken
}

func TestBreaksAreFound(t *testing.T) {
	type member struct {
		A string `json:"a"`
	}
	type before struct {
		Name string   `json:"name"`
		List []member `json:"list"`
	}
	asMap := func(document any) map[string]any {
		data, err := json.Marshal(schemaDocument("x", document))
		if err != nil {
			t.Fatal(err)
		}
		var value map[string]any
		if err := json.Unmarshal(data, &value); err != nil {
			t.Fatal(err)
		}
		return value
	}
	for name, test := range map[string]struct {
		now  any
		want int
	}{
		"the same": {before{}, 0},
		"a member more": {struct {
			before
			New int `json:"new"`
		}{}, 0},
		"one gone": {struct {
			List []member `json:"list"`
		}{}, 2},
		"another type": {struct {
			Name int      `json:"name"`
			List []member `json:"list"`
		}{}, 1},
		"optional now": {struct {
			Name string   `json:"name,omitempty"`
			List []member `json:"list"`
		}{}, 1},
		"a type below": {struct {
			Name string `json:"name"`
			List []struct {
				A bool `json:"a"`
			} `json:"list"`
		}{}, 1},
		"may be null now": {struct {
			Name *string  `json:"name"`
			List []member `json:"list"`
		}{}, 1},
	} {
		if got := breaks(asMap(before{}), asMap(test.now), "x"); len(got) != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
