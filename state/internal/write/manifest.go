package write

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"openclaw-auth/state/internal/disk"
)

// Manifest is what a backup says of itself. Paths are absolute, those of the
// home as it is now.
type Manifest struct {
	Version int     `json:"version"`
	ID      string  `json:"id"`
	Why     string  `json:"why"`  // the command
	Time    string  `json:"time"` // RFC 3339
	Rules   string  `json:"rules"`
	Run     string  `json:"run,omitempty"`    // of all backups of one command that wrote several times
	Undoes  string  `json:"undoes,omitempty"` // the backup that the command took back
	Entries []Entry `json:"entries"`
}

// Entry is one thing that a write changed.
type Entry struct {
	Kind   Kind     `json:"kind"`
	Path   string   `json:"path"`
	Part   string   `json:"part,omitempty"` // of the file, where it is not all of it
	To     string   `json:"to,omitempty"`   // the other name, of a move
	Copy   string   `json:"copy,omitempty"` // name of the copy in the backup, "" where there was nothing
	Mode   string   `json:"mode,omitempty"` // the file's mode before
	Before Contents `json:"before"`
	After  Contents `json:"after"`
}

// IsRecord reports whether the entry is one of OpenClaw's records of its
// imports, which say nothing that is not in the other entries.
func (e Entry) IsRecord() bool { return e.Kind == KindCell && strings.HasPrefix(e.Part, "migration_") }

// Contents identify what was there, or that nothing was.
type Contents struct {
	Exists bool   `json:"exists"`
	Size   int    `json:"size"`
	SHA256 string `json:"sha256,omitempty"`
}

func contentsOf(content []byte) Contents {
	return Contents{content != nil, len(content), HashOf(content)}
}

// match reports whether a content is the one that these identify.
func (c Contents) match(content []byte) bool {
	return c.Exists == (content != nil) && c.SHA256 == HashOf(content)
}

const (
	manifestVersion = 2
	// absoluteVersion is of manifests with absolute paths, whose parts say by
	// their first characters what they are.
	absoluteVersion = 1
	manifestName    = "manifest.json"
)

// storedManifest is a manifest as it is stored: each path belongs to a place.
type storedManifest struct {
	Manifest
	Entries []storedEntry `json:"entries"`
}

type storedEntry struct {
	Entry
	Place   string `json:"place,omitempty"`
	ToPlace string `json:"toPlace,omitempty"`
}

// encode is the text of a manifest.
func (h *Home) encode(manifest *Manifest) ([]byte, error) {
	stored := storedManifest{Manifest: *manifest, Entries: []storedEntry{}}
	for _, entry := range manifest.Entries {
		s := storedEntry{Entry: entry}
		var err error
		if s.Place, s.Path, err = h.locate(entry.Path); err != nil {
			return nil, err
		}
		if entry.To != "" {
			if s.ToPlace, s.To, err = h.locate(entry.To); err != nil {
				return nil, err
			}
		}
		stored.Entries = append(stored.Entries, s)
	}
	text, err := json.MarshalIndent(stored, "", "  ")
	return append(text, '\n'), err
}

// decode reads the text of a manifest. Every path in it is one of this home, or
// it is refused.
func (h *Home) decode(path, id string, text []byte) (*Manifest, error) {
	var stored storedManifest
	if err := json.Unmarshal(text, &stored); err != nil {
		return nil, &disk.FileError{File: path, Message: "is damaged: " + err.Error(), Err: err}
	}
	manifest := &stored.Manifest
	if manifest.ID != id || manifest.Version != manifestVersion && manifest.Version != absoluteVersion {
		return nil, &disk.FileError{File: path, Message: "belongs to another program or to a newer openclaw-auth"}
	}
	for _, s := range stored.Entries {
		entry, err := h.decodeEntry(manifest.Version, s)
		if err != nil {
			return nil, &disk.FileError{File: path, Message: "can't be used here: " + err.Error(), Err: err}
		}
		manifest.Entries = append(manifest.Entries, entry)
	}
	manifest.Version = manifestVersion
	return manifest, nil
}

func (h *Home) decodeEntry(version int, s storedEntry) (Entry, error) {
	entry := s.Entry
	var err error
	if version == absoluteVersion {
		entry.Kind, entry.To = kindOfPart(entry.Path, entry.Part)
		if s.Place, s.Path, err = h.locate(filepath.Clean(entry.Path)); err != nil {
			return entry, err
		}
		if entry.To != "" {
			if s.ToPlace, s.To, err = h.locate(entry.To); err != nil {
				return entry, err
			}
		}
	}
	if entry.Path, err = h.resolve(s.Place, s.Path); err != nil {
		return entry, err
	}
	if entry.To != "" {
		entry.To, err = h.resolve(s.ToPlace, s.To)
	}
	return entry, err
}

// kindOfPart reads what the parts of older manifests say.
func kindOfPart(path, part string) (kind Kind, to string) {
	name, isMove := strings.CutPrefix(part, "(to ")
	switch {
	case part == "":
		return KindFile, ""
	case part == "(mode)":
		return KindMode, ""
	case isMove:
		to = filepath.FromSlash(strings.TrimSuffix(name, ")"))
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		return KindMove, to
	case filepath.Ext(path) == ".sqlite":
		return KindCell, ""
	case part == "(sessions)":
		return KindSessions, ""
	}
	return KindSession, ""
}
