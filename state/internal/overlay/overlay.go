// Package overlay shows files as they will be once changes are made, so that
// what builds on them can be planned before anything is written.
package overlay

import (
	"bytes"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"openclaw-auth/state/internal/disk"
	"openclaw-auth/state/internal/sessions"
)

// FS is a file system with changes that have not been made: [New] makes one.
// Nothing can be written through it. Whoever reads rows of databases
// lays those of Row over them.
type FS struct {
	base     disk.FS
	files    map[string][]byte            // contents; nil for a file that is gone
	modes    map[string]fs.FileMode       // permissions that change
	moves    []moved                      // in their order
	cells    map[string][]byte            // rows by "PATH\x00TABLE KEY"; nil for a row that is gone
	sessions map[string]map[string][]byte // entries of files of sessions by path and key
}

type moved struct{ from, to string }

// New returns files without a change; of an overlay, a copy that can be changed
// further.
func New(files disk.FS) *FS {
	if below, ok := files.(*FS); ok {
		return below.clone()
	}
	return &FS{base: files, files: map[string][]byte{}, modes: map[string]fs.FileMode{}, cells: map[string][]byte{}, sessions: map[string]map[string][]byte{}}
}

// Base is the file system below.
func (p *FS) Base() disk.FS { return p.base }

func (p *FS) clone() *FS {
	c := &FS{base: p.base, files: maps.Clone(p.files), modes: maps.Clone(p.modes), moves: slices.Clone(p.moves), cells: maps.Clone(p.cells), sessions: map[string]map[string][]byte{}}
	for path, entries := range p.sessions {
		c.sessions[path] = maps.Clone(entries)
	}
	return c
}

// Put gives a file its content, and a private mode; nil takes it away.
func (p *FS) Put(path string, content []byte) {
	p.files[path] = content
	delete(p.sessions, path)
	if content != nil {
		p.modes[path] = disk.PrivateMode
	}
}

// Chmod gives a file its permissions.
func (p *FS) Chmod(path string, mode fs.FileMode) { p.modes[path] = mode.Perm() }

// PutRow gives a row of a database its content; nil takes it away.
func (p *FS) PutRow(path, row string, content []byte) { p.cells[path+"\x00"+row] = content }

// Row is a row as it will be; false where it does not change.
func (p *FS) Row(path, row string) (content []byte, changed bool) {
	content, changed = p.cells[path+"\x00"+row]
	return content, changed
}

// PutSession gives an entry of a file of sessions its text.
func (p *FS) PutSession(path, key string, entry []byte) {
	if p.sessions[path] == nil {
		p.sessions[path] = map[string][]byte{}
	}
	p.sessions[path][key] = entry
}

// Move moves what changes before it have made, and remembers where the rest is.
func (p *FS) Move(from, to string) {
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
func (p *FS) source(path string) (string, bool) {
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
func (p *FS) Open(path string) (io.ReadCloser, error) {
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
func (p *FS) openSessions(path string, entries map[string][]byte) (io.ReadCloser, error) {
	without := p.clone()
	delete(without.sessions, path)
	found, err := sessions.Entries(without, path, slices.Collect(maps.Keys(entries)))
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
func (p *FS) Stat(path string) (fs.FileInfo, error) { return p.describe(path, p.base.Stat) }

// Lstat is Stat for the file itself, also where that is a link.
func (p *FS) Lstat(path string) (fs.FileInfo, error) { return p.describe(path, p.base.Lstat) }

func (p *FS) describe(path string, stat func(string) (fs.FileInfo, error)) (fs.FileInfo, error) {
	if content, ok := p.files[path]; ok {
		if content == nil {
			return nil, notThere("stat", path)
		}
		return madeInfo{filepath.Base(path), int64(len(content)), disk.PrivateMode}, nil
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
		return madeInfo{filepath.Base(path), 0, fs.ModeDir | disk.PrivateDir}, nil
	}
	return nil, notThere("stat", path)
}

// makes reports whether something will be made below a directory.
func (p *FS) makes(directory string) bool {
	for path, content := range p.files {
		if rest, ok := below(path, directory); ok && rest != "" && content != nil {
			return true
		}
	}
	return slices.ContainsFunc(p.moves, func(m moved) bool { rest, ok := below(m.to, directory); return ok && rest != "" })
}

// ReadDir lists a directory as it will be.
func (p *FS) ReadDir(path string) ([]fs.DirEntry, error) {
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
func (p *FS) EvalSymlinks(path string) (string, error) {
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

// madeInfo describes a file that will be made.
type madeInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i madeInfo) Name() string       { return i.name }
func (i madeInfo) Size() int64        { return i.size }
func (i madeInfo) Mode() fs.FileMode  { return i.mode }
func (i madeInfo) ModTime() time.Time { return time.Time{} }
func (i madeInfo) IsDir() bool        { return i.mode.IsDir() }
func (i madeInfo) Sys() any           { return nil }

// renamedInfo describes a file that will have another name or mode.
type renamedInfo struct {
	fs.FileInfo
	name string
	mode fs.FileMode // permissions
}

func (i renamedInfo) Name() string      { return i.name }
func (i renamedInfo) Mode() fs.FileMode { return i.FileInfo.Mode()&^fs.ModePerm | i.mode }
