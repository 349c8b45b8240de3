// Package diff compares documents value by value, and shows no secret of them.
package diff

import (
	"slices"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
)

// Difference is one value that a write changes. Secrets are masked in it.
type Difference struct {
	Path   []string // the keys that lead to the value
	Before string   // the value as JSON, "" where there is none
	After  string
}

// Form says what a document is, and by that which of its texts may be seen.
type Form int

// The forms.
const (
	Other    Form = iota
	Store         // profiles and their state
	Sessions      // one session, or several by key
	Config        // the configuration
	Plain         // a mode, a place, a record of OpenClaw's
)

// Sections are the members of a store's state, which hold no credential, in the
// order in which OpenClaw writes them.
var Sections = []string{"order", "lastGood", "usageStats"}

// Objects returns the values in which two documents of a form differ.
func Objects(form Form, before, after *document.Object) []Difference {
	d := differ{form: form}
	d.objects(before, after, nil)
	return d.found
}

type differ struct {
	form  Form
	found []Difference
}

func (d *differ) objects(before, after *document.Object, path []string) {
	for key, was := range before.All() {
		d.values(was, get(after, key), slices.Concat(path, []string{key}))
	}
	for key, is := range after.All() {
		if !before.Has(key) {
			d.values(missing{}, is, slices.Concat(path, []string{key}))
		}
	}
}

// missing stands for a value that is not there; null is a value.
type missing struct{}

func get(object *document.Object, key string) any {
	if value, ok := object.Get(key); ok {
		return value
	}
	return missing{}
}

func (d *differ) values(before, after any, path []string) {
	was, wasObject := before.(*document.Object)
	is, isObject := after.(*document.Object)
	deep := wasObject && isObject
	if len(path) < 2 && path[0] != "version" { // a section that comes or goes is shown by its members
		deep = (wasObject || before == missing{}) && (isObject || after == missing{})
	}
	switch {
	case deep && !(len(path) == 2 && path[0] == "profiles" && d.form == Store):
		d.objects(was, is, path)
	case sameValue(before, after):
	default:
		d.found = append(d.found, Difference{path, d.text(before, path), d.text(after, path)})
	}
}

func sameValue(a, b any) bool {
	if (a == missing{}) || (b == missing{}) {
		return a == b
	}
	return string(document.EncodeCompact(a)) == string(document.EncodeCompact(b))
}

// shownMembers are the members of a credential whose values may be seen.
var shownMembers = []string{"type", "provider", "mode", "expires", "email", "displayName", "copyToAgents"}

// text is a value as it may be shown.
func (d *differ) text(value any, path []string) string {
	if (value == missing{}) {
		return ""
	}
	return string(document.EncodeCompact(d.mask(value, path)))
}

func (d *differ) mask(value document.Value, path []string) document.Value {
	switch v := value.(type) {
	case *document.Object:
		masked := document.NewObject()
		for key, item := range v.All() {
			masked.Set(key, d.mask(item, slices.Concat(path, []string{key})))
		}
		return masked
	case []any:
		masked := make([]any, len(v))
		for i, item := range v {
			masked[i] = d.mask(item, path)
		}
		return masked
	case string:
		if !d.shows(path) {
			return "****"
		}
		return auth.MaskID(v)
	}
	return value
}

// shows reports whether a text may be seen. In a store that is what it names;
// elsewhere what its name does not call a secret.
func (d *differ) shows(path []string) bool {
	name := path[len(path)-1]
	switch {
	case d.form == Store && slices.Contains(Sections, path[0]):
		return true
	case d.form == Store:
		return path[0] == "profiles" && len(path) == 3 && slices.Contains(shownMembers, name)
	case d.form == Config && len(path) > 2 && path[0] == "auth" && path[1] == "profiles":
		return len(path) == 4 && slices.Contains(shownMembers, name)
	case d.form == Plain:
		return name != "report_json" // it holds hashes of credentials
	}
	return !slices.ContainsFunc(path, isSecretName)
}

// isSecretName reports whether a member's name says that its value is secret.
func isSecretName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"key", "token", "secret", "password", "access", "refresh"}, func(part string) bool {
		return strings.Contains(name, part)
	})
}
