package doctor

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTrees examines the homes that OpenClaw's own doctor was run on, each under
// the release it was run with (testdata/doctor/trees.tar.gz, RELEASE/NAME). What
// is found is in trees.golden.
func TestTrees(t *testing.T) {
	root := t.TempDir()
	homes := unpackTrees(t, root)
	var b strings.Builder
	for _, name := range homes {
		release, _, _ := strings.Cut(name, "/")
		home := filepath.Join(root, filepath.FromSlash(name))
		fmt.Fprintf(&b, "== %s\n%s", name, text(home, Examine(query(t, home, release, nil))))
	}
	golden := filepath.Join(casesDir, "trees.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("(-want +got; go test ./doctor -update writes it)\n%s", diff)
	}
}

// unpackTrees unpacks the homes, each into RELEASE/NAME/home, and returns their names.
func unpackTrees(t *testing.T, root string) []string {
	var names []string
	unpack(t, "trees.tar.gz", func(file string, content []byte) {
		parts := strings.SplitN(file, "/", 3)
		name := path.Join(parts[0], parts[1])
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		write(t, root, path.Join(name, "home", parts[2]), string(content))
	})
	return names
}

// unpack calls visit for the files of an archive of testdata/doctor.
func unpack(t *testing.T, archive string, visit func(file string, content []byte)) {
	t.Helper()
	for reader := tar.NewReader(unzipped(t, archive)); ; {
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

// unzipped is the content of a compressed file of testdata/doctor.
func unzipped(t *testing.T, name string) io.Reader {
	t.Helper()
	file, err := os.Open(filepath.Join(casesDir, name))
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
