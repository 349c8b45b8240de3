// Package doctortest has the sample homes that the tests of doctor and of its
// repairs share.
package doctortest

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"openclaw-auth/auth/document"
	"openclaw-auth/state"
)

// CasesDir holds a home per file and, in its file "want", what is found there.
var CasesDir = filepath.Join(moduleRoot(), "testdata", "doctor")

// moduleRoot is the directory of go.mod, above the one that a test runs in.
func moduleRoot() string {
	directory, _ := os.Getwd()
	for {
		if _, err := os.Stat(filepath.Join(directory, "go.mod")); err == nil || directory == filepath.Dir(directory) {
			return directory
		}
		directory = filepath.Dir(directory)
	}
}

// Now is the time of the tests: 2026-05-28T20:26:40Z.
const Now = 1_780_000_000_000

// OpenHome opens the home below root (root/home is HOME) under a release; err is
// what is wrong with its configuration.
func OpenHome(tb testing.TB, root, release string) (home *state.Home, config *state.Config, evidence state.Evidence, err error) {
	tb.Helper()
	env := state.SystemEnv()
	env.Getenv = func(name string) string {
		return map[string]string{"HOME": filepath.Join(root, "home")}[name]
	}
	opened, err := state.Open(env, release)
	if home, config, evidence = opened.Home, opened.Config, opened.Evidence; home == nil {
		tb.Fatal(err)
	}
	return home, config, evidence, err
}

// Object makes an object of keys and values, in turn.
func Object(pairs ...any) *document.Object {
	o := document.NewObject()
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

// Write makes a file below root: a text as it is, anything else as JSON.
func Write(tb testing.TB, root, name string, value any) {
	tb.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		tb.Fatal(err)
	}
	text, isText := value.(string)
	if !isText {
		text = string(document.Encode(value))
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
}

// UnpackTrees unpacks the homes, each into RELEASE/NAME/home, and returns their names.
func UnpackTrees(t *testing.T, root string) []string {
	var names []string
	Unpack(t, "trees.tar.gz", func(file string, content []byte) {
		parts := strings.SplitN(file, "/", 3)
		name := path.Join(parts[0], parts[1])
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		Write(t, root, path.Join(name, "home", parts[2]), string(content))
	})
	return names
}

// Unpack calls visit for the files of an archive of testdata/doctor.
func Unpack(t *testing.T, archive string, visit func(file string, content []byte)) {
	t.Helper()
	for reader := tar.NewReader(Unzipped(t, archive)); ; {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if header.Typeflag != tar.TypeReg {
			continue
		}
		content, err := io.ReadAll(reader)
		if err != nil {
			t.Fatal(err)
		}
		visit(header.Name, content)
	}
}

// Unzipped is the content of a compressed file of testdata/doctor.
func Unzipped(t *testing.T, name string) io.Reader {
	t.Helper()
	file, err := os.Open(filepath.Join(CasesDir, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	zipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	return zipped
}

// SomeFile is any file below a home.
func SomeFile(t *testing.T, home string, random *rand.Rand) string {
	var files []string
	err := filepath.WalkDir(home, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	return files[random.IntN(len(files))]
}

// Damage cuts a text off, or puts other bytes, values or members in.
func Damage(text []byte, random *rand.Rand) []byte {
	if len(text) == 0 {
		return []byte("{")
	}
	at := random.IntN(len(text))
	switch pieces := []string{"null", "[]", "{}", "5", `"x"`, "\xff", "{", "]", ","}; random.IntN(4) {
	case 0:
		return text[:at]
	case 1:
		return append(append(append([]byte{}, text[:at]...), pieces[random.IntN(len(pieces))]...), text[at:]...)
	case 2: // a value of another type
		damaged := strings.Replace(string(text), ": {", ": "+pieces[random.IntN(5)]+", \"y\": {", 1+random.IntN(3))
		return []byte(damaged)
	}
	damaged := append([]byte{}, text...)
	damaged[at] = byte(random.IntN(256))
	return damaged
}
