package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/itchyny/gojq"
	"github.com/urfave/cli/v2"

	"openclaw-auth/doctor/words"
)

// outputFlags choose what is shown of a JSON document. Each implies --json.
func outputFlags() []cli.Flag {
	return []cli.Flag{
		globalToggle("json", "OPENCLAW_AUTH_JSON", "one JSON document (openclaw-auth docs schema describes it)"),
		&cli.StringFlag{Name: "fields", Category: globalCategory, Usage: "only these `FIELDS` of the JSON document, with commas: agent,profiles.id"},
		&cli.StringFlag{Name: "jq", Category: globalCategory, Usage: "what the jq `EXPRESSION` makes of the JSON document"},
		&cli.StringFlag{Name: "template", Category: globalCategory, Usage: "the JSON document through a Go `TEMPLATE`"},
	}
}

// hasOutput reports whether the answer is to be a JSON document or made of one.
func hasOutput(c *cli.Context) bool {
	return c.Bool("json") || c.String("fields") != "" || c.String("jq") != "" || c.String("template") != ""
}

// writeJSON writes the document that is a command's answer, or what the flags
// choose of it.
func (s *session) writeJSON(document any) error {
	if !s.chooses() {
		return encodeJSON(s.stdout, document)
	}
	data, err := json.Marshal(document)
	if err != nil {
		return err
	}
	return s.writeChosen(data)
}

// chooses reports whether only a part of the document is asked for.
func (s *session) chooses() bool {
	return s.flags.String("fields") != "" || s.flags.String("jq") != "" || s.flags.String("template") != ""
}

// checkOutput refuses a choice that can't be read, before anything is done.
func (s *session) checkOutput() error {
	query, text := s.flags.String("jq"), s.flags.String("template")
	if query != "" && text != "" {
		return usage("--jq and --template each say what to show: give one of them")
	}
	if query != "" {
		if _, err := gojq.Parse(query); err != nil {
			return usage("--jq: %w", err)
		}
	}
	if text != "" {
		if _, err := s.template(text, nil); err != nil {
			return usage("%w", err)
		}
	}
	return s.checkFields()
}

// checkFields refuses fields that no document of the command has.
func (s *session) checkFields() error {
	fields := s.flags.String("fields")
	_, path, _ := strings.Cut(s.flags.Command.HelpName, " ")
	if fields == "" {
		return nil
	}
	var first error // about the command's own document, which comes before those of its variants
	documents := jsonDocuments()
	for _, name := range schemaNames() {
		if !isDocumentOf(strings.ReplaceAll(path, " ", "-"), name) {
			continue
		}
		_, err := choose(memberTree(schemaOf(reflect.TypeOf(documents[name]))), strings.Split(fields, ","), "")
		if err == nil {
			return nil
		}
		if first == nil || strings.HasPrefix(name, strings.ReplaceAll(path, " ", "-")+"/") {
			first = err
		}
	}
	return first
}

// isDocumentOf reports whether a document is one of those of a command, whose
// name it begins with.
func isDocumentOf(command, document string) bool {
	rest, ok := strings.CutPrefix(document, command)
	return ok && (rest[0] == '/' || rest[0] == '-')
}

// linesOnly refuses to choose from a document where --json writes a line for
// each thing that happens.
func (s *session) linesOnly(command string) error {
	if s.chooses() {
		return usage("%s --json writes a document per line as things happen: --fields, --jq and --template have no effect, pipe the lines to jq", command)
	}
	return nil
}

// streamJSON lets a document be written to stdout part by part; only what is
// to be chosen from has to be held as a whole.
func (s *session) streamJSON(write func() error) error {
	if !s.chooses() {
		return write()
	}
	var b bytes.Buffer
	stdout := s.stdout
	s.stdout = &b
	err := write()
	s.stdout = stdout
	if err != nil {
		return err
	}
	return s.writeChosen(b.Bytes())
}

// writeChosen writes what the flags choose of a document.
func (s *session) writeChosen(data []byte) error {
	fields, query, text := s.flags.String("fields"), s.flags.String("jq"), s.flags.String("template")
	var value any
	err := json.Unmarshal(data, &value)
	if err != nil {
		return err
	}
	if fields != "" {
		if value, err = choose(value, strings.Split(fields, ","), ""); err != nil {
			return err
		}
	}
	switch {
	case query != "":
		return s.writeQueried(value, query)
	case text != "":
		return s.writeTemplate(value, text)
	}
	return encodeJSON(s.stdout, value)
}

// encodeJSON writes one document, indented, as every --json does.
func encodeJSON(w io.Writer, document any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(document)
}

// choose leaves only the named members of a value. A name with a point goes
// into the member, and into each item of a list. within is where the value stands.
func choose(value any, fields []string, within string) (any, error) {
	switch v := value.(type) {
	case []any:
		chosen := make([]any, len(v))
		for i, item := range v {
			var err error
			if chosen[i], err = choose(item, fields, within); err != nil {
				return nil, err
			}
		}
		return chosen, nil
	case map[string]any:
		return chooseMembers(v, fields, within)
	case anyMember:
		return v, nil
	case nil:
		return nil, nil
	}
	return nil, usage("--fields: %s has no fields", within)
}

