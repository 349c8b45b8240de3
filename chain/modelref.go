package chain

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/chain/lines"
)

// Ref names a model of a provider. The provider is normalised unless a rule of
// the line keeps it as written.
type Ref struct {
	Provider string
	Model    string
}

// Key returns the text under which OpenClaw compares models: provider/model,
// or the model alone where it already starts with the provider.
func (r Ref) Key() string {
	provider, model := document.Trim(r.Provider), document.Trim(r.Model)
	switch {
	case provider == "":
		return model
	case model == "":
		return provider
	case strings.HasPrefix(document.Lower(model), document.Lower(provider)+"/"):
		return model
	}
	return provider + "/" + model
}

// String returns provider/model, as OpenClaw's texts name a candidate.
func (r Ref) String() string { return r.Provider + "/" + r.Model }

// IsZero reports whether the reference names nothing.
func (r Ref) IsZero() bool { return r == Ref{} }

// SplitProfile cuts the auth profile off a reference MODEL@PROFILE: the text
// behind the first @ after the last slash. What the line takes for a version
// of the model (a date, a quantization) is passed over. Without a profile the
// model is the whole text.
func (m *Models) SplitProfile(text string) (model string, profile auth.ProfileID) {
	text = document.Trim(text)
	start := strings.LastIndexByte(text, '/') + 1
	at := indexFrom(text, "@", start)
	for _, kind := range []lines.SuffixKind{lines.SuffixDate, lines.SuffixQuant} {
		if at > 0 && m.isVersion(text[at+1:], kind) {
			at = indexFrom(text, "@", at+1)
		}
	}
	if at <= 0 {
		return text, ""
	}
	model, suffix := document.Trim(text[:at]), document.Trim(text[at+1:])
	if model == "" || suffix == "" {
		return text, ""
	}
	return model, auth.ProfileID(suffix)
}

// suffixes finds each kind of version at the start of a text. They are
// compiled when the first reference has an @.
var suffixes = sync.OnceValue(func() map[lines.SuffixKind]*regexp.Regexp {
	return map[lines.SuffixKind]*regexp.Regexp{
		lines.SuffixDate:   regexp.MustCompile(`^\d{8}(@|$)`),
		lines.SuffixQuant:  regexp.MustCompile(`(?i)^(q\d+(_[a-z0-9]+)*|\d+bit)(@|$)`),
		lines.SuffixIQuant: regexp.MustCompile(`(?i)^iq\d+(_[a-z0-9]+)*(@|$)`),
	}
})

func (m *Models) isVersion(suffix string, kind lines.SuffixKind) bool {
	kinds := m.refs().ProfileSuffixes
	is := func(kind lines.SuffixKind) bool {
		return slices.Contains(kinds, kind) && suffixes()[kind].MatchString(suffix)
	}
	return is(kind) || kind == lines.SuffixQuant && is(lines.SuffixIQuant)
}

// Parse reads PROVIDER/MODEL, or a bare MODEL of the default provider, and
// normalises both parts. Neither aliases nor profiles are looked for.
func (m *Models) Parse(text, defaultProvider string) (Ref, bool) {
	text = document.Trim(text)
	if text == "" {
		return Ref{}, false
	}
	if m.refs().OpenRouter && lower(text) == "openrouter:auto" {
		return m.normalize("openrouter", "auto"), true
	}
	provider, model, ok := splitRef(text)
	if !ok {
		return m.normalize(defaultProvider, text), true
	}
	if provider == "" || model == "" {
		return Ref{}, false
	}
	return m.normalize(provider, model), true
}

// splitRef cuts a reference at its first slash; both parts are trimmed.
func splitRef(text string) (provider, model string, ok bool) {
	provider, model, ok = strings.Cut(text, "/")
	return document.Trim(provider), document.Trim(model), ok
}

func indexFrom(text, part string, start int) int {
	if i := strings.Index(text[start:], part); i >= 0 {
		return start + i
	}
	return -1
}

func lower(text string) string { return document.Lower(document.Trim(text)) }
