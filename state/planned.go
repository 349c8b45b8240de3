package state

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"openclaw-auth/auth/document"
	"openclaw-auth/state/internal/disk"
	"openclaw-auth/state/internal/splice"
	"openclaw-auth/state/internal/sqlite"
	"openclaw-auth/state/internal/write"
)

// Planned returns files as they will be once changes are made, which a dry run
// has returned: what builds on those changes can be planned before anything is
// written. Nothing can be written through it. Rows of databases and sessions are
// laid over what is read from the files below.
func Planned(files FS, changes []Change) FS {
	p := &planned{base: files, files: map[string][]byte{}, modes: map[string]fs.FileMode{}, cells: map[string][]byte{}, sessions: map[string]map[string][]byte{}}
	if below, ok := files.(*planned); ok {
		p = below.clone()
	}
	for _, change := range changes {
		p.add(change)
	}
	return p
}

// planned is a file system with changes that have not been made.
type planned struct {
	base     FS
	files    map[string][]byte            // contents; nil for a file that is gone
	modes    map[string]fs.FileMode       // permissions that change
	moves    []moved                      // in their order
	cells    map[string][]byte            // rows by "PATH\x00TABLE KEY"; nil for a row that is gone
	sessions map[string]map[string][]byte // entries of files of sessions by path and key
}

type moved struct{ from, to string }

func (p *planned) clone() *planned {
	c := &planned{base: p.base, files: maps.Clone(p.files), modes: maps.Clone(p.modes), moves: slices.Clone(p.moves), cells: maps.Clone(p.cells), sessions: map[string]map[string][]byte{}}
	for path, entries := range p.sessions {
		c.sessions[path] = maps.Clone(entries)
	}
	return c
}

func (p *planned) add(c Change) {
	switch from, to := c.Move(); {
	case to != "":
		p.move(from, to)
		p.setMode(to, c.After)
	case c.kind == write.KindMode:
		p.setMode(c.File, c.After)
	case c.kind == write.KindCell:
		p.cells[c.File+"\x00"+c.Part] = c.After
	case c.kind == write.KindSession:
		p.setSession(c.File, c.Part, c.After)
	case c.kind == write.KindSessions:
		for key, value := range c.parse(c.After).All() {
			p.setSession(c.File, key, document.EncodeCompact(value))
		}
	default:
		p.files[c.File] = c.After
		delete(p.sessions, c.File)
		if c.After != nil {
			p.modes[c.File] = disk.PrivateMode
		}
	}
}

// setMode takes the mode out of the document that a change has of it.
func (p *planned) setMode(path string, text []byte) {
	var doc struct{ Mode string }
	if json.Unmarshal(text, &doc) == nil {
		if mode, err := strconv.ParseUint(doc.Mode, 8, 32); err == nil {
			p.modes[path] = fs.FileMode(mode).Perm()
		}
	}
}

func (p *planned) setSession(path, key string, entry []byte) {
	if p.sessions[path] == nil {
		p.sessions[path] = map[string][]byte{}
	}
	p.sessions[path][key] = entry
}

// move moves what changes before it have made, and remembers where the rest is.
func (p *planned) move(from, to string) {
	moveKeys(p.files, from, to)
	moveKeys(p.modes, from, to)
	moveKeys(p.sessions, from, to)
	p.moves = append(p.moves, moved{from, to})
}

func moveKeys[V any](of map[string]V, from, to string) {
	for _, path := range slices.Collect(maps.Keys(of)) {
		if rest, ok := below(path, from); ok {
			of[to+rest] = of[path]
			delete(of, path)
		}
	}
}

// below returns what of a path comes after a directory, or after the path itself.
func below(path, directory string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(path, directory)
	return rest, ok && (rest == "" || rest[0] == filepath.Separator)
}

// source is where the content of a path is on disk; false for what has been moved away.
func (p *planned) source(path string) (string, bool) {
	for _, m := range slices.Backward(p.moves) {
		if rest, ok := below(path, m.to); ok {
			path = m.from + rest
			continue
		}
		if _, ok := below(path, m.from); ok {
			return "", false
		}
	}
	return path, true
}

func notThere(op, path string) error { return &fs.PathError{Op: op, Path: path, Err: fs.ErrNotExist} }

// Open opens a file as it will be.
func (p *planned) Open(path string) (io.ReadCloser, error) {
	if entries := p.sessions[path]; entries != nil {
		return p.openSessions(path, entries)
	}
	if content, ok := p.files[path]; ok {
		if content == nil {
			return nil, notThere("open", path)
		}
		return io.NopCloser(bytes.NewReader(content)), nil
	}
	source, ok := p.source(path)
	if !ok {
		return nil, notThere("open", path)
	}
	return p.base.Open(source)
}

