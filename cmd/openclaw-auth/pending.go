package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/doctor/words"
	"openclaw-auth/state"
)

// pendingJSON is a legacy file in a JSON document.
type pendingJSON struct {
	Kind     state.PendingKind `json:"kind"`
	File     string            `json:"file"`
	Effect   state.Effect      `json:"effect"`
	Why      string            `json:"why"`
	Profiles []auth.ProfileID  `json:"profiles"`
	Rejected []rejectedJSON    `json:"rejected"`
	Problem  any               `json:"problem"`
}

// rejectedJSON is an entry that OpenClaw refuses to load.
type rejectedJSON struct {
	ID     auth.ProfileID    `json:"id"`
	Reason auth.RejectReason `json:"reason"`
	Origin state.Origin      `json:"origin"`
}

func pendingJSONs(pending []state.Pending) []pendingJSON {
	documents := []pendingJSON{}
	for _, p := range pending {
		doc := pendingJSON{
			Kind: p.Kind, File: p.File, Effect: p.Effect, Why: p.Why,
			Profiles: []auth.ProfileID{}, Rejected: rejectedJSONs(p.Rejected),
		}
		for _, id := range p.Profiles {
			doc.Profiles = append(doc.Profiles, shownID(auth.ProfileID(id)))
		}
		if p.Problem != nil {
			doc.Problem = p.Problem.Error()
		}
		documents = append(documents, doc)
	}
	return documents
}

func rejectedJSONs(rejected []state.Rejected) []rejectedJSON {
	documents := []rejectedJSON{}
	for _, r := range rejected {
		id := auth.ProfileID(r.ID)
		r.Origin.Pointer = maskPointer(r.Origin.Pointer, id)
		documents = append(documents, rejectedJSON{shownID(id), r.Reason, r.Origin})
	}
	return documents
}

// effectWords say what becomes of a legacy file.
var effectWords = map[state.Effect]string{
	state.EffectImport:  "the next load imports it (counted above)",
	state.EffectDoctor:  "not loaded; openclaw doctor --fix imports it",
	state.EffectIgnored: "ignored",
	state.EffectMoves:   "not read; openclaw doctor --fix moves it to the agent's directory",
	state.EffectBlocks:  "stops every load until openclaw doctor --fix has run",
}

// pendingText lists the legacy files that wait.
func (s *session) pendingText(pending []state.Pending) {
	if len(pending) == 0 {
		return
	}
	fmt.Fprintln(s.stdout, "\nlegacy files:")
	for _, p := range pending {
		s.paragraph("  ", pendingWords(s.short(p.File), p))
		if len(p.Profiles) > 0 {
			s.paragraph("    holds ", strings.Join(maskIDs(p.Profiles), ", "))
		}
		s.rejectedText(p.Rejected)
		if p.Problem != nil {
			s.paragraph("    ", oneLine(p.Problem.Error()))
		}
	}
}

// unread are the legacy files whose profiles do not count, although they may be
// those that somebody expects.
func unread(pending []state.Pending) []state.Pending {
	return slices.DeleteFunc(slices.Clone(pending), func(p state.Pending) bool {
		return p.Effect == state.EffectImport || p.Effect == state.EffectIgnored || len(p.Profiles) == 0 && p.Problem == nil
	})
}

func pendingWords(file string, p state.Pending) string {
	text := file + ": " + effectWords[p.Effect]
	if p.Why != "" {
		text += "; " + p.Why
	}
	return text
}

func (s *session) rejectedText(rejected []state.Rejected) {
	for _, r := range rejected {
		words.Printf(s.stdout, "    rejects %s: %s (%s)\n", auth.MaskID(r.ID), r.Reason, rejectWords[r.Reason])
	}
}

var rejectWords = map[auth.RejectReason]string{
	auth.RejectNonObject:       "not an object",
	auth.RejectInvalidType:     "type is none of api_key, oauth, token",
	auth.RejectMissingProvider: "names no provider",
}

func maskIDs(ids []string) []string {
	masked := make([]string, len(ids))
	for i, id := range ids {
		masked[i] = auth.MaskID(id)
	}
	return masked
}

// short is a path relative to the state directory where that is shorter.
func (s *session) short(path string) string {
	relative, err := filepath.Rel(s.home.StateDir, path)
	if err != nil || strings.HasPrefix(relative, "..") {
		return path
	}
	return relative
}

// paragraph writes a text behind a prefix: on a terminal broken between words
// and indented, elsewhere in one line, so that scripts find it whole.
func (s *session) paragraph(prefix, text string) { s.screen.Paragraph(prefix, text) }
