package state

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
	return Env{Getenv: os.Getenv, WorkDir: workDir, OSHome: home, FS: osFS{}}
}

// FS is how files are read. Paths are absolute, in the system's form.
type FS interface {
	Open(path string) (io.ReadCloser, error)
	Stat(path string) (fs.FileInfo, error)
	Lstat(path string) (fs.FileInfo, error)
	ReadDir(path string) ([]fs.DirEntry, error)
	EvalSymlinks(path string) (string, error)
}

// osFS is the file system of the machine.
type osFS struct{}

func (osFS) Open(path string) (io.ReadCloser, error)    { return os.Open(path) }
func (osFS) Stat(path string) (fs.FileInfo, error)      { return os.Stat(path) }
func (osFS) Lstat(path string) (fs.FileInfo, error)     { return os.Lstat(path) }
func (osFS) ReadDir(path string) ([]fs.DirEntry, error) { return os.ReadDir(path) }
func (osFS) EvalSymlinks(path string) (string, error)   { return filepath.EvalSymlinks(path) }

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

// variable returns an environment variable, trimmed; "" also for the literal
// texts that a careless script leaves behind.
func (e Env) variable(name string) string {
	value := strings.TrimSpace(e.Getenv(name))
	if value == "undefined" || value == "null" {
		return ""
	}
	return value
}

func (e Env) exists(path string) bool {
	_, err := e.FS.Stat(path)
	return err == nil
}

func (e Env) isDir(path string) bool {
	info, err := e.FS.Stat(path)
	return err == nil && info.IsDir()
}
