package main

import (
	"fmt"

	"openclaw-auth/auth"
	"openclaw-auth/state"
)

// sidecarJSON is a login whose tokens should be in a sidecar file and are not to be had.
type sidecarJSON struct {
	Profile auth.ProfileID    `json:"profile"`
	File    string            `json:"file"`
	Code    state.SidecarCode `json:"code"`
	Detail  string            `json:"detail"`
}

func sidecarJSONs(problems []state.SidecarProblem) []sidecarJSON {
	documents := []sidecarJSON{}
	for _, p := range problems {
		documents = append(documents, sidecarJSON{shownID(auth.ProfileID(p.Profile)), p.File, p.Code, p.Detail})
	}
	return documents
}

// externalJSON is a login of another tool that OpenClaw adds while it runs.
type externalJSON struct {
	Profile  auth.ProfileID `json:"profile"`
	Provider string         `json:"provider"`
	File     string         `json:"file"`
	Stored   bool           `json:"stored"`
	Problem  any            `json:"problem"`
}

func externalJSONs(externals []state.External) []externalJSON {
	documents := []externalJSON{}
	for _, e := range externals {
		doc := externalJSON{auth.ProfileID(e.Profile), e.Provider, e.File, e.Stored, nil}
		if e.Problem != nil {
			doc.Problem = e.Problem.Error()
		}
		documents = append(documents, doc)
	}
	return documents
}

// externalsText lists the logins of other tools.
func (s *session) externalsText(l *loaded) {
	externals := s.home.Externals(l.Loaded)
	if len(externals) == 0 {
		return
	}
	fmt.Fprintln(s.stdout, "\nlogins of other tools, which OpenClaw may add while it runs (not counted):")
	for _, e := range externals {
		text := e.Profile + " from " + e.File
		if e.Stored {
			text += ", a stored profile of that id comes first"
		}
		if e.Problem != nil {
			text += ": " + oneLine(e.Problem.Error())
		}
		s.paragraph("  ", text)
	}
}

// sidecarsText lists the sidecar files that can't be used: OpenClaw loads such
// a login without tokens, and which login is the newest can't be known here.
func (s *session) sidecarsText(l *loaded) {
	problems := l.Sidecars()
	if len(problems) == 0 {
		return
	}
	fmt.Fprintln(s.stdout, "\nsidecar files (the order of their logins is uncertain):")
	for _, p := range problems {
		s.paragraph("  ", fmt.Sprintf("%s: %s, %s (%s)", auth.MaskID(p.Profile), p.Code, oneLine(p.Detail), s.short(p.File)))
	}
}
