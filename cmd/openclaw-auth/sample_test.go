package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// packageDir is where the tests start; scripts run elsewhere.
var packageDir, _ = os.Getwd()

// sampleHomes lists the sample homes of testdata/homes.
func sampleHomes(t *testing.T) []string {
	t.Helper()
	golden, err := filepath.Glob(filepath.Join(packageDir, "..", "..", "testdata", "homes", "*.golden.json"))
	if err != nil || len(golden) == 0 {
		t.Fatalf("no sample homes (%v)", err)
	}
	names := make([]string, len(golden))
	for i, file := range golden {
		names[i] = strings.TrimSuffix(filepath.Base(file), ".golden.json")
	}
	return names
}

// copyHome copies a sample home with the modes that OpenClaw gives its files.
// Homes with databases are kept as archives.
func copyHome(name, target string) error {
	source := filepath.Join(packageDir, "..", "..", "testdata", "homes", name)
	if err := os.RemoveAll(target); err != nil {
		return err
	}
	err := unpack(source+".tar.gz", target)
	if errors.Is(err, os.ErrNotExist) {
		err = os.CopyFS(target, os.DirFS(source))
	}
	if err != nil {
		return err
	}
	return filepath.WalkDir(target, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		mode := os.FileMode(0o600)
		if entry.IsDir() {
			mode = 0o700
		}
		return os.Chmod(path, mode)
	})
}

func unpack(archive, target string) error {
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer file.Close()
	zipped, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	reader := tar.NewReader(zipped)
	for {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		path := filepath.Join(target, filepath.FromSlash(header.Name))
		if header.Typeflag == tar.TypeDir {
			if err := os.MkdirAll(path, 0o700); err != nil {
				return err
			}
			continue
		}
		content, err := io.ReadAll(reader)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return err
		}
	}
}

// sampleHome is a fresh copy of a sample home.
func sampleHome(t *testing.T, name string) string {
	t.Helper()
	home := filepath.Join(t.TempDir(), "home")
	if err := copyHome(name, home); err != nil {
		t.Fatal(err)
	}
	return home
}

// unpackPast unpacks what a real run of a release left behind (testdata/history),
// with the modes that OpenClaw gives its files.
func unpackPast(name, target string) error {
	if err := os.RemoveAll(target); err != nil {
		return err
	}
	return unpack(filepath.Join(packageDir, "..", "..", "testdata", "history", name+".tar.gz"), target)
}
