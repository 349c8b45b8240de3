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
		case a.Kind() == reflect.Slice && a.Type().Elem().Kind() == reflect.String:
			collectItems(a, b, name, at, found)
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

// collectItems lists the items that only one of two lists of words has. Turned
// all, they make the newer list of the older one.
func collectItems(older, newer reflect.Value, name string, at []int, found *[]flip) {
	a, b := words(older), words(newer)
	var differ []string
	for _, word := range append(slices.Clone(b), a...) {
		if slices.Contains(a, word) != slices.Contains(b, word) {
			differ = append(differ, word)
		}
	}
	if len(differ) == 0 { // another order
		*found = append(*found, flip{name, func(rules reflect.Value) { rules.FieldByIndex(at).Set(newer) }, fmt.Sprintf("%#v", newer.Interface())})
	}
	order := merged(a, b)
	for _, word := range differ {
		source := "new"
		if !slices.Contains(b, word) {
			source = "gone"
		}
		*found = append(*found, flip{fmt.Sprintf("%s{%s}", name, word), func(rules reflect.Value) {
			field := rules.FieldByIndex(at)
			have := words(field)
			list := reflect.MakeSlice(field.Type(), 0, len(order))
			for _, each := range order {
				if slices.Contains(have, each) != (each == word) {
					list = reflect.Append(list, reflect.ValueOf(each).Convert(field.Type().Elem()))
				}
			}
			field.Set(list)
		}, source})
	}
}

func words(list reflect.Value) []string {
	all := make([]string, list.Len())
	for i := range all {
		all[i] = list.Index(i).String()
	}
	return all
}

// merged is the newer list with the items that only the older one has, each
// behind the one that it follows there.
func merged(older, newer []string) []string {
	order := slices.Clone(newer)
	for i, word := range older {
		if slices.Contains(order, word) {
			continue
		}
		place := 0
		if i > 0 {
			place = slices.Index(order, older[i-1]) + 1
		}
		order = slices.Insert(order, place, word)
	}
	return order
}
