package document

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Value is a JSON value as a document holds it: nil (null), bool, json.Number
// (the number as it was written), string, Secret (a string that must not be
// shown), []any or *Object.
type Value = any

// Object is a JSON object in the order in which JavaScript enumerates one:
// keys that look like array indexes first, ascending, then the others as they
// were inserted. OpenClaw's answers depend on that order. An Object keeps
// members that nobody here knows, so that a document can be written back whole.
//
// Objects are used by pointer; a nil *Object reads as an empty one. They print
// as their size: a document may hold secrets anywhere.
type Object struct {
	members []member       // those with an array index as key at the front
	index   map[string]int // position by key, built once there are many members
}

type member struct {
	key   string
	value Value
}

// indexFrom is the size from which a map finds a key faster than a scan.
const indexFrom = 12

// NewObject returns an empty object.
func NewObject() *Object { return &Object{} }

// Len returns the number of members.
func (o *Object) Len() int {
	if o == nil {
		return 0
	}
	return len(o.members)
}

// Get returns the member's value and whether there is such a member.
func (o *Object) Get(key string) (Value, bool) {
	if i := o.find(key); i >= 0 {
		return o.members[i].value, true
	}
	return nil, false
}

// Value returns the member's value, nil if it is null or absent.
func (o *Object) Value(key string) Value {
	value, _ := o.Get(key)
	return value
}

// Has reports whether there is a member of that name, null or not.
func (o *Object) Has(key string) bool { return o.find(key) >= 0 }

// Set replaces the member's value in its place, or adds the member where
// JavaScript would: last, but array-index keys in numeric order before all others.
func (o *Object) Set(key string, value Value) {
	if i := o.find(key); i >= 0 {
		o.members[i].value = value
		return
	}
	at := len(o.members)
	if n, ok := arrayIndex(key); ok {
		at, _ = slices.BinarySearchFunc(o.members, n, func(m member, n uint64) int {
			if have, ok := arrayIndex(m.key); ok {
				return cmp.Compare(have, n)
			}
			return 1
		})
	}
	if o.members == nil {
		o.members = make([]member, 0, 2) // what most have
	}
	if at == len(o.members) {
		o.members = append(o.members, member{key, value})
	} else {
		o.members = slices.Insert(o.members, at, member{key, value})
	}
	switch {
	case at < len(o.members)-1:
		o.index = nil
	case o.index != nil:
		o.index[key] = at
	}
}

// Delete removes the member, if there is one.
func (o *Object) Delete(key string) {
	i := o.find(key)
	if i < 0 {
		return
	}
	o.members = slices.Delete(o.members, i, i+1)
	o.index = nil
}

// All yields the members in order. The object must not gain or lose members meanwhile.
func (o *Object) All() func(yield func(string, Value) bool) {
	return func(yield func(string, Value) bool) {
		if o == nil {
			return
		}
		for _, m := range o.members {
			if !yield(m.key, m.value) {
				return
			}
		}
	}
}

// Keys returns the members' names in order.
func (o *Object) Keys() []string {
	keys := make([]string, 0, o.Len())
	for key := range o.All() {
		keys = append(keys, key)
	}
	return keys
}

// Clone returns a deep copy.
func (o *Object) Clone() *Object {
	if o == nil {
		return nil
	}
	copied := &Object{members: make([]member, len(o.members))}
	for i, m := range o.members {
		copied.members[i] = member{m.key, cloneValue(m.value)}
	}
	return copied
}

// copied returns an object of the same members, whose values are shared.
func (o *Object) ShallowClone() *Object {
	return &Object{members: slices.Clone(o.members)}
}

func cloneValue(value Value) Value {
	switch v := value.(type) {
	case *Object:
		return v.Clone()
	case []any:
		copied := make([]any, len(v))
		for i, item := range v {
			copied[i] = cloneValue(item)
		}
		return copied
	}
	return value
}

// String tells the size and nothing of the content.
func (o *Object) String() string { return fmt.Sprintf("object of %d", o.Len()) }

// GoString tells the size and nothing of the content, for %#v.
func (o *Object) GoString() string { return o.String() }

func (o *Object) find(key string) int {
	if o == nil {
		return -1
	}
	if len(o.members) < indexFrom {
		for i := range o.members {
			if o.members[i].key == key {
				return i
			}
		}
		return -1
	}
	if o.index == nil {
		o.index = make(map[string]int, len(o.members))
		for i, m := range o.members {
			o.index[m.key] = i
		}
	}
	if i, ok := o.index[key]; ok {
		return i
	}
	return -1
}

// arrayIndex reports whether key is an array index of JavaScript: a canonical
// decimal from 0 to 2^32-2.
func arrayIndex(key string) (uint64, bool) {
	if key == "" || len(key) > 10 || key[0] < '0' || key[0] > '9' || (key[0] == '0' && len(key) > 1) {
		return 0, false
	}
	n, err := strconv.ParseUint(key, 10, 64)
	return n, err == nil && n < math.MaxUint32
}

// Object returns the member as an object, nil if it is anything else.
func (o *Object) Object(key string) *Object {
	value, _ := o.Get(key)
	object, _ := value.(*Object)
	return object
}

// Text returns the member if it is a string, else "".
func (o *Object) Text(key string) string {
	value, _ := o.Get(key)
	text, _ := TextOf(value)
	return text
}

// Bool reports whether the member is true.
func (o *Object) Bool(key string) bool {
	value, _ := o.Get(key)
	return value == true
}

// textOf returns a string value, secret or not.
func TextOf(value Value) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case Secret:
		return v.Reveal(), true
	}
	return "", false
}

// Number returns the member as JavaScript's number and whether it is one.
// A number too large for a float64 is an infinity, as in JavaScript.
func (o *Object) Number(key string) (float64, bool) {
	value, _ := o.Get(key)
	return numberOf(value)
}

func numberOf(value Value) (float64, bool) {
	number, ok := value.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(number), 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

// SetNumber sets the member to the number, written as JavaScript writes it;
// what JavaScript can't write as a number (an infinity, NaN) becomes null.
func (o *Object) SetNumber(key string, number float64) { o.Set(key, NumberValue(number)) }

// NumberValue is the document value of a number, as JSON.stringify writes it.
func NumberValue(number float64) Value {
	switch {
	case math.IsInf(number, 0) || math.IsNaN(number):
		return nil
	case number == 0:
		return json.Number("0")
	case math.Abs(number) >= 1e21 || math.Abs(number) < 1e-6:
		text := strconv.FormatFloat(number, 'e', -1, 64)
		// JavaScript writes 1e-7 where Go writes 1e-07.
		if n := len(text); n >= 4 && text[n-2] == '0' && (text[n-3] == '-' || text[n-3] == '+') {
			text = text[:n-2] + text[n-1:]
		}
		return json.Number(text)
	}
	return json.Number(strconv.FormatFloat(number, 'f', -1, 64))
}

// truthy is JavaScript's truth of a value that is present.
func Truthy(value Value) bool {
	switch v := value.(type) {
	case nil:
		return false
	case bool:
		return v
	case json.Number:
		f, ok := numberOf(v)
		return ok && f != 0
	case string:
		return v != ""
	case Secret:
		return !v.IsZero()
	}
	return true
}