// memberTree is a value that has every member that a schema knows; anyMember
// where the schema does not say which there are.
func memberTree(s schema) any {
	for _, alternative := range slices.Concat(asSchemas(s["anyOf"]), asSchemas(s["oneOf"])) {
		if tree := memberTree(alternative); tree != nil {
			return tree
		}
	}
	if properties, ok := s["properties"].(schema); ok {
		members := map[string]any{}
		for name, member := range properties {
			members[name] = memberTree(member.(schema))
		}
		return members
	}
	if items, ok := s["items"].(schema); ok {
		return memberTree(items)
	}
	if kind := s["type"]; kind == nil || kind == "object" {
		return anyMember{}
	}
	return nil
}

// anyMember stands for an object whose members are not known beforehand.
type anyMember struct{}

func asSchemas(value any) []schema {
	schemas, _ := value.([]schema)
	return schemas
}

func chooseMembers(object map[string]any, fields []string, within string) (any, error) {
	below := map[string][]string{}
	chosen := map[string]any{}
	for _, field := range fields {
		name, rest, deeper := strings.Cut(strings.TrimSpace(field), ".")
		value, known := object[name]
		if !known {
			return nil, unknownField(name, within, object)
		}
		if deeper {
			below[name] = append(below[name], rest)
			continue
		}
		chosen[name] = value
	}
	for name, rest := range below {
		if _, whole := chosen[name]; whole {
			continue
		}
		value, err := choose(object[name], rest, strings.TrimPrefix(within+"."+name, "."))
		if err != nil {
			return nil, err
		}
		chosen[name] = value
	}
	return chosen, nil
}

func unknownField(name, within string, object map[string]any) error {
	var names []string
	for known := range object {
		names = append(names, known)
	}
	slices.Sort(names)
	where := "the document"
	if within != "" {
		where = within
	}
	near := ""
	if n := nearest(name, names); n != "" {
		near = fmt.Sprintf(" (did you mean %q?)", n)
	}
	return usage("--fields: no %q in %s%s; it has %s", name, where, near, words.List(names, 0))
}

// writeQueried writes what a jq expression gives: texts as they are, the rest
// as JSON, one a line.
func (s *session) writeQueried(value any, expression string) error {
	query, err := gojq.Parse(expression)
	if err != nil {
		return usage("--jq: %w", err)
	}
	results := query.Run(value)
	for {
		result, more := results.Next()
		if !more {
			return nil
		}
		if err, failed := result.(error); failed {
			if halt, ok := err.(*gojq.HaltError); ok && halt.Value() == nil {
				return nil
			}
			return usage("--jq: %w", err)
		}
		if text, ok := result.(string); ok {
			fmt.Fprintln(s.stdout, text)
			continue
		}
		line, err := gojq.Marshal(result)
		if err != nil {
			return err
		}
		fmt.Fprintln(s.stdout, string(line))
	}
}

// writeTemplate writes what a template makes of the document.
func (s *session) writeTemplate(value any, text string) error {
	var rows words.Table
	t, err := s.template(text, &rows)
	if err != nil {
		return usage("%w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, value); err != nil {
		return usage("%w", err)
	}
	if rows.Len() > 0 {
		screen := words.Screen{W: &b, Width: s.screen.Width}
		screen.Table("", &rows)
	}
	_, err = b.WriteTo(s.stdout)
	return err
}

// template parses a template. Its function tablerow adds to rows.
func (s *session) template(text string, rows *words.Table) (*template.Template, error) {
	functions := template.FuncMap{
		"join": func(separator string, list []any) string {
			return strings.TrimSuffix(strings.Join(texts(list), separator), separator)
		},
		"pluck": pluck,
		"json": func(value any) (string, error) {
			data, err := json.Marshal(value)
			return string(data), err
		},
		"truncate": func(most int, text string) string {
			if runes := []rune(text); len(runes) > most {
				return string(runes[:max(most-1, 0)]) + "…"
			}
			return text
		},
		"timeago": func(ms float64) string { return s.clock.Distance(ms) },
		"timefmt": func(layout string, ms float64) string {
			return time.UnixMilli(int64(ms)).In(s.zoneOrUTC()).Format(layout)
		},
		"tablerow": func(cells ...any) string { rows.Add(cells...); return "" },
		"tablerender": func() string {
			var b bytes.Buffer
			screen := words.Screen{W: &b, Width: s.screen.Width}
			screen.Table("", rows)
			*rows = words.Table{}
			return b.String()
		},
	}
	return template.New("--template").Funcs(functions).Option("missingkey=error").Parse(text)
}

func (s *session) zoneOrUTC() *time.Location {
	if s.clock.Zone == nil {
		return time.UTC
	}
	return s.clock.Zone
}

func texts(list []any) []string {
	all := make([]string, len(list))
	for i, item := range list {
		all[i] = fmt.Sprint(item)
	}
	return all
}

// pluck is the member of that name of every item of a list.
func pluck(name string, list []any) []any {
	var values []any
	for _, item := range list {
		if object, ok := item.(map[string]any); ok {
			values = append(values, object[name])
		}
	}
	return values
}
