package answer

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"openclaw-auth/auth"
)

// TestConformance compares every recorded answer of the real program with
// ours. OPENCLAW_AUTH_VECTORS names another folder of recordings, laid out
// like testdata/vectors (files may be uncompressed).
func TestConformance(t *testing.T) {
	folder := os.Getenv("OPENCLAW_AUTH_VECTORS")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "testdata", "vectors")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.jsonl*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors in %s (%v)", folder, err)
	}
	for _, file := range files {
		release := filepath.Base(filepath.Dir(file))
		name, _, _ := strings.Cut(filepath.Base(file), ".")
		t.Run(release+"/"+name, func(t *testing.T) { conform(t, release, name, file) })
	}
}

func conform(t *testing.T, release, name, file string) {
	rules, err := auth.RulesFor(release)
	if err != nil {
		t.Fatal(err)
	}
	questions, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	right, all, left := 0, 0, 0
	for _, q := range questions {
		if !Knows(q.Fn) || Threw(q) {
			continue
		}
		got := Ask(rules, q)
		if reason, ok := got.(Skipped); ok {
			left++
			t.Logf("%s skipped: %s", q.ID, reason)
			continue
		}
		all++
		if Right(q, got) {
			right++
		} else if all-right <= 3 {
			t.Errorf("%s (-want +got):\n%s", q.ID, Diff(q, got))
		}
	}
	switch {
	case left > 0:
		fmt.Printf("conformance %s %s %d/%d (%d skipped)\n", release, name, right, all, left)
	case all > 0:
		fmt.Printf("conformance %s %s %d/%d\n", release, name, right, all)
	}
	if right != all {
		t.Errorf("%d of %d differ", all-right, all)
	}
}
