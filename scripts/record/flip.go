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

// topic is what stands in brackets in the name: a group of patterns, or the check
// that asks for it; "" for others.
func (f flip) topic() string {
	_, behind, found := strings.Cut(f.name, "{")
	if !found {
		_, behind, found = strings.Cut(f.name, "[")
	}
	if !found {
		return ""
	}
	topic, _, _ := strings.Cut(strings.TrimPrefix(behind, "["), "]")
	return strings.TrimSuffix(topic, "}")
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

// collectItems lists the items that only one of two lists of words has, and the
// order if the others stand in another one. Turned all, they make the newer
// list of the older one.
func collectItems(older, newer reflect.Value, name string, at []int, found *[]flip) {
	a, b := words(older), words(newer)
	change := func(part, source string, changed func(list []string) []string) {
		*found = append(*found, flip{name + part, func(rules reflect.Value) {
			field := rules.FieldByIndex(at)
			list := changed(words(field))
			field.Set(reflect.MakeSlice(field.Type(), 0, len(list)))
			for _, word := range list {
				field.Set(reflect.Append(field, reflect.ValueOf(word).Convert(field.Type().Elem())))
			}
		}, source})
	}
	lacks := func(of []string) func(string) bool {
		return func(word string) bool { return !slices.Contains(of, word) }
	}
	if !slices.Equal(slices.DeleteFunc(slices.Clone(a), lacks(b)), slices.DeleteFunc(slices.Clone(b), lacks(a))) {
		change(" order", "the newer", func(list []string) []string { return arranged(list, b) })
	}
	for _, word := range b {
		if lacks(a)(word) {
			change("{"+word+"}", "new", func(list []string) []string { return inserted(list, word, b) })
		}
	}
	for _, word := range a {
		if lacks(b)(word) {
			change("{"+word+"}", "gone", func(list []string) []string {
				return slices.DeleteFunc(list, func(each string) bool { return each == word })
			})
		}
	}
}

// arranged puts the items of a list in the order of another one; those that the
// other lacks stay behind the item that they followed.
func arranged(list, order []string) []string {
	result := slices.DeleteFunc(slices.Clone(order), func(word string) bool { return !slices.Contains(list, word) })
	for i, word := range list {
		if !slices.Contains(order, word) {
			place := 0
			if i > 0 {
				place = slices.Index(result, list[i-1]) + 1
			}
			result = slices.Insert(result, place, word)
		}
	}
	return result
}

// inserted adds an item behind the nearest one that it follows in order.
func inserted(list []string, word string, order []string) []string {
	for i := slices.Index(order, word) - 1; i >= 0; i-- {
		if place := slices.Index(list, order[i]); place >= 0 {
			return slices.Insert(list, place+1, word)
		}
	}
	return slices.Insert(list, 0, word)
}

func words(list reflect.Value) []string {
	all := make([]string, list.Len())
	for i := range all {
		all[i] = list.Index(i).String()
	}
	return all
}
