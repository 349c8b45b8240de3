package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// compiled are the schemas of all documents.
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

// TestDocumentsHaveTheirSchema validates what every command writes with --json
// on every sample home and on one with an oddity in each place.
func TestDocumentsHaveTheirSchema(t *testing.T) {
	schemas := compiled(t)
	homes := []string{seededHome(t)}
	names := sampleHomes(t)
	if testing.Short() {
		names = names[:1]
	}
	for _, name := range names {
		homes = append(homes, sampleHome(t, name))
	}
	seen := map[string]bool{}
	for _, home := range homes {
		for _, output := range outputs(t, home) {
			start := strings.Index(output.text, "{\n")
			if !strings.Contains(output.command, "--json") || start != 0 {
				continue
			}
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(output.text[:strings.LastIndex(output.text, "}")+1]))
			if err != nil {
				t.Errorf("%s: %v", output.command, err)
				continue
			}
			name, _ := value.(map[string]any)["schema"].(string)
			if name == "" {
				if !strings.HasPrefix(output.command, "[docs schema") && !strings.HasPrefix(output.command, "[doctor") {
					t.Errorf("%s has no schema", output.command)
				}
				continue
			}
			compiledSchema := schemas[name]
			if compiledSchema == nil {
				t.Errorf("%s: no schema %q", output.command, name)
				continue
			}
			seen[name] = true
			if err := compiledSchema.Validate(value); err != nil {
				t.Errorf("%s: %v", output.command, err)
			}
			checkMembers(t, output.command, "", reflect.ValueOf(jsonDocuments()[strings.TrimPrefix(name, "openclaw-auth/")]).Type(), value)
		}
	}
	if len(seen) < 20 {
		t.Errorf("only %d kinds of document were validated", len(seen))
	}
}

// checkMembers finds members that the schema does not have.
func checkMembers(t *testing.T, command, at string, kind reflect.Type, value any) {
	object, ok := value.(map[string]any)
	if !ok || kind.Kind() != reflect.Struct {
		return
	}
	properties := schemaOf(kind)["properties"].(schema)
	for name := range object {
		if _, known := properties[name]; !known {
			t.Errorf("%s: the schema has no member %s%s", command, at, name)
		}
	}
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
