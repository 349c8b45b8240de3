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

// sidecarsText lists the sidecar files that can't be used: OpenClaw loads such
// a login without tokens, and which login is the newest can't be told here.
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
