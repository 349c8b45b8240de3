package state

import (
	"openclaw-auth/state/internal/write"

	"path/filepath"
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

// Diff compares what a change makes of a store, of sessions or of the
// configuration, value by value. Of other files, and of text that is no JSON,
// one Difference without a path tells that there was or will be something.
func (c Change) Diff() []Difference {
	form := c.form()
	before, after := c.parse(c.Before), c.parse(c.After)
	if before == nil && after == nil || form == formOther {
		return []Difference{{Before: wholeText(c.Before), After: wholeText(c.After)}}
	}
	d := differ{form: form}
	d.objects(before, after, nil)
	return d.found
}

// Move is where a change moves a file from, and to; "" for any other change.
func (c Change) Move() (from, to string) {
	switch {
	case c.kind != write.KindMove:
		return "", ""
	case write.IsBack(c.After):
		return c.to, c.File
	}
	return c.File, c.to
}

// IsRecord reports whether a change is one of OpenClaw's records of its imports,
// which say nothing that is not in the other changes.
func (c Change) IsRecord() bool {
	return BackupEntry{Kind: c.kind, Part: c.Part}.IsRecord()
}

// form says what a document is, and by that which of its texts may be seen.
type form int

const (
	formOther    form = iota
	formStore         // profiles and their state
	formSessions      // one session, or several by key
	formConfig        // the configuration
	formPlain         // a mode, a place, a record of OpenClaw's
)

func (c Change) form() form {
	switch base := filepath.Base(c.File); {
	case c.kind == write.KindMode || c.kind == write.KindMove || c.IsRecord():
		return formPlain
	case strings.HasPrefix(c.Part, sessionsTable+" ") || c.kind == write.KindSession || c.kind == write.KindSessions:
		return formSessions
	case c.Part != "" || base == profilesName || base == stateName:
		return formStore
	case c.Config:
		return formConfig
	}
	return formOther
}

func (c Change) parse(text []byte) *document.Object {
	if text == nil {
		return nil
	}
	value, _ := document.Parse(c.File, document.WithoutMark(text))
	doc, _ := value.(*document.Object)
	return doc
}

func wholeText(content []byte) string {
	if content == nil {
		return ""
	}
	return "…"
}

type differ struct {
	form  form
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
	case deep && !(len(path) == 2 && path[0] == "profiles" && d.form == formStore):
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
	case d.form == formStore && slices.Contains(sections, path[0]):
		return true
	case d.form == formStore:
		return path[0] == "profiles" && len(path) == 3 && slices.Contains(shownMembers, name)
	case d.form == formConfig && len(path) > 2 && path[0] == "auth" && path[1] == "profiles":
		return len(path) == 4 && slices.Contains(shownMembers, name)
	case d.form == formPlain:
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
