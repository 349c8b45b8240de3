package state

import (
	"encoding/json"
	"io/fs"
	"strconv"

	"openclaw-auth/auth/document"
	"openclaw-auth/state/internal/disk"
	"openclaw-auth/state/internal/overlay"
	"openclaw-auth/state/internal/sqlite"
	"openclaw-auth/state/internal/write"
)

// Planned returns files as they will be once changes are made, which a dry run
// has returned: what builds on those changes can be planned before anything is
// written. Nothing can be written through it. Rows of databases and sessions are
// laid over what is read from the files below.
func Planned(files FS, changes []Change) FS {
	planned := overlay.New(files)
	for _, change := range changes {
		plan(planned, change)
	}
	return planned
}

func plan(files *overlay.FS, c Change) {
	switch from, to := c.Move(); {
	case to != "":
		files.Move(from, to)
		planMode(files, to, c.After)
	case c.kind == write.KindMode:
		planMode(files, c.File, c.After)
	case c.kind == write.KindCell:
		files.PutRow(c.File, c.Part, c.After)
	case c.kind == write.KindSession:
		files.PutSession(c.File, c.Part, c.After)
	case c.kind == write.KindSessions:
		for key, value := range c.parse(c.After).All() {
			files.PutSession(c.File, key, document.EncodeCompact(value))
		}
	default:
		files.Put(c.File, c.After)
	}
}

// planMode takes the mode out of the document that a change has of it.
func planMode(files *overlay.FS, path string, text []byte) {
	var doc struct{ Mode string }
	if json.Unmarshal(text, &doc) == nil {
		if mode, err := strconv.ParseUint(doc.Mode, 8, 32); err == nil {
			files.Chmod(path, fs.FileMode(mode))
		}
	}
}

// planRow lays a planned row over one that was read.
func (h *Home) planRow(path string, cell sqlite.Cell, row *sqlite.Row) {
	if planned, ok := h.FS.(*overlay.FS); ok {
		if text, changed := planned.Row(path, cell.Table+" "+cell.Key); changed {
			*row = sqlite.Row{JSON: text}
		}
	}
}

// hasDatabases reports whether the files are those of the machine, where there
// can be databases: an embedded home has none.
func (h *Home) hasDatabases() bool {
	files := h.FS
	if planned, ok := files.(*overlay.FS); ok {
		files = planned.Base()
	}
	_, system := files.(disk.Disk)
	return system
}
