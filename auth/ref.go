package auth

import (
	"strings"

	"openclaw-auth/auth/document"
)

// Ref is a reference to a secret that is kept elsewhere.
type Ref struct {
	Source   string // env, file, exec; 2026.8.2+ also store
	Provider string // an entry of secrets.providers; "" for the source's default
	ID       string
}

// String names the reference; it tells no secret.
func (r Ref) String() string { return r.Source + ":" + r.ID }

// Ref returns the reference in a member of a credential or of a provider's
// configuration, if it is one on the line.
func (r *EligibilityRules) Ref(object *document.Object, name string) (Ref, bool) {
	if !r.isRef(object, name) {
		return Ref{}, false
	}
	value, _ := object.Get(name)
	if ref, ok := value.(*document.Object); ok {
		return Ref{ref.Text("source"), ref.Text("provider"), ref.Text("id")}, true
	}
	text := document.Trim(object.Text(name))
	for _, before := range []string{"${", "$", "secretref-env:", "__env__:"} {
		if id, ok := strings.CutPrefix(text, before); ok {
			return Ref{Source: "env", ID: strings.TrimSuffix(id, "}")}, true
		}
	}
	return Ref{}, false
}
