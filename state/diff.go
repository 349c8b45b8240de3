package state

import (
	"path/filepath"
	"strings"

	"openclaw-auth/auth/document"
	"openclaw-auth/state/internal/diff"
	"openclaw-auth/state/internal/write"
)

// Difference is one value that a write changes. Secrets are masked in it.
type Difference = diff.Difference

// Diff compares what a change makes of a store, of sessions or of the
// configuration, value by value. Of other files, and of text that is no JSON,
// one Difference without a path tells that there was or will be something.
func (c Change) Diff() []Difference {
	form := c.form()
	before, after := c.parse(c.Before), c.parse(c.After)
	if before == nil && after == nil || form == diff.Other {
		return []Difference{{Before: wholeText(c.Before), After: wholeText(c.After)}}
	}
	return diff.Objects(form, before, after)
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

// IsSession reports whether a change is of one session's entry, in a file or a
// database, or of several in one file; those come by key.
func (c Change) IsSession() (one, several bool) {
	return c.kind == write.KindSession || strings.HasPrefix(c.Part, sessionsTable+" "), c.kind == write.KindSessions
}

func (c Change) form() diff.Form {
	one, several := c.IsSession()
	switch base := filepath.Base(c.File); {
	case c.kind == write.KindMode || c.kind == write.KindMove || c.IsRecord():
		return diff.Plain
	case one || several:
		return diff.Sessions
	case c.Part != "" || base == profilesName || base == stateName:
		return diff.Store
	case c.Config:
		return diff.Config
	}
	return diff.Other
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
