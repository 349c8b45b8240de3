package state

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"openclaw-auth/auth"
	"openclaw-auth/auth/document"
	"openclaw-auth/state/internal/disk"
)

// Config is openclaw.json with its includes, variables replaced.
type Config struct {
	Path     string
	Exists   bool
	Warnings []string // what OpenClaw would warn about, one line each

	doc     *document.Object
	mounts  []mount
	sources map[string][]byte // content by file, to find the line of a value
}

// mount says that a file provides the values at and below a pointer, from the
// values at and below an inner pointer of its own.
type mount struct {
	pointer string
	file    string
	inner   string
}

// Document returns the resolved configuration; an empty object where there is
// none, or where it could not be read (a nil Config).
func (c *Config) Document() *document.Object {
	if c == nil {
		return nil
	}
	return c.doc
}

// Auth returns the part of the configuration that package auth reads.
func (c *Config) Auth() auth.Config { return auth.NewConfig(c.Document()) }

const maxIncludeDepth = 10

// ReadConfig reads the configuration, follows its includes and replaces its
// variables as the line does. A missing file is an empty configuration.
func (h *Home) ReadConfig() (*Config, error) {
	config, err := h.readConfigFile()
	if err != nil {
		return nil, err
	}
	return config, h.resolveVariables(config)
}

// readConfigFile reads the configuration with its includes, variables as written.
func (h *Home) readConfigFile() (*Config, error) {
	config := &Config{Path: h.ConfigPath, doc: document.NewObject(), sources: map[string][]byte{}}
	loader := &includer{home: h, config: config, root: filepath.Dir(h.ConfigPath)}
	value, err := loader.file(h.ConfigPath, "", nil, disk.MaxConfig)
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(loader.config.mounts) == 0:
		return config, nil
	case err != nil:
		return nil, err
	}
	doc, ok := value.(*document.Object)
	if !ok {
		return nil, config.wrongType("", "an object", value)
	}
	config.Exists, config.doc = true, doc
	return config, config.checkTypes()
}

// includer resolves $include.
type includer struct {
	home   *Home
	config *Config
	root   string // the configuration's directory, which includes may not leave
}

// place is where a value is being read: a file, and where the file's own
// values stand in the whole configuration.
type place struct {
	file  string
	base  string   // pointer of the whole that the file's document stands at
	chain []string // the files from the configuration to this one
}

// inner turns a pointer of the whole into one of the place's file.
func (p place) inner(pointer string) string { return pointer[len(p.base):] }

// file reads a file whose values stand at and below a pointer.
func (l *includer) file(path, pointer string, chain []string, limit int64) (document.Value, error) {
	if slices.Contains(chain, path) {
		return nil, &FileError{File: path, Message: "circular include: " + strings.Join(append(chain, path), " -> ")}
	}
	if len(chain) > maxIncludeDepth {
		return nil, &FileError{File: path, Message: fmt.Sprintf("includes are nested deeper than %d files", maxIncludeDepth)}
	}
	data, err := l.home.ReadFile(path, limit)
	if err != nil {
		return nil, err
	}
	value, err := document.Parse(path, data)
	if err != nil {
		return nil, err
	}
	l.config.sources[path] = data
	l.config.mounts = append(l.config.mounts, mount{pointer: pointer, file: path})
	if !bytes.Contains(data, []byte("$include")) {
		return value, nil
	}
	return l.resolve(value, pointer, place{path, pointer, append(slices.Clone(chain), path)})
}

// resolve replaces the includes within a value.
func (l *includer) resolve(value document.Value, pointer string, at place) (document.Value, error) {
	switch v := value.(type) {
	case []any:
		for i, item := range v {
			resolved, err := l.resolve(item, pointer+document.Pointer(strconv.Itoa(i)), at)
			if err != nil {
				return nil, err
			}
			v[i] = resolved
		}
	case *document.Object:
		return l.object(v, pointer, at)
	}
	return value, nil
}

