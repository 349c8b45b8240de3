package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"openclaw-auth/doctor/internal/doctortest"
)

// TestTrees examines the homes that OpenClaw's own doctor was run on, each under
// the release it was run with (testdata/doctor/trees.tar.gz, RELEASE/NAME). What
// is found is in trees.golden.
func TestTrees(t *testing.T) {
	root := t.TempDir()
	homes := doctortest.UnpackTrees(t, root)
	var b strings.Builder
	for _, name := range homes {
		release, _, _ := strings.Cut(name, "/")
		home := filepath.Join(root, filepath.FromSlash(name))
		fmt.Fprintf(&b, "== %s\n%s", name, text(home, Examine(query(t, home, release, nil))))
	}
	golden := filepath.Join(doctortest.CasesDir, "trees.golden")
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
