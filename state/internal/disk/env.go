package disk

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Env is everything outside that decides where OpenClaw's state is.
type Env struct {
	Getenv  func(name string) string // environment variables; "" where unset
	WorkDir string                   // what relative paths start from
	OSHome  string                   // the home directory that the system knows; "" for none
	FS      FS
}

// SystemEnv is the Env of the running process.
func SystemEnv() Env {
	workDir, _ := os.Getwd()
	home, _ := os.UserHomeDir()
	return Env{Getenv: os.Getenv, WorkDir: workDir, OSHome: home, FS: System{}}
}

// Variable returns an environment variable, trimmed; "" also for the literal
// texts that a careless script leaves behind.
func (e Env) Variable(name string) string {
	value := strings.TrimSpace(e.Getenv(name))
	if value == "undefined" || value == "null" {
		return ""
	}
	return value
}

// With returns the environment with some variables replaced.
func (e Env) With(variables map[string]string) Env {
	before := e.Getenv
	e.Getenv = func(name string) string {
		if value, ok := variables[name]; ok {
			return value
		}
		return before(name)
	}
	return e
}

// Absolute makes a path absolute, from the working directory.
func (e Env) Absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(e.WorkDir, path)
}

// FS is how files are read. Paths are absolute, in the system's form.
type FS interface {
	// Open opens a regular file; anything else is an ErrNotRegular.
	Open(path string) (io.ReadCloser, error)
	Stat(path string) (fs.FileInfo, error)
	Lstat(path string) (fs.FileInfo, error)
	ReadDir(path string) ([]fs.DirEntry, error)
	EvalSymlinks(path string) (string, error)
}

// Mount serves an fs.FS, such as an embedded home, under a directory that need
// not exist. It has no symbolic links.
func Mount(files fs.FS, directory string) FS { return mounted{files, directory} }

type mounted struct {
	files     fs.FS
	directory string
}

// name is the path within the mounted files.
func (m mounted) name(path string) string {
	name, err := filepath.Rel(m.directory, path)
	if err != nil || name == ".." || strings.HasPrefix(name, ".."+string(filepath.Separator)) {
		return "outside-of-the-mounted-files"
	}
	return filepath.ToSlash(name)
}

func (m mounted) Open(path string) (io.ReadCloser, error) { return m.files.Open(m.name(path)) }
func (m mounted) Stat(path string) (fs.FileInfo, error)   { return fs.Stat(m.files, m.name(path)) }
func (m mounted) Lstat(path string) (fs.FileInfo, error)  { return m.Stat(path) }
func (m mounted) ReadDir(path string) ([]fs.DirEntry, error) {
	return fs.ReadDir(m.files, m.name(path))
}
func (m mounted) EvalSymlinks(path string) (string, error) {
	_, err := m.Stat(path)
	return filepath.Clean(path), err
}
