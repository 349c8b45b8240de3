package main

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
)

// schema is a JSON Schema, as far as our documents need one.
type schema map[string]any

// schemaOf describes the JSON form of a Go type. Members that a struct holds as
// any are texts or null (numbers where a text of the same time stands beside them) unless their tag says otherwise: `schema:"number"`,
// "object" or "any". The tag also stands for a type that has no schema of its own.
func schemaOf(t reflect.Type) schema {
	if described, ok := marshalled(t); ok {
		return described
	}
	switch t.Kind() {
	case reflect.Pointer:
		return orNull(schemaOf(t.Elem()))
	case reflect.Struct:
		object := schema{"type": "object", "properties": schema{}, "required": []string{}}
		addMembers(t, object)
		return object
	case reflect.Slice, reflect.Array:
		return schema{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Map:
		return schema{"type": "object", "additionalProperties": schemaOf(t.Elem())}
	case reflect.String:
		return schema{"type": "string"}
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.Interface:
		return schema{}
	}
	if t.ConvertibleTo(reflect.TypeFor[float64]()) {
		return schema{"type": "number"}
	}
	return schema{}
}

// marshalled describes types that say themselves what they are in JSON.
func marshalled(t reflect.Type) (schema, bool) {
	switch {
	case t == reflect.TypeFor[ordered]():
		return schema{"type": "object"}, true
	case t.Implements(reflect.TypeFor[json.Marshaler]()) && t.Kind() != reflect.Pointer:
		return schema{}, true
	case t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) && t.Kind() != reflect.Pointer:
		return schema{"type": "string"}, true
	case t == reflect.TypeFor[json.RawMessage]():
		return schema{}, true
	}
	return nil, false
}

// addMembers adds the members of a struct, those of embedded ones too.
func addMembers(t reflect.Type, object schema) {
	for i := range t.NumField() {
		field := t.Field(i)
		tag, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && tag == "" && field.Type.Kind() == reflect.Struct:
			addMembers(field.Type, object)
			continue
		case !field.IsExported() || tag == "-":
			continue
		}
		name := tag
		if name == "" {
			name = field.Name
		}
		object["properties"].(schema)[name] = memberSchema(field, hasMember(t, name+"Time"))
		if !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") {
			object["required"] = append(object["required"].([]string), name)
		}
	}
}

// hasMember reports whether a struct has a member of a name.
func hasMember(t reflect.Type, name string) bool {
	for i := range t.NumField() {
		if tag, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); tag == name {
			return true
		}
	}
	return false
}

// memberSchema describes a member; isTime says that the same time stands beside
// it as a text.
func memberSchema(field reflect.StructField, isTime bool) schema {
	switch kind := field.Tag.Get("schema"); kind {
	case "":
		if field.Type.Kind() != reflect.Interface {
			return schemaOf(field.Type)
		}
		if isTime {
			return schema{"type": []string{"number", "null"}}
		}
		return schema{"type": []string{"string", "null"}}
	case "any":
		return schema{}
	default:
		return schema{"type": []string{kind, "null"}}
	}
}

func orNull(s schema) schema {
	if name, ok := s["type"].(string); ok && s["properties"] == nil {
		s["type"] = []string{name, "null"}
		return s
	}
	return schema{"anyOf": []schema{s, {"type": "null"}}}
}

// schemaDocument is the schema of a kind of document, with its name.
func schemaDocument(name string, document any) schema {
	s := schemaOf(reflect.TypeOf(document))
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = name
	if properties, ok := s["properties"].(schema); ok && properties["schema"] != nil {
		properties["schema"] = schema{"const": name}
	}
	return s
}
