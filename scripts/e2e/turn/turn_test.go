package turn

import (
	"path/filepath"
	"testing"
)

// TestRealRuns asks the engine for every recorded turn of the real OpenClaw.
// A stale turn is one whose process still went by the state that it had loaded
// before a change from outside; no reader of files can know that.
func TestRealRuns(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "e2e", "*.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, file := range files {
		turns, err := Read(file)
		if err != nil {
			t.Fatal(err)
		}
		memories := Memories{}
		for _, turn := range turns {
			if turn.Stale {
				continue
			}
			compared++
			d, err := turn.Compare(memories.Of(&turn))
			if err != nil {
				t.Errorf("%s: %v", turn.Name(), err)
			}
			for _, text := range append(d.Sequence, d.State...) {
				t.Errorf("%s, %s: %s", turn.Name(), turn.Title, text)
			}
		}
	}
	if compared < 100 {
		t.Errorf("only %d turns", compared)
	}
}