func (l *includer) object(object *document.Object, pointer string, at place) (document.Value, error) {
	include, including := object.Get("$include")
	own := document.NewObject()
	for key, item := range object.All() {
		if key == "$include" {
			continue
		}
		resolved, err := l.resolve(item, pointer+document.Pointer(key), at)
		if err != nil {
			return nil, err
		}
		own.Set(key, resolved)
	}
	if !including {
		return own, nil
	}
	included, err := l.include(include, pointer, at)
	if err != nil || own.Len() == 0 {
		return included, err
	}
	if _, ok := included.(*document.Object); !ok {
		return nil, l.fail(pointer, at, "keys beside $include need an included object")
	}
	// The own keys win, so they are looked for in this file first.
	l.config.mounts = append(l.config.mounts, mount{pointer, at.file, at.inner(pointer)})
	return merge(included, own), nil
}

// include reads the named files and merges them from left to right.
func (l *includer) include(include document.Value, pointer string, at place) (document.Value, error) {
	names, ok := include.([]any)
	if name, single := include.(string); single {
		names, ok = []any{name}, true
	}
	if !ok {
		return nil, l.fail(pointer, at, "$include is "+kindOf(include)+", expected a string or a list of strings")
	}
	var merged document.Value
	for i, item := range names {
		name, ok := item.(string)
		if !ok {
			return nil, l.fail(pointer, at, "$include lists "+kindOf(item)+", expected a string")
		}
		value, err := l.included(name, pointer, at)
		switch {
		case err != nil:
			return nil, err
		case i == 0:
			merged = value
		default:
			merged = merge(merged, value)
		}
	}
	return merged, nil
}

func (l *includer) included(name, pointer string, at place) (document.Value, error) {
	path := filepath.FromSlash(name)
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(at.file), path)
	}
	if path = filepath.Clean(path); !l.mayInclude(path) {
		return nil, l.fail(pointer, at, fmt.Sprintf("included file %s is outside of the configuration's directory", name))
	}
	value, err := l.file(path, pointer, at.chain, maxInclude)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, l.fail(pointer, at, fmt.Sprintf("included file %s does not exist", path))
	}
	return value, err
}

// fail is an error at a value of the file that is being read.
func (l *includer) fail(pointer string, at place, message string) error {
	return document.ErrorAt(at.file, l.config.sources[at.file], at.inner(pointer), message)
}

// mayInclude reports whether a file lies within the configuration's directory
// (2026.5.12+: or another allowed one), links followed.
func (l *includer) mayInclude(path string) bool {
	real := l.real(path)
	return slices.ContainsFunc(l.roots(), func(root string) bool { return disk.IsWithin(real, l.real(root)) })
}

func (l *includer) real(path string) string {
	if real, err := l.home.FS.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// maxInclude is OpenClaw's own limit for an included file.
const maxInclude = 2 << 20

func (l *includer) roots() []string {
	roots := []string{l.root}
	if RulesOf(l.home.Rules).IncludeRoots {
		for _, root := range filepath.SplitList(l.home.Getenv("OPENCLAW_INCLUDE_ROOTS")) {
			if root != "" {
				roots = append(roots, l.home.UserPath(root))
			}
		}
	}
	return roots
}

// merge puts the members of one value over those of another: objects member by
// member, arrays one after the other, anything else replaced.
func merge(base, over document.Value) document.Value {
	if left, ok := base.([]any); ok {
		if right, ok := over.([]any); ok {
			return slices.Concat(left, right)
		}
	}
	left, okLeft := base.(*document.Object)
	right, okRight := over.(*document.Object)
	if !okLeft || !okRight {
		return over
	}
	merged := left.Clone()
	for key, value := range right.All() {
		switch key {
		case "__proto__", "prototype", "constructor":
			continue
		}
		if before, ok := merged.Get(key); ok {
			value = merge(before, value)
		}
		merged.Set(key, value)
	}
	return merged
}

// HasPluginIndex reports whether the state directory lists the bundled plugins
// (plugins/installs.json), which 2026.4.29 needs to know other spellings of
// model ids.
func (h *Home) HasPluginIndex() bool {
	return h.Exists(filepath.Join(h.StateDir, "plugins", "installs.json"))
}