// openSessions reads a file of sessions with some of its entries replaced.
func (p *planned) openSessions(path string, entries map[string][]byte) (io.ReadCloser, error) {
	without := p.clone()
	delete(without.sessions, path)
	found, err := splice.Find(without, path, slices.Collect(maps.Keys(entries)))
	if err != nil {
		return nil, err
	}
	found.Set(entries)
	file, err := without.Open(path)
	if err != nil {
		return nil, err
	}
	reader, writer := io.Pipe()
	go func() {
		defer file.Close()
		_, err := found.Copy(writer, file)
		writer.CloseWithError(err)
	}()
	return reader, nil
}

// Stat describes a file as it will be.
func (p *planned) Stat(path string) (fs.FileInfo, error) { return p.describe(path, p.base.Stat) }

// Lstat is Stat for the file itself, also where that is a link.
func (p *planned) Lstat(path string) (fs.FileInfo, error) { return p.describe(path, p.base.Lstat) }

func (p *planned) describe(path string, stat func(string) (fs.FileInfo, error)) (fs.FileInfo, error) {
	if content, ok := p.files[path]; ok {
		if content == nil {
			return nil, notThere("stat", path)
		}
		return plannedInfo{filepath.Base(path), int64(len(content)), disk.PrivateMode}, nil
	}
	source, ok := p.source(path)
	if ok {
		info, err := stat(source)
		if err == nil {
			if mode, changed := p.modes[path]; changed || source != path {
				if !changed {
					mode = info.Mode().Perm()
				}
				return renamedInfo{info, filepath.Base(path), mode}, nil
			}
			return info, nil
		}
		if !disk.IsMissing(err) {
			return nil, err
		}
	}
	if p.makes(path) {
		return plannedInfo{filepath.Base(path), 0, fs.ModeDir | disk.PrivateDir}, nil
	}
	return nil, notThere("stat", path)
}

// makes reports whether something will be made below a directory.
func (p *planned) makes(directory string) bool {
	for path, content := range p.files {
		if rest, ok := below(path, directory); ok && rest != "" && content != nil {
			return true
		}
	}
	return slices.ContainsFunc(p.moves, func(m moved) bool { rest, ok := below(m.to, directory); return ok && rest != "" })
}

// ReadDir lists a directory as it will be.
func (p *planned) ReadDir(path string) ([]fs.DirEntry, error) {
	names := map[string]bool{}
	var entries []fs.DirEntry
	err := notThere("open", path)
	if source, ok := p.source(path); ok {
		entries, err = p.base.ReadDir(source)
	}
	for _, entry := range entries {
		names[entry.Name()] = true
	}
	note := func(made string) {
		if rest, ok := below(made, path); ok && rest != "" {
			name, _, _ := strings.Cut(rest[1:], string(filepath.Separator))
			names[name] = true
		}
	}
	for made, content := range p.files {
		if content != nil {
			note(made)
		}
	}
	for _, m := range p.moves {
		note(m.to)
	}
	if err != nil && (!disk.IsMissing(err) || len(names) == 0) {
		return nil, err
	}
	var listed []fs.DirEntry
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if info, err := p.Lstat(filepath.Join(path, name)); err == nil {
			listed = append(listed, fs.FileInfoToDirEntry(info))
		}
	}
	return listed, nil
}

// EvalSymlinks follows the links of a path; what is made has none.
func (p *planned) EvalSymlinks(path string) (string, error) {
	if content, ok := p.files[path]; ok && content != nil {
		return path, nil
	}
	source, ok := p.source(path)
	if !ok {
		return "", notThere("lstat", path)
	}
	real, err := p.base.EvalSymlinks(source)
	if err == nil && source != path && real == source {
		return path, nil
	}
	return real, err
}

// row is a row as it will be; false where it does not change.
func (p *planned) row(path string, cell sqlite.Cell) (sqlite.Row, bool) {
	text, ok := p.cells[path+"\x00"+cell.Table+" "+cell.Key]
	return sqlite.Row{JSON: text}, ok
}

// planRow lays a planned row over one that was read.
func (h *Home) planRow(path string, cell sqlite.Cell, row *sqlite.Row) {
	if p, ok := h.FS.(*planned); ok {
		if now, changed := p.row(path, cell); changed {
			*row = now
		}
	}
}

// hasDatabases reports whether the files are those of the machine, where there
// can be databases: an embedded home has none.
func (h *Home) hasDatabases() bool {
	files := h.FS
	if p, ok := files.(*planned); ok {
		files = p.base
	}
	_, system := files.(disk.Disk)
	return system
}

// plannedInfo describes a file that will be made.
type plannedInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i plannedInfo) Name() string       { return i.name }
func (i plannedInfo) Size() int64        { return i.size }
func (i plannedInfo) Mode() fs.FileMode  { return i.mode }
func (i plannedInfo) ModTime() time.Time { return time.Time{} }
func (i plannedInfo) IsDir() bool        { return i.mode.IsDir() }
func (i plannedInfo) Sys() any           { return nil }

// renamedInfo describes a file that will have another name or mode.
type renamedInfo struct {
	fs.FileInfo
	name string
	mode fs.FileMode // permissions
}

func (i renamedInfo) Name() string      { return i.name }
func (i renamedInfo) Mode() fs.FileMode { return i.FileInfo.Mode()&^fs.ModePerm | i.mode }
