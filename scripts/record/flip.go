package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// flip is one rule in which two releases differ: a field, or a single entry of
// a field that is a map. Set gives rules the value of the newer one.
type flip struct {
	name   string
	set    func(rules reflect.Value)
	source string // the newer value as Go source
}

// flips lists the single rules in which two values of the same struct type
// differ, by name.
func flips(older, newer reflect.Value) []flip {
	var found []flip
	collect(older, newer, "", nil, &found)
	slices.SortFunc(found, func(a, b flip) int { return strings.Compare(a.name, b.name) })
	return found
}

func collect(older, newer reflect.Value, prefix string, path []int, found *[]flip) {
	for i := range older.NumField() {
		field := older.Type().Field(i)
		if !field.IsExported() || field.Name == "Line" {
			continue
		}
		at := append(slices.Clone(path), i)
		name, a, b := prefix+field.Name, older.Field(i), newer.Field(i)
		switch {
		case a.Kind() == reflect.Struct:
			collect(a, b, name+".", at, found)
		case reflect.DeepEqual(a.Interface(), b.Interface()):
		case a.Kind() == reflect.Map:
			collectEntries(a, b, name, at, found)
		default:
			*found = append(*found, flip{name, func(rules reflect.Value) { rules.FieldByIndex(at).Set(b) }, fmt.Sprintf("%#v", b.Interface())})
		}
	}
}

// collectEntries lists the entries in which two maps differ.
func collectEntries(older, newer reflect.Value, name string, at []int, found *[]flip) {
	keys := older.MapKeys()
	for _, key := range newer.MapKeys() {
		if !older.MapIndex(key).IsValid() {
			keys = append(keys, key)
		}
	}
	for _, key := range keys {
		a, b := older.MapIndex(key), newer.MapIndex(key)
		if a.IsValid() && b.IsValid() && reflect.DeepEqual(a.Interface(), b.Interface()) {
			continue
		}
		source := "gone"
		if b.IsValid() {
			source = fmt.Sprintf("%#v", b.Interface())
		}
		*found = append(*found, flip{fmt.Sprintf("%s[%v]", name, key), func(rules reflect.Value) {
			field := rules.FieldByIndex(at)
			changed := reflect.MakeMap(field.Type())
			for _, other := range field.MapKeys() {
				changed.SetMapIndex(other, field.MapIndex(other))
			}
			changed.SetMapIndex(key, b) // the zero Value deletes
			field.Set(changed)
		}, source})
	}
}
