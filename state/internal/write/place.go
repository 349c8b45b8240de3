package write

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"openclaw-auth/state/internal/disk"
)

// Place is a directory of a home that writes may change. A backup names a file
// by its place and its path in there, so that it goes with the home wherever
// that is moved or copied.
type Place struct {
	Name string // "" for the state directory; "config", "oauth", "agent main", …
	Dir  string
	// Holds limits the place to some files, by absolute path; nil for all.
	Holds func(path string) bool
}

// ErrOutside is in the error for a file that is in no place of the home.
var ErrOutside = errors.New("is outside of this home")

// Home is a home as far as writes go.
type Home struct {
	Env     disk.Env
	Private string // the directory of openclaw-auth's own files, in the state directory
	Line    string // the release line, for the backup
	// Places lists the places, the state directory first; a longer name of a
	// directory comes before a shorter one where one lies in another.
	Places func() []Place
	// Litter lists the directories in which a killed process may have left files.
	Litter func() []string
	// UndoPart makes the edit that puts a cell or the entries of sessions back.
	UndoPart func(entry Entry, content []byte, j *Job) (Edit, error)
	// Hold adds to a job what must be held while a backup is put back.
	Hold func(backup *Manifest, j *Job)
}

func (h *Home) stateDir() string { return filepath.Dir(h.Private) }

// locate returns the place of a file, and its path there with slashes.
func (h *Home) locate(path string) (place, relative string, err error) {
	for _, p := range h.Places() {
		if disk.IsWithin(path, p.Dir) && (p.Holds == nil || p.Holds(path)) {
			relative, err := filepath.Rel(p.Dir, path)
			return p.Name, filepath.ToSlash(relative), err
		}
	}
	return "", "", outside(path)
}

func outside(path string) error {
	return &disk.FileError{File: path, Message: ErrOutside.Error() + ": not written", Err: ErrOutside}
}

// resolve returns the file that a backup names by its place and path.
func (h *Home) resolve(place, relative string) (string, error) {
	name := filepath.FromSlash(relative)
	if !filepath.IsLocal(name) {
		return "", outside(relative)
	}
	places := h.Places()
	i := slices.IndexFunc(places, func(p Place) bool { return p.Name == place })
	if i < 0 {
		return "", &disk.FileError{File: relative, Message: fmt.Sprintf("is in %q, which this home does not have any more", place), Err: ErrOutside}
	}
	path := filepath.Join(places[i].Dir, name)
	if places[i].Holds != nil && !places[i].Holds(path) {
		return "", outside(path)
	}
	return path, h.checkInside(path, places[i].Dir)
}

// checkInside refuses a file that symbolic links lead out of a directory.
func (h *Home) checkInside(path, directory string) error {
	real, err := realPath(h.Env.FS, path)
	if err != nil {
		return err
	}
	realDir, err := realPath(h.Env.FS, directory)
	if err != nil {
		return err
	}
	if !disk.IsWithin(real, realDir) {
		return &disk.FileError{File: path, Message: "leads to " + real + " by a symbolic link, which " + ErrOutside.Error() + ": not written", Err: ErrOutside}
	}
	return nil
}

// realPath follows all symbolic links of a path, also of one that does not exist.
func realPath(files disk.FS, path string) (string, error) {
	path, err := disk.Target(files, path)
	if err != nil {
		return "", err
	}
	rest := ""
	for {
		real, err := files.EvalSymlinks(path)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		parent := filepath.Dir(path)
		if !disk.IsMissing(err) || parent == path {
			return "", disk.Fail(path, err)
		}
		path, rest = parent, filepath.Join(filepath.Base(path), rest)
	}
}
